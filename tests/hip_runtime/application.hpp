// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a test that is an application on a fictional AMD GPU has: memory, and the record of its
// calls.
#pragma once

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace redtune::testing_runtime {

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) {
    EXPECT_EQ(hipMalloc(&data_, count * sizeof(T)), hipSuccess);
  }
  ~DeviceArray() { (void)hipFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  [[nodiscard]] T* data() const { return static_cast<T*>(data_); }

  void write(const std::vector<T>& values, hipStream_t stream) const {
    EXPECT_EQ(hipMemcpyAsync(data_, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice,
                             stream),
              hipSuccess);
    EXPECT_EQ(hipStreamSynchronize(stream), hipSuccess);
  }
  [[nodiscard]] std::vector<T> read(std::size_t count, hipStream_t stream) const {
    std::vector<T> values(count);
    EXPECT_EQ(
        hipMemcpyAsync(values.data(), data_, count * sizeof(T), hipMemcpyDeviceToHost, stream),
        hipSuccess);
    EXPECT_EQ(hipStreamSynchronize(stream), hipSuccess);
    return values;
  }
  [[nodiscard]] T first(hipStream_t stream) const { return read(1, stream).front(); }

 private:
  void* data_ = nullptr;
};

/// The record of the calls of this process so far, but for so many of the first.
[[nodiscard]] inline std::vector<std::string> records(std::size_t before = 0) {
  std::vector<std::string> lines;
  std::ifstream file(REDTUNE_TEST_TRACES "/" + std::to_string(getpid()) + ".calls");
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(before));
  return lines;
}

/// Their names.
[[nodiscard]] inline std::vector<std::string> calls(std::size_t before = 0) {
  std::vector<std::string> names = records(before);
  for (std::string& name : names) name.resize(std::min(name.find('\t'), name.size()));
  return names;
}

}  // namespace redtune::testing_runtime
