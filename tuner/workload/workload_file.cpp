// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/workload/workload_file.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <set>
#include <span>

#include "redtune/error.hpp"
#include "redtune/reduce_axes.hpp"
#include "redtune/suggest.hpp"
#include "search/budget.hpp"
#include "tuner/text/printable.hpp"
#include "tuner/workload/lists.hpp"
#include "vocabulary/toml_parser.hpp"

namespace redtune::tuner {
namespace {

struct KeyRow {
  std::string_view name;
  std::string_view example;  ///< of a value
};
constexpr std::array keys_of_file{KeyRow{"problem", ""}, KeyRow{"budget", "64,10s"}};
constexpr std::array keys_of_problem{
    KeyRow{"op", "sum,min"},      KeyRow{"type", "f32,f16"},
    KeyRow{"count", "2^8..2^30"}, KeyRow{"segments", "2^20"},
    KeyRow{"skew", "zipf"},       KeyRow{"offset_bits", "64"},
    KeyRow{"shape", "4096x1024"}, KeyRow{"axis", "1"},
    KeyRow{"strides", "2048,1"},  KeyRow{"row_lengths", "2^2..2^16:4"},
    KeyRow{"total", "2^28"},      KeyRow{"acc", "f64"},
    KeyRow{"out", "f64"},         KeyRow{"order", "any"},
    KeyRow{"cache_mode", "warm"}, KeyRow{"budget", "64,10s"}};
/// Keys of which a problem has one.
constexpr std::array<std::string_view, 3> sizing_keys{"count", "shape", "row_lengths"};

std::string_view example_of(std::string_view key) {
  return std::ranges::find(keys_of_problem, key, &KeyRow::name)->example;
}

/// One file on its way into a workload. Every error is told with its place.
class TomlWorkload {
 public:
  TomlWorkload(std::string_view text, const std::string& file) : file_(file) {
    try {
      root_ = toml::parse(text);
    } catch (const toml::parse_error& error) {
      refuse(error.source(), error.description());
    } catch (const TomlParserIsLost&) {
      throw UsageError(fmt::format("{}: this is no TOML; see https://toml.io", file_));
    }
  }

  [[nodiscard]] Workload read() {
    check_keys(root_, keys_of_file);
    if (const toml::node* budget = root_.get("budget")) (void)budget_at(*budget);
    const toml::node* problems = root_.get("problem");
    if (problems == nullptr) {
      throw UsageError(
          fmt::format("{}: there is no problem in it; begin one by [[problem]]", file_));
    }
    if (!problems->is_array_of_tables()) {
      refuse(*problems, "a problem is a table of its own; begin it by [[problem]]");
    }
    for (const toml::node& problem : *problems->as_array()) add(*problem.as_table());
    return std::move(workload_);
  }

 private:
  [[noreturn]] void refuse(const toml::source_region& place, std::string_view why) const {
    throw UsageError(
        fmt::format("{}:{}:{}: {}", file_, place.begin.line, place.begin.column, printable(why)));
  }
  [[noreturn]] void refuse(const toml::node& node, std::string_view why) const {
    refuse(node.source(), why);
  }

  void check_keys(const toml::table& table, std::span<const KeyRow> rows) const {
    std::vector<std::string_view> known;
    for (const KeyRow& row : rows) known.push_back(row.name);
    for (const auto& [key, value] : table) {
      const std::string_view name = key.str();
      if (std::ranges::find(known, name) != known.end()) continue;
      refuse(key.source(),
             fmt::format("unknown key '{}'{}; known: {}", name, suggest(name, known), join(known)));
    }
  }

  /// What one of the parsers makes of a text; what it refuses is told with the text's place.
  template <class Parse>
  auto parsed(const toml::node& node, const Parse& parse) const {
    try {
      return std::invoke(parse);
    } catch (const UsageError& error) {
      refuse(node, error.what());
    }
  }

  [[nodiscard]] std::string text_at(const toml::node& node, std::string_view key) const {
    if (const auto* text = node.as_string()) return text->get();
    refuse(node, fmt::format("{} is {}; write a string, like \"{}\"", key,
                             kind_of_toml(node.type()), example_of(key)));
  }

  [[nodiscard]] std::string budget_at(const toml::node& node) const {
    const std::string text = text_at(node, "budget");
    (void)parsed(node, [&] { return search::parse_budget(text); });
    return text;
  }

