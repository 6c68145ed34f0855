// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The results of a cell on the device, where all contestants write them, and those that are
// expected. There may be 10^8 of them: they are compared where they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "bench/compare/gpu.cuh"
#include "bench/compare/value.hpp"

namespace redtune::compare {

class Results {
 public:
  explicit Results(const Problem& problem);

  [[nodiscard]] void* data() const { return found_.get(); }
  /// Queues values that are no results: NaN for a floating type.
  void poison(gpuStream_t stream) const;
  /// One of them; waits for the stream, as those do that follow.
  [[nodiscard]] Bytes read(gpuStream_t stream, std::int64_t index = 0) const;
  [[nodiscard]] Bytes expected(gpuStream_t stream, std::int64_t index) const;
  /// What is there now is what is expected from here on.
  void expect(gpuStream_t stream) const;
  /// The first that is not as expected by the rules of agree(); nothing when all are.
  [[nodiscard]] std::optional<std::int64_t> first_wrong(gpuStream_t stream) const;

  /// Bytes of device memory for the results of a problem.
  [[nodiscard]] static std::size_t bytes_for(const Problem& problem);

 private:
  [[nodiscard]] Bytes read_from(const Memory& memory, gpuStream_t stream, std::int64_t index) const;

  Problem problem_;
  std::size_t bytes_;  ///< of all results
  Memory found_;
  Memory expected_;
  Memory first_;  ///< index of a wrong one
};

}  // namespace redtune::compare
