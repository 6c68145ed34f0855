// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune serve: stays, and tunes what applications asked for while nobody uses the devices.
#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <memory>
#include <set>
#include <spdlog/spdlog.h>
#include <string>
#include <utility>
#include <vector>

#include "cache/keys/key.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/names.hpp"
#include "cli/question.hpp"
#include "cli/say.hpp"
#include "cli/serve/fleet_turn.hpp"
#include "cli/serve/service.hpp"
#include "cli/serve/status_pages.hpp"
#include "cli/wanted_list.hpp"
#include "device/host/child.hpp"
#include "fleet/connection.hpp"
#include "fleet/signing.hpp"
#include "redtune/error.hpp"
#include "search/budget.hpp"
#include "tuner/text/counted.hpp"
#include "tuner/text/printable.hpp"
#include "tuner/tuner.hpp"

namespace redtune::cli {
namespace {

/// After which the list is made anew: what was asked meanwhile may be more useful.
constexpr const char* usual_turn = "10m";

IdleClock::Clock::duration time_of(const Options& options, const std::string& name) {
  const std::string text = options.text(name);
  if (text == "0" && name == "idle") return IdleClock::Clock::duration::zero();
  const auto refuse = [&] {
    return UsageError(fmt::format("--{} is '{}'; write a time such as 30s, 5m or 1h", name, text));
  };
  try {
    const search::Budget budget = search::parse_budget(text);
    if (budget.time && !budget.evaluations && !budget.until_settled) return *budget.time;
  } catch (const UsageError&) {
    throw refuse();
  }
  throw refuse();
}

std::vector<std::string> served_devices(const Options& options) {
  std::vector<std::string> names = tuner::devices_named(
      {.device = options.text("device"), .device_worker = device_worker_command()});
  const bool is_host_alone = names.size() == 1 && names.front().starts_with("host");
  if (is_host_alone && !options.is_given("device")) {
    throw UsageError(
        "there is no GPU here that redtune can tune on, see: redtune doctor; to tune on the "
        "processor whenever no other redtune does: --device host");
  }
  return names;
}

/// When a service asks its fleet store, and as whom: the tune does, for databases are slow.
class FleetService {
 public:
  explicit FleetService(const Options& options, IdleClock::Clock::duration idle)
      : options_(options),
        between_(std::clamp<IdleClock::Clock::duration>(idle, std::chrono::seconds(1),
                                                        std::chrono::minutes(1))) {
    if (!options.has("fleet")) {
      if (options.is_given("lease"))
        throw UsageError("--lease is of --fleet: give both, or neither");
      if (options.has("sign")) throw UsageError("--sign is of --fleet: give both, or neither");
      return;
    }
    fleet::check_url(options.text("fleet"));
    const auto lease = time_of(options, "lease");
    if (lease < std::chrono::seconds(5) || lease > std::chrono::hours(24)) {
      throw UsageError(
          fmt::format("--lease is '{}'; a lease is for 5s to 24h", options.text("lease")));
    }
    if (options.has("sign")) (void)fleet::SigningKey(options.text("sign"));
  }

  [[nodiscard]] bool is_there() const { return options_.has("fleet"); }
  /// Something to tune there may be, until somebody has looked; and for a while not again.
  std::set<std::string> wanted(const std::string& name, const DeviceIdentity& device) {
    devices_[name] = {cache::key_of(device.device_class).hash,
                      cache::key_of(device.toolchain).hash};
    const auto now = IdleClock::Clock::now();
    if (std::exchange(is_asked_, false)) next_ = now + between_;
    return now < next_ ? std::set<std::string>{} : std::set<std::string>{"what the fleet wants"};
  }
  [[nodiscard]] std::string mark() const {
    return IdleClock::Clock::now() < next_ ? "later" : "now";
  }
  /// More words of the command of a tune on these devices: what others could do that are in use
  /// now is not claimed.
  void add_to(std::vector<std::string>& words, const std::vector<std::string>& idle_ones) {
    is_asked_ = true;
    std::set<std::string> classes;
    std::set<std::string> toolchains;
    for (const std::string& name : idle_ones) {
      classes.insert(devices_.at(name).device_class);
      toolchains.insert(devices_.at(name).toolchain);
    }
    words.insert(words.end(),
                 {"--fleet", options_.text("fleet"), "--lease", options_.text("lease"),
                  "--fleet-classes", fmt::format("{}", fmt::join(classes, ",")),
                  "--fleet-toolchains", fmt::format("{}", fmt::join(toolchains, ","))});
    if (options_.has("sign")) words.insert(words.end(), {"--sign", options_.text("sign")});
    if (options_.has("once")) words.emplace_back("--once");
  }

