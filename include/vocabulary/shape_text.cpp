// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Counts and shapes as people write them and read them: 2^24, 3*2^20, 16M, 4096x[1000].

#include <bit>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "redtune/error.hpp"
#include "redtune/problem.hpp"

namespace redtune {
namespace {

constexpr std::int64_t largest_count = std::numeric_limits<std::int64_t>::max();

std::optional<std::int64_t> read_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> scaled(std::optional<std::int64_t> value, int shift) {
  if (!value || *value < 0 || *value > (largest_count >> shift)) return std::nullopt;
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

std::string describe_shape(const Shape& shape) {
  if (is_whole_array(shape)) return describe_count(shape.count);
  if (is_segmented(shape)) {
    return fmt::format("{} in {} segments{}{}", describe_count(shape.count),
                       describe_count(shape.segment_count),
                       shape.skew == Skew::uniform ? "" : fmt::format(" {}", to_string(shape.skew)),
                       shape.offset_bits == 64 ? ", offsets of 64 bits" : "");
  }
  std::string text = fmt::format("[{}]", describe_count(shape.count));
  if (shape.outer != 1 || shape.batch != 1)
    text = fmt::format("{}x{}", describe_count(shape.outer), text);
  if (shape.batch != 1) text = fmt::format("[{}]x{}", describe_count(shape.batch), text);
  if (shape.inner != 1) text += fmt::format("x{}", describe_count(shape.inner));
  if (shape.outer_pitch != 0) text += fmt::format(" outer_pitch {}", shape.outer_pitch);
  if (shape.count_pitch != 0) text += fmt::format(" count_pitch {}", shape.count_pitch);
  if (shape.batch_pitch != 0) text += fmt::format(" batch_pitch {}", shape.batch_pitch);
  return text;
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
