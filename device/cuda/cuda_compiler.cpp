// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/cuda/cuda_compiler.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "device/cuda/cubin.hpp"
#include "device/cuda/cuda_arch.hpp"
#include "device/cuda/nvrtc.hpp"
#include "device/gpu/build_id.hpp"
#include "device/gpu/rtc.hpp"
#include "redtune/suggest.hpp"

namespace redtune::device::cuda {
namespace {

/// What each call is named in NVRTC.
struct CudaRtc {
  using Status = nvrtcResult;
  using Program = nvrtcProgram;

  static constexpr std::string_view name = "NVRTC";
  static constexpr Status success = NVRTC_SUCCESS;
  static constexpr Status out_of_memory = NVRTC_ERROR_OUT_OF_MEMORY;
  static std::string describe(Status status) { return nvrtc().GetErrorString(status); }

  static Status create(Program* program, const char* text) {
    return nvrtc().CreateProgram(program, text, "redtune.cu", 0, nullptr, nullptr);
  }
  static Status destroy(Program* program) { return nvrtc().DestroyProgram(program); }
  static Status add_name(Program program, const char* expression) {
    return nvrtc().AddNameExpression(program, expression);
  }
  static Status compile(Program program, int count, const char* const* options) {
    return nvrtc().CompileProgram(program, count, options);
  }
  static Status lowered_name(Program program, const char* expression, const char** lowered) {
    return nvrtc().GetLoweredName(program, expression, lowered);
  }
  static Status log_size(Program program, std::size_t* bytes) {
    return nvrtc().GetProgramLogSize(program, bytes);
  }
  static Status log(Program program, char* text) { return nvrtc().GetProgramLog(program, text); }
  static Status binary_size(Program program, std::size_t* bytes) {
    return nvrtc().GetCUBINSize(program, bytes);
  }
  static Status binary(Program program, char* bytes) { return nvrtc().GetCUBIN(program, bytes); }
};
static_assert(gpu::Rtc<CudaRtc>);

void check(nvrtcResult status, std::string_view doing) {
  gpu::Program<CudaRtc>::check(status, doing);
}

std::string version_text() {
  int major = 0;
  int minor = 0;
  check(nvrtc().Version(&major, &minor), "tell its version");
  const std::string id = gpu::build_id_of(reinterpret_cast<const void*>(nvrtc().CompileProgram));
  return fmt::format("NVRTC {}.{} ({})", major, minor, id.empty() ? "no build id" : id);
}

std::vector<int> supported_archs() {
  int count = 0;
  check(nvrtc().GetNumSupportedArchs(&count), "count its architectures");
  std::vector<int> archs(static_cast<std::size_t>(count));
  check(nvrtc().GetSupportedArchs(archs.data()), "list its architectures");
  return archs;
}

}  // namespace

CudaCompiler::CudaCompiler() : version_(version_text()), archs_(supported_archs()) {}

void CudaCompiler::check_arch(std::string_view arch) const {
  const int asked = arch_number(arch);
  if (asked < first_arch) {
    throw UsageError(
        fmt::format("redtune's kernels need {} or later: '{}' lacks their instructions",
                    arch_name(first_arch / 10, first_arch % 10), arch));
  }
  if (std::ranges::find(archs_, asked) != archs_.end()) return;
  std::vector<std::string> known;
  for (const int number : archs_) known.push_back(fmt::format("sm_{}", number));
  throw UsageError(fmt::format("{} does not know the architecture '{}'; it knows {}", version_,
                               arch,
                               join(std::vector<std::string_view>(known.begin(), known.end()))));
}

int CudaCompiler::wave_size(std::string_view arch) const {
  check_arch(arch);
  return warp_size;
}

CompileResult CudaCompiler::compile(const CompileRequest& request) const {
  check_arch(request.arch);
  const std::string target = "--gpu-architecture=" + request.arch;
  // A user's operator need not say __device__.
  const std::array<const char*, 5> options = {target.c_str(), "--std=c++17", "-DREDTUNE_CUDA=1",
                                              "--ptxas-options=--verbose",
                                              "--device-as-default-execution-space"};
  return gpu::compile_with<CudaRtc>(request, options, &read_resources);
}

}  // namespace redtune::device::cuda
