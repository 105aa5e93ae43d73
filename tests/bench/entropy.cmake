talla_bench(bench_health SOURCES entropy_health.cpp LIBS entropy entropy_lab)
