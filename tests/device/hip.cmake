# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# Included where the target redtune_hip exists. Compiles for real; runs with and without an AMD GPU.
redtune_test(
  NAME hip_test TOGETHER
  LABEL unit
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/hip_code_object_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/hip_compiler_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/hip_identity_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/hip_platform_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/hip_readings_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/hip_texts_test.cpp
  LIBRARIES redtune_hip_parts redtune_device redtune_kernels GTest::gmock ${CMAKE_DL_LIBS})
add_dependencies(hip_test redtune_hip)
redtune_tests_own_kernels(hip_test)
target_compile_definitions(hip_test PRIVATE REDTUNE_HIP_MODULE="$<TARGET_FILE:redtune_hip>")
redtune_tests_own_kernels(hip_test)

# Compiles and takes apart some four thousand kernels: 160 cases of about four core-seconds each.
redtune_test(
  NAME hip_kernels_test
  LABEL hip
  TIMEOUT 600
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/hip_families_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/hip_reduce_test.cpp
  LIBRARIES redtune_hip_parts redtune_device redtune_kernels)
