// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Results of users' kernels as constants of a C++ header: tunables by their names, for each
// combination of sizes. docs/reference/exchange.md is its description.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cache/keys/records.hpp"

namespace redtune::cli {

/// Results with Op::kernel, of one device class. Of two for the same sizes the newer one is taken;
/// of a kernel whose code has changed those of the text that was tuned last. A kernel with a size
/// or a tunable that no member can be called by is left out.
class KernelConstants {
 public:
  explicit KernelConstants(std::span<const cache::StoredBest> results);

  [[nodiscard]] bool is_empty() const { return results_.empty(); }
  /// A line for each result that is.
  [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }
  /// A namespace with a struct for each kernel.
  [[nodiscard]] std::string text() const;

 private:
  using Results = std::vector<const cache::StoredBest*>;

  Results results_;
  std::vector<std::string> left_out_;
};

}  // namespace redtune::cli
