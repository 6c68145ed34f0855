// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The functions behind the sub-commands. Each returns the exit code; errors are exceptions.
#pragma once

#include "tuner/cli/command.hpp"

namespace redtune::tuner::cli {

int run_devices(const Options& options);
int run_doctor(const Options& options);
int run_probe(const Options& options);
int run_tune(const Options& options);
int run_query(const Options& options);
int run_log(const Options& options);
int run_ladder(const Options& options);
int run_reduce(const Options& options);
int run_kernels_list(const Options& options);
int run_kernels_show(const Options& options);
int run_kernels_compile(const Options& options);
int run_compile_worker(const Options& options);
int run_device_worker(const Options& options);

}  // namespace redtune::tuner::cli
