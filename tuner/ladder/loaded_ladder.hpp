// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernels of the ladder's steps, compiled as one program by a compile worker, and the tuned
// configuration, loaded on a device.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "device/platform.hpp"
#include "kernel_templates/ladder/ladder.hpp"
#include "tuner/compile/compile_pool.hpp"
#include "tuner/ladder/bound_step.hpp"
#include "tuner/measure/batch_timer.hpp"

namespace redtune::tuner {

/// Where the ladder stands.
struct LadderSite {
  device::Platform* platform = nullptr;
  device::Device* device = nullptr;
  Problem problem;
  std::vector<std::string> worker;  ///< command of a compile worker
};

class LoadedLadder {
 public:
  /// Compiles and loads what these steps need. Throws DeviceError with the compiler's log.
  LoadedLadder(const LadderSite& site, const std::vector<const kernels::LadderStep*>& steps);

  /// A step that has a kernel of its own, with its workspace.
  [[nodiscard]] BoundStep bind(const kernels::LadderStep& step,
                               const kernels::LadderVariant& variant) const;
  /// A configuration of the family 'reduce'.
  [[nodiscard]] Runnable tuned(const kernels::Family& family, const Settings& settings);

 private:
  [[nodiscard]] CompiledUnit compile(const std::string& text, const CompileUnit& names) const;
  [[nodiscard]] std::shared_ptr<device::Module> load(const CompiledUnit& unit);

  LadderSite site_;
  std::vector<std::shared_ptr<device::Module>> modules_;
  LadderKernels kernels_;
};

}  // namespace redtune::tuner
