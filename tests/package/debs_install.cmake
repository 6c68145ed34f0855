# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# Installs the packages of DIR/debs with dpkg into a root of their own and purges them: nothing but
# results is left. What they depend on is not there, and its ldconfig does nothing.
include(${CMAKE_CURRENT_LIST_DIR}/files.cmake NO_POLICY_SCOPE)
execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT user EQUAL 0)
  message("skipped: dpkg installs for root only")
  return()
endif()

set(root ${DIR}/installed)
file(REMOVE_RECURSE ${root})
file(MAKE_DIRECTORY ${root}/var/lib/dpkg/updates ${root}/var/lib/dpkg/info ${DIR}/stub)
file(TOUCH ${root}/var/lib/dpkg/status)
file(WRITE ${DIR}/stub/ldconfig "#!/bin/sh\n")
file(CHMOD ${DIR}/stub/ldconfig PERMISSIONS OWNER_READ OWNER_EXECUTE)
set(ENV{PATH} "${DIR}/stub:$ENV{PATH}:/usr/sbin:/sbin")

# dpkg(action package ...)
function(dpkg)
  execute_process(
    COMMAND dpkg --root=${root} --force-depends --force-script-chrootless --log=/dev/null ${ARGN}
            OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "dpkg ${ARGN}:\n${output}")
  endif()
endfunction()

file(GLOB debs ${DIR}/debs/*.deb)
dpkg(--install ${debs})
set(packages "")
foreach(pair IN LISTS PACKAGES)
  string(REGEX REPLACE ".*=" "" package ${pair})
  list(APPEND packages ${package})
endforeach()
execute_process(COMMAND dpkg-query --admindir=${root}/var/lib/dpkg -W -f "\${Package} \${Status}\n"
                OUTPUT_VARIABLE status COMMAND_ERROR_IS_FATAL ANY)
foreach(package IN LISTS packages)
  if(NOT status MATCHES "${package} install ok installed")
    fail("${package} is not installed:\n${status}")
  endif()
endforeach()
if(NOT EXISTS ${root}/usr/bin/redtune OR NOT IS_DIRECTORY ${root}/var/lib/redtune)
  fail("dpkg did not install the program and its folder")
endif()

# What an administrator put there stays.
file(WRITE ${root}/var/lib/redtune/best-v1.snap "{}")
dpkg(--purge ${packages})
file(GLOB_RECURSE left RELATIVE ${root} ${root}/usr/* ${root}/etc/* ${root}/var/lib/redtune/*)
expect_same("left after purging" "var/lib/redtune/best-v1.snap" "${left}")
