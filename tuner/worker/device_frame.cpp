// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/worker/device_frame.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "cache/keys/key.hpp"
#include "kernel_templates/description/described_family.hpp"
#include "redtune/error.hpp"
#include "tuner/measure/untrustworthy.hpp"
#include "tuner/worker/frame.hpp"

namespace redtune::tuner {
namespace {

using cache::Fields;

json encode_fields(const Fields& fields) {
  json rows = json::array();
  for (const auto& [name, value] : fields) rows.push_back({name, value});
  return rows;
}

Fields decode_fields(const json& rows) {
  Fields fields;
  for (const json& row : rows) {
    fields.push_back({row.at(0).get<std::string>(), row.at(1).get<std::string>()});
  }
  return fields;
}

template <class Thing>
Thing required(std::optional<Thing> thing) {
  if (!thing) throw BadFrame("its message has a name that is not known");
  return std::move(*thing);
}

/// Members in their order; the type tells each one's JSON.
template <class... Members>
json encode_members(const Members&... members) {
  json rows = json::array();
  const auto add = [&](const auto& member) {
    if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(member)>>)
      rows.push_back(static_cast<int>(member));
    else
      rows.push_back(member);
  };
  (add(members), ...);
  return rows;
}

template <class... Members>
void decode_members(const json& rows, Members&... members) {
  std::size_t i = 0;
  const auto take = [&](auto& member) {
    using Member = std::remove_cvref_t<decltype(member)>;
    if constexpr (std::is_enum_v<Member>)
      member = static_cast<Member>(rows.at(i++).get<int>());
    else
      rows.at(i++).get_to(member);
  };
  (take(members), ...);
}

template <class E>
bool is_of_kind(const std::exception& error) {
  return dynamic_cast<const E*>(&error) != nullptr;
}

template <class E>
[[noreturn]] void throw_kind(const std::string& text) {
  throw E(text);
}

struct ErrorKind {
  std::string_view name;
  bool (*matches)(const std::exception& error);
  void (*raise)(const std::string& text);
};

template <class E>
constexpr ErrorKind error_kind(std::string_view name) {
  return {name, is_of_kind<E>, throw_kind<E>};
}

/// The first that matches counts: a type stands above its base.
constexpr std::array error_kinds{
    error_kind<UsageError>("usage"),
    error_kind<NoSuchDevice>("no_such_device"),
    error_kind<DeviceError>("device"),
    error_kind<IoError>("io"),
    error_kind<ImplausibleSample>("implausible_sample"),
};

/// The members of aggregates: a member that is added there does not compile here until it is named.
template <class Action>
auto with_members(auto& limits, Action&& action) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = limits;
  return action(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
}

json encode_bandwidth(const Bandwidth& bandwidth) {
  const auto& [gbps, fastest_gbps, bytes, passes, shape, shapes, samples] = bandwidth;
  return encode_members(gbps, fastest_gbps, bytes, passes, shape, shapes, samples);
}

Bandwidth decode_bandwidth(const json& rows) {
  Bandwidth bandwidth;
  auto& [gbps, fastest_gbps, bytes, passes, shape, shapes, samples] = bandwidth;
  decode_members(rows, gbps, fastest_gbps, bytes, passes, shape, shapes, samples);
  return bandwidth;
}

}  // namespace

json encode(const FoundDevice& device) {
  const DeviceIdentity& id = device.identity;
  return {{"selection", device.selection},
          {"alone", device.alone},
          {"platform", device.platform},
          {"arch", device.arch},
          {"device_class", encode_fields(cache::fields_of(id.device_class))},
          {"toolchain", encode_fields(cache::fields_of(id.toolchain))},
          {"names", encode_members(id.name, id.address, id.uuid, id.dies, id.memory_gbps)},
          {"limits", with_members(device.limits, [](const auto&... members) {
             return encode_members(members...);
           })}};
}

FoundDevice decode_device(const json& document) {
  FoundDevice device;
  document.at("selection").get_to(device.selection);
  document.at("alone").get_to(device.alone);
  document.at("platform").get_to(device.platform);
  document.at("arch").get_to(device.arch);
  DeviceIdentity& id = device.identity;
  id.device_class = required(cache::device_class_from(decode_fields(document.at("device_class"))));
  id.toolchain = required(cache::toolchain_from(decode_fields(document.at("toolchain"))));
  decode_members(document.at("names"), id.name, id.address, id.uuid, id.dies, id.memory_gbps);
  with_members(device.limits,
               [&](auto&... members) { decode_members(document.at("limits"), members...); });
  return device;
}

BenchOrder bench_order(const kernels::Family& family, const Problem& problem, std::uint64_t seed) {
  BenchOrder order{std::string(family.name()), problem, seed, {}};
  if (const auto* described = kernels::as_described(family)) order.described = described->source();
  return order;
}

json encode(const BenchOrder& order) {
  json document{{"family", order.family},
                {"problem", encode_fields(cache::fields_of(order.problem))},
                {"seed", order.seed}};
  if (order.described) {
    document["described"] = encode_members(order.described->path, order.described->text);
  }
  return document;
}

BenchOrder decode_bench_order(const json& document) {
  BenchOrder order{document.at("family").get<std::string>(),
                   required(cache::problem_from(decode_fields(document.at("problem")))),
                   document.at("seed").get<std::uint64_t>(),
                   {}};
  if (document.contains("described")) {
    auto& [path, text] = order.described.emplace();
    decode_members(document.at("described"), path, text);
  }
  return order;
}

