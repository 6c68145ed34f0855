// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The little that the example needs of a GPU, under the names of HIP or CUDA.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#if defined(REDTUNE_HIP)
#include <hip/hip_runtime.h>
#define EXAMPLE_GPU(name) hip##name
#else
#include <cuda_runtime.h>
#define EXAMPLE_GPU(name) cuda##name
#endif

class Machine {
 public:
  /// The header's compute units are those of the device it was tuned on; this one counts its own.
  Machine(int, int wave_size) {
    int units = 0;
    int lanes = 0;
    check(EXAMPLE_GPU(DeviceGetAttribute)(&units, EXAMPLE_GPU(units_attribute), 0));
    check(EXAMPLE_GPU(DeviceGetAttribute)(&lanes, EXAMPLE_GPU(wave_attribute), 0));
    units_ = units;
    if (lanes == wave_size) return;
    std::fprintf(stderr, "tuned for waves of %d; this device has %d\n", wave_size, lanes);
    std::exit(1);
  }

  int compute_units() const { return units_; }

  template <class T>
  T* copy_of(const std::vector<T>& values) {
    T* copy = zeros<T>(static_cast<long long>(values.size()));
    check(EXAMPLE_GPU(Memcpy)(copy, values.data(), values.size() * sizeof(T),
                              EXAMPLE_GPU(MemcpyHostToDevice)));
    return copy;
  }
  template <class T>
  T* zeros(long long count) {
    void* memory = nullptr;
    const auto bytes = static_cast<std::size_t>(count) * sizeof(T);
    check(EXAMPLE_GPU(Malloc)(&memory, bytes));
    check(EXAMPLE_GPU(Memset)(memory, 0, bytes));
    return static_cast<T*>(memory);
  }
  template <class T>
  T value_of(const T* place) const {
    T value{};
    check(EXAMPLE_GPU(Memcpy)(&value, place, sizeof(T), EXAMPLE_GPU(MemcpyDeviceToHost)));
    return value;
  }

  /// Queues a kernel on the default stream.
  auto launcher() {
    return [](auto kernel, long long grid, int block, auto... arguments) {
      kernel<<<dim3(static_cast<unsigned>(grid)), dim3(static_cast<unsigned>(block))>>>(
          arguments...);
      check(EXAMPLE_GPU(GetLastError)());
    };
  }

 private:
#if defined(REDTUNE_HIP)
  static constexpr auto hipunits_attribute = hipDeviceAttributeMultiprocessorCount;
  static constexpr auto hipwave_attribute = hipDeviceAttributeWarpSize;
#else
  static constexpr auto cudaunits_attribute = cudaDevAttrMultiProcessorCount;
  static constexpr auto cudawave_attribute = cudaDevAttrWarpSize;
#endif

  static void check(EXAMPLE_GPU(Error_t) status) {
    if (status == EXAMPLE_GPU(Success)) return;
    std::fprintf(stderr, "%s\n", EXAMPLE_GPU(GetErrorString)(status));
    std::exit(1);
  }

  int units_ = 0;
};
