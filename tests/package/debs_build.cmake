# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# Packs BUILD into DIR/debs, quickly rather than small: all PACKAGES, which the documentation names,
# and no other. Unpacks them together into DIR/root.
include(${CMAKE_CURRENT_LIST_DIR}/files.cmake NO_POLICY_SCOPE)

file(REMOVE_RECURSE ${DIR}/debs ${DIR}/root)
get_filename_component(bin ${CMAKE_COMMAND} DIRECTORY)
execute_process(
  COMMAND ${bin}/cpack -G DEB -C "${CONFIG}" --config ${BUILD}/CPackConfig.cmake -B ${DIR}/debs
          -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
if(NOT code EQUAL 0 OR output MATCHES "Warning|Error")
  message(FATAL_ERROR "cpack ended with ${code}:\n${output}")
endif()

file(READ ${SOURCE}/docs/how-to/install.md page)
set(expected "")
foreach(pair IN LISTS PACKAGES)
  string(REPLACE "=" ";" pair ${pair})
  list(POP_FRONT pair component package)
  list(APPEND expected ${package})
  string(FIND "${page}" "| `${component}` | `${package}` |" position)
  if(position EQUAL -1)
    fail("install.md does not say that ${component} is in ${package}")
  endif()
endforeach()
file(GLOB debs ${DIR}/debs/*.deb)
set(found "")
foreach(deb IN LISTS debs)
  get_filename_component(file ${deb} NAME)
  if(NOT file MATCHES "^([a-z0-9-]+)_${VERSION}_[a-z0-9]+\\.deb$")
    fail("${file} is no name of a package of version ${VERSION}")
  endif()
  list(APPEND found ${CMAKE_MATCH_1})
  execute_process(COMMAND dpkg-deb -x ${deb} ${DIR}/root COMMAND_ERROR_IS_FATAL ANY)
endforeach()
expect_same("packages" "${expected}" "${found}")
