# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# systemd understands each line of the units, with the program that was built in the place of the
# installed one; and it does not of one that has a mistake.
cmake_minimum_required(VERSION 3.24)

find_program(analyze systemd-analyze)
if(NOT analyze)
  message("skipped: needs systemd-analyze")
  return()
endif()

set(folder ${DIR}/units)

# verify(OUT unit manager): what is said of it.
function(verify out unit manager)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env XDG_RUNTIME_DIR=${folder} ${analyze} verify --man=no ${manager}
            ${folder}/${unit}
    OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    string(APPEND said "(exit code ${code})")
  endif()
  set(${out} "${said}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${folder})
file(MAKE_DIRECTORY ${folder})
foreach(unit redtune@ redtune)
  file(READ ${UNITS}/${unit}.service text)
  string(REPLACE "ExecStart=redtune " "ExecStart=${PROGRAM} " text "${text}")
  string(REPLACE "redtune@" "redtune@root" name "${unit}")
  file(WRITE ${folder}/${name}.service "${text}")
  string(REPLACE "Restart=on-failure" "Restrat=on-failure" wrong "${text}")
  file(WRITE ${folder}/wrong-${name}.service "${wrong}")
  set(manager "")
  if(unit STREQUAL redtune)
    set(manager --user)
  endif()
  verify(said ${name}.service "${manager}")
  if(said)
    message(SEND_ERROR "${unit}.service: ${said}")
  endif()
  verify(said wrong-${name}.service "${manager}")
  if(NOT said MATCHES "Restrat")
    message(SEND_ERROR "a mistake in ${unit}.service was not noticed: ${said}")
  endif()
endforeach()
