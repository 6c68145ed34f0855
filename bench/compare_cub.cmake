# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# redtune beside CUB and Thrust: where nvcc is found, and nobody else misses it. What is not CUB's or
# Thrust's is the text of all comparisons.
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

# CUB, Thrust and what they need of another CCCL: in the folders of its source, or side by side where it is
# installed.
set(REDTUNE_CCCL_DIR "" CACHE PATH "CCCL that compare_cub is compiled against; empty: that of the CUDA toolkit")
set(cccl_include)
if(REDTUNE_CCCL_DIR)
  foreach(folder . include)
    if(NOT cccl_include AND EXISTS ${REDTUNE_CCCL_DIR}/${folder}/cub/version.cuh)
      set(cccl_include ${REDTUNE_CCCL_DIR}/${folder})
    endif()
  endforeach()
  if(EXISTS ${REDTUNE_CCCL_DIR}/cub/cub/version.cuh)
    set(cccl_include ${REDTUNE_CCCL_DIR}/cub ${REDTUNE_CCCL_DIR}/thrust ${REDTUNE_CCCL_DIR}/libcudacxx/include)
  endif()
  if(NOT cccl_include)
    message(FATAL_ERROR "REDTUNE_CCCL_DIR: there is no CUB in ${REDTUNE_CCCL_DIR}")
  endif()
endif()

add_executable(
  compare_cub EXCLUDE_FROM_ALL
  ${compare_device_sources}
  compare_cub/contest.cpp
  compare_cub/library.cu
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
  compare_cub/peers_sum_integer.cu)
# CMake 3.25 does not know that nvcc has C++20.
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
endif()
# Later CMake puts files of CUDA together as well; the tables of peers share names.
set_target_properties(compare_cub PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON
                                             CUDA_RUNTIME_LIBRARY Static UNITY_BUILD OFF)
# redtune_options are not for nvcc, whose own output is not pedantic.
set(cuda_options -Xcompiler=-Wall,-Wextra,-Wshadow,-Wno-missing-field-initializers)
if(REDTUNE_WARNINGS_AS_ERRORS)
  list(APPEND cuda_options -Werror=all-warnings -Xcompiler=-Werror)
endif()
target_compile_options(compare_cub PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${cuda_options}>")
# Before the toolkit's own, which nvcc would find first if they were folders of the system.
target_include_directories(compare_cub BEFORE PRIVATE ${cccl_include})
target_link_libraries(compare_cub PRIVATE redtune_compare_parts)
