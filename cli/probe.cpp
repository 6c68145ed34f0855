// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune probe: what a device can do at best, measured.
#include "tuner/measure/probe.hpp"

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/names.hpp"
#include "cli/question.hpp"
#include "cli/report/measured_text.hpp"
#include "cli/say.hpp"
#include "tuner/text/measured_json.hpp"
#include "tuner/text/printable.hpp"

namespace redtune::cli {

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

}  // namespace redtune::cli
