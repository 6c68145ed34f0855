// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A small kernel text with several instantiations, and the programs made of it.
#pragma once

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "device/hip/hip_compiler.hpp"

namespace redtune::device::hip::testing {

inline constexpr const char* kernel_text = R"(
namespace sample {
template <class T, int block>
__global__ void rotate(T* data) {
  __shared__ T tile[block];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[block - 1 - threadIdx.x];
}
// More values than there are registers, used in an order that only the data knows.
template <int values>
__global__ void hold(float* data, const int* order) {
  float kept[values];
  for (int i = 0; i < values; ++i) kept[i] = data[i * 64 + threadIdx.x];
  for (int i = 0; i < values; ++i) kept[order[i]] += kept[i];
  for (int i = 0; i < values; ++i) data[i * 64 + threadIdx.x] = kept[i];
}
}
)";

inline CompileRequest request_for(const std::string& arch) {
  return {kernel_text,
          {"sample::rotate<float, 64>", "sample::rotate<double, 256>", "sample::hold<1000>"},
          arch};
}

/// The program, or an empty one after a test failure that shows the log.
inline CompiledProgram compiled(const CompileRequest& request) {
  const CompileResult result = HipCompiler().compile(request);
  if (const auto* failure = std::get_if<CompileFailure>(&result)) {
    ADD_FAILURE() << request.arch << ": " << failure->log;
    return {};
  }
  return std::get<CompiledProgram>(result);
}

/// The same, compiled for the first test of a process that asks.
inline const CompiledProgram& compiled_once(const CompileRequest& request) {
  static std::map<std::vector<std::string>, CompiledProgram> known;
  std::vector<std::string> key = request.name_expressions;
  key.insert(key.end(), {request.arch, request.text});
  const auto found = known.find(key);
  return found != known.end() ? found->second
                              : known.emplace(std::move(key), compiled(request)).first->second;
}

}  // namespace redtune::device::hip::testing
