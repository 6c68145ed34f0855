// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/agreement/options.hpp"

#include <array>
#include <boost/program_options.hpp>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <sstream>

#include "cache/files/paths.hpp"
#include "redtune/error.hpp"

namespace redtune::bench {
namespace {

namespace po = boost::program_options;

constexpr std::array problems_by_default{
    "sum f32 2^18 warm", "min f32 2^18 warm", "sum u8 2^20",   "argmin f32 2^20",
    "sum f16 2^22",      "max i8 2^16",       "mean i32 2^19", "sum f64 2^14",
    "product i64 2^24",  "l2_norm bf16 2^26", "sum f32 2^12",  "count_nonzero u8 2^30"};

/// The program that was built with this one.
std::filesystem::path program_beside_this() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path() / "redtune";
}

void check(const AgreementOptions& options) {
  if (options.seeds < 1 || options.seeds > 1000) throw UsageError("--seeds is from 1 to 1000");
  if (options.rounds < 12) throw UsageError("--rounds: an interval needs 12 rounds at least");
  if (options.jobs < 0) throw UsageError("--jobs is 0 or more");
  if (!options.store.empty()) {
    if (!std::filesystem::exists(options.store)) {
      throw UsageError(fmt::format("--store {}: there are no results", options.store.string()));
    }
    const auto answers = cache::snapshot_of(options.store);
    if (!std::filesystem::exists(answers)) {
      throw UsageError(fmt::format("--store {}: nothing answers from it without {}; copy both",
                                   options.store.string(), answers.string()));
    }
  }
  if (options.steps != Steps::tune_and_time && options.keep.empty()) {
    throw UsageError("--only-tune and --only-time need a folder that keeps the tunes: --keep");
  }
}

}  // namespace

Problem parse_problem(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  if (words.size() != 3 && words.size() != 4) {
    throw UsageError(
        fmt::format("'{}' is no problem; it is an operator, a type, a count and perhaps warm: sum "
                    "f32 2^18 warm",
                    text));
  }
  const CacheMode mode = words.size() == 4 ? parse_cache_mode(words[3]) : CacheMode::cold;
  const std::int64_t count = parse_count(words[2]);
  if (count < 1) throw UsageError(fmt::format("'{}': there is nothing to tune", text));
  return make_problem(parse_op(words[0]), parse_dtype(words[1]), count, mode);
}

std::vector<Problem> default_problems() {
  std::vector<Problem> problems;
  for (const char* text : problems_by_default) problems.push_back(parse_problem(text));
  return problems;
}

std::optional<AgreementOptions> read_options(int argc, const char* const* argv) {
  AgreementOptions options;
  std::vector<std::string> problems;
  std::string program;
  std::string keep;
  std::string store;
  po::options_description all("Tunes with several seeds and times what they chose side by side");
  auto add = all.add_options();
  add("help,h", "show this");
  add("device", po::value(&options.device)->default_value("auto"), "as redtune tune takes it");
  add("seeds", po::value(&options.seeds)->default_value(options.seeds), "tunes of each problem");
  add("problem", po::value(&problems)->composing(),
      "e.g. \"sum f32 2^18 warm\"; again for more [twelve problems]");
  add("budget", po::value(&options.budget), "of a tune [the program's own]");
  add("jobs", po::value(&options.jobs)->default_value(0), "of a tune, and of compiling winners");
  add("redtune", po::value(&program), "the program [the one beside this]");
  add("keep", po::value(&keep), "folder of tunes and timings; what is there is not done again");
  add("store", po::value(&store), "results whose answers are timed beside those of the tunes");
  add("only-tune", "leave the timing to a later call");
  add("only-time", "time what was tuned before");
  add("time-anew", "also where a timing of the same winners is kept");
  add("rounds", po::value(&options.rounds)->default_value(options.rounds), "of timing, from 12");
  add("json", "print a document");
  po::variables_map found;
  po::store(po::command_line_parser(argc, argv)
                .options(all)
                .positional(po::positional_options_description())
                .run(),
            found);
  if (found.contains("help")) {
    fmt::print("{}", fmt::streamed(all));
    return std::nullopt;
  }
  po::notify(found);
  for (const std::string& text : problems) options.problems.push_back(parse_problem(text));
  if (problems.empty()) options.problems = default_problems();
  options.program = program.empty() ? program_beside_this() : std::filesystem::path(program);
  options.keep = keep;
  options.store = store;
  if (found.contains("only-tune") && found.contains("only-time")) {
    throw UsageError("--only-tune and --only-time leave nothing to do");
  }
  if (found.contains("only-tune")) options.steps = Steps::tune;
  if (found.contains("only-time")) options.steps = Steps::time;
  options.times_anew = found.contains("time-anew");
  options.is_json = found.contains("json");
  check(options);
  return options;
}

}  // namespace redtune::bench
