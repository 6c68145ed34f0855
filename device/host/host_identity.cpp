// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/host/host_identity.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <sched.h>
#include <string>
#include <sys/utsname.h>
#include <unistd.h>

namespace redtune::device::host {
namespace {

/// The first value of a key in /proc/cpuinfo; empty where the architecture has no such key.
std::string cpuinfo(const std::string& key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    const auto colon = line.find(':');
    if (colon != std::string::npos && line.find_last_not_of(" \t", colon - 1) + 1 == key.size()) {
      return line.substr(std::min(colon + 2, line.size()));
    }
  }
  return {};
}

/// Architecture with the level of its vector instructions, as -march knows it.
std::string isa() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")) {
    return "x86-64-v4";
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "x86-64-v3";
  return "x86-64";
#else
  utsname name{};
  uname(&name);
  return name.machine;
#endif
}

std::int64_t positive(long value) {
  return std::max(0L, value);
}

}  // namespace

int usable_processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

DeviceIdentity host_identity(const HostOptions& options, const std::string& compiler_version) {
  utsname system{};
  uname(&system);
  DeviceIdentity identity;
  identity.name = cpuinfo("model name");
  if (identity.name.empty()) identity.name = system.machine;
  DeviceClass& what = identity.device_class;
  what.platform = "host";
  what.isa = isa();
  what.model =
      fmt::format("cpu {}-{}-{}", cpuinfo("cpu family"), cpuinfo("model"), cpuinfo("stepping"));
  what.compute_units = options.threads > 0 ? options.threads : usable_processors();
  // Not how the processor is meant to run: results with it are none for ordinary use.
  if (options.order == LaneOrder::reverse) what.partition = "lanes in reverse";
  if (options.order == LaneOrder::random) what.partition = "lanes at random";
  what.wave_size = options.wave_size;
  what.last_level_cache_bytes =
      std::max(positive(sysconf(_SC_LEVEL3_CACHE_SIZE)), positive(sysconf(_SC_LEVEL2_CACHE_SIZE)));
  what.memory_bytes = positive(sysconf(_SC_PHYS_PAGES)) * positive(sysconf(_SC_PAGESIZE));
  identity.toolchain = {.driver = fmt::format("{} {}", system.sysname, system.release),
                        .runtime = "redtune host device 1",
                        .compiler = compiler_version};
  return identity;
}

Limits host_limits(const HostOptions& options) {
  Limits limits;
  limits.min_block_size = options.wave_size;
  limits.max_block_size = 1024;
  limits.max_vector_bytes = 64;
  limits.wave_size = options.wave_size;
  limits.compute_units = options.threads > 0 ? options.threads : usable_processors();
  limits.registers_per_unit =
      1 << 24;  // lanes run one after another: registers do not bound a block
  limits.max_registers_per_thread = 1 << 12;
  limits.streaming_loads = StreamingLoads::absent;
  if (options.order != LaneOrder::forward) limits.block_order = BlockOrder::any;
  limits.float_atomics = FloatAtomics::present;  // a loop, but one for each block
  return limits;
}

}  // namespace redtune::device::host
