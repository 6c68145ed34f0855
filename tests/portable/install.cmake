# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# Installs BUILD into PREFIX as `./dev portable` leaves it, and nothing of an earlier build.
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --strip --prefix ${PREFIX} OUTPUT_QUIET
                        COMMAND_ERROR_IS_FATAL ANY)
