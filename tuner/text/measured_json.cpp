// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/text/measured_json.hpp"

namespace redtune::tuner {
namespace {

Json json_of(const Shares& shares) {
  Json document = Json::object();
  for (const auto& [surrounding, us] : shares) document[std::string(to_string(surrounding))] = us;
  return document;
}

Json json_of(const Bandwidth& figure) {
  return {{"gigabytes_per_second", figure.gbps},
          {"fastest", figure.fastest_gbps},
          {"bytes", figure.bytes},
          {"passes", figure.passes},
          {"shape", figure.shape},
          {"shapes", figure.shapes},
          {"samples", figure.samples}};
}

}  // namespace

Json json_of(const Calibration& calibration) {
  Json document{
      {"default_us", calibration.default_us}, {"resolution_us", calibration.resolution_us},
      {"empty_us", calibration.empty_us},     {"noise_floor", calibration.noise_floor},
      {"seconds", calibration.seconds},       {"warnings", calibration.warnings}};
  if (calibration.length_ratio) document["length_ratio"] = *calibration.length_ratio;
  if (calibration.pace_us) document["pace_us"] = *calibration.pace_us;
  return document;
}

Json json_of(const Figures& figures) {
  if (!figures.unknown.empty()) return {{"unknown", figures.unknown}};
  Json document{{"shares_us", json_of(figures.shares_us)},
                {"stream_us", figures.stream_us},
                {"row_us", figures.row_us},
                {"usual_us", figures.usual_us},
                {"longer_us", figures.longer_us}};
  if (figures.floor.us > 0) {
    document["floor"] = {{"us", figures.floor.us},
                         {"shape", figures.floor.shape},
                         {"shares_us", json_of(figures.floor.shares_us)}};
  }
  return document;
}

Json json_of(const Probe& probe) {
  Json document{{"read", json_of(probe.read)}};
  if (probe.cached_read.gbps > 0) document["cached_read"] = json_of(probe.cached_read);
  if (probe.copy.gbps > 0) document["copy"] = json_of(probe.copy);
  if (probe.graph_launch_us > 0) {
    document["launch_us"] = {{"graph", probe.graph_launch_us}, {"stream", probe.stream_launch_us}};
  }
  document["has_own_clock"] = probe.has_own_clock;
  document["seconds"] = probe.seconds;
  return document;
}

Json json_of(const Peak& peak) {
  return {{"gigabytes_per_second", peak.gbps}, {"of", peak.of}};
}

}  // namespace redtune::tuner
