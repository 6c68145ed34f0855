// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/architectures.hpp"

#include "device/cuda/cuda_arch.hpp"
#include "device/hip/hip_facts.hpp"
#include "device/host/host_identity.hpp"

namespace redtune::device {
namespace {

struct PlatformRow {
  std::string_view platform;
  std::optional<Limits> (*limits_of)(std::string_view arch);
};

/// Every platform of registry.cpp has a row.
constexpr PlatformRow rows[] = {
    // Kernels for the host are compiled for the processor that runs them.
    {"host", [](std::string_view) -> std::optional<Limits> { return host::host_limits({}); }},
    {"hip", hip::architecture_limits},
    {"cuda", cuda::architecture_limits},
};

}  // namespace

std::optional<Limits> architecture_limits(std::string_view platform, std::string_view arch) {
  for (const PlatformRow& row : rows) {
    if (row.platform == platform) return row.limits_of(arch);
  }
  return std::nullopt;
}

}  // namespace redtune::device
