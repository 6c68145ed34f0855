// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The system's C++ compiler as a run-time compiler: kernel text to a shared object.
#pragma once

#include <mutex>
#include <string>

#include "device/compiler.hpp"

namespace redtune::device::host {

/// Whether loads of vectors trap when they are not aligned, as GPUs do and CPUs do not: for tests.
enum class AlignmentCheck { off, on };

class HostCompiler final : public Compiler {
 public:
  /// Takes $REDTUNE_HOST_CXX, else the first of c++, g++ and clang++ on the path. A missing
  /// compiler is reported by compile() and version(), not here.
  explicit HostCompiler(AlignmentCheck check = AlignmentCheck::off);

  [[nodiscard]] CompilerPlace place() const override { return CompilerPlace::own_process; }
  [[nodiscard]] std::string version() const override;
  void check_arch(std::string_view arch) const override;
  [[nodiscard]] int wave_size(std::string_view arch) const override;
  [[nodiscard]] CompileResult compile(const CompileRequest& request) const override;

 private:
  AlignmentCheck check_;
  std::string command_;  // empty: none found
  mutable std::once_flag asked_;
  mutable std::string version_;
};

}  // namespace redtune::device::host
