// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Launches of segments that have more than offsets, as the contract of segments takes them: with a
// plan, and by key.
#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "device/compiler.hpp"
#include "runtime/plan_memory.hpp"
#include "tests/kernels/segments_contract.hpp"

namespace redtune::checks {

/// Kernels of a text, compiled and loaded.
class LoadedKernels {
 public:
  LoadedKernels(device::Device& device, const device::Compiler& compiler,
                const device::CompileRequest& request) {
    const auto result = compiler.compile(request);
    if (const auto* failure = std::get_if<device::CompileFailure>(&result)) {
      ADD_FAILURE() << failure->log;
      return;
    }
    const auto& program = std::get<device::CompiledProgram>(result);
    module_ = device.load(program.binary);
    for (const auto& kernel : program.kernels) kernels_.push_back(module_->kernel(kernel.symbol));
  }

  [[nodiscard]] std::span<const device::Kernel> all() const { return kernels_; }

 private:
  std::unique_ptr<device::Module> module_;
  std::vector<device::Kernel> kernels_;
};

/// A device's compiler, and what it compiles for.
struct Target {
  device::Device& device;
  const device::Compiler& compiler;
  std::string arch;
};

/// Makes a plan in memory of anything, and launches twice with it, as plans are for many launches.
class PlannedLaunches {
 public:
  /// text: that of the kernels that make plans.
  PlannedLaunches(const Target& target, const runtime::LoadedConfig& config,
                  const std::string& text = kernels::plan_text())
      : device_(target.device),
        config_(config),
        making_(target.device, target.compiler,
                {text,
                 kernels::plan_kernels(kernels::plan_content(config.choice().settings),
                                       config.choice().problem.offset_bits, config.choice().limits),
                 target.arch}) {}

  const runtime::Workspace& operator()(runtime::Operands operands) {
    const auto& [family, problem, settings, limits] = config_.choice();
    memory_ =
        std::make_unique<runtime::PlanMemory>(config_.planner(), settings, operands.shape, limits);
    buffer_ = {};
    buffer_ = device_.allocate(memory_->bytes() + margin);
    device_.fill(buffer_.data(), poison, buffer_.bytes());
    memory_->place_at(buffer_.data());
    operands.plan = memory_->plan();
    device_.launch(memory_->making(making_.all(),
                                   {operands.begins, operands.ends, operands.shape.segment_count,
                                    static_cast<int>(problem.offset_bits)}),
                   {});
    const auto partials = config_.planner().workspace(operands.shape).partials;
    for (int i = 0; i < 2; ++i) {
      device_.launch(config_.launches(operands, memory_->workspace()), {});
      device_.synchronize({});
      if (i > 0) continue;
      device_.fill(memory_->workspace().partials(), poison, static_cast<std::size_t>(partials));
    }
    std::vector<std::byte> behind(margin);
    device_.copy_to_host(behind.data(), static_cast<std::byte*>(buffer_.data()) + memory_->bytes(),
                         margin);
    EXPECT_TRUE(std::ranges::all_of(behind, [](std::byte b) { return b == poison; }))
        << "behind the plan of " << to_string(settings);
    return memory_->workspace();
  }

 private:
  static constexpr std::size_t margin = 64;
  static constexpr std::byte poison{0xa5};

  device::Device& device_;
  const runtime::LoadedConfig& config_;
  LoadedKernels making_;
  std::unique_ptr<runtime::PlanMemory> memory_;
  device::Buffer buffer_;
};

template <class In>
void expect_planned_segments_kept(const Target& target, const runtime::LoadedConfig& config,
                                  std::size_t turn) {
  PlannedLaunches launches(target, config);
  SegmentsContract<In> contract(target.device, config, std::ref(launches));
  expect_segments_kept(contract, config, turn);
}

}  // namespace redtune::checks
