# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# Checks that what is installed in PREFIX needs no more of a machine than PAGE says: libraries,
# versions of glibc and of the C++ library, disk space.
set(system "lib(c|m|pthread|dl|rt)\\.so\\.[0-9]+|ld-linux[^ ]*|libgcc_s\\.so\\.1")
set(with_cxx "${system}|libstdc\\+\\+\\.so\\.6")
set(with_hip "${with_cxx}|lib(amdhip64|hiprtc|amd_comgr)\\.so\\.[0-9]+")
set(megabytes 40)

function(fail text)
  message(SEND_ERROR "${text}")
endfunction()

file(READ ${PAGE} page)
foreach(family GLIBC GLIBCXX)
  if(NOT page MATCHES "${family}_([0-9.]+[0-9])")
    fail("${PAGE} does not say which ${family} is needed")
  endif()
  set(documented_${family} ${CMAKE_MATCH_1})
endforeach()

# Which symbol versions of a family the file asks for, at most those of the page.
function(check_versions file family)
  execute_process(COMMAND ${READELF} -W --version-info ${file} OUTPUT_VARIABLE info
                          COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "Name: ${family}_[0-9.]+" versions "${info}")
  foreach(version IN LISTS versions)
    string(REPLACE "Name: ${family}_" "" version "${version}")
    if(version VERSION_GREATER documented_${family})
      fail("${file} needs ${family}_${version}; ${PAGE} says ${documented_${family}}. "
           "Build on an older distribution, or find out which symbol it is with nm -D")
    endif()
  endforeach()
  if(NOT versions AND family STREQUAL GLIBC)
    fail("cannot read which glibc ${file} needs")
  endif()
endfunction()

# check(FILE regex): what FILE is linked to, and where it looks for that.
function(check file allowed)
  execute_process(COMMAND ${READELF} -dW ${file} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "\\(NEEDED\\)[^\n]*\\[[^]\n]*\\]" needed "${dynamic}")
  foreach(line IN LISTS needed)
    string(REGEX REPLACE ".*\\[(.*)\\]" "\\1" library "${line}")
    if(NOT library MATCHES "^(${allowed})$")
      fail("${file} needs ${library}, which the other machine may not have")
    endif()
  endforeach()
  if(NOT needed)
    fail("cannot read what ${file} needs")
  endif()
  string(REGEX MATCH "R(UN)?PATH\\)[^\n]*\\[[^]\n]*\\]" path "${dynamic}")
  if(path AND NOT path MATCHES "\\[(\\$ORIGIN/\\.\\./lib|/opt/rocm/lib)\\]$")
    fail("${file} looks for libraries in places of this machine: ${path}")
  endif()
  file(STRINGS ${file} places REGEX "${SOURCE}/")
  if(places)
    fail("${file} names folders of this machine: ${places}")
  endif()
  check_versions(${file} GLIBC)
  check_versions(${file} GLIBCXX)
endfunction()

check(${PREFIX}/bin/redtune "${system}")
check(${PREFIX}/lib/libredtune.so "${with_cxx}")
file(GLOB modules ${PREFIX}/lib/redtune/libredtune_*.so)
foreach(module IN LISTS modules)
  if(module MATCHES "_hip\\.so$")
    check(${module} "${with_hip}")
  else()
    check(${module} "${with_cxx}")
  endif()
endforeach()

# A C++ library that others could see would be used by HIP's libraries in place of their own.
execute_process(COMMAND ${NM} -D --defined-only ${PREFIX}/bin/redtune OUTPUT_VARIABLE shown
                        COMMAND_ERROR_IS_FATAL ANY)
if(shown MATCHES " _Z")
  fail("bin/redtune shows C++ symbols:\n${shown}")
endif()

set(bytes 0)
file(GLOB_RECURSE files ${PREFIX}/*)
foreach(file IN LISTS files)
  file(SIZE ${file} size)
  math(EXPR bytes "${bytes} + ${size}")
endforeach()
math(EXPR limit "${megabytes} * 1000 * 1000")
if(bytes GREATER limit)
  fail("${PREFIX} has ${bytes} bytes; it is meant to be copied in a moment: ${megabytes} MB")
endif()
