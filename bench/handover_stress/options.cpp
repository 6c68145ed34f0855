// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/handover_stress/options.hpp"

#include <boost/program_options.hpp>
#include <fmt/format.h>
#include <fmt/ostream.h>

#include "bench/handover_stress/inputs.hpp"
#include "redtune/error.hpp"

namespace redtune::bench {
namespace {

namespace po = boost::program_options;

struct Words {
  std::string op;
  std::string type;
  std::string count;
  std::vector<std::string> settings;
};

std::optional<Problem> problem_of(const Words& words, const po::variables_map& found) {
  const bool is_given = found.count("op") + found.count("type") + found.count("count") > 0;
  if (!is_given && words.settings.empty()) return std::nullopt;
  const auto or_else = [](const std::string& text, const char* otherwise) {
    return text.empty() ? std::string(otherwise) : text;
  };
  const Problem problem =
      make_problem(parse_op(or_else(words.op, "sum")), parse_dtype(or_else(words.type, "f32")),
                   parse_count(or_else(words.count, "2^16")), CacheMode::warm);
  require_exact(problem);
  return problem;
}

void check(const StressOptions& options) {
  if (options.launches < 1) throw UsageError("--launches starts at 1");
  if (options.most_time.count() < 0) throw UsageError("--seconds-each is 0 or more");
  if (options.patience.count() < 1) throw UsageError("--patience starts at 1");
}

}  // namespace

std::optional<StressOptions> read_stress_options(int argc, const char* const* argv) {
  StressOptions options;
  Words words;
  double seconds = 0;
  long patience = 0;
  po::options_description all(
      "Launches reductions whose blocks hand over by slots and counted words, again and again on a "
      "busy device, and checks every result");
  auto add = all.add_options();
  add("help,h", "show this");
  add("device", po::value(&options.device)->default_value("auto"), "as redtune tune takes it");
  add("launches", po::value(&options.launches)->default_value(options.launches), "of each case");
  add("seconds-each", po::value(&seconds)->default_value(0),
      "end a case after these, with the launches it has; 0: as long as it takes");
  add("op", po::value(&words.op), "one problem instead of several [sum]");
  add("type", po::value(&words.type), "of its elements [f32]");
  add("count", po::value(&words.count), "of its elements [2^16]");
  add("settings", po::value(&words.settings)->composing(),
      "a configuration for it, e.g. \"finish=slots block_size=64\"; again for more");
  add("no-load", "leave the device to the reductions");
  add("patience", po::value(&patience)->default_value(120), "seconds a batch may take");
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
  options.problem = problem_of(words, found);
  for (const std::string& text : words.settings) options.settings.push_back(parse_settings(text));
  options.most_time = std::chrono::duration<double>(seconds);
  options.patience = std::chrono::seconds(patience);
  options.has_load = !found.contains("no-load");
  options.is_json = found.contains("json");
  check(options);
  return options;
}

}  // namespace redtune::bench
