// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune devices: what there is to run on, and why a platform has nothing.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/names.hpp"
#include "cli/say.hpp"
#include "redtune/error.hpp"
#include "runtime/resolve.hpp"
#include "tuner/text/counted.hpp"
#include "tuner/text/json.hpp"
#include "tuner/text/table.hpp"

namespace redtune::cli {
namespace {

struct Found {
  std::string device;  ///< as for --device; empty when there is none
  std::string platform;
  std::string problem;
  DeviceIdentity identity;
};

std::vector<Found> devices_of(const device::PlatformEntry& entry) {
  if (!entry.platform) return {{"", entry.name, entry.problem, {}}};
  const int count = entry.platform->device_count();
  if (count == 0) return {{"", entry.name, entry.platform->why_no_devices(), {}}};
  std::vector<Found> found;
  for (int i = 0; i < count; ++i) {
    const device::Selection selection{entry.platform.get(), i, {}};
    try {
      found.push_back({selection.text(), entry.name, {}, device::open(selection)->identity()});
    } catch (const DeviceError& error) {
      found.push_back({"", entry.name, fmt::format("{}: {}", selection.text(), error.what()), {}});
    }
  }
  return found;
}

void print_text(const std::vector<Found>& all, const std::string& chosen) {
  std::vector<std::vector<std::string>> rows{
      {"device", "name", "isa", "units", "wave", "cache", "memory", ""}};
  for (const Found& found : all) {
    const DeviceClass& what = found.identity.device_class;
    if (found.device.empty()) continue;
    rows.push_back({found.device, found.identity.name, what.isa, std::to_string(what.compute_units),
                    std::to_string(what.wave_size), mebibytes(what.last_level_cache_bytes),
                    mebibytes(what.memory_bytes), found.device == chosen ? "(auto)" : ""});
  }
  fmt::print("{}", table(rows));
  for (const Found& found : all) {
    if (!found.problem.empty()) say("no {} device: {}\n", found.platform, found.problem);
  }
}

}  // namespace

int run_devices(const Options& options) {
  std::vector<Found> all;
  for (const auto& entry : runtime::registry().platforms()) {
    for (Found& found : devices_of(entry)) all.push_back(std::move(found));
  }
  const std::string chosen = runtime::registry().select("auto").text();
  if (!options.has("json")) {
    print_text(all, chosen);
    return 0;
  }
  Json rows = Json::array();
  for (const Found& found : all) {
    Json row{{"platform", found.platform}, {"usable", !found.device.empty()}};
    if (found.device.empty()) {
      row["problem"] = found.problem;
    } else {
      row["device"] = found.device;
      row["is_auto"] = found.device == chosen;
      row.update(json_of(found.identity));
    }
    rows.push_back(std::move(row));
  }
  print_json({{"devices", rows}});
  return 0;
}

}  // namespace redtune::cli
