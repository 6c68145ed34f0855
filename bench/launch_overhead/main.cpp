// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a launch through the library costs beside the driver's call, and what it takes to construct
// a Reducer from kernels that are compiled already. Without --device on a driver that does nothing,
// so no GPU is needed. Leaves nothing behind.
#include <boost/program_options.hpp>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <unistd.h>

#include "bench/exit_code.hpp"
#include "bench/launch_overhead/measure.hpp"
#include "redtune/error.hpp"
#include "redtune/version.hpp"

namespace redtune::bench {
namespace {

using nlohmann::json;
namespace po = boost::program_options;

struct Options {
  Target target{"cuda:0", "null"};
  bool is_json = false;
};

/// Nothing: help was asked for and printed.
std::optional<Options> read_options(int argc, char** argv) try {
  Options options;
  std::string device;
  po::options_description all("What a launch by a Reducer and making one cost");
  auto add = all.add_options();
  add("help,h", "show this");
  add("device", po::value(&device)->default_value("null"), "null, host, cuda:0 or hip:0");
  add("json", po::bool_switch(&options.is_json), "print a document");
  po::variables_map found;
  po::store(po::command_line_parser(argc, argv).options(all).positional({}).run(), found);
  if (found.contains("help")) {
    fmt::print("{}", fmt::streamed(all));
    return std::nullopt;
  }
  po::notify(found);
  if (device != "null") options.target = {device, device.substr(0, device.find(':'))};
  return options;
} catch (const po::error& error) {
  throw UsageError(fmt::format("{}; --help lists the options", error.what()));
}

/// A place for results and binaries of this run, instead of the user's.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "redtune-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw IoError("cannot make a folder " + name);
    path_ = name;
    setenv("XDG_CACHE_HOME", name.c_str(), 1);
    setenv("XDG_DATA_HOME", name.c_str(), 1);
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

json json_of(const std::optional<Interval>& time) {
  if (!time) return {};
  return {{"median", time->median}, {"low", time->low}, {"high", time->high}};
}

/// What is measured of one Reducer::launch, for each launch of the driver.
std::optional<Interval> shared_by(const std::optional<Interval>& time, int launches) {
  if (!time) return std::nullopt;
  return Interval{time->low / launches, time->median / launches, time->high / launches};
}

json json_of(const LaunchCost& cost) {
  return {{"driver_launches", cost.driver_launches},
          {"bare_ns", json_of(cost.bare)},
          {"reducer_ns", json_of(cost.reducer)},
          {"above_bare_ns", json_of(cost.above_bare)},
          {"above_bare_ns_per_driver_launch",
           json_of(shared_by(cost.above_bare, cost.driver_launches))}};
}

json json_of(const WantedCost& cost) {
  return {{"launch_ns",
           {{"without", json_of(cost.launch_without)},
            {"with", json_of(cost.launch_with)},
            {"more", json_of(cost.launch_more)}}},
          {"construction_us",
           {{"without", json_of(cost.made_without)},
            {"with", json_of(cost.made_with)},
            {"more", json_of(cost.made_more)},
            {"first_more", cost.first_more},
            {"longest_more", cost.longest_more}}},
          {"questions", cost.questions}};
}

/// What is measured on a device.
struct Costs {
  WantedCost wanted;
  std::vector<LaunchCost> launches;
  RowsCost rows;
  LaunchCost kernel;
  ConstructionCost construction;
};

void print_json(const Options& options, const Costs& costs) {
  json launches = json::array();
  for (const LaunchCost& cost : costs.launches) {
    launches.push_back(json_of(cost));
    launches.back()["settings"] = cost.settings;
  }
  json rows = json_of(costs.rows.launch);
  rows["tuned_shapes"] = costs.rows.tuned_shapes;
  rows["near_share"] = costs.rows.near_share;
  json kernel = json_of(costs.kernel);
  kernel["settings"] = costs.kernel.settings;
  const json document{
      {"redtune", version},
      {"device", options.target.platform == "null" ? "null" : options.target.device},
      {"rounds", rounds},
      {"confidence", 0.95},
      {"launches", launches},
      {"rows", rows},
      {"kernel", kernel},
      {"wanted", json_of(costs.wanted)},
      {"construction",
       {{"tuned_classes", costs.construction.classes},
        {"compiled_ms", costs.construction.compiled_ms},
        {"from_disk_ms", costs.construction.from_disk_ms},
        {"of_which_open_ms", costs.construction.open_ms}}}};
  fmt::print("{}\n", document.dump(2));
}

void print_launch(const LaunchCost& cost, std::string_view config) {
  const auto text = [](const std::optional<Interval>& time) {
    return time ? fmt::format("{:.1f}", time->median) : "-";
  };
  const std::string range =
      cost.above_bare ? fmt::format("{:.1f} to {:.1f}", cost.above_bare->low, cost.above_bare->high)
                      : "";
  fmt::print("{:>15} {:>8} {:>8} {:>10} {:>16} {:>17}   {}\n", cost.driver_launches,
             text(cost.bare), text(cost.reducer), text(cost.above_bare), range,
             text(shared_by(cost.above_bare, cost.driver_launches)), config);
}

void print_text(const Costs& costs) {
  fmt::print(
      "one Reducer::launch in nanoseconds, beside as many of the driver's launches as it makes:\n"
      "medians of {} rounds, and where that of the difference lies with 95 % confidence\n",
      rounds);
  fmt::print("{:>15} {:>8} {:>8} {:>10} {:>16} {:>17}   config\n", "driver launches", "bare",
             "Reducer", "above bare", "", "for each of them");
  for (const LaunchCost& cost : costs.launches) print_launch(cost, cost.settings);
  print_launch(costs.rows.launch,
               fmt::format("rows, other extents each time: that of the nearest of {} tuned shapes "
                           "in {:.0f} % of launches",
                           costs.rows.tuned_shapes, 100 * costs.rows.near_share));
  print_launch(costs.kernel, "a Kernel, of 100 prepared sizes in turn: " + costs.kernel.settings);
  const WantedCost& wanted = costs.wanted;
  fmt::print(
      "\nwriting down what is asked for and nobody has tuned, {} questions\n"
      "{:>15} {:>8} {:>8} {:>10} {:>16}\n",
      wanted.questions, "", "off", "on", "more", "");
  const auto print_wanted = [](std::string_view what, const Interval& without, const Interval& with,
                               const Interval& more) {
    fmt::print("{:>15} {:8.1f} {:8.1f} {:10.1f} {:>16}\n", what, without.median, with.median,
               more.median, fmt::format("{:.1f} to {:.1f}", more.low, more.high));
  };
  print_wanted("a launch, ns", wanted.launch_without, wanted.launch_with, wanted.launch_more);
  print_wanted("a Reducer, us", wanted.made_without, wanted.made_with, wanted.made_more);
  fmt::print("the process's first question {:.1f} us, the longest of all {:.1f} us\n",
             wanted.first_more, wanted.longest_more);
  const ConstructionCost& construction = costs.construction;
  fmt::print("\na Reducer with {} tuned classes in milliseconds\n", construction.classes);
  fmt::print("compiling        {:9.2f}\nfrom disk        {:9.2f}\n  opening device {:9.2f}\n",
             construction.compiled_ms, construction.from_disk_ms, construction.open_ms);
}

int run(int argc, char** argv) {
  const auto options = read_options(argc, argv);
  if (!options) return 0;
  const Scratch scratch;
  if (options->target.platform == "null") setenv("REDTUNE_MODULE_PATH", REDTUNE_NULL_MODULES, 1);
  // First: it counts the questions of the process.
  const Costs costs{.wanted = measure_wanted(options->target, scratch.path()),
                    .launches = measure_launches(options->target, scratch.path()),
                    .rows = measure_rows(options->target, scratch.path()),
                    .kernel = measure_kernel(options->target, scratch.path()),
                    .construction = measure_construction(options->target, scratch.path())};
  if (options->is_json)
    print_json(*options, costs);
  else
    print_text(costs);
  return 0;
}

}  // namespace
}  // namespace redtune::bench

int main(int argc, char** argv) try {
  return redtune::bench::run(argc, argv);
} catch (const redtune::Error& error) {
  fmt::print(stderr, "launch_overhead: {}\n", error.what());
  return redtune::bench::exit_code_of(error);
}
