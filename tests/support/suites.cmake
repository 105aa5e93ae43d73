# Lists a GoogleTest program in ctest, one test a suite: a process each for thousands of short cases
# costs more than the cases. Run behind every link of the program:
#   cmake -D PROGRAM=FILE -D PREFIX=NAME -D TIMEOUT=SECONDS -D LABELS=A,B -D LIST=FILE
#     -P suites.cmake
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE said
  RESULT_VARIABLE status TIMEOUT 60)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} does not list its tests (${status}):\n${said}")
endif()
# A line of a suite begins at its edge and ends in a dot or, where its type is told, in a comment.
string(REGEX MATCHALL "(^|\n)[A-Za-z0-9_/]+\\.( *#[^\n]*)?" suites "${said}")
if(NOT suites)
  message(FATAL_ERROR "${PROGRAM} lists no test:\n${said}")
endif()
string(REPLACE "," ";" labels "${LABELS}")
set(text "")
foreach(suite IN LISTS suites)
  string(REGEX MATCH "[A-Za-z0-9_/]+" suite "${suite}")
  set(name "${PREFIX}.${suite}")
  string(APPEND text "add_test([=[${name}]=] [=[${PROGRAM}]=] [=[--gtest_filter=${suite}.*]=])\n"
    "set_tests_properties([=[${name}]=] PROPERTIES TIMEOUT ${TIMEOUT} LABELS [=[${labels}]=]\n"
    "  FAIL_REGULAR_EXPRESSION \"running 0 tests|Running 0 tests\")\n")
endforeach()
file(WRITE ${LIST} "${text}")
