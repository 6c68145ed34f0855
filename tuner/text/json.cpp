// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/text/json.hpp"

namespace redtune::tuner {

Json json_of(const Problem& problem) {
  Json document{{"op", to_string(problem.op)},      {"in", to_string(problem.in)},
                {"acc", to_string(problem.acc)},    {"out", to_string(problem.out)},
                {"count", problem.count},           {"cache_mode", to_string(problem.cache_mode)},
                {"order", to_string(problem.order)}};
  if (problem.op == Op::custom) document["op_name"] = problem.custom.name;
  return document;
}

Json json_of(const DeviceIdentity& device) {
  const DeviceClass& what = device.device_class;
  return {{"name", device.name},
          {"platform", what.platform},
          {"isa", what.isa},
          {"model", what.model},
          {"partition", what.partition},
          {"compute_units", what.compute_units},
          {"wave_size", what.wave_size},
          {"dies", device.dies == 0 ? Json() : Json(device.dies)},
          {"last_level_cache_bytes", what.last_level_cache_bytes},
          {"memory_bytes", what.memory_bytes},
          {"address", device.address},
          {"driver", device.toolchain.driver},
          {"runtime", device.toolchain.runtime},
          {"compiler", device.toolchain.compiler}};
}

Json json_of(const Settings& settings) {
  Json object = Json::object();
  for (const Setting& setting : settings) object[setting.name] = setting.value;
  return object;
}

Json json_of(const Interval& interval) {
  return {{"low", interval.low}, {"median", interval.median}, {"high", interval.high}};
}

}  // namespace redtune::tuner
