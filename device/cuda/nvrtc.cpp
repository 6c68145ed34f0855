// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/cuda/nvrtc.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <vector>

#include "device/cuda/driver.hpp"
#include "device/cuda/shared_library.hpp"
#include "redtune/error.hpp"

namespace redtune::device::cuda {
namespace {

constexpr int newest_known = 13;
constexpr int oldest_usable = 12;

/// Where NVRTC of a major version may be.
void append_places(std::vector<std::string>& names, int major) {
  const std::string file = fmt::format("libnvrtc.so.{}", major);
  names.push_back(file);
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"}) {
    const char* folder = std::getenv(variable);
    if (folder != nullptr && *folder != '\0')
      names.push_back(fmt::format("{}/lib64/{}", folder, file));
  }
  names.push_back("/usr/local/cuda/lib64/" + file);
  names.push_back(fmt::format("/usr/local/cuda-{}/lib64/{}", major, file));
}

/// Newest first, but those whose output the driver cannot run last.
std::vector<std::string> places() {
  const int version = driver_version();
  const int runs = version == 0 ? newest_known : version / 1000;
  std::vector<std::string> names;
  for (int major = newest_known; major >= oldest_usable; --major) {
    if (major <= runs) append_places(names, major);
  }
  for (int major = std::max(runs + 1, oldest_usable); major <= newest_known; ++major) {
    append_places(names, major);
  }
  return names;
}

Nvrtc open_nvrtc() {
  static const SharedLibrary library(places());
  if (!library.is_open()) {
    throw DeviceError(fmt::format(
        "no NVRTC here ({}); install the CUDA toolkit 12 or later (package cuda-nvrtc), or set "
        "CUDA_PATH to where it is",
        library.problem()));
  }
  Nvrtc functions{};
  const auto bind = [](auto& function, const char* symbol) {
    if (library.bind(function, symbol)) return;
    throw DeviceError(
        fmt::format("this NVRTC is too old: it has no {}; install CUDA 12 or later", symbol));
  };
#define REDTUNE_NVRTC_CALL(name) bind(functions.name, "nvrtc" #name);
#include "device/cuda/nvrtc_calls.def"
#undef REDTUNE_NVRTC_CALL
  return functions;
}

}  // namespace

const Nvrtc& nvrtc() {
  static const Nvrtc functions = open_nvrtc();
  return functions;
}

}  // namespace redtune::device::cuda
