# A whole appliance on simulated time (tests/unit/rngd/rig.hpp), for fuzz targets and benches that
# are built without the tests.
if(NOT TARGET rngd_rig)
  add_library(rngd_rig STATIC EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/unit/rngd/rig.cpp)
  target_link_libraries(rngd_rig PUBLIC rngd_core certs_verify PRIVATE talla_options GTest::gtest)
  target_include_directories(rngd_rig PUBLIC ${CMAKE_SOURCE_DIR}/tests/unit/rngd)
endif()
