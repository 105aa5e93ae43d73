# certs: ledger, log, sealing, keys and signing of the appliance; OpenSSL and SQLite.
talla_library(certs PUBLIC certs_format entropy_base PRIVATE OpenSSL::Crypto SQLite::SQLite3 fmt::fmt Threads::Threads)