 private:
  const Options& options_;
  IdleClock::Clock::duration between_;
  IdleClock::Clock::time_point next_{};
  bool is_asked_ = false;
  struct Keys {
    std::string device_class;
    std::string toolchain;
  };
  std::map<std::string, Keys> devices_;  // by their names
};

std::vector<std::string> tune_command(const Options& options,
                                      const std::vector<std::string>& devices) {
  std::vector<std::string> words{
      worker_command().front(),
      "tune-worker",
      "--device",
      fmt::format("{}", fmt::join(devices, ",")),
      "--jobs",
      options.text("jobs"),
      "--budget",
      options.has("budget") ? options.text("budget") : usual_turn,
  };
  if (options.has("cache")) words.insert(words.end(), {"--cache", options.text("cache")});
  return words;
}

std::string_view name_of(ServiceEnd::Why why) {
  switch (why) {
    case ServiceEnd::Why::told_to:
      return "told_to";
    case ServiceEnd::Why::nothing_wanted:
      return "nothing_wanted";
    case ServiceEnd::Why::in_use:
      return "in_use";
    case ServiceEnd::Why::tuned:
      return "tuned";
    case ServiceEnd::Why::failed:
      return "failed";
  }
  return "?";
}

ExitCode exit_code_of(const ServiceEnd& end) {
  if (end.why == ServiceEnd::Why::in_use) return ExitCode::busy;
  if (end.why != ServiceEnd::Why::failed) return ExitCode::done;
  return end.code > 0 ? static_cast<ExitCode>(end.code) : ExitCode::failed;
}

void tell(const ServiceEnd& end) {
  switch (end.why) {
    case ServiceEnd::Why::told_to:
      return;
    case ServiceEnd::Why::nothing_wanted:
      say("nothing is wanted of these devices: all that was asked for is tuned, or was tried\n");
      return;
    case ServiceEnd::Why::in_use:
      spdlog::error("others use the devices: {}; {} left for another time", end.text,
                    counted(end.left, "question"));
      return;
    case ServiceEnd::Why::tuned:
      say("{} wanted, {} left\n", counted(end.wanted, "question"), end.left);
      return;
    case ServiceEnd::Why::failed:
      spdlog::error("{}", end.text);
      return;
  }
}

void tell(const ServiceEnd& end, const Options& options, bool is_for_fleet) {
  if (options.has("json")) {
    print_json({{"ended", name_of(end.why)},
                {"wanted", end.wanted},
                {"left", end.left},
                {"tunes", end.tunes},
                {"stepped_aside", end.stepped_aside},
                {"why", end.text.empty() ? Json() : Json(end.text)}});
  } else if (is_for_fleet && end.why == ServiceEnd::Why::tuned) {
    say("what the fleet wants of these devices was tuned, as far as there was any and time for "
        "it\n");
  } else {
    tell(end);
  }
}

std::set<std::string> wanted_here(const Options& options, const DeviceIdentity& device) {
  std::set<std::string> keys;
  for (const auto& item : wanted_workload(options, device, Tried::are_left_out).items) {
    keys.insert(cache::key_of(item.problem).hash);
  }
  return keys;
}

/// Null where nobody asked for them.
std::unique_ptr<StatusPages> pages_for(const Options& options,
                                       const std::vector<std::string>& devices) {
  if (!options.has("listen")) return nullptr;
  std::vector<std::string> cache;
  if (options.has("cache")) cache = {"--cache", options.text("cache")};
  auto pages = std::make_unique<StatusPages>(options.text("listen"), worker_command().front(),
                                             std::move(cache), devices);
  spdlog::info("status page: {}", pages->url());
  return pages;
}

}  // namespace

int run_serve(const Options& options) {
  const bool is_once = options.has("once");
  if (options.has("budget") && !is_once) {
    throw UsageError("--budget is of one tune, so it goes with --once");
  }
  if (options.has("budget")) (void)time_of(options, "budget");
  if (options.has("listen")) (void)StatusPages::port_in(options.text("listen"));
  (void)jobs_of(options);
  const auto idle = time_of(options, "idle");
  FleetService fleet(options, idle);
  if (const std::string why = why_wanted_is_not_read(); !why.empty()) spdlog::warn("{}", why);
  const std::vector<std::string> devices = served_devices(options);
  const auto pages = pages_for(options, devices);
  Service service(
      {.devices = devices,
       .device_worker = device_worker_command(),
       .idle = idle,
       .is_once = is_once,
       .wanted =
           [&](const std::string& name, const DeviceIdentity& device) {
             return fleet.is_there() ? fleet.wanted(name, device) : wanted_here(options, device);
           },
       .tune_finds_out = fleet.is_there(),
       .tell =
           [&](const std::string& state) {
             if (pages) pages->tell(state);
           },
       .mark_of_wanted = [&] { return fleet.is_there() ? fleet.mark() : mark_of_wanted(options); },
       .tune =
           [&](const std::vector<std::string>& idle_ones) {
             auto words = tune_command(options, idle_ones);
             if (fleet.is_there()) fleet.add_to(words, idle_ones);
             return words;
           }});
  const ServiceEnd end = service.run();
  tell(end, options, fleet.is_there());
  return static_cast<int>(exit_code_of(end));
}

int run_tune_worker(const Options& options) {
  device::host::die_with_parent();
  device::host::end_without_parent();
  std::vector<std::string> given{"tune", "--wanted", "--untried", "--json"};
  for (const char* name : {"device", "jobs", "budget", "cache"}) {
    if (options.has(name))
      given.insert(given.end(), {fmt::format("--{}", name), options.text(name)});
  }
  const auto run_with = [&](std::vector<std::string> words) {
    const Command& tune = find_command(words);
    return tune.run(parse(tune, words));
  };
  if (!options.has("fleet")) return run_with(given);
  return run_fleet_turn(options, [&](const std::string& folder) {
    std::vector<std::string> words = given;
    words.insert(words.end(), {"--wanted-in", folder});
    return run_with(std::move(words));
  });
}

}  // namespace redtune::cli
