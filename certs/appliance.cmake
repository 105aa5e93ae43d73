# certs: ledger, log, sealing, keys and signing of the appliance; OpenSSL, SQLite and PostgreSQL's
# client library. Of p11-kit the header alone: it declares what a PKCS#11 module answers to, and the
# module itself is loaded when a configuration names one. tpm2-tss: ESAPI, its structures as bytes,
# and the loader of transport modules, for the rollback anchor and the sealing key in a TPM.
pkg_check_modules(p11kit REQUIRED p11-kit-1)
talla_library(certs PUBLIC certs_format entropy_base PRIVATE OpenSSL::Crypto SQLite::SQLite3
  PkgConfig::libpq PkgConfig::tss2 fmt::fmt Threads::Threads ${CMAKE_DL_LIBS})
target_include_directories(certs SYSTEM PRIVATE ${p11kit_INCLUDE_DIRS})
