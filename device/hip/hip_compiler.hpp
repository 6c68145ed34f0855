// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// hipRTC as a Compiler. Compiles in this process: a compiler that may crash belongs in a worker.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "device/compiler.hpp"

namespace redtune::device::hip {

class HipCompiler final : public Compiler {
 public:
  /// E.g. "hipRTC 5.2.21153 (d9394edf37a4, code generator 0123456789ab)": hiprtcVersion says 9.0 in
  /// every release, so this is the runtime's version and the build ids of the two libraries. Asked
  /// only here: the answer starts the runtime, which opens every GPU.
  [[nodiscard]] std::string version() const override;
  void check_arch(std::string_view arch) const override;
  [[nodiscard]] int wave_size(std::string_view arch) const override;
  /// Throws UsageError for an unknown architecture and when there is no text or no name expression.
  [[nodiscard]] CompileResult compile(const CompileRequest& request) const override;
  [[nodiscard]] LaunchNotes launch_notes(std::span<const std::byte> binary) const override;

 private:
  mutable std::once_flag asked_;
  mutable std::string version_;
};

}  // namespace redtune::device::hip
