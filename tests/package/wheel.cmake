# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# Packs BUILD as a wheel into DIR/wheel, installs it into a virtual environment with nothing from the network, and
# reduces there.
include(${CMAKE_CURRENT_LIST_DIR}/files.cmake NO_POLICY_SCOPE)
if(NOT PYTHON)
  message("skipped: needs python3-dev and python3-numpy")
  return()
endif()

set(folder ${DIR}/wheel)
file(REMOVE_RECURSE ${folder})
file(MAKE_DIRECTORY ${folder})
execute_process(COMMAND ${PYTHON} -m venv --system-site-packages ${folder}/environment RESULT_VARIABLE code OUTPUT_QUIET
                        ERROR_QUIET)
if(NOT code EQUAL 0)
  message("skipped: needs python3-venv")
  return()
endif()
execute_process(COMMAND ${PYTHON} -B ${SOURCE}/python/wheel_backend.py ${folder} ${BUILD} OUTPUT_VARIABLE name
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${folder}/environment/bin/python -m pip install -q --no-index --disable-pip-version-check
                        ${folder}/${name} COMMAND_ERROR_IS_FATAL ANY)
set(ENV{PYTHONPATH} "")
set(ENV{REDTUNE_CACHE} ${folder}/nobody-tuned-this.db)
execute_process(
  COMMAND
    ${folder}/environment/bin/python -c
    "import numpy, redtune, redtune._program as program; print(redtune.sum(numpy.arange(5.0)), len(redtune.devices()) > 0, program.program())"
  WORKING_DIRECTORY ${folder} OUTPUT_VARIABLE said OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT said MATCHES "^10\\.0 True .*/environment/lib/python3[^ ]*/redtune/portable/bin/redtune$")
  fail("the package of the wheel said '${said}'")
endif()
execute_process(COMMAND ${folder}/environment/bin/redtune version OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
if(NOT said MATCHES "redtune [0-9]")
  fail("the command of the wheel said '${said}'")
endif()
