# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# cmake -DREAL=library -DNM=nm -DREADELF=readelf -DCALLS=calls.def -DSCRIPT=out -P versions.cmake
# Writes the linker's script that gives our symbols the versions they have in the real library, and prints the
# name inside that library. Without those versions the dynamic linker warns on standard error.
cmake_minimum_required(VERSION 3.24)
execute_process(COMMAND ${READELF} -d ${REAL} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
if(NOT dynamic MATCHES "soname: \\[([^]]+)\\]")
  message(FATAL_ERROR "${REAL} has no SONAME")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E echo ${CMAKE_MATCH_1})

file(STRINGS ${CALLS} rows REGEX "^(HIP|HIPRTC|COMGR)_CALL")
list(TRANSFORM rows REPLACE "^[A-Z]+_CALL\\(([A-Za-z_]+),.*" "\\1")
set(names ${rows} hipGetDevicePropertiesR0600 hipGetErrorName hipGetErrorString hiprtcGetErrorString)

execute_process(COMMAND ${NM} -D --defined-only ${REAL} OUTPUT_VARIABLE symbols
                COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" symbols "${symbols}")
set(versions)
foreach(symbol IN LISTS symbols)
  if(NOT symbol MATCHES "^[0-9a-f]+ [TWi] ([A-Za-z_0-9]+)(@@?([A-Za-z_0-9.]+))?$")
    continue()
  endif()
  set(name ${CMAKE_MATCH_1})
  set(version "${CMAKE_MATCH_3}")
  if("${name}" IN_LIST names)
    list(APPEND versions "node ${version}")
    list(APPEND "members of node ${version}" ${name})
  endif()
endforeach()
list(REMOVE_DUPLICATES versions)

set(script)
set(rest "local: *; ")
foreach(node IN LISTS versions)
  list(JOIN "members of ${node}" "; " members)
  string(REPLACE "node " "" version "${node}")
  string(APPEND script "${version} { global: ${members}; ${rest}};\n")
  set(rest)
endforeach()
file(CONFIGURE OUTPUT ${SCRIPT} CONTENT "${script}")
