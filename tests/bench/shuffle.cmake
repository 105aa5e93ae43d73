pkg_check_modules(sodium REQUIRED IMPORTED_TARGET libsodium)
talla_bench(bench_shuffle SOURCES shuffle.cpp LIBS shuffle OpenSSL::Crypto PkgConfig::sodium)
