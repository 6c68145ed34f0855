// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune wanted: what applications asked for and nobody has tuned.
#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/names.hpp"
#include "cli/say.hpp"
#include "cli/wanted_list.hpp"
#include "tuner/text/counted.hpp"
#include "tuner/text/printable.hpp"
#include "tuner/text/table.hpp"

namespace redtune::cli {
namespace {

std::string saving_of(const WantedItem& item) {
  if (!item.gain) return "not known";
  return fmt::format("{:.0f} %", std::max(0.0, 100 * (1 - 1 / *item.gain)));
}

std::string wanted_text(const std::vector<WantedItem>& items) {
  if (items.empty()) return "nothing is wanted: all that was asked for is tuned\n";
  std::vector<std::vector<std::string>> rows{
      {"problem", "device", "processes", "launches", "answered by", "likely saves"}};
  for (const WantedItem& item : items) {
    rows.push_back({describe(item.asked.question.problem), printable(item.asked.device),
                    fmt::format("{}", item.asked.processes), fmt::format("{}", item.asked.launches),
                    std::string(to_string(item.now)), saving_of(item)});
  }
  return fmt::format("{}{} to tune, the most useful first; tune them: redtune tune --wanted\n",
                     table(std::move(rows)), counted(items.size(), "question"));
}

Json wanted_json(const std::vector<WantedItem>& items) {
  Json rows = Json::array();
  for (const WantedItem& item : items) {
    Json row{{"problem", tuner::json_of(item.asked.question.problem)},
             {"device", item.asked.device},
             {"processes", item.asked.processes},
             {"launches", item.asked.launches},
             {"match", to_string(item.now)}};
    row["likely_gain"] = item.gain ? Json(*item.gain) : Json();
    rows.push_back(std::move(row));
  }
  return {{"wanted", std::move(rows)}};
}

}  // namespace

int run_wanted(const Options& options) {
  if (options.has("clear")) {
    const auto folder = cache::wanted_folder();
    const std::size_t removed = folder ? cache::forget_wanted(*folder) : 0;
    if (options.has("json"))
      print_json({{"forgotten", removed}});
    else
      fmt::print("forgot what {} {} asked for\n", removed, removed == 1 ? "process" : "processes");
    return 0;
  }
  const auto items = wanted_list(options);
  if (options.has("json"))
    print_json(wanted_json(items));
  else
    fmt::print("{}", wanted_text(items));
  return 0;
}

}  // namespace redtune::cli
