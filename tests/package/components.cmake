# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# Installs each component by itself into DIR/components: no file is in two of them, all together
# are DIR/prefix; and all of it below a DESTDIR.
include(${CMAKE_CURRENT_LIST_DIR}/files.cmake NO_POLICY_SCOPE)

set(components runtime tools dev)
if(WITH_HIP)
  list(APPEND components hip)
endif()
if(WITH_CUDA)
  list(APPEND components cuda)
endif()
if(WITH_PYTHON)
  list(APPEND components python)
endif()

file(REMOVE_RECURSE ${DIR}/components ${DIR}/destdir)
set(all "")
foreach(component IN LISTS components)
  execute_process(
    COMMAND ${CMAKE_COMMAND} --install ${BUILD} --config "${CONFIG}" --component ${component}
            --prefix ${DIR}/components/${component} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  files_below(files_of_${component} ${DIR}/components/${component})
  foreach(file IN LISTS files_of_${component})
    if(file IN_LIST all)
      fail("${file} is in two components, one is ${component}")
    endif()
    list(APPEND all ${file})
  endforeach()
endforeach()
files_below(whole ${DIR}/prefix)
expect_same("components and the whole" "${whole}" "${all}")

# The library runs without the files to build with, and the other way round.
foreach(file libredtune.so.${ABI} redtune/libredtune_hip.so)
  if(${LIBDIR}/${file} IN_LIST files_of_dev)
    fail("${file} is for running, and in dev")
  endif()
endforeach()
if(NOT ${LIBDIR}/libredtune.so.${ABI} IN_LIST files_of_runtime OR ${LIBDIR}/libredtune.so IN_LIST
                                                                  files_of_runtime)
  fail("runtime has the wrong names of the library: ${files_of_runtime}")
endif()

execute_process(
  COMMAND ${CMAKE_COMMAND} -E env DESTDIR=${DIR}/destdir ${CMAKE_COMMAND} --install ${BUILD}
          --config "${CONFIG}" --prefix /opt/there OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
files_below(placed ${DIR}/destdir/opt/there)
expect_same("below DESTDIR" "${whole}" "${placed}")
