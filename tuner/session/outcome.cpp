// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/outcome.hpp"

#include <algorithm>
#include <array>

namespace redtune::tuner {

namespace {

/// In the order of the variant's alternatives.
constexpr std::array<std::string_view, std::variant_size_v<Outcome>> names{
    "ok",    "slow",    "compile_failed", "launch_failed", "wrong_result",
    "flaky", "crashed", "timed_out",      "implausible"};

/// The alternative of that place, with its reason.
template <std::size_t place = 0>
std::optional<Outcome> failure_at(std::size_t wanted, const std::string& why) {
  if constexpr (place == names.size()) {
    return std::nullopt;
  } else {
    using What = std::variant_alternative_t<place, Outcome>;
    if constexpr (requires(What what) { what.why; }) {
      if (wanted == place) return What{why};
    }
    return failure_at<place + 1>(wanted, why);
  }
}

}  // namespace

std::string_view status_of(const Outcome& outcome) {
  return names[outcome.index()];
}

std::optional<Outcome> outcome_of(std::string_view status, const std::optional<Interval>& time_us,
                                  int samples, const std::string& detail) {
  if (status == "ok" || status == "slow") {
    if (!time_us) return std::nullopt;
    if (status == "ok") return Measured{*time_us, samples};
    return Slow{time_us->median};
  }
  const auto at = std::ranges::find(names, status);
  return failure_at(static_cast<std::size_t>(at - names.begin()), detail);
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
