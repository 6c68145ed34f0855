// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/hip/hip_compiler.hpp"

#include <array>
#include <fmt/format.h>
#include <map>
#include <span>

#include "device/gpu/build_id.hpp"
#include "device/gpu/rtc.hpp"
#include "device/hip/code_object.hpp"
#include "device/hip/hip_arch.hpp"
#include "device/hip/hip_identity.hpp"
#include "device/hip/hip_runtime.hpp"
#include "redtune/error.hpp"

#if __has_include(<amd_comgr/amd_comgr.h>)
#include <amd_comgr/amd_comgr.h>
#else
#include <amd_comgr.h>
#endif

namespace redtune::device::hip {
namespace {

/// What each call is named in hipRTC.
struct HipRtc {
  using Status = hiprtcResult;
  using Program = hiprtcProgram;

  static constexpr std::string_view name = "hipRTC";
  static constexpr Status success = HIPRTC_SUCCESS;
  static constexpr Status out_of_memory = HIPRTC_ERROR_OUT_OF_MEMORY;
  static std::string describe(Status status) { return hiprtcGetErrorString(status); }

  static Status create(Program* program, const char* text) {
    return hiprtcCreateProgram(program, text, "redtune.hip", 0, nullptr, nullptr);
  }
  static Status destroy(Program* program) { return hiprtcDestroyProgram(program); }
  static Status add_name(Program program, const char* expression) {
    return hiprtcAddNameExpression(program, expression);
  }
  static Status compile(Program program, int count, const char* const* options) {
    return hiprtcCompileProgram(program, count, const_cast<const char**>(options));
  }
  static Status lowered_name(Program program, const char* expression, const char** lowered) {
    return hiprtcGetLoweredName(program, expression, lowered);
  }
  static Status log_size(Program program, std::size_t* bytes) {
    return hiprtcGetProgramLogSize(program, bytes);
  }
  static Status log(Program program, char* text) { return hiprtcGetProgramLog(program, text); }
  static Status binary_size(Program program, std::size_t* bytes) {
    return hiprtcGetCodeSize(program, bytes);
  }
  static Status binary(Program program, char* bytes) { return hiprtcGetCode(program, bytes); }
};
static_assert(gpu::Rtc<HipRtc>);

/// Empty when the notes cannot be read: a binary that a future compiler describes in another way
/// runs all the same, and resources are only told "as far as the compiler tells".
std::map<std::string, KernelResources> resources_of(std::span<const std::byte> binary,
                                                    std::string_view) {
  std::map<std::string, KernelResources> resources;
  try {
    for (const auto& [symbol, notes] : read_code_object(binary)) {
      resources[symbol] = notes.resources;
    }
  } catch (const DeviceError&) {
  }
  return resources;
}

}  // namespace

std::string HipCompiler::version() const {
  const auto id_of = [](auto* function) {
    const std::string id = gpu::build_id_of(reinterpret_cast<const void*>(function));
    return id.empty() ? std::string("no build id") : id;
  };
  std::call_once(asked_, [&] {
    version_ = fmt::format("hipRTC {} ({}, code generator {})", runtime_version(),
                           id_of(&hiprtcCompileProgram), id_of(&amd_comgr_get_isa_count));
  });
  return version_;
}

void HipCompiler::check_arch(std::string_view arch) const {
  hip::check_arch(arch);
}

int HipCompiler::wave_size(std::string_view arch) const {
  return hip::wave_size(arch);
}

CompileResult HipCompiler::compile(const CompileRequest& request) const {
  hip::check_arch(request.arch);
  const std::string target = "--offload-arch=" + request.arch;
  // Floats are added by the memory where it can: docs/decisions/0018.
  const std::array<const char*, 5> options = {target.c_str(), "-O3", "-std=c++17",
                                              "-munsafe-fp-atomics", "-DREDTUNE_HIP=1"};
  return gpu::compile_with<HipRtc>(request, options, &resources_of);
}

/// Nothing when they cannot be read, as resources_of().
LaunchNotes HipCompiler::launch_notes(std::span<const std::byte> binary) const {
  try {
    LaunchNotes notes{.abi_version = abi_version_of(binary)};
    for (auto& [symbol, kernel] : read_code_object(binary)) {
      notes.hidden_arguments.emplace(symbol, std::move(kernel.hidden));
    }
    return notes;
  } catch (const DeviceError&) {
    return {};
  }
}

}  // namespace redtune::device::hip
