// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The functions behind the sub-commands. Each returns the exit code; errors are exceptions.
#pragma once

#include "cli/command.hpp"

namespace redtune::cli {

int run_devices(const Options& options);
int run_doctor(const Options& options);
int run_probe(const Options& options);
int run_tune(const Options& options);
int run_query(const Options& options);
int run_serve(const Options& options);
int run_wanted(const Options& options);
int run_log(const Options& options);
int run_report(const Options& options);
int run_ladder(const Options& options);
int run_reduce(const Options& options);
int run_cache_path(const Options& options);
int run_cache_list(const Options& options);
int run_cache_show(const Options& options);
int run_cache_explain(const Options& options);
int run_cache_verify(const Options& options);
int run_cache_export(const Options& options);
int run_cache_import(const Options& options);
int run_cache_merge(const Options& options);
int run_cache_restore(const Options& options);
int run_cache_revoke(const Options& options);
int run_cache_pin(const Options& options);
int run_cache_gc(const Options& options);
int run_fleet_key(const Options& options);
int run_fleet_init(const Options& options);
int run_fleet_push(const Options& options);
int run_fleet_pull(const Options& options);
int run_fleet_status(const Options& options);
int run_fleet_revoke(const Options& options);
int run_simulate(const Options& options);
int run_kernels_list(const Options& options);
int run_kernels_show(const Options& options);
int run_kernels_compile(const Options& options);
int run_kernels_check(const Options& options);
int run_completions(const Options& options);
int run_help(const Options& options);
int run_version(const Options& options);
int run_compile_worker(const Options& options);
int run_device_worker(const Options& options);
int run_tune_worker(const Options& options);
int run_check_worker(const Options& options);

}  // namespace redtune::cli
