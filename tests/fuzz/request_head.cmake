# Heads of requests as a network may bring them, against a second reader of HTTP.
find_package(Boost 1.81 REQUIRED)
talla_fuzz(request_head request_head_fuzz.cpp rngd_http Boost::headers)
if(TARGET fuzz_request_head)
  target_include_directories(fuzz_request_head PRIVATE ${CMAKE_SOURCE_DIR}/rngd/appliance/http/src)
endif()
