// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// hipRTC: takes a program exactly as the module gives it.
#include <cstring>
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>
#include <string>
#include <vector>

#include "call.hpp"
#include "cpu_compiler.hpp"
#include "faults.hpp"
#include "handles.hpp"
#include "redtune/error.hpp"
#include "targets.hpp"

using namespace redtune::testing::hip;

namespace {

// HIP 7 has added a const.
#if HIP_VERSION_MAJOR >= 7
using Strings = const char* const*;
#else
using Strings = const char**;
#endif

struct RtcProgram {
  std::string text;
  std::vector<std::string> names;
  std::vector<std::string> lowered;
  std::vector<std::byte> code;
  std::string log;
};

Handles<RtcProgram>& programs() {
  static auto& all = *new Handles<RtcProgram>;
  return all;
}

/// Options that clang takes for any processor; the level of optimisation is the runtime's choice.
bool is_common(std::string_view option) {
  return option.starts_with("-D") || option.starts_with("-std=");
}

hiprtcResult compile(RtcProgram& program, const std::vector<std::string>& options) {
  constexpr std::string_view arch_option = "--offload-arch=";
  CpuRequest request{program.text, program.names, {}, 0};
  std::string isa;
  for (const std::string& option : options) {
    if (option.starts_with(arch_option)) isa = option.substr(arch_option.size());
    if (is_common(option)) request.options.push_back(option);
  }
  if (!is_target(isa)) {
    program.log = fmt::format("error: unknown target '{}'", isa);
    return HIPRTC_ERROR_COMPILATION;
  }
  for (const std::string& name : program.names) {
    for (const std::string& refused : faults().refused) {
      if (name.find(refused) == std::string::npos) continue;
      program.log = fmt::format("error: '{}' is refused by the test", name);
      return HIPRTC_ERROR_COMPILATION;
    }
  }
  request.wave_size = wave_size_of(isa);
  request.options.push_back(fmt::format("-DHIP_VERSION_MAJOR={}", HIP_VERSION_MAJOR));
  CpuProgram compiled = compile_for_cpu(request);
  program.log = std::move(compiled.log);
  if (compiled.object.empty()) return HIPRTC_ERROR_COMPILATION;
  for (const KernelShape& kernel : compiled.kernels) program.lowered.push_back(kernel.symbol);
  program.code = pack({isa, request.wave_size, compiled.kernels, compiled.object});
  return HIPRTC_SUCCESS;
}

/// A call about a program that there is.
hiprtcResult about(std::string_view name, hiprtcProgram handle,
                   const std::function<hiprtcResult(RtcProgram&)>& body) {
  return call<hiprtcResult>(name, [&](Note&) -> int {
    const auto program = programs().find(handle);
    if (!program) return HIPRTC_ERROR_INVALID_PROGRAM;
    try {
      return body(*program);
    } catch (const redtune::Error& error) {
      program->log = error.what();
      return HIPRTC_ERROR_INTERNAL_ERROR;
    }
  });
}

}  // namespace

extern "C" {

const char* hiprtcGetErrorString(hiprtcResult result) {
  const ErrorRow* row = find_error(Library::hiprtc, result);
  if (result == HIPRTC_SUCCESS) return "HIPRTC_SUCCESS";
  return row == nullptr ? "HIPRTC_ERROR_INTERNAL_ERROR" : row->name.data();
}

hiprtcResult hiprtcCreateProgram(hiprtcProgram* program, const char* text, const char*, int,
                                 Strings, Strings) {
  return call<hiprtcResult>("hiprtcCreateProgram", [&](Note& note) {
    if (program == nullptr || text == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
    programs().add(program, std::make_shared<RtcProgram>(RtcProgram{.text = text}));
    note.made = *program;
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcDestroyProgram(hiprtcProgram* program) {
  return call<hiprtcResult>("hiprtcDestroyProgram", [&](Note& note) {
    if (program == nullptr || !programs().remove(*program)) return HIPRTC_ERROR_INVALID_PROGRAM;
    note.given_back = *program;
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcAddNameExpression(hiprtcProgram handle, const char* name) {
  return about("hiprtcAddNameExpression", handle, [&](RtcProgram& program) {
    program.names.emplace_back(name);
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram handle, int count, Strings options) {
  return about("hiprtcCompileProgram", handle, [&](RtcProgram& program) {
    return compile(program, {options, options + count});
  });
}

hiprtcResult hiprtcGetLoweredName(hiprtcProgram handle, const char* name, const char** lowered) {
  return about("hiprtcGetLoweredName", handle, [&](RtcProgram& program) {
    for (std::size_t i = 0; i < program.lowered.size(); ++i) {
      if (program.names[i] != name) continue;
      *lowered = program.lowered[i].c_str();
      return HIPRTC_SUCCESS;
    }
    return HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  });
}

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram handle, std::size_t* bytes) {
  return about("hiprtcGetProgramLogSize", handle, [&](RtcProgram& program) {
    *bytes = program.log.empty() ? 0 : program.log.size() + 1;
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcGetProgramLog(hiprtcProgram handle, char* text) {
  return about("hiprtcGetProgramLog", handle, [&](RtcProgram& program) {
    std::memcpy(text, program.log.c_str(), program.log.size() + 1);
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcGetCodeSize(hiprtcProgram handle, std::size_t* bytes) {
  return about("hiprtcGetCodeSize", handle, [&](RtcProgram& program) {
    *bytes = program.code.size();
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcGetCode(hiprtcProgram handle, char* code) {
  return about("hiprtcGetCode", handle, [&](RtcProgram& program) {
    std::memcpy(code, program.code.data(), program.code.size());
    return HIPRTC_SUCCESS;
  });
}
}
