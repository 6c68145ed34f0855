// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/report/probe_report.hpp"

#include <fmt/format.h>
#include <vector>

#include "tuner/report/table.hpp"

namespace redtune::tuner {
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
