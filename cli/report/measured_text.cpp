// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/measured_text.hpp"

#include <fmt/format.h>
#include <string_view>
#include <vector>

#include "cli/names.hpp"
#include "tuner/text/table.hpp"

namespace redtune::cli {
namespace {

std::string size_text(std::int64_t bytes) {
  const auto mebibytes = static_cast<double>(bytes) / (1 << 20);
  return mebibytes < 1024 ? fmt::format("{:.4g} MiB", mebibytes)
                          : fmt::format("{:.4g} GiB", mebibytes / 1024);
}

std::string how(const Bandwidth& figure, std::string_view what) {
  return fmt::format("{} {}{}; median of {}, best of {}: {}", size_text(figure.bytes), what,
                     figure.passes > 1 ? fmt::format(", {} times a launch", figure.passes) : "",
                     figure.samples, figure.shapes, figure.shape);
}

}  // namespace

std::string text_of(const Probe& probe) {
  std::vector<std::vector<std::string>> rows{{"what", "value", "unit", "how"}};
  const auto add = [&](const char* name, const Bandwidth& figure, std::string_view what) {
    if (figure.gbps <= 0) return;
    rows.push_back({name, fmt::format("{:.2f}", figure.gbps), "GB/s", how(figure, what)});
  };
  const auto add_launch = [&](const char* name, double us, const char* how_launched) {
    if (us > 0) rows.push_back({name, fmt::format("{:.3f}", us), "us", how_launched});
  };
  add("read", probe.read, "of memory");
  add("cached read", probe.cached_read, "in the last-level cache");
  add("copy", probe.copy, "of memory, read and written");
  add_launch("launch, graph", probe.graph_launch_us, "an empty block, one of many in a graph");
  add_launch("launch, stream", probe.stream_launch_us, "the same, each queued by the host");
  return table(rows);
}

std::string text_of(const Figures& figures) {
  if (!figures.unknown.empty()) {
    return fmt::format("the winner's other times are not known: {}\n", figures.unknown);
  }
  if (figures.shares_us.empty()) return {};
  std::string text;
  for (const auto& [surrounding, us] : figures.shares_us) {
    text += fmt::format(
        "behind {} {:.2f} us, ",
        surrounding == Surrounding::producer ? "a producer of the input" : "a small kernel", us);
  }
  text = fmt::format(
      "the winner's own share: {}queued by the host {:.2f} us; back to back with itself {:.2f} "
      "us\n",
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

}  // namespace redtune::cli
