// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/host/host_compiler.hpp"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

#include "device/host/services.hpp"
#include "device/host/shared_arrays.hpp"
#include "device/host/subprocess.hpp"
#include "redtune/error.hpp"

namespace redtune::device::host {
namespace {

std::string find_compiler() {
  if (const char* chosen = std::getenv("REDTUNE_HOST_CXX"); chosen != nullptr && *chosen != '\0') {
    return chosen;
  }
  for (const char* candidate : {"c++", "g++", "clang++"}) {
    if (is_on_path(candidate)) return candidate;
  }
  return {};
}

/// A folder of our own for one compilation; gone with the object.
class ScratchFolder {
 public:
  ScratchFolder() {
    const char* named = std::getenv("TMPDIR");
    const std::filesystem::path parent = named != nullptr && *named != '\0' ? named : "/tmp";
    std::string name = (parent / "redtune-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw IoError(fmt::format("cannot make a folder {}; set TMPDIR to a writable place", name));
    }
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// The definitions that the prelude declares, in terms of the services of the running device.
std::string prologue() {
  return fmt::format(R"({}
static const redtune_host_services* redtune_services;
extern "C" __attribute__((visibility("default")))
void {}(const redtune_host_services* services) {{ redtune_services = services; }}
inline int redtune_host_thread() {{ return redtune_services->thread(); }}
inline int redtune_host_block() {{ return redtune_services->block(); }}
inline int redtune_host_grid() {{ return redtune_services->grid(); }}
inline void redtune_host_barrier() {{ redtune_services->barrier(); }}
inline void redtune_host_exchange(const void* mine, void* theirs, int bytes, int distance) {{
  redtune_services->exchange(mine, theirs, bytes, distance);
}}
inline void redtune_host_pause() {{ redtune_services->pause(); }}
inline const int* redtune_host_extents() {{ return redtune_services->extents(); }}
inline void* redtune_host_shared() {{ return redtune_services->shared(); }}
)",
                     services_text, bind_symbol);
}

/// One C function per instantiation, which unpacks the arguments by the kernel's own types.
std::string entries(const std::vector<std::string>& name_expressions) {
  std::string text = R"(
template <int... i> struct redtune_indices {};
template <int n, int... i> struct redtune_count : redtune_count<n - 1, n - 1, i...> {};
template <int... i> struct redtune_count<0, i...> { typedef redtune_indices<i...> type; };
template <class... A, int... i>
inline void redtune_spread(void (*kernel)(A...), void* const* arguments, redtune_indices<i...>) {
  kernel(*static_cast<A*>(arguments[i])...);
}
template <class... A>
inline void redtune_call(void (*kernel)(A...), void* const* arguments) {
  redtune_spread(kernel, arguments, typename redtune_count<int(sizeof...(A))>::type());
}
)";
  for (std::size_t i = 0; i < name_expressions.size(); ++i) {
    text += fmt::format(
        "extern \"C\" __attribute__((visibility(\"default\")))\n"
        "void {}{}(void* const* arguments) {{ redtune_call(&{}, arguments); }}\n",
        kernel_symbol_prefix, i, name_expressions[i]);
  }
  return text;
}

std::vector<std::byte> read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw IoError(fmt::format("cannot write {}; is the disk full?", path));
}

}  // namespace

HostCompiler::HostCompiler(AlignmentCheck check) : check_(check), command_(find_compiler()) {}

std::string HostCompiler::version() const {
  // Starting a program takes longer than all else that opens a device.
  std::call_once(asked_, [this] {
    if (!is_on_path(command_)) return;
    const Finished asked = run_program({command_, "--version"});
    version_ = asked.output.substr(0, asked.output.find('\n'));
  });
  return version_.empty() ? "none" : version_;
}

void HostCompiler::check_arch(std::string_view arch) const {
  if (arch == "native" || arch.starts_with("x86-64") || arch.starts_with("armv")) return;
  throw UsageError(
      fmt::format("unknown host architecture '{}'; write native or what the compiler's "
                  "-march takes, like x86-64-v3",
                  arch));
}

int HostCompiler::wave_size(std::string_view arch) const {
  check_arch(arch);
  return 1;
}

CompileResult HostCompiler::compile(const CompileRequest& request) const {
  check_arch(request.arch);
  if (!is_on_path(command_)) {
    return CompileFailure{fmt::format(
        "no C++ compiler for the host device{}; install g++ or clang++, or set REDTUNE_HOST_CXX",
        command_.empty() ? "" : fmt::format(": {} cannot be run", command_))};
  }
  const ScratchFolder scratch;
  const std::string source = scratch.file("kernels.cpp");
  const std::string object = scratch.file("kernels.so");
  write_text(source,
             prologue() + with_shared_arrays(request.text) + entries(request.name_expressions));
  // -fwrapv: integers wrap, as on GPUs. No -ffast-math: NaN and the order of additions matter.
  const Finished compiled = run_program(
      {command_, "-std=c++20", "-O3", fmt::format("-march={}", request.arch), "-fPIC", "-shared",
       "-fvisibility=hidden", "-fwrapv", "-fno-math-errno", "-fno-trapping-math",
       "-ffp-contract=off", "-w",
       check_ == AlignmentCheck::on ? "-DREDTUNE_CHECK_ALIGNMENT" : "-UREDTUNE_CHECK_ALIGNMENT",
       "-o", object, source},
      {.deadline = std::chrono::minutes(2)});
  if (!compiled.succeeded()) {
    return CompileFailure{compiled.errors.empty() ? compiled.ending() : compiled.errors};
  }
  CompiledProgram program;
  program.binary = read_bytes(object);
  for (std::size_t i = 0; i < request.name_expressions.size(); ++i) {
    program.kernels.push_back({fmt::format("{}{}", kernel_symbol_prefix, i), {}});
  }
  return program;
}

}  // namespace redtune::device::host
