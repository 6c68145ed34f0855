// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Run-time compilers: kernel text and a target in, a binary or the compiler's log out. Need no
// device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace redtune::device {

/// Many instantiations of one text for one architecture.
struct CompileRequest {
  std::string text;                           ///< the whole program, no includes
  std::vector<std::string> name_expressions;  ///< e.g. "redtune::reduce<...>", at least one
  std::string arch;  ///< e.g. "gfx90a:sramecc+:xnack-"; on the host "native"
};

/// What a kernel needs, as far as the compiler tells.
struct KernelResources {
  std::optional<int> vector_registers;  ///< 32-bit registers per lane
  std::optional<int> scalar_registers;
  std::optional<int> spills;         ///< registers kept in memory
  std::optional<int> scratch_bytes;  ///< private memory per lane
  std::optional<int> shared_bytes;   ///< per block
  std::optional<int> code_bytes;     ///< machine code of this kernel
};

struct CompiledKernel {
  std::string symbol;  ///< name in the binary
  KernelResources resources;
};

struct CompiledProgram {
  std::vector<std::byte> binary;
  std::vector<CompiledKernel> kernels;  ///< one for each name expression, in order
};

/// An argument behind those of the text, which a compiler adds to a kernel and a runtime fills in.
struct HiddenArgument {
  std::string kind;  ///< in the binary's own words
  int offset = 0;    ///< bytes, in the block of memory with all arguments
  int bytes = 0;

  bool operator==(const HiddenArgument&) const = default;
};

/// What a binary says to a launcher that is no runtime of its vendor's, as far as it tells.
struct LaunchNotes {
  std::optional<int> abi_version;  ///< of the binary: how its kernels are launched
  std::map<std::string, std::vector<HiddenArgument>> hidden_arguments;  ///< by symbol
};

/// The compiler refused the text; its log says why.
struct CompileFailure {
  std::string log;
};

using CompileResult = std::variant<CompiledProgram, CompileFailure>;

/// Where a compiler does its work. One inside this process can take the process down with it.
enum class CompilerPlace { this_process, own_process };

class Compiler {
 public:
  virtual ~Compiler() = default;
  [[nodiscard]] virtual CompilerPlace place() const { return CompilerPlace::this_process; }
  /// Name and version, e.g. "hipRTC 5.2.21153"; part of the toolchain of a result.
  [[nodiscard]] virtual std::string version() const = 0;
  /// Throws UsageError when arch is none that this compiler can be asked for.
  virtual void check_arch(std::string_view arch) const = 0;
  /// Lanes of a wave on that architecture. Throws UsageError like check_arch.
  [[nodiscard]] virtual int wave_size(std::string_view arch) const = 0;
  [[nodiscard]] virtual CompileResult compile(const CompileRequest& request) const = 0;
  /// Of a binary that it made. Nothing where binaries do not tell.
  [[nodiscard]] virtual LaunchNotes launch_notes(std::span<const std::byte>) const { return {}; }
};

/// A compiler's or a program's own words are pages; the first line is for people: what comes before
/// the first line break.
[[nodiscard]] inline std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

}  // namespace redtune::device
