// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune probe: what a device can do at best, measured.
#include "tuner/measure/probe.hpp"

#include <fmt/format.h>

#include "tuner/cli/commands.hpp"
#include "tuner/cli/question.hpp"
#include "tuner/report/printable.hpp"
#include "tuner/report/probe_report.hpp"

namespace redtune::tuner::cli {

int run_probe(const Options& options) {
  const OpenDevice opened = open_device(options);
  const CompilePool compiler(target_of(*opened.selection.platform, opened.device->identity()),
                             worker_command(), 1);
  const Probe found = probe(*opened.device, compiler, ProbeLevel::full);
  const DeviceIdentity& device = opened.device->identity();
  if (options.has("json")) {
    Json document{{"device", json_of(device)}};
    document.update(json_of(found));
    print_json(document);
  } else {
    fmt::print("{} ({})\n{}", printable(device.name), opened.selection.text(), text_of(found));
  }
  return 0;
}

}  // namespace redtune::tuner::cli
