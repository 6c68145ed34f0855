# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# Lists the suites of a test program for ctest, but for those of full runs alone, an entry "Suite.*" for each: thousands of processes take longer
# than the small tests in them.
# -DPROGRAM= -DFILE= -DPROPERTIES=, a list of names and values
execute_process(COMMAND ${PROGRAM} --gtest_list_tests --gtest_filter=-Full* OUTPUT_VARIABLE list TIMEOUT 60
                COMMAND_ERROR_IS_FATAL ANY)
# A suite is a line that ends with a dot, or with a type behind it; tests are set in from the left.
string(REGEX MATCHALL "(^|\n)[A-Za-z0-9_/]+\\.( +#[^\n]*)?\n" suites "${list}")
if(suites STREQUAL "")
  message(FATAL_ERROR "${PROGRAM} lists no tests")
endif()
# Skipped is what passed nothing and failed nothing.
list(APPEND PROPERTIES SKIP_REGULAR_EXPRESSION [[\[  PASSED  \] 0 tests\.\n(\[  SKIPPED \][^\n]*\n)+$]])
list(TRANSFORM PROPERTIES REPLACE "(.+)" "[==[\\1]==]")
list(JOIN PROPERTIES " " properties)
set(text "")
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "^\n?([A-Za-z0-9_/]+\\.).*" "\\1*" name "${suite}")
  string(APPEND text "add_test([==[${name}]==] [==[${PROGRAM}]==] [==[--gtest_filter=${name}]==])\n"
                     "set_tests_properties([==[${name}]==] PROPERTIES ${properties})\n")
endforeach()
file(WRITE ${FILE} "${text}")