  /// Its own, or that of the whole file.
  [[nodiscard]] std::string budget_of(const toml::table& table) const {
    const toml::node* own = table.get("budget");
    const toml::node* node = own != nullptr ? own : root_.get("budget");
    return node == nullptr ? std::string() : budget_at(*node);
  }

  /// A value by a name, if it is there.
  template <class Value>
  void choose(std::optional<Value>& chosen, const toml::table& table, std::string_view key,
              Value (*parse)(std::string_view)) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return;
    const std::string text = text_at(*node, key);
    chosen = parsed(*node, [&] { return parse(text); });
  }

  [[nodiscard]] ProblemChoices choices_of(const toml::table& table) const {
    ProblemChoices choices;
    std::optional<Order> order;
    std::optional<CacheMode> cache_mode;
    choose(choices.acc, table, "acc", &parse_dtype);
    choose(choices.out, table, "out", &parse_dtype);
    choose(order, table, "order", &parse_order);
    choose(cache_mode, table, "cache_mode", &parse_cache_mode);
    choices.order = order.value_or(choices.order);
    choices.cache_mode = cache_mode.value_or(choices.cache_mode);
    return choices;
  }

  enum class Takes { strings, numbers_too };

  [[nodiscard]] std::string entry_at(const toml::node& node, std::string_view key,
                                     Takes takes) const {
    if (const auto* string = node.as_string()) return string->get();
    const bool takes_numbers = takes == Takes::numbers_too;
    const auto* integer = node.as_integer();
    if (takes_numbers && integer != nullptr) return fmt::format("{}", integer->get());
    refuse(node, fmt::format("{} is {}; write {}a string, like \"{}\", or an array of them", key,
                             kind_of_toml(node.type()), takes_numbers ? "a whole number, " : "",
                             example_of(key)));
  }

  /// Of a value or an array of them.
  template <class Use>
  void for_each_entry(const toml::node& node, std::string_view key, Takes takes,
                      const Use& use) const {
    const toml::array* array = node.as_array();
    if (array == nullptr) return use(node, entry_at(node, key, takes));
    if (array->empty()) refuse(node, fmt::format("{} is an empty array; name one at least", key));
    for (const toml::node& entry : *array) use(entry, entry_at(entry, key, takes));
  }

  /// What a parser makes of all entries, each value once.
  template <class Value>
  [[nodiscard]] std::vector<Value> list_at(const toml::node& node, std::string_view key,
                                           std::vector<Value> (*parse)(std::string_view)) const {
    const Takes takes = std::is_same_v<Value, std::int64_t> ? Takes::numbers_too : Takes::strings;
    std::vector<Value> values;
    for_each_entry(node, key, takes, [&](const toml::node& entry, const std::string& text) {
      parsed(entry, [&] {
        for (const Value& value : parse(text)) add_once(values, value);
      });
    });
    return values;
  }

  /// As they stand there.
  [[nodiscard]] std::vector<std::int64_t> numbers_of(
      const toml::table& table, std::string_view key,
      std::vector<std::int64_t> (*parse)(std::string_view)) const {
    std::vector<std::int64_t> numbers;
    const toml::node* node = table.get(key);
    if (node == nullptr) return numbers;
    for_each_entry(*node, key, Takes::numbers_too,
                   [&](const toml::node& entry, const std::string& text) {
                     const auto more = parsed(entry, [&] { return parse(text); });
                     numbers.insert(numbers.end(), more.begin(), more.end());
                   });
    return numbers;
  }

  [[noreturn]] void refuse_without(const toml::table& table, std::string_view what) const {
    refuse(table, fmt::format("this problem has no {}; it needs op, type, and one of {}", what,
                              join(sizing_keys)));
  }

