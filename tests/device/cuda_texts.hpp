// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A small kernel text with several instantiations, the programs made of it, and the tests that need
// NVRTC for that.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <type_traits>
#include <variant>

#include "device/cuda/cuda_compiler.hpp"
#include "device/cuda/nvrtc.hpp"
#include "redtune/error.hpp"

namespace redtune::device::cuda::testing {

inline constexpr const char* kernel_text = R"(
namespace sample {
template <class T, int block>
__global__ void rotate(T* data) {
  __shared__ T tile[block];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[block - 1 - threadIdx.x];
}
// An array indexed by data: it lives in memory.
template <int values>
__global__ void hold(float* data, const int* order) {
  float kept[values];
  for (int i = 0; i < values; ++i) kept[i] = data[i * 64 + threadIdx.x];
  for (int i = 0; i < values; ++i) kept[order[i]] += kept[i];
  for (int i = 0; i < values; ++i) data[i * 64 + threadIdx.x] = kept[i];
}
// More live values than the 64 registers that a block of 1024 threads leaves each.
template <int values>
__global__ void __launch_bounds__(1024) crowd(float* data, int rounds) {
  float kept[values];
  for (int i = 0; i < values; ++i) kept[i] = data[i * 1024 + threadIdx.x];
  for (int round = 0; round < rounds; ++round) {
    __syncthreads();
    for (int i = 0; i < values; ++i) kept[i] = kept[i] * kept[(i + 1) % values] + kept[i / 2];
  }
  for (int i = 0; i < values; ++i) data[i * 1024 + threadIdx.x] = kept[i];
}
}
)";

inline CompileRequest request_for(const std::string& arch) {
  return {kernel_text,
          {"sample::rotate<float, 64>", "sample::rotate<double, 256>", "sample::hold<1000>",
           "sample::crowd<120>"},
          arch};
}

/// The program, or an empty one after a test failure that shows the log.
inline CompiledProgram compiled(const CompileRequest& request) {
  const CompileResult result = CudaCompiler().compile(request);
  if (const auto* failure = std::get_if<CompileFailure>(&result)) {
    ADD_FAILURE() << request.arch << ": " << failure->log;
    return {};
  }
  return std::get<CompiledProgram>(result);
}

/// Why nothing can be compiled here; empty where NVRTC is.
inline std::string nvrtc_problem() {
  try {
    (void)nvrtc();
  } catch (const DeviceError& error) {
    return error.what();
  }
  return {};
}

/// Whether this NVRTC can be asked for an architecture.
inline bool is_known(const std::string& arch) {
  try {
    CudaCompiler().check_arch(arch);
  } catch (const UsageError&) {
    return false;
  }
  return true;
}

/// Passed over where there is no NVRTC, or none for an architecture.
template <class Base>
class NeedsNvrtc : public Base {
 protected:
  void SetUp() override {
    const std::string problem = nvrtc_problem();
    if (!problem.empty()) GTEST_SKIP() << problem;
    if constexpr (std::is_same_v<Base, ::testing::TestWithParam<const char*>>) {
      if (!is_known(Base::GetParam())) GTEST_SKIP() << "NVRTC does not know " << Base::GetParam();
    }
  }
};
using NvrtcTest = NeedsNvrtc<::testing::Test>;
using NvrtcArchTest = NeedsNvrtc<::testing::TestWithParam<const char*>>;

}  // namespace redtune::device::cuda::testing
