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
#include "redtune/reduce_axes.hpp"

namespace redtune::compare {
namespace {

namespace po = boost::program_options;

/// The options while they are read; what depends on others is settled at the end.
struct Draft {
  Options options;
  std::optional<CacheMode> asked;
  std::vector<std::int64_t> offsets;
  bool walks = false;                ///< whether --from, --to or --step was given
  std::vector<std::string> extents;  ///< of arrays
  std::vector<std::int64_t> axes;
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> row_lengths;
  std::optional<std::int64_t> total;   ///< elements of all rows of a length
  std::vector<std::int64_t> segments;  ///< of the elements of each count
  std::optional<Skew> skew;
  std::optional<std::int64_t> offset_bits;
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

Degrees read_degrees(std::string_view text) {
  return read_name<Degrees>(text, all_degrees());
}

Peer read_peer(std::string_view text) {
  return read_name<Peer>(text, contest().peers);
}

Match read_match(std::string_view text) {
  return read_name<Match>(text, all_matches);
}

/// "a,b,c", each read by itself.
template <class Read>
auto read_all(std::string_view text, Read read) {
  std::vector<decltype(read(text))> values;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    values.push_back(read(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return values;
}

template <class Value>
void add_new(std::vector<Value>& values, const std::vector<Value>& more) {
  for (const Value& value : more) {
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
}

/// Likewise without repetitions.
template <class Read>
auto read_list(std::string_view text, Read read) {
  std::vector<decltype(read(text))> values;
  add_new(values, read_all(text, read));
  return values;
}

std::vector<std::int64_t> walked_counts(std::int64_t from, std::int64_t to, int step) {
  std::vector<std::int64_t> counts;
  for (std::int64_t count = from;; count <<= step) {
    counts.push_back(count);
    if (step > 62 || count > (to >> step)) return counts;
  }
}

/// "1000", or the counts from one to another, each twice the one before: "2^1..2^27"; or so many
/// times as large: "2^2..2^18:4".
std::vector<std::int64_t> read_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return {parse_count(text)};
  const std::string_view ends = text.substr(0, text.find(':'));
  const std::int64_t from = parse_count(ends.substr(0, dots));
  const std::int64_t to = parse_count(ends.substr(dots + 2));
  const std::int64_t times =
      ends.size() == text.size() ? 2 : parse_count(text.substr(ends.size() + 1));
  if (times < 2) {
    throw UsageError(fmt::format("'{}' is no range: its step is a factor from 2 on", text));
  }
  if (from < 1 || to < from) {
    throw UsageError(fmt::format("'{}' is no range: it goes up, from 1 or more", text));
  }
  std::vector<std::int64_t> counts{from};
  while (counts.back() <= to / times) counts.push_back(counts.back() * times);
  return counts;
}

/// Behind what earlier uses of the option have given.
void add_counts(std::vector<std::int64_t>& counts, std::string_view text) {
  for (const auto& range : read_all(text, read_range)) add_new(counts, range);
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
    OptionRow{"count", "LIST", "these counts instead, e.g. 2^20,1000 or 2^20..2^28",
              [](Draft& d, View v) { add_counts(d.options.counts, v); }},
    OptionRow{"bytes", "LIST", "inputs of so many bytes instead, whatever their type",
              [](Draft& d, View v) { add_counts(d.options.bytes, v); }},
    OptionRow{"shape", "LIST", "arrays of such extents instead, e.g. 262144x1000,4096x11008",
              [](Draft& d, View v) {
                add_new(d.extents, read_all(v, [](View one) { return std::string(one); }));
              }},
    OptionRow{"axis", "I,...", "their axes to reduce, from 0, or from -1 backwards [all]",
              [](Draft& d, View v) { d.axes = parse_axes(v); }},
    OptionRow{"strides", "N,...", "elements from one index of each axis to the next [no gaps]",
              [](Draft& d, View v) { d.strides = read_all(v, parse_count); }},
    OptionRow{"row-lengths", "LIST",
              "rows of so many elements instead, e.g. 2^1..2^27,1000 or 2^2..2^18:4",
              [](Draft& d, View v) { add_counts(d.row_lengths, v); }},
    OptionRow{"total", "N", "elements of all rows of a length, or what is just below [2^28]",
              [](Draft& d, View v) { d.total = parse_count(v); }},
    OptionRow{"segments", "LIST", "so many segments of the elements of each --count, e.g. 2^20",
              [](Draft& d, View v) { add_counts(d.segments, v); }},
    OptionRow{"skew", "NAME", "how their lengths are spread: uniform, zipf, giant [uniform]",
              [](Draft& d, View v) { d.skew = parse_skew(v); }},
    OptionRow{"degrees", "NAME",
              "or as rows of matrices: equal, rmat, mesh, lognormal, half-empty; --skew is then "
              "what redtune is told of it",
              [](Draft& d, View v) { d.options.degrees = read_degrees(v); }},
    OptionRow{"offset-bits", "N", "of their offsets, 32 or 64 [32]",
              [](Draft& d, View v) { d.offset_bits = read_number<std::int64_t>(v, 32); }},
    OptionRow{"plans", nullptr, "segments by plans that are kept as well: in equal shares, in bins",
              [](Draft& d, View) { d.options.with_plans = true; }},
    OptionRow{"by-key", nullptr,
              "segments told by a key of 32 bits for each element: groups of equal ones are to be "
              "found",
              [](Draft& d, View) { d.options.by_key = true; }},
    OptionRow{"way", "NAME",
              "how redtune reduces groups of equal keys: by_length, tiles, segments [by_length]",
              [](Draft& d, View v) { d.options.groups.way = parse_by_key_way(v); }},
    OptionRow{"set", "SETTINGS", "of its tiles, e.g. 'block_size=128 items_per_thread=20'",
              [](Draft& d, View v) { d.options.groups.tiles = parse_settings(v); }},
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

Shape array_of(const Draft& draft, const std::string& extents) {
  const Shape shape = reduce_axes(parse_extents(extents), draft.strides, draft.axes);
  if (elements_of(shape) >= 1) return shape;
  throw UsageError("there is nothing to time below 1 element");
}

Shape rows_of(std::int64_t length, std::int64_t total) {
  if (length < 1) throw UsageError("there is nothing to time below 1 element");
  if (length <= total) return Shape::rows(total / length, length);
  throw UsageError(fmt::format("a row of {} is more than all of them, --total {}",
                               describe_count(length), describe_count(total)));
}

/// Each of the counts in each number of segments; where their degrees say how many elements there
/// are, no count is needed.
std::vector<Shape> segments_of(const Draft& draft) {
  const auto& degrees = draft.options.degrees;
  const Skew usual = degrees ? usual_skew(*degrees) : Skew::uniform;
  std::vector<Shape> shapes;
  const auto add = [&](std::int64_t count, std::int64_t segments) {
    shapes.push_back(Shape::segments(count, segments, draft.offset_bits.value_or(32),
                                     draft.skew.value_or(usual)));
  };
  for (const std::int64_t count : draft.options.counts) {
    for (const std::int64_t segments : draft.segments) add(count, segments);
  }
  if (!draft.options.counts.empty() || !degrees) return shapes;
  for (const std::int64_t segments : draft.segments) {
    add(usual_elements(*degrees, segments).value_or(0), segments);
  }
  return shapes;
}

void settle_shapes(Draft& draft) try {
  std::vector<Shape>& shapes = draft.options.shapes;
  for (const std::string& extents : draft.extents) shapes.push_back(array_of(draft, extents));
  for (const std::int64_t length : draft.row_lengths) {
    shapes.push_back(rows_of(length, draft.total.value_or(std::int64_t{1} << 28)));
  }
  const std::vector<Shape> segments = segments_of(draft);
  shapes.insert(shapes.end(), segments.begin(), segments.end());
} catch (const UsageError& error) {
  throw UsageError(
      fmt::format("--{}: {}", draft.extents.empty() ? "row-lengths" : "shape", error.what()));
}

/// Throws where what belongs to arrays or rows was given without them.
void require_owners(const Draft& draft) {
  if (draft.extents.empty() && !(draft.axes.empty() && draft.strides.empty())) {
    throw UsageError("--axis and --strides are of arrays; name their extents by --shape");
  }
  const auto& degrees = draft.options.degrees;
  const bool has_elements =
      !draft.options.counts.empty() || (degrees && usual_elements(*degrees, 1));
  if (!draft.segments.empty() && !has_elements) {
    throw UsageError("--segments are of the elements of --count; say how many these are");
  }
  if (std::ranges::any_of(draft.segments, [](std::int64_t segments) { return segments < 1; })) {
    throw UsageError("--segments: there is nothing to time below 1 segment");
  }
  if (draft.segments.empty() && (draft.skew || draft.offset_bits || degrees)) {
    throw UsageError(
        "--skew, --degrees and --offset-bits are of --segments; say how many there are");
  }
  if (draft.segments.empty() && (draft.options.with_plans || draft.options.by_key)) {
    throw UsageError("--plans and --by-key are of --segments; say how many there are");
  }
  const ByKeyOptions& groups = draft.options.groups;
  if (!draft.options.by_key && (groups.way != ByKeyWay::by_length || !groups.tiles.empty())) {
    throw UsageError("--way and --set are of --by-key");
  }
  if (groups.way != ByKeyWay::tiles && !groups.tiles.empty()) {
    throw UsageError("--set is of tiles: say --way tiles as well");
  }
  if (draft.options.with_plans && draft.options.by_key) {
    throw UsageError("choose one: plans are made of offsets, which --by-key does not have");
  }
  if (draft.row_lengths.empty() && draft.total) {
    throw UsageError("--total is of rows; name their lengths by --row-lengths");
  }
}

void settle_counts(const Draft& draft) {
  const Options& options = draft.options;
  const int ways = int{draft.walks} + int{!options.counts.empty()} + int{!options.bytes.empty()} +
                   int{!draft.extents.empty()} + int{!draft.row_lengths.empty()} +
                   int{!draft.segments.empty() && options.counts.empty()};
  if (ways > 1) {
    throw UsageError(
        "choose one: --count, --bytes, --shape, --row-lengths, or --from, --to and --step");
  }
  for (const std::int64_t count : options.counts) {
    if (count < 1) throw UsageError("--count: there is nothing to time below 1 element");
  }
  if (options.from < 1) throw UsageError("--from: there is nothing to time below 1 element");
  if (options.to < options.from) throw UsageError("--to is below --from: there is nothing to do");
}

std::vector<std::int64_t> counts_of(const Options& options, DType type) {
  if (!options.counts.empty()) return options.counts;
  if (options.bytes.empty()) return walked_counts(options.from, options.to, options.step);
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

std::vector<Shape> shapes_of(const Options& options, DType type) {
  if (!options.shapes.empty()) return options.shapes;
  std::vector<Shape> arrays;
  for (const std::int64_t count : counts_of(options, type)) arrays.push_back({.count = count});
  return arrays;
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
  require_owners(draft);
  settle_counts(draft);
  settle_shapes(draft);
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
      for (const Shape& shape : shapes_of(options, type)) {
        problems.push_back(make_problem(op, type, shape, {.cache_mode = options.asked}));
      }
    }
  }
  if (problems.empty()) throw UsageError(fmt::format("there is nothing to do: {}", why));
  return problems;
}

}  // namespace redtune::compare
