// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare/options.hpp"

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <optional>

#include "bench/compare/contest.hpp"
#include "redtune/error.hpp"

namespace redtune::compare {
namespace {

namespace po = boost::program_options;

/// The options while they are read; what depends on others is settled at the end.
struct Draft {
  Options options;
  std::optional<CacheMode> asked;
  std::vector<std::int64_t> offsets;
  bool walks = false;  ///< whether --from, --to or --step was given
};

struct OptionRow {
  const char* name;
  const char* argument;  ///< null: the option stands alone
  const char* summary;
  void (*set)(Draft&, std::string_view);
};

template <class Value>
Value read_number(std::string_view text, Value least) {
  Value value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc{} && stop == end && value >= least) return value;
  throw UsageError(fmt::format("'{}' is not a whole number from {}", text, least));
}

/// The one of some values whose to_string() is the text.
template <class Value>
Value read_name(std::string_view text, std::span<const Value> known) {
  std::string names;
  for (const Value value : known) {
    if (to_string(value) == text) return value;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", to_string(value));
  }
  throw UsageError(fmt::format("unknown name '{}'; known: {}", text, names));
}

Mode read_mode(std::string_view text) {
  return read_name<Mode>(text, std::array{Mode::between, Mode::behind, Mode::stream, Mode::row});
}

Peer read_peer(std::string_view text) {
  return read_name<Peer>(text, contest().peers);
}

Match read_match(std::string_view text) {
  return read_name<Match>(text, all_matches);
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
    OptionRow{"cold", nullptr, "copies of the input in turns, and nothing of it in the cache",
              [](Draft& d, View) { d.options.input = CacheMode::cold; }},
    OptionRow{"cache-mode", "NAME", "ask redtune for warm or cold [warm; cold with --cold]",
              [](Draft& d, View v) { d.asked = parse_cache_mode(v); }},
    OptionRow{"require", "NAME", "end with exit code 4 unless redtune's match is this or better",
              [](Draft& d, View v) { d.options.lookup.minimum = read_match(v); }},
    OptionRow{"cache", "FILE", "results file instead of the user's",
              [](Draft& d, View v) { d.options.lookup.cache_file = v; }},
    OptionRow{"json", "FILE", "write everything to this file, too",
              [](Draft& d, View v) { d.options.json_file = v; }},
    OptionRow{"help", nullptr, "show this help", [](Draft& d, View) { d.options.help = true; }},
};

po::options_description described_options() {
  po::options_description all("Options");
  for (const OptionRow& row : rows) {
    if (row.argument == nullptr)
      all.add_options()(row.name, row.summary);
    else
      all.add_options()(row.name, po::value<std::string>()->value_name(row.argument), row.summary);
  }
  return all;
}

void set(Draft& draft, const po::option& option) {
  const auto row = std::ranges::find(rows, option.string_key, &OptionRow::name);
  try {
    row->set(draft, option.value.empty() ? std::string_view() : option.value.front());
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--{}: {}", row->name, error.what()));
  }
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
      throw UsageError(
          fmt::format("--bytes: {} bytes are not a whole number of {}", bytes, to_string(type)));
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
  try {
    const std::vector<std::string> texts(words.begin(), words.end());
    const auto all = described_options();
    // No positional options: a word that belongs to no option is a mistake.
    const auto read = po::command_line_parser(texts).options(all).positional({}).run();
    for (const po::option& option : read.options) set(draft, option);
  } catch (const po::error& error) {
    throw UsageError(fmt::format("{}; --help lists all options", error.what()));
  }
  options.asked = draft.asked.value_or(options.input);
  if (!draft.offsets.empty()) options.offsets = draft.offsets;
  settle_counts(draft);
  return options;
}

std::string help_text() {
  return fmt::format(
      "compares redtune's tuned reductions with {} on the same input\n\n"
      "usage: {} [options]\n\n{}\n"
      "Exit codes: 0 done, 1 a result is wrong or a cell could not be run, 2 bad option or no\n"
      "{} device, 4 a match is worse than --require, 6 the device fails, 74 no JSON file.\n",
      contest().rivals, contest().program, fmt::streamed(described_options()), contest().platform);
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
  if (problems.empty()) throw UsageError(fmt::format("there is nothing to do: {}", why));
  return problems;
}

}  // namespace redtune::compare
