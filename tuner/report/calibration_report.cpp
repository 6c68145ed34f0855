// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/report/calibration_report.hpp"

#include <fmt/format.h>

namespace redtune::tuner {

Json json_of(const Calibration& calibration) {
  Json document{
      {"default_us", calibration.default_us},    {"resolution_us", calibration.resolution_us},
      {"empty_us", calibration.empty_us},        {"noise_floor", calibration.noise_floor},
      {"seconds", calibration.seconds},          {"warnings", calibration.warnings},
      {"length_ratio", calibration.length_ratio}};
  if (calibration.pace_us) document["pace_us"] = *calibration.pace_us;
  return document;
}

Json json_of(const Shares& shares) {
  Json document = Json::object();
  for (const auto& [surrounding, us] : shares) document[std::string(to_string(surrounding))] = us;
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

std::string text_of(const Figures& figures) {
  if (!figures.unknown.empty()) {
    return fmt::format("how the winner does elsewhere is not known, since {}\n", figures.unknown);
  }
  if (figures.shares_us.empty()) return {};
  std::string text;
  for (const auto& [surrounding, us] : figures.shares_us) {
    text += fmt::format(
        "behind {} {:.2f} us, ",
        surrounding == Surrounding::producer ? "a producer of the input" : "a small kernel", us);
  }
  text = fmt::format(
      "the winner's own share: {}queued by the host {:.2f} us; in a row of itself {:.2f} us\n",
      text, figures.stream_us, figures.row_us);
  if (!(figures.floor.us > 0)) return text;
  return text + fmt::format(
                    "loads alone, handing nothing over: {:.2f} us ({}); the winner takes {:.2f} "
                    "times as long\n",
                    figures.floor.us, figures.floor.shape, figures.usual_us / figures.floor.us);
}

std::string text_of(const Calibration& calibration) {
  return fmt::format("noise floor {:.2f} %, clock resolution {:.3f} us, an empty batch {:.2f} us",
                     100 * calibration.noise_floor, calibration.resolution_us,
                     calibration.empty_us);
}

}  // namespace redtune::tuner
