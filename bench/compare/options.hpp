// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The command line of a comparison.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/compare/degrees.hpp"
#include "bench/compare/findings.hpp"
#include "redtune/find_best.hpp"
#include "redtune/reduce_by_key.hpp"

namespace redtune::compare {

struct Options {
  std::int64_t from = 1 << 8;
  std::int64_t to = std::int64_t{1} << 33;
  int step = 1;                      ///< each count is the one before times 2^step
  std::vector<std::int64_t> counts;  ///< these instead, when there are any
  std::vector<std::int64_t> bytes;   ///< or inputs of so many bytes, whatever their type
  std::vector<Shape> shapes;         ///< or arrays of which axes are reduced
  std::optional<Degrees> degrees;    ///< how segments are spread, where not as their skew says
  bool with_plans = false;           ///< segments by plans that are kept as well
  bool by_key = false;               ///< each element has the key of its segment, and no offsets
  ByKeyOptions groups = {};          ///< how redtune finds and reduces groups of equal keys
  std::vector<Op> ops;               ///< all, unless named
  std::vector<DType> types;          ///< likewise
  std::vector<Mode> modes{Mode::between, Mode::behind, Mode::stream};
  std::vector<Peer> peers;  ///< likewise
  int rounds = 15;
  std::uint64_t seed = 1;  ///< of the data and the order
  /// Elements by which the input starts off its alignment: a row for each.
  std::vector<std::int64_t> offsets{0};
  CacheMode input = CacheMode::warm;  ///< the same input every time, or copies in turns
  CacheMode asked = CacheMode::warm;  ///< the cache mode that redtune is asked for
  LookupOptions lookup = {};
  std::string json_file = {};
  bool help = false;
};

/// Words are the command line without the program's name. Throws UsageError.
[[nodiscard]] Options parse_options(std::span<const std::string_view> words);

[[nodiscard]] std::string help_text();

/// Every problem that the options ask for: by type, then operator, then shape. Operators are left
/// out for types that they do not take. Throws UsageError when nothing is left.
[[nodiscard]] std::vector<Problem> problems_of(const Options& options);

}  // namespace redtune::compare
