// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// NVIDIA's management library, libnvidia-ml, opened at run time: it reads a device's sensors and
// lists its processes without a context. All of it is optional.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/platform.hpp"

namespace redtune::device::cuda {

class Nvml {
 public:
  /// Opens the first of the names that there is. A function that the library lacks, or a library
  /// that does not start, leaves what it would have told without a value.
  explicit Nvml(std::span<const std::string> names);

  /// address: of the PCI device, "0000:c1:00.0".
  [[nodiscard]] Readings readings(const std::string& address) const;
  [[nodiscard]] std::optional<std::vector<DeviceUser>> users(const std::string& address) const;

 private:
  // As nvml.h of CUDA 12 declares them; that header is not part of every toolkit. 0 is success.
  using Status = int;
  using Handle = struct nvmlDevice_st*;
  struct Functions {
    Status (*init)() = nullptr;
    Status (*handle_by_address)(const char*, Handle*) = nullptr;
    Status (*clock)(Handle, int domain, unsigned* mhz) = nullptr;
    Status (*temperature)(Handle, int sensor, unsigned* celsius) = nullptr;
    Status (*power)(Handle, unsigned* milliwatts) = nullptr;
    Status (*power_cap)(Handle, unsigned* milliwatts) = nullptr;
    Status (*throttle_reasons)(Handle, unsigned long long* bits) = nullptr;
    Status (*processes)(Handle, unsigned* count, void* records) = nullptr;
    Status (*process_name)(unsigned pid, char* name, unsigned bytes) = nullptr;
  };

  /// Null where the library does not know the device.
  [[nodiscard]] Handle handle_of(const std::string& address) const;
  [[nodiscard]] std::string name_of(unsigned pid) const;

  Functions functions_;
  bool is_started_ = false;
};

/// Where the loader finds it, opened on first use.
[[nodiscard]] const Nvml& nvml();

/// Words for the bits of NVML's clock event reasons, e.g. "power cap, temperature". Being idle is
/// none.
[[nodiscard]] std::string throttle_words(unsigned long long bits);

}  // namespace redtune::device::cuda
