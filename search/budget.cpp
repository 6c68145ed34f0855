// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// See budget.hpp.
#include "search/budget.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <system_error>
#include <utility>

#include "redtune/error.hpp"

namespace redtune::search {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr std::string_view unlimited = "unlimited";
constexpr std::string_view automatic = "auto";
constexpr std::string_view brief_name = "brief";

/// Enough to come near the optimum of a space of some ten thousand points.
constexpr Budget usual{.evaluations = 128, .time = std::chrono::seconds(90), .until_settled = true};

/// Enough where what ships and what was tuned before guide the search; docs/explanation/search.md.
constexpr Budget brief{
    .evaluations = 64, .time = std::chrono::seconds(20), .until_settled = true, .is_brief = true};
constexpr std::array named{std::pair{unlimited, Budget{}}, std::pair{automatic, usual},
                           std::pair{brief_name, brief}};

constexpr double least_gain = 0.002;  ///< less is noise

struct Unit {
  std::string_view name;
  milliseconds length;
};

constexpr std::array units{
    // the longest first: to_string takes the first that fits
    Unit{"h", std::chrono::hours(1)},
    Unit{"m", std::chrono::minutes(1)},
    Unit{"s", std::chrono::seconds(1)},
    Unit{"ms", milliseconds(1)},
};

[[noreturn]] void refuse_budget(std::string_view text) {
  throw UsageError(
      fmt::format("'{}' is not a budget; give a number of evaluations (200), a time "
                  "(500ms, 30s, 2m, 1h), both (200,30s), {}, {} or {}",
                  text, automatic, brief_name, unlimited));
}

/// A whole number above zero and what stands behind it.
struct Quantity {
  std::uint64_t number;
  std::string_view unit;
};

std::optional<Quantity> parse_quantity(std::string_view part) {
  Quantity quantity{};
  const char* const end = part.data() + part.size();
  const auto [rest, error] = std::from_chars(part.data(), end, quantity.number);
  if (error != std::errc{} || quantity.number == 0) return std::nullopt;
  quantity.unit = part.substr(static_cast<std::size_t>(rest - part.data()));
  return quantity;
}

std::optional<nanoseconds> to_time(const Quantity& quantity) {
  const auto unit = std::ranges::find(units, quantity.unit, &Unit::name);
  if (unit == units.end()) return std::nullopt;
  const nanoseconds length = unit->length;
  const auto most = static_cast<std::uint64_t>(nanoseconds::max() / length);
  if (quantity.number > most) return std::nullopt;
  return static_cast<nanoseconds::rep>(quantity.number) * length;
}

/// Adds one part of the text to the budget; false when it makes no sense or says a thing twice.
bool add_part(Budget& budget, std::string_view part) {
  const auto quantity = parse_quantity(part);
  if (!quantity) return false;
  if (quantity->unit.empty()) {
    if (budget.evaluations || !std::in_range<std::size_t>(quantity->number)) return false;
    budget.evaluations = static_cast<std::size_t>(quantity->number);
    return true;
  }
  if (budget.time) return false;
  budget.time = to_time(*quantity);
  return budget.time.has_value();
}

std::string time_text(nanoseconds time) {
  const auto rounded = std::chrono::ceil<milliseconds>(time);
  for (const Unit& unit : units) {
    if (rounded % unit.length == milliseconds::zero()) {
      return fmt::format("{}{}", rounded / unit.length, unit.name);
    }
  }
  return {};  // not reached: every time is a multiple of the last unit
}

}  // namespace

bool Budget::spent(std::size_t evaluated, nanoseconds elapsed) const {
  return (evaluations && evaluated >= *evaluations) || (time && elapsed >= *time);
}

std::size_t Budget::remaining_evaluations(std::size_t evaluated) const {
  if (!evaluations) return std::numeric_limits<std::size_t>::max();
  return *evaluations - std::min(*evaluations, evaluated);
}

Settled::Settled(bool is_guided, bool is_brief)
    : least_evaluations_(is_brief ? 12 : 32),
      patience_(is_brief ? (is_guided ? 12 : 32) : (is_guided ? 24 : 64)) {}

void Settled::add(const std::optional<double>& cost) {
  ++evaluations_;
  ++since_better_;
  if (!cost || (best_ && !(*cost < *best_ * (1 - least_gain)))) return;
  best_ = cost;
  since_better_ = 0;
}

double Settled::share() const {
  const auto part = [](std::size_t some, std::size_t all) {
    return std::min(1.0, static_cast<double>(some) / static_cast<double>(all));
  };
  return std::min(part(evaluations_, least_evaluations_), part(since_better_, patience_));
}

Budget parse_budget(std::string_view text) {
  Budget budget;
  for (const auto& [name, of_name] : named) {
    if (text == name) return of_name;
  }
  std::string_view rest = text;
  for (;;) {
    const std::size_t comma = rest.find(',');
    if (!add_part(budget, rest.substr(0, comma))) refuse_budget(text);
    if (comma == std::string_view::npos) return budget;
    rest.remove_prefix(comma + 1);
  }
}

std::string to_string(const Budget& budget) {
  for (const auto& [name, of_name] : named) {
    if (budget == of_name) return std::string(name);
  }
  if (budget.evaluations && budget.time) {
    return fmt::format("{},{}", *budget.evaluations, time_text(*budget.time));
  }
  if (budget.evaluations) return fmt::format("{}", *budget.evaluations);
  if (budget.time) return time_text(*budget.time);
  return std::string(unlimited);
}

}  // namespace redtune::search
