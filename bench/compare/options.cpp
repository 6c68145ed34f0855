// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "bench/compare/contest.hpp"
#include "bench/compare/text.hpp"
#include "redtune/error.hpp"

namespace redtune::compare {
namespace {

/// The options while they are read; what depends on others is settled at the end.
struct Draft {
  Options options;
  std::optional<CacheMode> asked;
  std::vector<std::int64_t> offsets;
  bool walks = false;  ///< whether --from, --to or --step was given
};

struct OptionRow {
  std::string_view name;
  std::string_view argument;  ///< empty: the option stands alone
  std::string_view summary;
  void (*set)(Draft&, std::string_view);
};

template <class Value>
Value read_number(std::string_view text, Value least) {
  Value value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc{} && stop == end && value >= least) return value;
  throw UsageError("'" + std::string(text) + "' is not a whole number from " +
                   std::to_string(least));
}

/// The one of some values whose to_string() is the text.
template <class Value>
Value read_name(std::string_view text, std::span<const Value> known) {
  std::string names;
  for (const Value value : known) {
    if (to_string(value) == text) return value;
    names += (names.empty() ? "" : ", ") + std::string(to_string(value));
  }
  throw UsageError("unknown name '" + std::string(text) + "'; known: " + names);
}

Mode read_mode(std::string_view text) {
  return read_name<Mode>(text, std::array{Mode::between, Mode::behind, Mode::stream, Mode::row});
}

Peer read_peer(std::string_view text) {
  return read_name<Peer>(text, contest().peers);
}

Match read_match(std::string_view text) {
  return read_name<Match>(
      text, std::array{Match::exact, Match::drift, Match::sibling, Match::near, Match::fallback});
}

/// "a,b,c", each read by itself, without repetitions.
template <class Read>
auto read_list(std::string_view text, Read read) {
  std::vector<decltype(read(text))> values;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto value = read(text.substr(begin, end - begin));
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
    begin = end + 1;
  }
  return values;
}

/// Behind what earlier uses of the option have given.
void add_counts(std::vector<std::int64_t>& counts, std::string_view text) {
  for (const std::int64_t count : read_list(text, parse_count)) {
    if (std::ranges::find(counts, count) == counts.end()) counts.push_back(count);
  }
}

using View = std::string_view;
constexpr std::array rows{
    OptionRow{"from", "N", "smallest count [2^8]",
              [](Draft& d, View v) {
                d.options.from = parse_count(v);
                d.walks = true;
              }},
    OptionRow{"to", "N", "largest count [2^33]",
              [](Draft& d, View v) {
                d.options.to = parse_count(v);
                d.walks = true;
              }},
    OptionRow{"step", "N", "from count to count times 2^N [1]",
              [](Draft& d, View v) {
                d.options.step = read_number<int>(v, 1);
                d.walks = true;
              }},
    OptionRow{"count", "LIST", "these counts instead, e.g. 2^20,1000",
              [](Draft& d, View v) { add_counts(d.options.counts, v); }},
    OptionRow{"bytes", "LIST", "inputs of so many bytes instead, whatever their type",
              [](Draft& d, View v) { add_counts(d.options.bytes, v); }},
    OptionRow{"types", "LIST", "element types, e.g. f32,i32 [all]",
              [](Draft& d, View v) { d.options.types = read_list(v, parse_dtype); }},
    OptionRow{"ops", "LIST", "operators, e.g. sum,min [all]",
              [](Draft& d, View v) { d.options.ops = read_list(v, parse_op); }},
    OptionRow{"modes", "LIST", "what is timed: between, behind, stream, row [the first three]",
              [](Draft& d, View v) { d.options.modes = read_list(v, read_mode); }},
    OptionRow{"peers", "LIST", "whom to compare with, by the names of columns [all]",
              [](Draft& d, View v) { d.options.peers = read_list(v, read_peer); }},
    OptionRow{"rounds", "N", "samples of each contestant [15]",
              [](Draft& d, View v) { d.options.rounds = read_number<int>(v, 1); }},
    OptionRow{"seed", "N", "of the data and of the order in a round [1]",
              [](Draft& d, View v) { d.options.seed = read_number<std::uint64_t>(v, 0); }},
    OptionRow{"offset", "LIST", "start the input N elements off its alignment; a row for each [0]",
              [](Draft& d, View v) { add_counts(d.offsets, v); }},
    OptionRow{"cold", "", "copies of the input in turns, and nothing of it in the cache",
              [](Draft& d, View) { d.options.input = CacheMode::cold; }},
    OptionRow{"cache-mode", "NAME", "ask redtune for warm or cold [warm; cold with --cold]",
              [](Draft& d, View v) { d.asked = parse_cache_mode(v); }},
    OptionRow{"require", "NAME", "end with exit code 4 unless redtune's match is this or better",
              [](Draft& d, View v) { d.options.lookup.minimum = read_match(v); }},
    OptionRow{"cache", "FILE", "results file instead of the user's",
              [](Draft& d, View v) { d.options.lookup.cache_file = v; }},
    OptionRow{"json", "FILE", "write everything to this file, too",
              [](Draft& d, View v) { d.options.json_file = v; }},
    OptionRow{"help", "", "show this help", [](Draft& d, View) { d.options.help = true; }},
};

