// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// find_best for hot paths: the results of one device, opened once, that remember what they were
// asked.
#pragma once

#include <memory>
#include <string_view>

#include "redtune/device_identity.hpp"
#include "redtune/export.hpp"
#include "redtune/find_best.hpp"
#include "redtune/problem.hpp"

namespace redtune {

/// For use from any thread at once. Answers from the results as they were when it was made: make
/// another one to see what was tuned since.
class REDTUNE_API BestResults {
 public:
  /// Throws as identify_device does.
  explicit BestResults(std::string_view device = "auto", const LookupOptions& options = {});
  /// For a device that need not be here.
  explicit BestResults(const DeviceIdentity& device, const LookupOptions& options = {});
  BestResults(BestResults&&) noexcept;
  BestResults& operator=(BestResults&&) noexcept;
  ~BestResults();

  /// As find_best. The second time a problem is asked costs some ten nanoseconds: no allocation, no
  /// lock, no file. The answer stays where it is as long as this object. Each problem is kept, in
  /// about a kilobyte: where counts are many, round them before asking. Throws UnmetMatch, see
  /// LookupOptions, and std::bad_alloc.
  [[nodiscard]] const Answer& find(const Problem& problem) const;

  /// Whether results were published since. Costs a system call for each place where they may lie.
  [[nodiscard]] bool is_outdated() const;

  [[nodiscard]] const DeviceIdentity& device() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace redtune
