// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/cuda/cuda_arch.hpp"

#include <charconv>
#include <fmt/format.h>

#include "redtune/error.hpp"

namespace redtune::device::cuda {

namespace {

std::optional<int> parse_number(std::string_view arch) {
  constexpr std::string_view prefix = "sm_";
  if (!arch.starts_with(prefix)) return std::nullopt;
  const std::string_view digits = arch.substr(prefix.size());
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_whole = error == std::errc{} && end == digits.data() + digits.size();
  if (!is_whole || number < 10 || digits.starts_with('0')) return std::nullopt;
  return number;
}

/// Of a block whose kernel asks for it: "Technical Specifications per Compute Capability" of the
/// CUDA programming guide. All from 8.0 on have 99 KiB, and so are those that are not known yet.
int max_shared_bytes(int arch) {
  constexpr int kib = 1024;
  switch (arch) {
    case 70:
    case 72:
      return 96 * kib;
    case 75:
      return 64 * kib;
    case 80:
    case 87:
      return 163 * kib;
    case 90:
    case 100:
    case 101:
    case 103:
    case 110:
      return 227 * kib;
    default:
      return arch < 80 ? usual_shared_bytes : 99 * kib;
  }
}

}  // namespace

std::string arch_name(int major, int minor) {
  return fmt::format("sm_{}{}", major, minor);
}

int arch_number(std::string_view arch) {
  if (const auto number = parse_number(arch)) return *number;
  throw UsageError(fmt::format("'{}' is not an NVIDIA architecture; write it as in sm_90", arch));
}

Limits limits_of(std::string_view arch) {
  (void)arch_number(arch);
  return architecture_limits(arch).value();
}

std::optional<Limits> architecture_limits(std::string_view arch) {
  const auto number = parse_number(arch);
  if (!number) return std::nullopt;
  constexpr int first_with_early_start = 90;
  Limits limits;
  if (*number >= first_with_early_start) limits.early_start = EarlyStart::present;
  limits.float_atomics = FloatAtomics::present;
  // Blocks of a cluster that every such GPU can run at once (CUDA C++ Programming Guide, 5.2.1).
  constexpr int first_with_clusters = 90;
  if (*number >= first_with_clusters) limits.max_cluster_size = 8;
  limits.wave_size = warp_size;
  limits.min_block_size = 64;
  limits.max_block_size = 1024;
  limits.max_vector_bytes = 16;
  limits.compute_units = 1;  // an architecture comes in many sizes: only a device can tell
  // The same on compute capability 3.0 to 12.x; "Technical Specifications per Compute Capability"
  // of the CUDA programming guide.
  limits.registers_per_unit = 65536;
  limits.max_registers_per_thread = 255;
  limits.max_grid = 0x7fffffff;
  limits.max_shared_bytes = max_shared_bytes(*number);
  return limits;
}

}  // namespace redtune::device::cuda
