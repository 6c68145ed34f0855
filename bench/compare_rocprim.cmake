# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# redtune beside rocPRIM: where hipcc and rocPRIM are found. hipcc is called by itself, because CMake's
# own HIP language does not know the HIP of Debian.
find_program(REDTUNE_HIPCC hipcc PATHS ENV ROCM_PATH /opt/rocm PATH_SUFFIXES bin)
find_path(REDTUNE_ROCPRIM rocprim/device/device_reduce.hpp PATHS ENV ROCM_PATH /opt/rocm
          PATH_SUFFIXES include)
mark_as_advanced(REDTUNE_HIPCC REDTUNE_ROCPRIM)
set(REDTUNE_COMPARE_ARCHS "gfx90a;gfx1030" CACHE STRING "AMD architectures of compare_rocprim")
if(NOT REDTUNE_HIPCC OR NOT REDTUNE_ROCPRIM OR NOT TARGET redtune_hip_runtime)
  message(STATUS "compare_rocprim is left out: it needs hipcc and rocPRIM (librocprim-dev)")
  return()
endif()

set(offload ${REDTUNE_COMPARE_ARCHS})
list(TRANSFORM offload PREPEND --offload-arch=)
# The compiler's own folder must stay behind that of the C++ library.
set(rocprim_include)
if(NOT REDTUNE_ROCPRIM STREQUAL "/usr/include")
  set(rocprim_include -isystem ${REDTUNE_ROCPRIM})
endif()
set(objects)
foreach(
  source
  ${compare_device_sources}
  compare_rocprim/library.cu
  compare_rocprim/peers_max.cu
  compare_rocprim/peers_min.cu
  compare_rocprim/peers_sum.cu)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/hip/${source}.o)
  get_filename_component(folder ${object} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${object}
    COMMAND
      ${REDTUNE_HIPCC} -x hip -std=c++20 -O2 ${offload} -fPIC -Wall -Wextra -Wshadow
      -Wno-missing-field-initializers $<$<BOOL:${REDTUNE_WARNINGS_AS_ERRORS}>:-Werror>
      -I${PROJECT_SOURCE_DIR} "-I$<JOIN:$<TARGET_PROPERTY:redtune_vocabulary,INTERFACE_INCLUDE_DIRECTORIES>,;-I>"
      ${rocprim_include} -MD -MF ${object}.d -c ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${object}
    DEPENDS ${source} redtune_vocabulary
    DEPFILE ${object}.d
    COMMAND_EXPAND_LISTS
    COMMENT "hipcc ${source}"
    VERBATIM)
  list(APPEND objects ${object})
endforeach()

add_executable(compare_rocprim EXCLUDE_FROM_ALL compare_rocprim/contest.cpp ${objects})
target_link_libraries(compare_rocprim PRIVATE redtune_compare_parts redtune_hip_runtime redtune_options)
