# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# What Debian's own checker says of the packages in DIR/debs.
find_program(lintian lintian)
if(NOT lintian)
  message("skipped: needs lintian")
  return()
endif()

# CPack writes scripts that call ldconfig beside the trigger. A build for another prefix than /usr
# does not use the folder of an architecture.
set(tolerated maintscript-calls-ldconfig)
if(NOT LIBDIR MATCHES "/")
  list(APPEND tolerated pkg-config-unavailable-for-cross-compilation)
endif()
list(JOIN tolerated "," tolerated)
file(GLOB debs ${DIR}/debs/*.deb)
execute_process(
  COMMAND ${lintian} --profile debian --allow-root --suppress-tags ${tolerated} --fail-on
          error,warning ${debs} OUTPUT_VARIABLE output RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "lintian ended with ${code}:\n${output}")
endif()
