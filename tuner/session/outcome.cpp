// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/outcome.hpp"

#include <array>

namespace redtune::tuner {

std::string_view status_of(const Outcome& outcome) {
  // In the order of the variant's alternatives.
  static constexpr std::array<std::string_view, std::variant_size_v<Outcome>> names{
      "ok",           "slow",    "compile_failed", "launch_failed",
      "wrong_result", "crashed", "timed_out",      "implausible"};
  return names[outcome.index()];
}

std::string detail_of(const Outcome& outcome) {
  return std::visit(
      [](const auto& what) -> std::string {
        if constexpr (requires { what.why; })
          return what.why;
        else
          return {};
      },
      outcome);
}

std::optional<double> cost_of(const Outcome& outcome) {
  if (const auto* measured = std::get_if<Measured>(&outcome)) return measured->time_us.median;
  if (const auto* slow = std::get_if<Slow>(&outcome)) return slow->time_us;
  return std::nullopt;
}

}  // namespace redtune::tuner
