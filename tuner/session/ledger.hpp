// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is written down before something dangerous is done, and about what must not be done again.
#pragma once

#include <optional>
#include <span>

#include "cache/keys/records.hpp"
#include "redtune/settings.hpp"
#include "tuner/session/outcome.hpp"

namespace redtune::tuner {

/// This one forgets everything.
class Ledger {
 public:
  virtual ~Ledger() = default;
  /// About to compile configs, or to launch one for the first time.
  virtual void intend(std::span<const Settings>, cache::IntentStage) {}
  /// What became of a config that is not to be tried again.
  [[nodiscard]] virtual std::optional<Outcome> excluded(const Settings&) const { return {}; }
  virtual void exclude(const Settings&, cache::ExclusionScope, const Outcome&) {}
};

}  // namespace redtune::tuner
