// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/doctor/examine.hpp"
#include "cli/names.hpp"
#include "cli/serve/served_device.hpp"
#include "redtune/error.hpp"
#include "tuner/lease/lease.hpp"
#include "tuner/text/counted.hpp"

namespace redtune::cli {
namespace {

using device::PlatformEntry;
using device::Selection;

Fact unusable(const std::string& why, Verdict verdict) {
  Fact fact{.name = "usable", .value = false, .text = "no: " + why, .verdict = verdict};
  if (verdict == Verdict::problem) fact.next = "or choose another device with --device";
  return fact;
}

void append_identity(std::vector<Fact>& facts, const DeviceIdentity& device) {
  const DeviceClass& what = device.device_class;
  const auto append_if_known = [&facts](const char* name, const std::string& value) {
    if (!value.empty()) facts.push_back({.name = name, .value = value});
  };
  append_if_known("name", device.name);
  append_if_known("isa", what.isa);
  append_if_known("model", what.model);
  append_if_known("partition", what.partition);
  facts.push_back({.name = "compute units", .value = what.compute_units});
  facts.push_back({.name = "wave", .key = "wave_size", .value = what.wave_size});
  facts.push_back({.name = "last level cache",
                   .key = "last_level_cache_bytes",
                   .value = what.last_level_cache_bytes,
                   .text = mebibytes(what.last_level_cache_bytes)});
  facts.push_back({.name = "memory",
                   .key = "memory_bytes",
                   .value = what.memory_bytes,
                   .text = mebibytes(what.memory_bytes)});
  append_if_known("address", device.address);
  append_if_known("uuid", device.uuid);
  append_if_known("driver", device.toolchain.driver);
  append_if_known("runtime", device.toolchain.runtime);
}

/// What cannot be read has no line.
void append_readings(std::vector<Fact>& facts, const device::Readings& readings) {
  const auto append = [&facts](const char* name, const char* key,
                               const std::optional<double>& value, const char* unit) {
    if (!value) return;
    facts.push_back({.name = name,
                     .key = key,
                     .value = *value,
                     .text = fmt::format("{:.4g} {}", *value, unit)});
  };
  append("clock", "clock_mhz", readings.clock_mhz, "MHz");
  append("memory clock", "memory_clock_mhz", readings.memory_clock_mhz, "MHz");
  append("temperature", "temperature_c", readings.temperature_c, "degrees C");
  append("power", "power_w", readings.power_w, "W");
  append("power cap", "power_cap_w", readings.power_cap_w, "W");
  if (readings.throttled_by.empty()) return;
  facts.push_back({.name = "throttled by",
                   .value = readings.throttled_by,
                   .verdict = Verdict::remark,
                   .next = "times are those of lowered clocks: let it cool, or raise the limit"});
}

void append_users(std::vector<Fact>& facts,
                  const std::optional<std::vector<device::DeviceUser>>& users) {
  Fact fact{.name = "other processes", .value = nullptr, .text = "not known"};
  if (users) {
    fact.value = Json::array();
    fact.text = "none";
    for (const device::DeviceUser& user : *users) {
      if (user.pid == getpid()) continue;
      const std::string text = user.name.empty() ? fmt::format("{}", user.pid)
                                                 : fmt::format("{} {}", user.pid, user.name);
      fact.text = fact.value.empty() ? text : fact.text + ", " + text;
      fact.value.push_back({{"pid", user.pid}, {"name", user.name}});
    }
    if (!fact.value.empty()) {
      fact.verdict = Verdict::remark;
      fact.next = "they disturb measurements: end them, wait, or choose another device";
    }
  }
  facts.push_back(std::move(fact));
}

void append_lease(std::vector<Fact>& facts, const std::string& address) {
  const LeaseState lease = lease_of(address);
  Fact fact{.name = "lease", .value = {{"held", lease.is_held}}, .text = "free"};
  if (lease.is_held) {
    fact.text = "held by " + text_of(lease.holder);
    fact.verdict = Verdict::remark;
    fact.next = "tuning there ends with exit code 75 until it is free";
    if (lease.holder) {
      fact.value.update({{"pid", lease.holder->pid},
                         {"user", lease.holder->user},
                         {"since", lease.holder->since},
                         {"command", lease.holder->command}});
    }
  }
  facts.push_back(std::move(fact));
}

/// Only where there is one.
void append_service(std::vector<Fact>& facts, const DeviceIdentity& device) {
  const LeaseState lease = lease_of(service_lease_of(device));
  if (!lease.is_held) return;
  facts.push_back({.name = "service",
                   .value = {{"pid", lease.holder ? Json(lease.holder->pid) : Json()}},
                   .text = "it is tuned on while it is idle, by " + text_of(lease.holder)});
}

/// verdict: when it cannot be used.
Topic topic_of(const Selection& selection, Verdict verdict) {
  Topic topic{.name = selection.text(), .facts = {}};
  device::Readings readings;
  std::optional<std::vector<device::DeviceUser>> users;
  try {
    // Before it is opened, which would make this process one of its users.
    readings = selection.platform->readings(selection.ordinal);
    users = selection.platform->users(selection.ordinal);
    const auto opened = device::open(selection);
    topic.facts.push_back({.name = "usable", .value = true});
    append_identity(topic.facts, opened->identity());
    append_lease(topic.facts, opened->identity().address);
    append_service(topic.facts, opened->identity());
  } catch (const DeviceError& error) {
    topic.facts.push_back(unusable(error.what(), verdict));
  }
  append_readings(topic.facts, readings);
  append_users(topic.facts, users);
  return topic;
}

std::vector<Topic> topics_of(const PlatformEntry& entry, const std::string& chosen) {
  const int count = entry.platform ? entry.platform->device_count() : 0;
  if (count == 0) {
    const std::string why = entry.platform ? entry.platform->why_no_devices() : entry.problem;
    // A machine without GPUs of a vendor is a machine like any other.
    return {{.name = entry.name, .facts = {unusable(why, Verdict::fine)}}};
  }
  std::vector<Topic> topics;
  for (int i = 0; i < count; ++i) {
    const Selection selection{entry.platform.get(), i, {}};
    const bool is_chosen = selection.text() == chosen;
    topics.push_back(topic_of(selection, is_chosen ? Verdict::problem : Verdict::remark));
    topics.back().facts.insert(topics.back().facts.begin() + 1,
                               {.name = "taken by auto", .value = is_chosen});
  }
  return topics;
}

}  // namespace

Section examine_devices(const device::Registry& registry, const std::string& asked) {
  Section section{.name = "devices", .topic_key = "device", .topics = {}};
  if (asked.empty()) {
    const std::string chosen = registry.select("auto").text();
    for (const PlatformEntry& entry : registry.platforms()) {
      for (Topic& topic : topics_of(entry, chosen)) section.topics.push_back(std::move(topic));
    }
    return section;
  }
  try {
    section.topics.push_back(topic_of(registry.select(asked), Verdict::problem));
  } catch (const NoSuchDevice& error) {
    section.topics.push_back({.name = asked, .facts = {unusable(error.what(), Verdict::problem)}});
  }
  return section;
}

}  // namespace redtune::cli
