// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune doctor: what tuning needs here, what is in its way, and what to do about it.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/doctor/examine.hpp"
#include "cli/doctor/noise.hpp"
#include "cli/doctor_bundle.hpp"
#include "cli/exit_code.hpp"
#include "cli/question.hpp"
#include "cli/say.hpp"
#include "runtime/resolve.hpp"

namespace redtune::cli {

int run_doctor(const Options& options) {
  if (options.has("bundle")) return write_doctor_bundle(options);
  const device::Registry& registry = runtime::registry();
  const std::string asked = options.text("device");
  Examination found{examine_versions(), examine_devices(registry, asked),
                    examine_compilers(registry, asked)};
  if (options.has("measure")) {
    found.push_back(examine_noise({.device = asked.empty() ? "auto" : asked,
                                   .device_worker = device_worker_command(),
                                   .compile_worker = worker_command()}));
  }
  found.push_back(examine_folders(options.text("cache")));
  found.push_back(examine_environment());
  if (options.has("json")) {
    print_json(json_of(found));
  } else {
    fmt::print("{}", text_of(found));
  }
  return static_cast<int>(has_problem(found) ? ExitCode::failed : ExitCode::done);
}

}  // namespace redtune::cli
