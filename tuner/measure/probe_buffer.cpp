// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/probe_buffer.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <vector>

#include "redtune/error.hpp"

namespace redtune::tuner {
namespace {

constexpr std::int64_t mebibyte = 1 << 20;
constexpr std::int64_t gibibyte = 1 << 30;
constexpr std::int64_t page = 4096;
constexpr std::byte pattern{0x5a};
constexpr std::uint32_t pattern_word = 0x5a5a5a5a;

std::int64_t cache_bytes(const device::Device& device) {
  return device.identity().device_class.last_level_cache_bytes;
}

}  // namespace

std::int64_t probe_bytes(const device::Device& device, ProbeLevel level) {
  const bool is_host = device.identity().device_class.platform == "host";
  const std::int64_t cache = cache_bytes(device);
  std::int64_t wanted = std::max(2 * gibibyte, 8 * cache);
  // A processor takes long to fill and to read as much.
  if (is_host && level == ProbeLevel::full) wanted = std::min(4 * cache, gibibyte);
  if (is_host && level == ProbeLevel::quick) wanted = std::min(2 * cache, gibibyte / 2);
  const auto most = static_cast<std::int64_t>(device.free_memory() / 4);
  return std::max(std::min(std::max(wanted, 64 * mebibyte), most) / page, std::int64_t{1}) * page;
}

ProbeBuffer::ProbeBuffer(device::Device& device, ProbeLevel level)
    : device_(device),
      memory_(device.allocate(static_cast<std::size_t>(probe_bytes(device, level)))) {
  device.fill(memory_.data(), pattern, memory_.bytes());
}

std::int64_t ProbeBuffer::cached_bytes() const {
  const std::int64_t quarter = cache_bytes(device_) / 4 / page * page;
  return quarter <= bytes() ? quarter : 0;
}

std::uint32_t* ProbeBuffer::sums_of(std::int64_t threads) {
  const auto needed = static_cast<std::size_t>(threads) * sizeof(std::uint32_t);
  if (sums_.bytes() != needed) sums_ = device_.allocate(needed);
  return static_cast<std::uint32_t*>(sums_.data());
}

void ProbeBuffer::check_sums(std::int64_t bytes, int passes) const {
  std::vector<std::uint32_t> sums(sums_.bytes() / sizeof(std::uint32_t));
  device_.copy_to_host(sums.data(), sums_.data(), sums_.bytes());
  const std::uint32_t got = std::accumulate(sums.begin(), sums.end(), 0u);
  const auto reads = static_cast<std::uint32_t>(bytes / 4) * static_cast<std::uint32_t>(passes);
  if (got == reads * pattern_word) return;
  throw DeviceError(
      fmt::format("{} read something other than what was written: a sum of {}, not {}",
                  device_.identity().name, got, reads * pattern_word));
}

}  // namespace redtune::tuner
