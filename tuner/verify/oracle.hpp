// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What outputs have to be, for whoever runs candidates and knows nothing of operators: asked once
// for each input, compared with every output.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "redtune/problem.hpp"
#include "tuner/verify/input.hpp"
#include "tuner/verify/operator_program.hpp"
#include "tuner/verify/reference.hpp"

namespace redtune::tuner {

/// What is known of one input.
class Expected {
 public:
  virtual ~Expected() = default;
  /// Empty when the results are right, one behind the other; else one line about the first that is
  /// not. longest_chain: additions that any element's value passes through, at most.
  [[nodiscard]] virtual std::string why_wrong(const void* results,
                                              std::int64_t longest_chain) const = 0;
  /// Likewise of the result of this number alone.
  [[nodiscard]] virtual std::string why_result_wrong(std::size_t number, const void* result,
                                                     std::int64_t longest_chain) const = 0;
  /// The numbers of the results that are known, in their order, where not all are.
  [[nodiscard]] virtual std::optional<std::vector<std::size_t>> known_numbers() const {
    return std::nullopt;
  }
  /// Computes what is known of each of some neighbours, from a result on; false where nothing is
  /// that can be said in these words. Threads may ask at the same time.
  [[nodiscard]] virtual bool fill_references(std::size_t /*first*/,
                                             std::span<Reference> /*into*/) const {
    return false;
  }
};

/// An input of this shape, whose elements lie at `in` on the device.
struct PlacedInput {
  Shape shape;
  const void* in = nullptr;
  /// Of segments one behind the other, segment_count + 1 of them; they live as long as what is
  /// expected.
  std::span<const std::int64_t> offsets = {};
};

/// An input that is a part of a generated one, from its element `first` on.
struct GeneratedPart {
  PlacedInput input;
  std::int64_t first = 0;
};

class Oracle {
 public:
  virtual ~Oracle() = default;
  /// Of a generated input that begins with its element `first`.
  [[nodiscard]] virtual std::unique_ptr<const Expected> of_generated(const PlacedInput& input,
                                                                     const Recipe& recipe,
                                                                     std::int64_t first) const = 0;
  /// Of several parts of one. What lies in two of them may be computed once.
  [[nodiscard]] virtual std::vector<std::unique_ptr<const Expected>> of_parts(
      std::span<const GeneratedPart> parts, const Recipe& recipe) const;
  /// Of elements that the host has as well, and of what lies in gaps between them. Of more than
  /// 2^20 results they must live as long as what is expected.
  [[nodiscard]] virtual std::unique_ptr<const Expected> of_elements(
      const PlacedInput& input, std::span<const std::byte> elements) const = 0;
  /// Of an input of this shape in which each result has these elements.
  [[nodiscard]] virtual std::unique_ptr<const Expected> of_alike(
      const Shape& shape, std::span<const std::byte> elements) const = 0;
};

/// Computes what a built-in operator gives on the host. problem's shape is of no account.
[[nodiscard]] std::unique_ptr<const Oracle> host_oracle(const Problem& problem);

/// Has the device compute what a custom operator gives (custom_reference.hpp); of more than 1024
/// results it knows 1024, from the first to the last at even steps. The program must outlive it.
/// Its questions throw UsageError where the operator is none.
[[nodiscard]] std::unique_ptr<const Oracle> device_oracle(const OperatorProgram& program);

}  // namespace redtune::tuner
