// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune device-worker: the process that owns a device while redtune tune thinks. redtune's own.
#include <cstdio>
#include <unistd.h>

#include "cache/files/paths.hpp"
#include "cli/commands.hpp"
#include "cli/names.hpp"
#include "cli/question.hpp"
#include "device/host/child.hpp"
#include "redtune/error.hpp"
#include "runtime/resolve.hpp"
#include "tuner/worker/serve_device.hpp"

namespace redtune::cli {

int run_device_worker(const Options&) {
  device::host::die_with_parent();
  // Messages have a channel of their own: what drivers and kernels print must not get between them.
  const int answers = dup(STDOUT_FILENO);
  if (answers < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    throw IoError("cannot keep the channel to the tuner; too many open files?");
  }
  const cache::Binaries binaries(cache::binaries_folder());
  DeviceService service{
      .registry = &runtime::registry(), .compile_worker = worker_command(), .binaries = &binaries};
  return serve_device(service, STDIN_FILENO, answers);
}

}  // namespace redtune::cli
