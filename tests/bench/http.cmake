# The TLS server with the whole service behind it, against the same server giving a stored text.
include(${CMAKE_SOURCE_DIR}/tests/support/rig.cmake)
talla_bench(bench_http SOURCES http.cpp ${CMAKE_SOURCE_DIR}/rngd/appliance/daemon/src/gateway.cpp
  ${CMAKE_SOURCE_DIR}/rngd/appliance/daemon/src/request_rules.cpp
  ${CMAKE_SOURCE_DIR}/rngd/appliance/daemon/src/metrics.cpp
  LIBS rngd_rig rngd_core rngd_http rngd_web rngd_config GTest::gtest Threads::Threads)
target_include_directories(bench_http PRIVATE ${CMAKE_SOURCE_DIR}/rngd/appliance/daemon/src)
