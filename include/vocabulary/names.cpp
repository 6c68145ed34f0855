// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <vector>

#include "redtune/dtype.hpp"
#include "redtune/error.hpp"
#include "redtune/match.hpp"
#include "redtune/op.hpp"
#include "redtune/problem.hpp"
#include "redtune/suggest.hpp"

namespace redtune {
namespace {

constexpr std::array op_table{
#define REDTUNE_OP(name, takes, accumulates, gives, shape, summary)                               \
  OpInfo{Op::name,          #name, summary, Takes::takes, TypeRule::accumulates, TypeRule::gives, \
         ResultShape::shape},
#include "redtune/ops.def"
#undef REDTUNE_OP
};

constexpr OpInfo custom_op{Op::custom,        "custom",       "an operator given as text",
                           Takes::any,        TypeRule::wide, TypeRule::accumulator,
                           ResultShape::value};

constexpr OpInfo kernel_op{Op::kernel,        "kernel",          "a kernel of a user's",
                           Takes::any,        TypeRule::element, TypeRule::accumulator,
                           ResultShape::value};

constexpr std::array dtype_table{
#define REDTUNE_DTYPE(name, type, kind, wide, magnitude) \
  DTypeInfo{DType::name, #name, DTypeKind::kind, sizeof(type), DType::wide, DType::magnitude},
#include "redtune/dtypes.def"
#undef REDTUNE_DTYPE
};

struct OrderInfo {
  Order order;
  std::string_view name;
};
constexpr std::array order_table{OrderInfo{Order::fixed, "fixed"}, OrderInfo{Order::any, "any"},
                                 OrderInfo{Order::rows, "rows"}};

struct SkewInfo {
  Skew skew;
  std::string_view name;
};
constexpr std::array skew_table{SkewInfo{Skew::uniform, "uniform"}, SkewInfo{Skew::zipf, "zipf"},
                                SkewInfo{Skew::giant, "giant"}};

struct CacheModeInfo {
  CacheMode mode;
  std::string_view name;
};
constexpr std::array cache_mode_table{CacheModeInfo{CacheMode::cold, "cold"},
                                      CacheModeInfo{CacheMode::warm, "warm"}};

struct MatchInfo {
  Match match;
  std::string_view name;
};
constexpr std::array match_table{
    MatchInfo{Match::exact, "exact"},         MatchInfo{Match::drift, "drift"},
    MatchInfo{Match::sibling, "sibling"},     MatchInfo{Match::near, "near"},
    MatchInfo{Match::predicted, "predicted"}, MatchInfo{Match::fallback, "default"}};
static_assert(match_table.size() == all_matches.size());

/// The row of a table with this name; throws UsageError that names the closest and all known ones.
template <class Table>
const auto& find_by_name(const Table& table, std::string_view name, std::string_view what) {
  const auto row = std::ranges::find_if(table, [&](const auto& r) { return r.name == name; });
  if (row != std::end(table)) return *row;
  std::vector<std::string_view> known;
  for (const auto& r : table) known.push_back(r.name);
  throw UsageError(
      fmt::format("unknown {} '{}'{}; known: {}", what, name, suggest(name, known), join(known)));
}

}  // namespace

std::span<const OpInfo> all_ops() {
  return op_table;
}

const OpInfo& info(Op op) {
  if (op == Op::kernel) return kernel_op;
  return op == Op::custom ? custom_op : op_table[static_cast<std::size_t>(op)];
}

std::string_view to_string(Op op) {
  return info(op).name;
}

std::span<const std::string_view> value_names(Op op) {
  static constexpr std::string_view value[] = {"value"};
  static constexpr std::string_view extremes[] = {"min", "max"};
  static constexpr std::string_view moments[] = {"mean", "variance"};
  static constexpr std::string_view of_softmax[] = {"max", "sum"};
  if (info(op).shape != ResultShape::pair) return value;
  return op == Op::min_max ? extremes : op == Op::softmax_stats ? of_softmax : moments;
}

Op parse_op(std::string_view name) {
  if (name == "max_argmax") return Op::argmax;
  return find_by_name(op_table, name, "operator").op;
}

std::span<const DTypeInfo> all_dtypes() {
  return dtype_table;
}

const DTypeInfo& info(DType dtype) {
  return dtype_table[static_cast<std::size_t>(dtype)];
}

std::string_view to_string(DType dtype) {
  return info(dtype).name;
}

DType parse_dtype(std::string_view name) {
  return find_by_name(dtype_table, name, "type").dtype;
}

std::string_view to_string(Order order) {
  return order_table[static_cast<std::size_t>(order)].name;
}

Order parse_order(std::string_view name) {
  return find_by_name(order_table, name, "order").order;
}

std::string_view to_string(Skew skew) {
  return skew_table[static_cast<std::size_t>(skew)].name;
}

Skew parse_skew(std::string_view name) {
  return find_by_name(skew_table, name, "skew").skew;
}

std::string_view to_string(CacheMode mode) {
  return cache_mode_table[static_cast<std::size_t>(mode)].name;
}

CacheMode parse_cache_mode(std::string_view name) {
  return find_by_name(cache_mode_table, name, "cache mode").mode;
}

std::string_view to_string(Match match) {
  return match_table[static_cast<std::size_t>(rank_of(match))].name;
}

Match parse_match(std::string_view name) {
  return find_by_name(match_table, name, "match").match;
}

}  // namespace redtune
