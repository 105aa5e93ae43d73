pkg_check_modules(sodium IMPORTED_TARGET libsodium)
if(sodium_FOUND)
  talla_bench(bench_shuffle SOURCES shuffle.cpp LIBS shuffle OpenSSL::Crypto PkgConfig::sodium)
endif()
