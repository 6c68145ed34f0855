// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/in_context/options.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <fmt/format.h>
#include <fmt/ostream.h>

#include "redtune/error.hpp"

namespace redtune::bench {
namespace {

namespace po = boost::program_options;

/// Numbers are read as signed ones: -1 is to be refused and not to be a huge number.
struct Numbers {
  std::int64_t configs = 32;
  std::int64_t rounds = 21;
  std::int64_t seed = 1;
  std::int64_t jobs = 0;
};

std::int64_t within(std::string_view name, std::int64_t value, std::int64_t least,
                    std::int64_t most) {
  if (value >= least && value <= most) return value;
  throw UsageError(fmt::format("--{} is {}; it goes from {} to {}", name, value, least, most));
}

po::options_description description(Options& options, std::vector<std::string>& counts,
                                    Numbers& numbers) {
  po::options_description all(
      "Does the tuner's score tell what programs get?\nusage: in_context [option...]");
  auto add = all.add_options();
  add("help,h", "show this");
  add("device", po::value(&options.device)->default_value("auto"), "as redtune devices names it");
  add("op", po::value(&options.op)->default_value("sum"), "operator");
  add("type", po::value(&options.type)->default_value("f32"), "of the elements");
  add("count", po::value(&counts)->default_value({"2^16"}, "2^16"), "elements; may be repeated");
  add("configs", po::value(&numbers.configs)->default_value(32), "to compare, from 2");
  add("rounds", po::value(&numbers.rounds)->default_value(21), "from 2");
  add("seed", po::value(&numbers.seed)->default_value(1), "of configs, data and order");
  add("jobs", po::value(&numbers.jobs)->default_value(0),
      "compilers at a time; 0: one for each processor");
  add("cache", po::value(&options.cache_file), "results file instead of the user's");
  add("json", po::bool_switch(&options.is_json), "print everything as JSON");
  return all;
}

Options parsed(int argc, const char* const* argv, bool& is_help) {
  Options options;
  std::vector<std::string> counts;
  Numbers numbers;
  const auto all = description(options, counts, numbers);
  po::variables_map found;
  // No positional options: a word that belongs to no option is a mistake.
  po::store(po::command_line_parser(argc, argv).options(all).positional({}).run(), found);
  is_help = found.contains("help");
  if (is_help) {
    fmt::print("{}", fmt::streamed(all));
    return options;
  }
  po::notify(found);
  for (const std::string& count : counts) options.counts.push_back(parse_count(count));
  if (std::ranges::any_of(options.counts, [](std::int64_t count) { return count < 1; })) {
    throw UsageError("--count starts at 1");
  }
  options.configs = static_cast<std::size_t>(within("configs", numbers.configs, 2, 1000));
  options.rounds = static_cast<std::size_t>(within("rounds", numbers.rounds, 2, 10'000));
  options.seed = static_cast<std::uint64_t>(within("seed", numbers.seed, 0, INT64_MAX));
  options.jobs = static_cast<int>(within("jobs", numbers.jobs, 0, 1024));
  (void)options.problems();  // before a device is touched
  return options;
}

}  // namespace

std::vector<Problem> Options::problems() const {
  std::vector<Problem> problems;
  for (const std::int64_t count : counts) {
    problems.push_back(make_problem(parse_op(op), parse_dtype(type), count, CacheMode::warm));
  }
  return problems;
}

std::optional<Options> read_options(int argc, const char* const* argv) {
  try {
    bool is_help = false;
    Options options = parsed(argc, argv, is_help);
    return is_help ? std::nullopt : std::optional(std::move(options));
  } catch (const po::error& error) {
    throw UsageError(fmt::format("{}; --help lists the options", error.what()));
  }
}

}  // namespace redtune::bench
