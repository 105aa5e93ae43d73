talla_bench(bench_certs_shoe SOURCES certs_shoe.cpp LIBS certs certs_format shuffle OpenSSL::Crypto)
talla_bench(bench_certs_commit SOURCES certs_commit.cpp ${CMAKE_SOURCE_DIR}/tests/unit/certs/fault_vfs.cpp
  LIBS certs certs_format shuffle SQLite::SQLite3 Threads::Threads)
target_include_directories(bench_certs_commit PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit/certs)
