talla_bench(bench_certs_shoe SOURCES certs_shoe.cpp LIBS certs certs_format shuffle OpenSSL::Crypto)
talla_bench(bench_certs_commit SOURCES certs_commit.cpp LIBS certs certs_format SQLite::SQLite3)
talla_bench(bench_certs_postgres SOURCES certs_postgres.cpp
  ${CMAKE_SOURCE_DIR}/tests/unit/certs/postgres_server.cpp
  LIBS certs certs_format PkgConfig::libpq)
target_include_directories(bench_certs_postgres PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit/certs)
# The sequencer with waiting clients, over a disk whose syncs take longer.
include(${CMAKE_SOURCE_DIR}/tests/support/rig.cmake)
talla_bench(bench_core_commit SOURCES core_commit.cpp
  ${CMAKE_SOURCE_DIR}/tests/unit/certs/fault_vfs.cpp
  LIBS rngd_rig rngd_core GTest::gtest SQLite::SQLite3 OpenSSL::Crypto Threads::Threads)
talla_bench(bench_core_restart SOURCES core_restart.cpp LIBS rngd_rig rngd_core GTest::gtest
  OpenSSL::Crypto
  SQLite::SQLite3 Threads::Threads)
target_include_directories(bench_core_commit PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit/certs)
talla_bench(bench_core_seats SOURCES core_seats.cpp
  ${CMAKE_SOURCE_DIR}/tests/unit/certs/fault_vfs.cpp
  LIBS rngd_rig rngd_core GTest::gtest SQLite::SQLite3 OpenSSL::Crypto Threads::Threads)
target_include_directories(bench_core_seats PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit/certs)
