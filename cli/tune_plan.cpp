// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/tune_plan.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "cache/files/paths.hpp"
#include "cli/names.hpp"
#include "cli/own_kernel.hpp"
#include "cli/question.hpp"
#include "cli/set_option.hpp"
#include "cli/wanted_list.hpp"
#include "cli/workload_options.hpp"
#include "redtune/error.hpp"
#include "tuner/compile/compile_pool.hpp"
#include "tuner/lease/lease.hpp"

namespace redtune::cli {
namespace {

TunerSetup setup_of(const Options& options) {
  return {.device = options.text("device"),
          .device_worker = device_worker_command(),
          .compile_worker = worker_command(),
          .compilers = std::make_shared<Compilers>(jobs_of(options)),
          .store = cache::store_path(options.text("cache")),
          .only_looks = options.has("list"),
          .logs = cache::logs_folder()};
}

/// What is tuned on a class of devices, told by one of them.
Workload workload_for(const Options& options, const Asked& asked, const FoundDevice& device) {
  if (options.has("wanted")) return wanted_workload(options, device.identity);
  return asked.kernel.empty() ? workload_on(device.identity.device_class, options, asked.named)
                              : kernel_workload(options, device.platform, device.limits);
}

}  // namespace

TuneTask task_of(const Options& options, const WorkloadItem& item) {
  return {.problem = item.problem,
          .strategy = options.text("strategy"),
          .seed = options.number("seed"),
          .budget = item.budget.empty() ? budget_of(options) : item.budget,
          .only = set_values(options),
          .good_enough = options.text("good-enough"),
          .command_line = note_of_this_process().command,
          .is_fresh = options.has("fresh"),
          .is_recorded = options.has("record"),
          .starts_warm = !options.has("no-warm-start"),
          .accepts_noise = options.has("force-noisy"),
          .accepts_others = options.has("allow-shared"),
          .waits = options.has("wait")};
}

std::vector<TuneTask> tasks_of(const Options& options, const Workload& workload) {
  std::vector<TuneTask> tasks;
  for (const WorkloadItem& item : workload.items) tasks.push_back(task_of(options, item));
  return tasks;
}

TunedDevices::TunedDevices(const Options& options, const Watching& watching) {
  const TunerSetup asked = setup_of(options);
  const std::vector<std::string> names = devices_named(asked);
  is_all_ = options.text("device").ends_with("all");
  for (const std::string& name : names) {
    TunerSetup setup = asked;
    setup.device = name;
    // Nothing is told before it is known which device it is.
    auto tuner = std::make_unique<Tuner>(std::move(setup), watching(tuners_.size(), name));
    if (!is_part_of_another(*tuner)) tuners_.push_back(std::move(tuner));
  }
}

std::vector<std::string> TunedDevices::names() const {
  std::vector<std::string> names;
  for (const auto& tuner : tuners_) names.push_back(tuner->device().selection);
  return names;
}

/// Partitions of a GPU share its memory and its power, and the host's variants its processor: of
/// all devices one of them is tuned on, and no list may name two.
bool TunedDevices::is_part_of_another(const Tuner& tuner) const {
  const std::string device = leased_device(tuner.device().identity.address);
  for (const auto& other : tuners_) {
    if (leased_device(other->device().identity.address) != device) continue;
    const std::string text =
        fmt::format("{} and {} are parts of one device, and would disturb each other",
                    other->device().selection, tuner.device().selection);
    if (!is_all_) throw UsageError(text + "; name one of them");
    spdlog::info("{}: {} is left out", text, tuner.device().selection);
    return true;
  }
  return false;
}

Plan plan_of(const Options& options, const Asked& asked, const TunedDevices& devices) {
  Plan plan;
  for (std::size_t place = 0; place < devices.all().size(); ++place) {
    Tuner& tuner = *devices.all()[place];
    const auto group = std::ranges::find_if(plan.groups, [&](const DeviceGroup& one) {
      const DeviceIdentity& first = one.tuners.front()->device().identity;
      return first.device_class == tuner.device().identity.device_class &&
             first.toolchain == tuner.device().identity.toolchain;
    });
    if (group != plan.groups.end()) {
      group->tuners.push_back(&tuner);
      group->places.push_back(place);
      continue;
    }
    Workload& workload = plan.workloads.emplace_back(workload_for(options, asked, tuner.device()));
    for (const WorkloadItem& item : workload.items) {
      require_known(set_values(options), kernels::family_of(item.problem));
    }
    plan.groups.push_back({{&tuner}, {place}, tasks_of(options, workload)});
    if (plan.groups.size() > 1 || workload.left_out.empty()) continue;
    spdlog::info("left out, for they do not go together: {}", workload.left_out);
  }
  return plan;
}

}  // namespace redtune::cli
