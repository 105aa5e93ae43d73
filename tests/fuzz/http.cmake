# Requests as clients may send them, to a whole appliance on simulated time.
include(${CMAKE_SOURCE_DIR}/tests/support/rig.cmake)
talla_fuzz(http http_fuzz.cpp rngd_rig GTest::gtest)
if(TARGET fuzz_http)
  # seat_pair.hpp
  target_include_directories(fuzz_http PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit/certs)
endif()
