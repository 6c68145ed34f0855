# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# What the scripts beside it share.
cmake_minimum_required(VERSION 3.24)

# component=package, separated by commas on the command line.
string(REPLACE "," ";" PACKAGES "${PACKAGES}")

# A test goes on after a failure, to tell all of them.
function(fail text)
  message(SEND_ERROR "${text}")
endfunction()

# files_below(OUT folder): the files and links, sorted, relative to the folder.
function(files_below out folder)
  file(GLOB_RECURSE files RELATIVE ${folder} ${folder}/*)
  list(SORT files)
  set(${out} "${files}" PARENT_SCOPE)
endfunction()

# expect_same(what expected found): two lists without regard to order.
function(expect_same what expected found)
  set(missing ${expected})
  set(extra ${found})
  if(found)
    list(REMOVE_ITEM missing ${found})
  endif()
  if(expected)
    list(REMOVE_ITEM extra ${expected})
  endif()
  if(missing OR extra)
    fail("${what}: missing '${missing}', not expected '${extra}'")
  endif()
endfunction()
