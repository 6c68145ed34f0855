# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# Builds examples in WORK with nothing but a compiler and what pkg-config says of PREFIX, and runs
# them: one in C++, and all that are in C.
include(${CMAKE_CURRENT_LIST_DIR}/files.cmake NO_POLICY_SCOPE)
find_program(pkg_config pkg-config)
if(NOT pkg_config)
  message("skipped: needs pkg-config")
  return()
endif()

set(ENV{PKG_CONFIG_PATH} "${PREFIX}/${LIBDIR}/pkgconfig")
set(ENV{LD_LIBRARY_PATH} "${PREFIX}/${LIBDIR}:$ENV{LD_LIBRARY_PATH}")
set(ENV{REDTUNE_CACHE} "${REDTUNE_CACHE}")
execute_process(COMMAND ${pkg_config} --modversion redtune OUTPUT_VARIABLE said
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT said STREQUAL VERSION)
  fail("pkg-config says version ${said} instead of ${VERSION}")
endif()

# build_and_run(source compiler ...): pkg-config writes for a shell, blanks in names included.
function(build_and_run source)
  get_filename_component(name ${source} NAME_WE)
  list(JOIN ARGN " " compiler)
  execute_process(
    COMMAND
      sh -ec
      "eval \"${compiler} '${source}' -o '${WORK}/${name}' $(${pkg_config} --cflags --libs redtune)\""
      COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${WORK}/${name} host OUTPUT_VARIABLE output RESULT_VARIABLE code)
  if(NOT code EQUAL 0 OR output STREQUAL "")
    fail("${name} ended with ${code} and said '${output}'")
  endif()
endfunction()

file(MAKE_DIRECTORY ${WORK})
build_and_run(${SOURCE}/examples/query_only.cpp ${CXX} ${FLAGS} -std=c++20 -Wall -Wextra -Werror)
file(GLOB sources ${SOURCE}/examples/*.c)
find_program(cc NAMES cc gcc clang)
foreach(source IN LISTS sources)
  build_and_run(${source} ${cc} ${FLAGS} -std=c11 -Wall -Wextra -Wpedantic -Werror)
endforeach()
