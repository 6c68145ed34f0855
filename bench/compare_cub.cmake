# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# redtune beside CUB and Thrust. The reading of options and the report are plain C++ and are built
# and tested everywhere; the rest where nvcc is found, and nobody else misses it.
add_library(
  redtune_compare_parts STATIC
  compare_cub/across.cpp compare_cub/findings.cpp compare_cub/json.cpp compare_cub/options.cpp
  compare_cub/report.cpp compare_cub/report_across.cpp
  compare_cub/report_json.cpp compare_cub/statistics.cpp compare_cub/summary.cpp
  compare_cub/text.cpp compare_cub/value.cpp)
target_link_libraries(redtune_compare_parts PUBLIC redtune::runtime PRIVATE redtune_options)
target_include_directories(redtune_compare_parts PUBLIC ${PROJECT_SOURCE_DIR})

# Where CUDA is installed without nvcc on the path.
if(NOT DEFINED ENV{CUDACXX} AND NOT CMAKE_CUDA_COMPILER)
  find_program(REDTUNE_NVCC nvcc PATHS ENV CUDA_PATH ENV CUDA_HOME /usr/local/cuda PATH_SUFFIXES bin)
  mark_as_advanced(REDTUNE_NVCC)
  if(REDTUNE_NVCC)
    set(ENV{CUDACXX} ${REDTUNE_NVCC})
  endif()
endif()
include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  return()
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
  set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
endif()
enable_language(CUDA)
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13)
  message(STATUS "compare_cub is left out: it needs CUDA 13, here is ${CMAKE_CUDA_COMPILER_VERSION}")
  return()
endif()

add_executable(
  compare_cub
  compare_cub.cu
  compare_cub/contestants.cu
  compare_cub/cuda.cu
  compare_cub/fills.cu
  compare_cub/inputs.cu
  compare_cub/machine.cu
  compare_cub/measure.cu
  compare_cub/peers_extreme_float.cu
  compare_cub/peers_extreme_signed.cu
  compare_cub/peers_extreme_unsigned.cu
  compare_cub/peers_index_float.cu
  compare_cub/peers_index_integer.cu
  compare_cub/peers_magnitude.cu
  compare_cub/peers_nonzero.cu
  compare_cub/peers_product.cu
  compare_cub/peers_square.cu
  compare_cub/peers_sum_float.cu
  compare_cub/peers_sum_integer.cu
  compare_cub/read_kernels.cu
  compare_cub/read_peak.cu
  compare_cub/samplers.cu
  compare_cub/type_table.cu)
# CMake 3.25 does not know that nvcc has C++20.
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
endif()
set_target_properties(
  compare_cub PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON CUDA_RUNTIME_LIBRARY Static)
# redtune_options are not for nvcc, whose own output is not pedantic.
target_compile_options(
  compare_cub PRIVATE -Xcompiler=-Wall,-Wextra,-Wshadow,-Wno-missing-field-initializers
                      $<$<BOOL:${REDTUNE_WARNINGS_AS_ERRORS}>:-Werror=all-warnings
                      -Xcompiler=-Werror>)
target_link_libraries(compare_cub PRIVATE redtune_compare_parts)
