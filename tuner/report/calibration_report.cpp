// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/report/calibration_report.hpp"

#include <fmt/format.h>

namespace redtune::tuner {

Json json_of(const Calibration& calibration) {
  Json document{
      {"default_us", calibration.default_us}, {"resolution_us", calibration.resolution_us},
      {"empty_us", calibration.empty_us},     {"noise_floor", calibration.noise_floor},
      {"seconds", calibration.seconds},       {"warnings", calibration.warnings}};
  if (calibration.pace_us) document["pace_us"] = *calibration.pace_us;
  return document;
}

std::string text_of(const Calibration& calibration) {
  return fmt::format("noise floor {:.2f} %, clock resolution {:.3f} us, an empty batch {:.2f} us",
                     100 * calibration.noise_floor, calibration.resolution_us,
                     calibration.empty_us);
}

}  // namespace redtune::tuner
