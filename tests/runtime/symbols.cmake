# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# Every symbol that LIBRARY shows is of the public API: redtune:: or redtune_*, and every function of
# HEADER is among them.
execute_process(COMMAND ${NM} -D --defined-only -C ${LIBRARY} OUTPUT_VARIABLE symbols
                COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE ";" "," symbols "${symbols}")
string(REPLACE "[" "(" symbols "${symbols}")
string(REPLACE "]" ")" symbols "${symbols}")
string(REGEX REPLACE "\n$" "" symbols "${symbols}")
string(REPLACE "\n" ";" symbols "${symbols}")
foreach(symbol IN LISTS symbols)
  string(REGEX REPLACE "^[0-9a-f]+ . " "" name "${symbol}")
  if(NOT name MATCHES "^redtune_[a-z_]+$|(^|^typeinfo (name )?for |^vtable for )redtune::[a-zA-Z]|^[^(]* redtune::[a-zA-Z]")
    message(SEND_ERROR "not redtune's: ${name}")
  endif()
  if(name MATCHES "redtune::(c_api|cache|device|kernels|runtime|search)::")
    message(SEND_ERROR "not public: ${name}")
  endif()
endforeach()

file(READ ${HEADER} header)
string(REGEX MATCHALL "redtune_[a-z_]+\\(" functions "${header}")
list(LENGTH functions count)
if(count LESS 25)
  message(SEND_ERROR "only ${count} functions in ${HEADER}")
endif()
foreach(function IN LISTS functions)
  string(REPLACE "(" "" function "${function}")
  if(NOT symbols MATCHES " T ${function}(;|$)")
    message(SEND_ERROR "${function} is declared and not there")
  endif()
endforeach()
