# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# Each package holds what its component installs (DIR/components) and its own papers; all belongs to
# root and nobody else may write it; it needs what it is linked to and its library, no more.
include(${CMAKE_CURRENT_LIST_DIR}/files.cmake NO_POLICY_SCOPE)

# What must and what must not be among the packages that one depends on.
set(needs_runtime "libc6")
set(spares_runtime "sqlite|program-options|amdhip|cuda")
set(needs_hip "libamdhip64|hip")
set(spares_hip "sqlite|cuda")
set(needs_cuda "libc6")
set(spares_cuda "sqlite|cuda|nvrtc|nvidia|amdhip")
set(needs_tools "libsqlite3-0")
set(spares_tools "amdhip|cuda")
set(needs_python "python3 \\(>= 3\\.10\\)")
set(spares_python "sqlite|program-options|amdhip|cuda|numpy|torch|libpython")
set(needs_dev "")
set(spares_dev "libc6|-dev")

# check_owner_and_mode(package line): a line of dpkg-deb -c.
function(check_owner_and_mode package line)
  if(NOT line MATCHES "^(drwxr-xr-x|-rwxr-xr-x|-rw-r--r--|lrwxrwxrwx) root/root ")
    fail("${package}: wrong owner or mode: ${line}")
  endif()
endfunction()

file(REMOVE_RECURSE ${DIR}/control)
file(MAKE_DIRECTORY ${DIR}/control)
foreach(pair IN LISTS PACKAGES)
  string(REPLACE "=" ";" pair ${pair})
  list(POP_FRONT pair component package)
  file(GLOB deb ${DIR}/debs/${package}_*.deb)

  files_below(expected ${DIR}/components/${component})
  list(TRANSFORM expected REPLACE "^(share/man/.*)$" "\\1.gz")
  list(APPEND expected share/doc/${package}/copyright share/doc/${package}/changelog.gz)
  list(TRANSFORM expected PREPEND usr/)
  execute_process(COMMAND dpkg-deb -c ${deb} OUTPUT_VARIABLE content COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" lines "${content}")
  set(found "")
  foreach(line IN LISTS lines)
    check_owner_and_mode(${package} "${line}")
    if(line MATCHES "^[^d].* \\./([^ ]+)( -> [^ ]+)?$")
      list(APPEND found ${CMAKE_MATCH_1})
    endif()
  endforeach()
  expect_same("files of ${package}" "${expected}" "${found}")
  if(component STREQUAL tools AND NOT content MATCHES "drwxr-xr-x root/root[^\n]* \\./var/lib/redtune/")
    fail("${package} does not bring the folder for results of the whole machine")
  endif()

  execute_process(COMMAND dpkg-deb -e ${deb} ${DIR}/control/${package} COMMAND_ERROR_IS_FATAL ANY)
  if(EXISTS ${DIR}/control/${package}/conffiles)
    fail("${package} has files that are kept when it goes")
  endif()
  execute_process(COMMAND dpkg-deb -f ${deb} Depends OUTPUT_VARIABLE depends
                          COMMAND_ERROR_IS_FATAL ANY)
  if(NOT depends MATCHES "${needs_${component}}" OR depends MATCHES "${spares_${component}}")
    fail("${package} needs ${depends}")
  endif()
  if(NOT component STREQUAL runtime AND NOT depends MATCHES "libredtune${ABI} \\(= ${VERSION}\\)")
    fail("${package} does not ask for its own library: ${depends}")
  endif()
endforeach()

# What is built with the library asks for its package.
file(READ ${DIR}/control/libredtune${ABI}/shlibs shlibs)
if(NOT shlibs STREQUAL "libredtune ${ABI} libredtune${ABI} (>= ${VERSION})\n")
  fail("shlibs says ${shlibs}")
endif()
