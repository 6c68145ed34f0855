# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# Installs BUILD into DIR/prefix, and into another prefix that is then moved to "DIR/moved prefix";
# checks what is there, and that nothing in it knows where it was built.
function(fail text)
  message(FATAL_ERROR "${text}")
endfunction()

file(REMOVE_RECURSE ${DIR})
foreach(prefix prefix staging)
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --config "${CONFIG}" --prefix
                          ${DIR}/${prefix} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(RENAME ${DIR}/staging "${DIR}/moved prefix")

set(expected
    ${LIBDIR}/libredtune.so
    ${LIBDIR}/cmake/redtune/redtuneConfig.cmake
    ${LIBDIR}/cmake/redtune/redtuneConfigVersion.cmake
    ${LIBDIR}/cmake/redtune/redtuneTargets.cmake
    include/redtune/reducer.hpp
    include/redtune/ops.def
    include/redtune/version.hpp
    share/doc/redtune/LICENSE)
if(WITH_TOOLS)
  list(APPEND expected bin/redtune)
endif()
if(WITH_HIP)
  list(APPEND expected ${LIBDIR}/redtune/libredtune_hip.so)
endif()
if(WITH_CUDA)
  list(APPEND expected ${LIBDIR}/redtune/libredtune_cuda.so)
endif()
foreach(file IN LISTS expected)
  if(NOT EXISTS ${DIR}/prefix/${file})
    fail("${file} is not installed")
  endif()
endforeach()

# Static libraries, or headers of the other rooms, are not for consumers.
file(GLOB_RECURSE strays ${DIR}/prefix/*.a ${DIR}/prefix/*.hip.h)
file(GLOB rooms ${DIR}/prefix/include/*)
if(strays OR NOT rooms STREQUAL "${DIR}/prefix/include/redtune")
  fail("not meant to be installed: ${strays} ${rooms}")
endif()

file(GLOB package_files ${DIR}/prefix/${LIBDIR}/cmake/redtune/*.cmake)
foreach(file IN LISTS package_files)
  file(READ ${file} text)
  foreach(word ${BUILD} ${DIR} fmt:: Boost nlohmann SQLite redtune_)
    string(FIND "${text}" "${word}" position)
    if(NOT position EQUAL -1)
      fail("${file} mentions ${word}, which consumers do not have")
    endif()
  endforeach()
endforeach()

file(GLOB binaries ${DIR}/prefix/bin/* ${DIR}/prefix/${LIBDIR}/*.so
     ${DIR}/prefix/${LIBDIR}/redtune/*.so)
foreach(file IN LISTS binaries)
  execute_process(COMMAND ${READELF} -d ${file} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
  string(FIND "${dynamic}" "${BUILD}" position)
  if(NOT position EQUAL -1)
    fail("${file} looks for libraries where it was built:\n${dynamic}")
  endif()
endforeach()

# The library shows the public API and nothing else of redtune.
execute_process(COMMAND ${NM} -D --defined-only -C ${DIR}/prefix/${LIBDIR}/libredtune.so
                OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
set(private "redtune::(cache|device|kernels|runtime|search)::|fmt::|nlohmann")
if(NOT symbols MATCHES "redtune::find_best" OR symbols MATCHES "${private}")
  fail("libredtune.so shows the wrong symbols:\n${symbols}")
endif()
