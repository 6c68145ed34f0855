// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a look-up costs an application: the first one of a process, later ones, and memory; beside
// the same question to SQLite. It asks itself in processes of their own. Usage: lookup --help
#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

#include "bench/lookup_store.hpp"
#include "redtune/best_results.hpp"
#include "redtune/error.hpp"

namespace redtune::bench {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;
using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

struct Options {
  int entries = 10'000;
  int processes = 200;
  std::string json_file;
  std::string ask;  ///< set in the processes that are asked
  std::string store;
};

/// Makes the compiler believe that the value is used.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

template <class Action>
double nanoseconds_of(const Action& action) {
  const auto begin = Clock::now();
  action();
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

/// KiB of this process by their names in /proc/self/smaps_rollup.
long kibibytes(const std::string& name) {
  std::ifstream rows("/proc/self/smaps_rollup");
  for (std::string word; rows >> word;) {
    long value = 0;
    if (word == name + ":" && rows >> value) return value;
  }
  throw IoError("cannot read " + name + " of /proc/self/smaps_rollup");
}

struct Scenario {
  const char* name;
  Match expected;
  void (*change)(Asked&);
};

constexpr std::array scenarios{
    Scenario{"exact", Match::exact, [](Asked&) {}},
    Scenario{"drift", Match::drift,
             [](Asked& asked) { asked.device.toolchain.compiler = "cc 13"; }},
    Scenario{"sibling", Match::sibling,
             [](Asked& asked) { asked.device.device_class.model = "another"; }},
    Scenario{"near", Match::near, [](Asked& asked) { ++asked.problem.count; }},
    Scenario{"default", Match::fallback,
             [](Asked& asked) { asked.device.device_class.compute_units = 9; }},
};

/// A question of the middle of the store, and how well it should be answered.
Asked asked_in(const Scenario& scenario, const Options& options) {
  Asked asked = question(options.entries / 2 + 17);
  scenario.change(asked);
  return asked;
}

void require(bool good, const std::string& what) {
  if (!good) throw Error("wrong answer: " + what);
}

/// The first look-up of this process: everything from the file's name to valid settings.
Json ask_first(const Scenario& scenario, const Options& options) {
  const Asked asked = asked_in(scenario, options);
  const long before = kibibytes("Rss");
  Match match{};
  const double ns = nanoseconds_of([&] { match = find_best(asked.problem, asked.device).match; });
  const long after = kibibytes("Rss");
  require(match == scenario.expected, scenario.name);
  return {{"ns", ns}, {"rss_kib", after - before}};
}

Json ask_sqlite(const Options& options) {
  const Asked asked = asked_in(scenarios[0], options);
  const long before = kibibytes("Rss");
  std::string found;
  const double ns = nanoseconds_of([&] { found = SqliteLookup(options.store).find(asked); });
  const long after = kibibytes("Rss");
  require(!found.empty(), "SQLite");
  return {{"ns", ns}, {"rss_kib", after - before}};
}

/// Median over rounds of the mean of many, in random order.
template <class Find>
double later_ns(int entries, const Find& find) {
  constexpr int rounds = 51;
  constexpr int finds = 2000;
  std::vector<double> times;
  std::mt19937 random(1);
  for (int round = 0; round < rounds; ++round) {
    std::vector<int> order(finds);
    for (int& entry : order) entry = static_cast<int>(random() % static_cast<unsigned>(entries));
    times.push_back(nanoseconds_of([&] {
                      for (const int entry : order) find(static_cast<std::size_t>(entry));
                    }) /
                    finds);
  }
  std::ranges::nth_element(times, times.begin() + rounds / 2);
  return times[rounds / 2];
}

/// Later look-ups, and the memory of a process that has asked for everything there is.
Json ask_all(const Options& options) {
  std::vector<Asked> all;
  for (int entry = 0; entry < options.entries; ++entry) all.push_back(question(entry));
  const auto best_of = [&](std::size_t i) { return find_best(all[i].problem, all[i].device); };
  // What any look-up brings along was here before there was a result.
  setenv("REDTUNE_CACHE", "/nonexistent", 1);
  for (std::size_t i = 0; i < all.size(); ++i) keep(best_of(i));
  const long before = kibibytes("Rss");
  unsetenv("REDTUNE_CACHE");
  for (std::size_t i = 0; i < all.size(); ++i) require(best_of(i).match == Match::exact, "all");
  const long after = kibibytes("Rss");
  Json found{{"rss_kib", after - before}, {"find_best_ns", later_ns(options.entries, best_of)}};
  const BestResults results(all[0].device);
  const int of_device = std::min(options.entries, 1000);
  for (int i = 0; i < of_device; ++i) keep(results.find(all[static_cast<std::size_t>(i)].problem));
  found["one_problem_ns"] =
      later_ns(of_device, [&](std::size_t) { keep(results.find(all[0].problem)); });
  found["thousand_problems_ns"] =
      later_ns(of_device, [&](std::size_t i) { keep(results.find(all[i].problem)); });
  SqliteLookup sqlite(options.store);
  found["sqlite_ns"] = later_ns(options.entries, [&](std::size_t i) { keep(sqlite.find(all[i])); });
  return found;
}

Json answer_of(const Options& options) {
  if (options.ask == "sqlite") return ask_sqlite(options);
  if (options.ask == "all") return ask_all(options);
  const auto scenario = std::ranges::find(scenarios, options.ask, &Scenario::name);
  if (scenario == scenarios.end()) throw UsageError("nothing is asked as " + options.ask);
  return ask_first(*scenario, options);
}

/// Asks another process.
Json asked_of_a_process(const std::string& ask, const Options& options) {
  const std::string command = fmt::format("/proc/{}/exe --ask {} --store '{}' --entries {}",
                                          getpid(), ask, options.store, options.entries);
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw IoError("cannot start a process");
  std::string text;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  const int status = pclose(pipe);
  if (status != 0) throw Error(fmt::format("a process that was asked ended with {}", status));
  return Json::parse(text);
}

Json first_of_many(const std::string& ask, const Options& options) {
  std::vector<double> times;
  std::vector<long> rss;
  for (int i = 0; i < options.processes; ++i) {
    const Json one = asked_of_a_process(ask, options);
    times.push_back(one.at("ns"));
    rss.push_back(one.at("rss_kib"));
  }
  std::ranges::sort(times);
  std::ranges::sort(rss);
  return {{"median_us", times[times.size() / 2] / 1e3},
          {"p99_us", times[(times.size() - 1) * 99 / 100] / 1e3},
          {"rss_kib", rss[rss.size() / 2]}};
}

void print(const Json& found) {
  fmt::print("{} results, snapshot {:.2f} MiB, {} processes each\n\n",
             found.at("entries").get<int>(), found.at("snapshot_bytes").get<double>() / (1 << 20),
             found.at("processes").get<int>());
  fmt::print("{:<24} {:>10} {:>10} {:>10}\n", "first look-up", "median us", "p99 us", "RSS KiB");
  for (const auto& [name, row] : found.at("first").items()) {
    fmt::print("{:<24} {:>10.1f} {:>10.1f} {:>10}\n", name, row.at("median_us").get<double>(),
               row.at("p99_us").get<double>(), row.at("rss_kib").get<long>());
  }
  const Json& later = found.at("later");
  fmt::print("\n{:<40} {:>10}\n", "later look-ups", "ns");
  for (const auto& [name, text] :
       {std::pair{"one_problem_ns", "BestResults, the same problem"},
        std::pair{"thousand_problems_ns", "BestResults, one of up to 1,000"},
        std::pair{"find_best_ns", "find_best, any"}, std::pair{"sqlite_ns", "SQLite, any"}}) {
    fmt::print("{:<40} {:>10.1f}\n", text, later.at(name).get<double>());
  }
  fmt::print("\nmemory of a process that asked for all of them: {} KiB\n",
             later.at("rss_kib").get<long>());
}

void run(Options options) {
  std::string folder = (fs::temp_directory_path() / "redtune-lookup-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw IoError("cannot create " + folder);
  fs::create_directory(fs::path(folder) / "redtune");
  setenv("XDG_DATA_HOME", folder.c_str(), 1);  // where an application finds a user's results
  unsetenv("REDTUNE_CACHE");
  options.store = (fs::path(folder) / "redtune/results-v1.db").string();
  make_store(options.store, options.entries);
  Json found{{"entries", options.entries},
             {"processes", options.processes},
             {"snapshot_bytes", fs::file_size(fs::path(folder) / "redtune/best-v1.snap")}};
  for (const Scenario& scenario : scenarios) {
    found["first"][scenario.name] = first_of_many(scenario.name, options);
  }
  found["first"]["sqlite"] = first_of_many("sqlite", options);
  found["later"] = asked_of_a_process("all", options);
  fs::remove_all(folder);
  print(found);
  if (!options.json_file.empty()) std::ofstream(options.json_file) << found.dump(2) << '\n';
}

void start(int argc, char** argv) {
  Options options;
  po::options_description all("Measures look-ups in an invented store");
  auto add = all.add_options();
  add("help,h", "show this");
  add("entries", po::value(&options.entries)->default_value(options.entries), "results, from 100");
  add("processes", po::value(&options.processes)->default_value(options.processes), "for each row");
  add("json", po::value(&options.json_file), "file to write everything to");
  add("ask", po::value(&options.ask), "for itself: what a process is asked");
  add("store", po::value(&options.store), "for itself: where");
  po::variables_map given;
  po::store(po::parse_command_line(argc, argv, all), given);
  po::notify(given);
  if (given.contains("help")) {
    fmt::print("{}", fmt::streamed(all));
  } else if (options.entries < 100 || options.processes < 1) {
    throw UsageError("entries start at 100, processes at 1");
  } else if (!options.ask.empty()) {
    std::cout << answer_of(options) << '\n';
  } else {
    run(options);
  }
}

}  // namespace
}  // namespace redtune::bench

int main(int argc, char** argv) try {
  redtune::bench::start(argc, argv);
} catch (const std::exception& error) {
  fmt::print(stderr, "lookup: {}\n", error.what());
  return 1;
}
