// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/cuda/driver.hpp"

#include <array>
#include <fmt/format.h>
#include <string_view>

#include "device/cuda/shared_library.hpp"

// The header renames functions whose signature has changed, e.g. cuMemAlloc to cuMemAlloc_v2; the
// symbol that fits the declared type is the renamed one.
#define REDTUNE_TEXT(text) #text
#define REDTUNE_EXPANDED_TEXT(text) REDTUNE_TEXT(text)

namespace redtune::device::cuda {
namespace {

struct Found {
  Driver functions{};
  std::string problem;
};

Found look_for_driver() {
  static const std::array<std::string, 2> names = {"libcuda.so.1", "libcuda.so"};
  static const SharedLibrary library(names);
  Found found;
  if (!library.is_open()) {
    found.problem =
        fmt::format("no NVIDIA driver here ({}); install it, or give this container the device",
                    library.problem());
    return found;
  }
  std::string missing;
  const auto bind = [&missing](auto& function, const char* symbol) {
    if (library.bind(function, symbol)) return;
    // Some renamed functions kept their signature, and older drivers have them by the old name.
    const std::string_view name = symbol;
    const bool is_same_before = name == "cuEventElapsedTime_v2";
    const std::string before(name.substr(0, name.rfind("_v")));
    if (is_same_before && library.bind(function, before.c_str())) return;
    if (missing.empty()) missing = name;
  };
#define REDTUNE_CUDA_CALL(name) bind(found.functions.name, REDTUNE_EXPANDED_TEXT(cu##name));
#include "device/cuda/driver_calls.def"
#undef REDTUNE_CUDA_CALL
  if (!missing.empty()) {
    found.problem = fmt::format(
        "the NVIDIA driver is too old: it has no {}; update it to one for CUDA 12 or later",
        missing);
  }
  return found;
}

const Found& found() {
  static const Found result = look_for_driver();
  return result;
}

}  // namespace

const Driver* find_driver() {
  const Found& driver = found();
  return driver.problem.empty() ? &driver.functions : nullptr;
}

const std::string& driver_problem() {
  return found().problem;
}

int driver_version() {
  int version = 0;
  if (find_driver() == nullptr || driver().DriverGetVersion(&version) != CUDA_SUCCESS) return 0;
  return version;
}

}  // namespace redtune::device::cuda
