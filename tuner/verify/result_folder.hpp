// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The references of many results of one input, which is written in pieces that a cache holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "redtune/problem.hpp"
#include "tuner/verify/reference.hpp"

namespace redtune::tuner {

/// Writes as many elements of an input as the span holds, from an index on.
using WriteElements = std::function<void(std::int64_t index, std::span<std::byte> data)>;

/// Folds results one after the other, in memory that is taken once. What it is made of outlives it.
class ResultFolder {
 public:
  /// offsets: of segments, where each begins and the last ends.
  ResultFolder(const Problem& of_one, const Shape& shape, const WriteElements& write,
               std::span<const std::int64_t> offsets = {})
      : of_one_(of_one),
        shape_(shape),
        write_(write),
        offsets_(offsets),
        element_(size_of(of_one.in)) {}

  /// Of results from one on.
  void fold_results(std::size_t first, std::span<Reference> references);
  /// Of those elements of each, but of segments, that come from one on, as far as another: takes
  /// them into what follows on what was taken before.
  void fold_some(std::size_t first, std::size_t from, std::size_t to,
                 std::span<Reference> references);

 private:
  [[nodiscard]] std::size_t most_elements() const;
  [[nodiscard]] std::size_t columns() const;
  void fold_rows(std::size_t first, std::size_t from, std::size_t to,
                 std::span<Reference> references);
  void fold_segments(std::size_t first, std::span<Reference> references);
  void fold_channels(std::size_t first, std::size_t from, std::size_t to,
                     std::span<Reference> references);
  void fold_columns(std::int64_t begin, std::size_t from, std::size_t to,
                    std::span<Reference> references);
  std::span<const std::byte> written_elements(std::int64_t index, std::size_t elements);
  std::span<const std::byte> written_lines(std::int64_t first, std::size_t lines,
                                           std::size_t width);
  std::span<const std::byte> column(std::span<const std::byte> lines, std::size_t i,
                                    std::size_t width);

  const Problem& of_one_;
  const Shape& shape_;
  const WriteElements& write_;
  std::span<const std::int64_t> offsets_;
  std::size_t element_;
  std::vector<std::byte> elements_;
  std::vector<std::byte> column_;
};

}  // namespace redtune::tuner