  template <class Value>
  [[nodiscard]] std::vector<Value> list_of(const toml::table& table, std::string_view key,
                                           std::vector<Value> (*parse)(std::string_view)) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) refuse_without(table, key);
    return list_at(*node, key, parse);
  }

  /// The key of a problem that says how many elements.
  [[nodiscard]] std::string_view sizing_key_of(const toml::table& table) const {
    std::string_view first;
    for (const std::string_view key : sizing_keys) {
      if (table.get(key) == nullptr) continue;
      if (!first.empty()) {
        refuse(*table.get(key), fmt::format("{} and {} both say how many elements; leave one of "
                                            "them out",
                                            first, key));
      }
      first = key;
    }
    if (first.empty()) refuse_without(table, "count");
    return first;
  }

  /// A key that says more of another one.
  void require_owner(const toml::table& table, std::string_view key, std::string_view owner,
                     std::string_view why) const {
    const toml::node* node = table.get(key);
    if (node != nullptr && table.get(owner) == nullptr) refuse(*node, why);
  }

  [[nodiscard]] std::vector<Shape> arrays_of(const toml::table& table) const {
    const ArrayAxes how{.strides = numbers_of(table, "strides", &parse_numbers),
                        .axes = numbers_of(table, "axis", &parse_axes)};
    const toml::node& node = *table.get("shape");
    const std::vector<Extents> arrays = list_at(node, "shape", &parse_arrays);
    return parsed(node, [&] { return shapes_of_arrays(arrays, how); });
  }

  [[nodiscard]] std::vector<Shape> rows_of(const toml::table& table) const {
    std::int64_t total = usual_total;
    if (const toml::node* node = table.get("total")) {
      const std::string text = entry_at(*node, "total", Takes::numbers_too);
      total = parsed(*node, [&] { return parse_count(text); });
    }
    const toml::node& node = *table.get("row_lengths");
    const auto lengths = list_at(node, "row_lengths", &parse_counts);
    return parsed(node, [&] { return rows_of_total(lengths, total); });
  }

  [[nodiscard]] SegmentKind segment_kind_of(const toml::table& table) const {
    SegmentKind kind;
    std::optional<Skew> skew;
    choose(skew, table, "skew", &parse_skew);
    kind.skew = skew.value_or(kind.skew);
    if (const toml::node* node = table.get("offset_bits")) {
      const std::string text = entry_at(*node, "offset_bits", Takes::numbers_too);
      kind.offset_bits = parsed(*node, [&] { return parse_count(text); });
    }
    return kind;
  }

  void add_shapes(ProblemLists& lists, const toml::table& table) const {
    for (const std::string_view key : {"skew", "offset_bits"}) {
      require_owner(table, key, "segments",
                    fmt::format("{} is of segments; say how many there are by segments", key));
    }
    require_owner(table, "segments", "count",
                  "segments are of an array; say how many elements it has by count");
    for (const std::string_view key : {"axis", "strides"}) {
      require_owner(table, key, "shape",
                    fmt::format("{} is of an array; name its extents by shape", key));
    }
    require_owner(table, "total", "row_lengths",
                  "total is of rows; name their lengths by row_lengths");
    const std::string_view key = sizing_key_of(table);
    if (key == "shape") {
      lists.shapes = arrays_of(table);
    } else if (key == "row_lengths") {
      lists.shapes = rows_of(table);
    } else {
      lists.counts = list_of(table, "count", &parse_counts);
      if (table.get("segments") == nullptr) return;
      lists.shapes = segments_of_counts(lists.counts, list_of(table, "segments", &parse_counts),
                                        segment_kind_of(table));
      lists.counts.clear();
    }
  }

  void add(const toml::table& table) {
    check_keys(table, keys_of_problem);
    ProblemLists lists;
    for (const Op op : list_of(table, "op", &parse_ops)) lists.ops.emplace_back(op);
    lists.types = list_of(table, "type", &parse_dtypes);
    add_shapes(lists, table);
    lists.choices = choices_of(table);
    const std::string budget = budget_of(table);
    const ListedProblems listed = parsed(table, [&] { return problems_of(lists); });
    for (const Problem& problem : listed.problems) {
      if (seen_.insert(problem).second) workload_.items.push_back({problem, budget});
    }
    parsed(table, [&] { require_few_problems(seen_.size()); });
    if (listed.left_out.empty()) return;
    workload_.left_out += (workload_.left_out.empty() ? "" : "; ") + listed.left_out;
  }

  const std::string& file_;
  toml::table root_;
  Workload workload_{.name = file_, .items = {}};
  std::set<Problem> seen_;
};

}  // namespace

Workload workload_from_toml(std::string_view text, const std::string& file) {
  return TomlWorkload(text, file).read();
}

}  // namespace redtune::tuner
