// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a device is, as plain data: everything that makes a tuning result transferable, and the
// toolchain that produced it. Tests invent devices by filling these in.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace redtune {

/// A difference in any field is a different class of devices: results do not carry over silently.
struct DeviceClass {
  std::string platform;  ///< "host", "hip" or "cuda"
  std::string isa;       ///< whole architecture string with features, e.g. "gfx90a:sramecc+:xnack-"
  std::string model;     ///< PCI vendor:device:subsystem ids, or CPU family-model-stepping
  std::string partition;  ///< partition mode (SPX, CPX, MIG profile), empty when there is none
  int compute_units = 1;  ///< visible compute units, multiprocessors or cores
  int wave_size = 1;      ///< lanes of a wave
  std::int64_t last_level_cache_bytes = 0;
  std::int64_t memory_bytes = 0;

  auto operator<=>(const DeviceClass&) const = default;
};

/// Versions of what compiled and ran the kernels.
struct Toolchain {
  std::string driver;
  std::string runtime;
  std::string compiler;  ///< run-time compiler with its version

  auto operator<=>(const Toolchain&) const = default;
};

struct DeviceIdentity {
  DeviceClass device_class;
  Toolchain toolchain;
  std::string name;     ///< marketing name; part of no key
  std::string address;  ///< PCI address, empty on the host; part of no key
  std::string uuid;     ///< of this very device, where the platform tells; part of no key
  /// Dies with compute units of their own L2 behind the device: what a fence must reach. 0 where
  /// the platform does not tell. Follows from model and partition, so part of no key.
  int dies = 0;
  /// What memory could deliver by its clock and the width of its bus, in 1e9 bytes a second; 0
  /// where the platform does not tell. Part of no key.
  double memory_gbps = 0;
};

}  // namespace redtune