json encode(const device::BatchTime& time) {
  return encode_members(time.device_us, time.host_us);
}

device::BatchTime decode_batch_time(const json& document) {
  device::BatchTime time;
  decode_members(document, time.device_us, time.host_us);
  return time;
}

json encode(const Sample& sample) {
  json batches = json::array();
  for (const auto& [surrounding, time, others_us] : sample.batches) {
    batches.push_back(encode_members(surrounding, time.device_us, time.host_us, others_us));
  }
  json document{{"batches", std::move(batches)},
                {"executions", sample.executions},
                {"charge_us", sample.charge_us},
                {"is_one_by_one", sample.is_one_by_one}};
  if (sample.pace_us) document["pace_us"] = *sample.pace_us;
  return document;
}

Sample decode_sample(const json& document) {
  Sample sample{.batches = {},
                .executions = document.at("executions").get<std::size_t>(),
                .charge_us = document.at("charge_us").get<double>(),
                .is_one_by_one = document.at("is_one_by_one").get<bool>()};
  for (const json& row : document.at("batches")) {
    auto& [surrounding, time, others_us] = sample.batches.emplace_back();
    decode_members(row, surrounding, time.device_us, time.host_us, others_us);
  }
  if (document.contains("pace_us")) sample.pace_us = document.at("pace_us").get<double>();
  return sample;
}

json encode(const Floor& floor) {
  json shares = json::array();
  for (const auto& [surrounding, us] : floor.shares_us) {
    shares.push_back(encode_members(surrounding, us));
  }
  return {{"us", floor.us}, {"shape", floor.shape}, {"shares", std::move(shares)}};
}

Floor decode_floor(const json& document) {
  Floor floor{.us = document.at("us").get<double>(),
              .shape = document.at("shape").get<std::string>(),
              .shares_us = {}};
  for (const json& row : document.at("shares")) {
    auto& [surrounding, us] = floor.shares_us.emplace_back();
    decode_members(row, surrounding, us);
  }
  return floor;
}

json encode(const BatchOrder& order) {
  return encode_members(static_cast<std::size_t>(order.candidate), order.executions, order.scheme,
                        order.is_displaced);
}

BatchOrder decode_batch_order(const json& document) {
  BatchOrder order;
  std::size_t candidate = 0;
  decode_members(document, candidate, order.executions, order.scheme, order.is_displaced);
  order.candidate = CandidateId{candidate};
  return order;
}

json encode(const Probe& probe) {
  return {{"read", encode_bandwidth(probe.read)},
          {"cached_read", encode_bandwidth(probe.cached_read)},
          {"copy", encode_bandwidth(probe.copy)},
          {"rest", encode_members(probe.graph_launch_us, probe.stream_launch_us,
                                  probe.has_own_clock, probe.seconds)}};
}

Probe decode_probe(const json& document) {
  Probe probe{.read = decode_bandwidth(document.at("read")),
              .cached_read = decode_bandwidth(document.at("cached_read")),
              .copy = decode_bandwidth(document.at("copy"))};
  decode_members(document.at("rest"), probe.graph_launch_us, probe.stream_launch_us,
                 probe.has_own_clock, probe.seconds);
  return probe;
}

json encode(const device::Readings& readings) {
  json document = json::object();
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) document[name] = *value;
  };
  add("clock_mhz", readings.clock_mhz);
  add("memory_clock_mhz", readings.memory_clock_mhz);
  add("temperature_c", readings.temperature_c);
  add("power_w", readings.power_w);
  add("power_cap_w", readings.power_cap_w);
  if (!readings.throttled_by.empty()) document["throttled_by"] = readings.throttled_by;
  return document;
}

json encode(const Candidate& candidate) {
  json kernels = json::array();  // what they use is known where they were compiled
  for (const auto& kernel : candidate.unit.kernels) kernels.push_back(kernel.symbol);
  return {{"settings", encode_fields(candidate.settings)},
          {"kernels", std::move(kernels)},
          {"is_default", candidate.is_default}};
}

Candidate decode_candidate(const json& document) {
  Candidate candidate{.settings = decode_fields(document.at("settings")),
                      .unit = {},
                      .is_default = document.at("is_default").get<bool>()};
  for (const json& symbol : document.at("kernels")) {
    candidate.unit.kernels.push_back({symbol.get<std::string>(), {}});
  }
  return candidate;
}

json encode_error(const std::exception& error) {
  const auto row =
      std::ranges::find_if(error_kinds, [&](const ErrorKind& kind) { return kind.matches(error); });
  json document{{"kind", row == error_kinds.end() ? "other" : row->name}, {"text", error.what()}};
  if (const auto* mishap = dynamic_cast<const BenchMishap*>(&error)) {
    document["mishap"] = static_cast<int>(mishap->mishap());
  }
  return document;
}

void throw_decoded(const json& error) {
  const auto text = error.at("text").get<std::string>();
  if (error.contains("mishap")) {
    throw BenchMishap(static_cast<Mishap>(error.at("mishap").get<int>()), text);
  }
  const auto row =
      std::ranges::find(error_kinds, error.at("kind").get<std::string>(), &ErrorKind::name);
  if (row != error_kinds.end()) row->raise(text);
  throw Error(text);
}

}  // namespace redtune::tuner
