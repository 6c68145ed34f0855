# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# Runs what follows "--"; fails unless it ends with exit code CODE and says SAYS (a regex).
set(command)
set(is_command FALSE)
foreach(i RANGE 1 ${CMAKE_ARGC})
  if(is_command AND i LESS CMAKE_ARGC)
    list(APPEND command "${CMAKE_ARGV${i}}")
  elseif("${CMAKE_ARGV${i}}" STREQUAL "--")
    set(is_command TRUE)
  endif()
endforeach()
execute_process(COMMAND ${command} RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT code STREQUAL CODE OR NOT said MATCHES "${SAYS}")
  message(FATAL_ERROR "ended with ${code}, not ${CODE}, or did not say '${SAYS}' but:\n${said}")
endif()
