# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# device/gpu on a vendor that exists in memory only; needs neither a GPU nor a vendor's library.
redtune_test(
  NAME gpu_test TOGETHER
  LABEL unit
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/gpu_context_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/gpu_device_test.cpp
          ${CMAKE_CURRENT_LIST_DIR}/gpu_platform_test.cpp
  LIBRARIES redtune_vocabulary GTest::gmock)
