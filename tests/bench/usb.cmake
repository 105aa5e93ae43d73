if(TARGET rngd_source)
  talla_bench(bench_usb SOURCES usb_rate.cpp LIBS entropy_usb rngd_source entropy rngd_monitor)
endif()
talla_bench(bench_quality SOURCES stats_quality.cpp LIBS stats entropy entropy_lab)
