// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What made-up compilers of tests have in common: they know every architecture.
#pragma once

#include <string>

#include "device/compiler.hpp"

namespace redtune::tuner {

class AnyArchCompiler : public device::Compiler {
 public:
  explicit AnyArchCompiler(device::CompilerPlace place = device::CompilerPlace::own_process)
      : place_(place) {}
  [[nodiscard]] device::CompilerPlace place() const override { return place_; }
  [[nodiscard]] std::string version() const override { return "fake 1"; }
  void check_arch(std::string_view) const override {}
  [[nodiscard]] int wave_size(std::string_view) const override { return 1; }

 private:
  device::CompilerPlace place_;
};

}  // namespace redtune::tuner
