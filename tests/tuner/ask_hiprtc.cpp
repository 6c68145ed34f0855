// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Stands in for a compile worker whose look at the architecture was left out: hipRTC itself is
// asked for one that it has never heard of.
#include <iostream>

#include "device/hip/hip_runtime.hpp"

int main() {
  hiprtcProgram program = nullptr;
  if (hiprtcCreateProgram(&program, "__global__ void k() {}", "k.hip", 0, nullptr, nullptr) !=
      HIPRTC_SUCCESS) {
    return 3;
  }
  const char* option = "--offload-arch=gfx9999";
  const auto status = hiprtcCompileProgram(program, 1, &option);
  std::cerr << "hipRTC said " << hiprtcGetErrorString(status) << '\n';
  return 4;
}
