talla_bench(bench_usb SOURCES usb_rate.cpp LIBS entropy_usb rngd_source entropy rngd_monitor)
talla_bench(bench_quality SOURCES stats_quality.cpp LIBS stats entropy entropy_lab)
# The emulated bus comes with the tests.
if(TALLA_TESTS)
  talla_bench(bench_usb_recovery SOURCES usb_recovery.cpp LIBS usb_umockdev entropy entropy_usb)
  target_compile_definitions(bench_usb_recovery PRIVATE
    RNGD_SOURCE_PROGRAM="$<TARGET_FILE:emulated_source>")
  add_dependencies(bench_usb_recovery emulated_source)
endif()