const OptionRow& find_row(std::string_view name, std::string_view word) {
  const auto row = std::ranges::find(rows, name, &OptionRow::name);
  if (row != rows.end()) return *row;
  throw UsageError("unknown option '" + std::string(word) + "'; --help lists all options");
}

/// Reads one option at the front of the words; returns how many words it took.
std::size_t read_option(Draft& draft, std::span<const std::string_view> words) {
  const std::string_view word = words.front();
  if (!word.starts_with("--")) throw UsageError("unexpected word '" + std::string(word) + "'");
  const std::size_t equals = word.find('=');
  const OptionRow& row = find_row(word.substr(2, equals - 2), word);
  const bool has_value = equals != std::string_view::npos;
  if (row.argument.empty()) {
    if (has_value) throw UsageError("--" + std::string(row.name) + " takes no value");
    row.set(draft, {});
    return 1;
  }
  if (!has_value && words.size() < 2) {
    throw UsageError("--" + std::string(row.name) + " needs a value: " + std::string(row.summary));
  }
  try {
    row.set(draft, has_value ? word.substr(equals + 1) : words[1]);
  } catch (const UsageError& error) {
    throw UsageError("--" + std::string(row.name) + ": " + error.what());
  }
  return has_value ? 1 : 2;
}

void settle_counts(const Draft& draft) {
  const Options& options = draft.options;
  const int ways = int{draft.walks} + int{!options.counts.empty()} + int{!options.bytes.empty()};
  if (ways > 1) throw UsageError("choose one: --count, --bytes, or --from, --to and --step");
  for (const std::int64_t count : options.counts) {
    if (count < 1) throw UsageError("--count: there is nothing to time below 1 element");
  }
  if (options.from < 1) throw UsageError("--from: there is nothing to time below 1 element");
  if (options.to < options.from) throw UsageError("--to is below --from: there is nothing to do");
}

std::vector<std::int64_t> walked_counts(const Options& options) {
  std::vector<std::int64_t> counts;
  for (std::int64_t count = options.from;; count <<= options.step) {
    counts.push_back(count);
    if (options.step > 62 || count > (options.to >> options.step)) return counts;
  }
}

std::vector<std::int64_t> counts_of(const Options& options, DType type) {
  if (!options.counts.empty()) return options.counts;
  if (options.bytes.empty()) return walked_counts(options);
  std::vector<std::int64_t> counts;
  const auto size = static_cast<std::int64_t>(size_of(type));
  for (const std::int64_t bytes : options.bytes) {
    if (bytes < size || bytes % size != 0) {
      throw UsageError("--bytes: " + std::to_string(bytes) + " bytes are not a whole number of " +
                       std::string(to_string(type)));
    }
    counts.push_back(bytes / size);
  }
  return counts;
}

}  // namespace

Options parse_options(std::span<const std::string_view> words) {
  Draft draft;
  Options& options = draft.options;
  for (const OpInfo& op : all_ops()) options.ops.push_back(op.op);
  for (const DTypeInfo& type : all_dtypes()) options.types.push_back(type.dtype);
  options.peers.assign(contest().peers.begin(), contest().peers.end());
  while (!words.empty()) words = words.subspan(read_option(draft, words));
  options.asked = draft.asked.value_or(options.input);
  if (!draft.offsets.empty()) options.offsets = draft.offsets;
  settle_counts(draft);
  return options;
}

std::string help_text() {
  std::string text = "compares redtune's tuned reductions with " + std::string(contest().rivals) +
                     " on the same input\n\nusage: " + std::string(contest().program) +
                     " [options]\n\n";
  for (const OptionRow& row : rows) {
    const std::string name = "--" + std::string(row.name) + " " + std::string(row.argument);
    text += "  " + left(name, 20) + std::string(row.summary) + '\n';
  }
  return text +
         "\nExit codes: 0 done, 1 a result is wrong or a cell could not be run, 2 bad option or "
         "no\n" +
         std::string(contest().platform) +
         " device, 4 a match is worse than --require, 6 the device fails, 74 no JSON file.\n";
}

std::vector<Problem> problems_of(const Options& options) {
  std::vector<Problem> problems;
  std::string why;
  for (const DType type : options.types) {
    for (const Op op : options.ops) {
      why = why_not_taken(op, type);
      if (!why.empty()) continue;
      for (const std::int64_t count : counts_of(options, type)) {
        problems.push_back(make_problem(op, type, count, options.asked));
      }
    }
  }
  if (problems.empty()) throw UsageError("there is nothing to do: " + why);
  return problems;
}

}  // namespace redtune::compare
