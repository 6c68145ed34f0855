# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# Included where the target redtune_cuda exists. Compiles for real where NVRTC is; runs with and
# without an NVIDIA GPU.
redtune_test(
  NAME cuda_test TOGETHER
  LABEL unit
  TIMEOUT 900
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/cuda_families_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/cuda_compiler_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/cuda_cubin_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/cuda_identity_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/cuda_kernels_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/cuda_platform_test.cpp
  LIBRARIES redtune_cuda_parts redtune_device redtune_kernels GTest::gmock ${CMAKE_DL_LIBS})
add_dependencies(cuda_test redtune_cuda)
redtune_tests_own_kernels(cuda_test)
target_compile_definitions(
  cuda_test PRIVATE REDTUNE_CUDA_MODULE="$<TARGET_FILE:redtune_cuda>" REDTUNE_NM="${CMAKE_NM}"
                    REDTUNE_READELF="${CMAKE_READELF}")

redtune_test(
  NAME cuda_absent_test
  LABEL unit
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/cuda_absent_test.cpp
  LIBRARIES redtune_cuda_parts GTest::gmock ${CMAKE_DL_LIBS})
target_link_options(cuda_absent_test PRIVATE -Wl,--wrap=dlopen)

# invented_library(NAME target FOLDER folder FILE name VERSION major SOURCES ...): a library by the
# name of one of NVIDIA's, lib<name>.so.<major>.
function(invented_library)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;FOLDER;FILE;VERSION" "SOURCES")
  add_library(${arg_NAME} SHARED ${arg_SOURCES})
  target_link_libraries(${arg_NAME} PRIVATE redtune_cuda_headers redtune_options)
  set_target_properties(
    ${arg_NAME}
    PROPERTIES OUTPUT_NAME ${arg_FILE}
               SOVERSION ${arg_VERSION}
               CXX_VISIBILITY_PRESET default
               LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${arg_FOLDER})
endfunction()
add_library(redtune_cuda_headers INTERFACE)
target_include_directories(redtune_cuda_headers SYSTEM INTERFACE ${REDTUNE_CUDA_INCLUDE_DIR})

set(invented_driver ${CMAKE_CURRENT_LIST_DIR}/invented_driver.cpp)
invented_library(NAME redtune_invented_driver FOLDER invented FILE cuda VERSION 1 SOURCES
                 ${invented_driver})
invented_library(NAME redtune_old_driver FOLDER invented_old FILE cuda VERSION 1 SOURCES
                 ${invented_driver})
target_compile_definitions(redtune_old_driver PRIVATE INVENTED_IS_OLD)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/nothing.cpp "extern int nothing;\nint nothing = 0;\n")
invented_library(NAME redtune_empty_nvrtc FOLDER invented_nvrtc FILE nvrtc VERSION 13 SOURCES
                 ${CMAKE_CURRENT_BINARY_DIR}/nothing.cpp)

# The management library: today's, one by its older names, and one with the 535 series' records.
function(invented_nvml target folder)
  invented_library(NAME ${target} FOLDER ${folder} FILE nvidia-ml VERSION 1 SOURCES
                   ${CMAKE_CURRENT_LIST_DIR}/invented_nvml.cpp)
  target_compile_definitions(${target} PRIVATE ${ARGN})
endfunction()
# Beside no invented driver: a GPU that others use is not tuned.
invented_nvml(redtune_invented_nvml invented_nvml)
invented_nvml(redtune_old_nvml invented_nvml_old INVENTED_IS_OLD INVENTED_RECORD_BYTES=16)
invented_nvml(redtune_long_nvml invented_nvml_long INVENTED_RECORD_BYTES=32)

redtune_test(
  NAME cuda_nvml_test
  LABEL unit
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/cuda_nvml_test.cpp
  LIBRARIES redtune_cuda_parts)
add_dependencies(cuda_nvml_test redtune_invented_nvml redtune_old_nvml redtune_long_nvml)
target_compile_definitions(
  cuda_nvml_test
  PRIVATE REDTUNE_NVML="$<TARGET_FILE:redtune_invented_nvml>"
          REDTUNE_OLD_NVML="$<TARGET_FILE:redtune_old_nvml>"
          REDTUNE_LONG_NVML="$<TARGET_FILE:redtune_long_nvml>")

# Linked, so that it is there when redtune asks for a library of its name; its folder goes before
# LD_LIBRARY_PATH, where a real driver may be.
redtune_test(
  NAME cuda_driver_test
  LABEL unit
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/cuda_driver_test.cpp
  LIBRARIES redtune_cuda_parts redtune_invented_driver GTest::gmock ${CMAKE_DL_LIBS})
target_link_options(cuda_driver_test PRIVATE -Wl,--disable-new-dtags)
