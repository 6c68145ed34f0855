// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is expected of results that all have the same elements: one thing is known, of all of them.
#pragma once

#include <cstring>
#include <utility>

#include "tuner/verify/one_result.hpp"
#include "tuner/verify/oracle.hpp"

namespace redtune::tuner {

/// Known: what why_wrong() compares a result with.
template <class Known>
class ResultsAlike final : public Expected {
 public:
  ResultsAlike(const Problem& of_one, std::size_t results, Known known)
      : of_one_(of_one), results_(results), known_(std::move(known)) {}

  /// What is like the result before it, which was right, is right.
  [[nodiscard]] std::string why_wrong(const void* results,
                                      std::int64_t longest_chain) const override {
    const std::size_t bytes = result_bytes(of_one_);
    const auto* const first = static_cast<const std::byte*>(results);
    for (std::size_t i = 0; i < results_; ++i) {
      const std::byte* const result = first + i * bytes;
      if (i > 0 && std::memcmp(result, result - bytes, bytes) == 0) continue;
      std::string why = why_result_wrong(i, result, longest_chain);
      if (!why.empty()) return why;
    }
    return {};
  }
  [[nodiscard]] std::string why_result_wrong(std::size_t number, const void* result,
                                             std::int64_t longest_chain) const override {
    return with_number(tuner::why_wrong(of_one_, known_, longest_chain, result), number, results_);
  }

 private:
  Problem of_one_;
  std::size_t results_;
  Known known_;
};

}  // namespace redtune::tuner
