// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A module in the place of the one for NVIDIA GPUs, whose driver and compiler do nothing and
// succeed: an application on it pays for the library alone, and no GPU is needed.
// REDTUNE_NULL_COMPILER is the compiler's version, REDTUNE_NULL_LOG names a file that gets a line
// for every program compiled, and programs with REDTUNE_NULL_REFUSES in a name are refused.
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <memory>
#include <string>

#include "bench/null_api.hpp"
#include "device/gpu/device.hpp"
#include "device/platform.hpp"

namespace redtune::bench {
namespace {

/// Of ordinary size.
Limits null_limits() {
  return {.wave_size = 32, .compute_units = 132};
}

std::string environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

class NullCompiler final : public device::Compiler {
 public:
  [[nodiscard]] std::string version() const override {
    return environment("REDTUNE_NULL_COMPILER", "null compiler 1");
  }
  void check_arch(std::string_view) const override {}
  [[nodiscard]] int wave_size(std::string_view) const override { return null_limits().wave_size; }
  [[nodiscard]] device::CompileResult compile(
      const device::CompileRequest& request) const override {
    const std::string log = environment("REDTUNE_NULL_LOG", "");
    const std::string names = fmt::format("{}\n", fmt::join(request.name_expressions, " & "));
    const std::string refused = environment("REDTUNE_NULL_REFUSES", "");
    if (!refused.empty() && names.find(refused) != std::string::npos) {
      return device::CompileFailure{"refused\nas it was told"};
    }
    if (!log.empty()) std::ofstream(log, std::ios::app) << names;
    device::CompiledProgram program;
    const auto* bytes = reinterpret_cast<const std::byte*>(names.data());
    program.binary.assign(bytes, bytes + names.size());
    for (const auto& name : request.name_expressions) program.kernels.push_back({name, {}});
    return program;
  }
};

class NullPlatform final : public device::Platform {
 public:
  [[nodiscard]] std::string_view name() const override { return "cuda"; }
  [[nodiscard]] int device_count() const override { return 1; }
  [[nodiscard]] std::string why_no_devices() const override { return {}; }
  [[nodiscard]] std::unique_ptr<device::Device> open(int ordinal,
                                                     std::string_view variant) override {
    return std::make_unique<device::gpu::GpuDevice<NullApi>>(ordinal, facts(ordinal, variant));
  }
  [[nodiscard]] device::Facts facts(int, std::string_view) const override {
    DeviceIdentity identity;
    identity.device_class = {.platform = "cuda",
                             .isa = "null",
                             .model = "null",
                             .compute_units = null_limits().compute_units,
                             .wave_size = null_limits().wave_size};
    identity.toolchain = {.driver = "null", .runtime = "null", .compiler = compiler_.version()};
    identity.name = "A GPU that does nothing";
    return {.identity = identity, .limits = null_limits()};
  }
  [[nodiscard]] const device::Compiler& compiler() const override { return compiler_; }
  [[nodiscard]] std::string arch_of(const DeviceIdentity& identity) const override {
    return identity.device_class.isa;
  }
  [[nodiscard]] Limits limits_of(std::string_view) const override { return null_limits(); }

 private:
  NullCompiler compiler_;
};

std::unique_ptr<device::Platform> open_null() {
  return std::make_unique<NullPlatform>();
}

}  // namespace
}  // namespace redtune::bench

extern "C" {
extern const redtune::device::ModuleEntry redtune_device_module
    __attribute__((visibility("default")));
const redtune::device::ModuleEntry redtune_device_module{redtune::device::module_abi,
                                                         &redtune::bench::open_null};
}
