// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "redtune/problem.hpp"

#include <bit>
#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <optional>

#include "redtune/error.hpp"

namespace redtune {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

std::optional<std::int64_t> read_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> scaled(std::optional<std::int64_t> value, int shift) {
  if (!value || *value < 0 || *value > (largest >> shift)) return std::nullopt;
  return *value << shift;
}

/// Shift of a K, M or G suffix; 0 for none.
int suffix_shift(char suffix) {
  switch (suffix) {
    case 'K':
    case 'k':
      return 10;
    case 'M':
    case 'm':
      return 20;
    case 'G':
    case 'g':
      return 30;
    default:
      return 0;
  }
}

}  // namespace

Problem make_problem(Op op, DType in, std::int64_t count, CacheMode cache_mode) {
  if (count < 0) {
    throw UsageError(fmt::format("the count is {}; it must be 0 or more", count));
  }
  if (count > largest / static_cast<std::int64_t>(size_of(in))) {
    throw UsageError(fmt::format("{} elements of {} are more bytes than 64 bits can index", count,
                                 to_string(in)));
  }
  const DType acc = op == Op::sum ? info(in).wide : in;
  return {.op = op, .in = in, .acc = acc, .out = acc, .count = count, .cache_mode = cache_mode};
}

std::string describe(const Problem& problem) {
  return fmt::format("{} {} {} {}", to_string(problem.op), to_string(problem.in),
                     describe_count(problem.count), to_string(problem.cache_mode));
}

std::string describe_count(std::int64_t count) {
  if (count < 1024) return fmt::format("{}", count);
  const int shift = std::countr_zero(static_cast<std::uint64_t>(count));
  const std::int64_t factor = count >> shift;
  if (factor == 1) return fmt::format("2^{}", shift);
  if (factor < 10 && shift >= 10) return fmt::format("{}*2^{}", factor, shift);
  return fmt::format("{}", count);
}

std::int64_t parse_count(std::string_view text) {
  std::optional<std::int64_t> count;
  const auto power = text.find("2^");
  if (power != std::string_view::npos) {
    // "2^24" or "3*2^20"
    const std::string_view factor = text.substr(0, power);
    const bool has_factor = !factor.empty() && factor.back() == '*';
    const auto exponent = read_integer(text.substr(power + 2));
    if ((factor.empty() || has_factor) && exponent && *exponent >= 0 && *exponent < 63) {
      const auto times =
          has_factor ? read_integer(factor.substr(0, factor.size() - 1)) : std::int64_t{1};
      count = scaled(times, static_cast<int>(*exponent));
    }
  } else if (!text.empty()) {
    const int shift = suffix_shift(text.back());
    count = scaled(read_integer(shift == 0 ? text : text.substr(0, text.size() - 1)), shift);
  }
  if (count) return *count;
  throw UsageError(fmt::format(
      "'{}' is not a count; write a whole number from 0, like 1000000, 2^24 or 16M (1M = 2^20)",
      text));
}

}  // namespace redtune
