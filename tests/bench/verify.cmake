# The offline verifier: Botan, bundles made in memory.
talla_bench(bench_verify SOURCES verify.cpp LIBS certs_verify evidence_builder)
