// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// NVRTC as a Compiler: text to machine code (cubin) of one architecture.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "device/compiler.hpp"

namespace redtune::device::cuda {

class CudaCompiler final : public Compiler {
 public:
  /// Throws DeviceError when there is no NVRTC.
  CudaCompiler();
  /// E.g. "NVRTC 13.0 (0123456789ab)", with the library's build id.
  [[nodiscard]] std::string version() const override { return version_; }
  /// Throws UsageError when this NVRTC does not know the architecture.
  void check_arch(std::string_view arch) const override;
  [[nodiscard]] int wave_size(std::string_view arch) const override;
  [[nodiscard]] CompileResult compile(const CompileRequest& request) const override;

 private:
  std::string version_;
  std::vector<int> archs_;  // e.g. 90
};

}  // namespace redtune::device::cuda
