# The real daemon under the load of a casino's tables.
talla_bench(bench_appliance_load SOURCES appliance_load.cpp LIBS certs OpenSSL::SSL OpenSSL::Crypto
  Threads::Threads)
target_compile_definitions(bench_appliance_load PRIVATE TALLA_RNGD="$<TARGET_FILE:rngd>")
add_dependencies(bench_appliance_load rngd rngd-source)
