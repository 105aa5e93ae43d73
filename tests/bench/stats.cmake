if(TARGET stats_lab)
  pkg_check_modules(fftw_double REQUIRED IMPORTED_TARGET fftw3)
  talla_bench(bench_stats SOURCES stats_sp800_22.cpp LIBS stats stats_lab PkgConfig::fftw_double)
endif()
