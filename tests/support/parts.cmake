# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# What ./dev test and ./dev test full run, as ctest lists it: the parts are the whole, each test is in one of
# them, and ./dev test runs none that ./dev test full does not. To list thousands of tests takes a second: how
# parts share them is seen of a few that are made for it, and of one part that all of them are taken alike.
# -DCTEST= -DSOURCE= -DBUILD= -DFEW=, a folder for the few
function(list_tests result folder)
  execute_process(COMMAND ${CTEST} --test-dir ${folder} -N -FA . ${ARGN} OUTPUT_VARIABLE text
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "#[0-9]+:" names "${text}")  # what stands before is as wide as the numbers are
  set(${result} "${names}" PARENT_SCOPE)
endfunction()

# Which tests ./dev takes is what it tells ctest: the words of its line with --preset.
file(READ ${SOURCE}/dev script)
if(NOT script MATCHES "run_tests full -I \"[^\n]*\\[1\\]},,[^\n]*\\[2\\]}\"")
  message(FATAL_ERROR "./dev splits in another way than -I i,,n: mend this test")
endif()
file(READ ${SOURCE}/CMakePresets.json presets)
string(JSON count LENGTH "${presets}" testPresets)
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  string(JSON name GET "${presets}" testPresets ${i} name)
  string(JSON out_${name} ERROR_VARIABLE none GET "${presets}" testPresets ${i} filter exclude name)
  string(JSON full_${name} ERROR_VARIABLE none GET "${presets}" testPresets ${i} environment REDTUNE_TEST_FULL)
endforeach()
if(NOT out_dev STREQUAL "^Full" OR NOT full_full STREQUAL "1" OR NOT out_full MATCHES "NOTFOUND$")
  message(FATAL_ERROR "presets: dev leaves out '${out_dev}', full '${out_full}', it sets '${full_full}'")
endif()

list_tests(all ${BUILD})
list(LENGTH all all_count)
list_tests(quick ${BUILD} -E ${out_dev})
list(LENGTH quick quick_count)
if(quick_count EQUAL 0 OR NOT quick_count LESS all_count)
  message(FATAL_ERROR "${quick_count} tests of ${all_count} in ./dev test")
endif()
list(REMOVE_ITEM quick ${all})
if(quick)
  message(FATAL_ERROR "not in ./dev test full: ${quick}")
endif()

list_tests(part ${BUILD} -I 3,,7)
set(every_seventh "")
foreach(number RANGE 3 ${all_count} 7)
  list(APPEND every_seventh "#${number}:")
endforeach()
if(NOT part STREQUAL every_seventh)
  message(FATAL_ERROR "part 3/7 is not every seventh of ${all_count} tests")
endif()

set(few_count 40)
set(few_text "")
foreach(i RANGE 1 ${few_count})
  string(APPEND few_text "add_test(Test${i} true)\n")
endforeach()
file(WRITE ${FEW}/CTestTestfile.cmake "${few_text}")
list_tests(few ${FEW})
list(SORT few)
foreach(n 1 2 3 7)
  set(together "")
  foreach(i RANGE 1 ${n})
    list_tests(part ${FEW} -I ${i},,${n})
    list(LENGTH part part_count)
    math(EXPR uneven "${part_count} - ${few_count} / ${n}")
    if(uneven LESS 0 OR uneven GREATER 1)
      message(FATAL_ERROR "part ${i}/${n} has ${part_count} tests of ${few_count}")
    endif()
    list(APPEND together ${part})
  endforeach()
  list(SORT together)
  if(NOT together STREQUAL few)
    message(FATAL_ERROR "the parts of ${n} are not the whole")
  endif()
endforeach()

# What it does not know, it says in a line before it begins anything.
foreach(words bogus "full;--part" "full;--part;0/3" "full;--part;4/3" "full;--part;1/3;x" "--part;1/3")
  execute_process(COMMAND ${SOURCE}/dev test ${words} RESULT_VARIABLE code OUTPUT_VARIABLE out
                  ERROR_VARIABLE err)
  if(NOT code EQUAL 2 OR NOT "${out}" STREQUAL "" OR NOT err MATCHES "^[^\n]*unknown arguments[^\n]*\n$")
    message(FATAL_ERROR "./dev test ${words}: code ${code}: ${out}${err}")
  endif()
endforeach()
