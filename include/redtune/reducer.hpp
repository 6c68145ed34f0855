// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A tuned reduction, ready to launch: looks the best configuration up, compiles and loads it once,
// and runs it for any count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "redtune/error.hpp"
#include "redtune/export.hpp"
#include "redtune/find_best.hpp"
#include "redtune/problem.hpp"

namespace redtune {

/// A caller's queue: wrap a hipStream_t or cudaStream_t. The default one is the device's own.
struct StreamRef {
  void* handle = nullptr;
};

struct ReducerOptions {
  std::string device = "auto";  ///< as for identify_device()
  LookupOptions lookup = {};
};

/// Not for concurrent use: it owns one workspace. One Reducer for each stream that reduces at a
/// time.
class REDTUNE_API Reducer {
 public:
  /// Resolves, compiles and loads; takes as long as one kernel takes to compile. problem.count is
  /// the count to be fast for; others work as well. Throws UsageError, DeviceError, UnmetMatch.
  explicit Reducer(const Problem& problem, const ReducerOptions& options = {});
  Reducer(Reducer&&) noexcept;
  Reducer& operator=(Reducer&&) noexcept;
  ~Reducer();

  /// The configuration in use, and how it was found.
  [[nodiscard]] const Answer& answer() const;
  [[nodiscard]] const DeviceIdentity& device() const;

  /// Reduces count elements at device address in to device address out, asynchronously on the
  /// stream. in: problem.in elements, element-aligned; out:
  /// result_bytes(problem), one problem.out or an IndexedValue of it, in memory that was allocated
  /// on the device itself: kernels may change it by atomics, which GPUs do not all
  /// do in managed or host memory. No allocation, no synchronisation: a launch may be captured into
  /// a graph. Count 0 writes the operator's identity. Throws DeviceError when the launch is
  /// refused.
  void launch(const void* in, std::int64_t count, void* out, StreamRef stream = {});

  /// Waits for the stream. Throws DeviceError for faults of earlier launches.
  void synchronize(StreamRef stream = {});

  /// Reduces host memory: copies, launches, waits, and returns the value; Out is IndexedValue<T>
  /// where the operator gives an index. Throws UsageError when T or Out is not the problem's type.
  template <class Out, class T>
  [[nodiscard]] Out reduce(std::span<const T> values) {
    require_types(dtype_of<T>(), dtype_of<value_type_of<Out>>(),
                  is_indexed_v<Out> ? ResultShape::indexed : ResultShape::value);
    Out out{};
    reduce_host(values.data(), static_cast<std::int64_t>(values.size()), &out);
    return out;
  }

 private:
  void require_types(DType in, DType out, ResultShape shape) const;
  void reduce_host(const void* values, std::int64_t count, void* out);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace redtune
