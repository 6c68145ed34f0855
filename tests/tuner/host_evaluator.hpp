// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// An evaluator whose bench is the host device in the test's own process.
#pragma once

#include "device/host/host_compiler.hpp"
#include "device/host/host_platform.hpp"
#include "tuner/session/bench_evaluator.hpp"
#include "tuner/worker/device_bench.hpp"

namespace redtune::tuner {

class HostEvaluator {
 public:
  HostEvaluator(const kernels::Family& family, const Problem& problem, double peak_bytes_per_us = 0,
                Stopwatch* watch = nullptr, bool compiles_behind = false)
      : family_(family),
        problem_(problem),
        evaluator_({.family = &family,
                    .problem = problem,
                    .limits = device_->limits(),
                    .task = {.bytes = static_cast<double>(problem.count) *
                                      static_cast<double>(size_of(problem.in)),
                             .peak_bytes_per_us = peak_bytes_per_us,
                             .seed = 1,
                             .accept_noise = true},
                    .watch = watch,
                    .compiles_behind = compiles_behind},
                   pool(), [this] { return open(); }) {}

  BenchEvaluator* operator->() { return &evaluator_; }
  [[nodiscard]] device::Device& device() const { return *device_; }
  [[nodiscard]] search::Point default_point() const {
    return family_.point_of(family_.default_settings(problem_, device_->limits()));
  }
  /// How many benches were set up.
  [[nodiscard]] int benches() const { return benches_; }

 private:
  [[nodiscard]] CompilePool pool() const {
    return CompilePool({.compiler = &compiler_,
                        .platform = "host",
                        .arch = "native",
                        .text = family_.device_text(problem_)},
                       {}, 2);
  }
  [[nodiscard]] std::unique_ptr<Bench> open() {
    ++benches_;
    return std::make_unique<DeviceBench>(BenchSetup{device_.get(), &family_, problem_, 1}, pool());
  }

  const kernels::Family& family_;
  Problem problem_;
  std::unique_ptr<device::Device> device_ = device::host::make_host_device({.threads = 2});
  device::host::HostCompiler compiler_;
  int benches_ = 0;
  BenchEvaluator evaluator_;
};

}  // namespace redtune::tuner
