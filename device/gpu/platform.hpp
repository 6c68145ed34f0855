// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The platform of a GPU vendor. Starts no driver before somebody asks for devices; a vendor's
// compiler may (NVRTC 13 does), so programs that only compile or look around may hold one as well.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/gpu/device.hpp"
#include "device/platform.hpp"

namespace redtune::device::gpu {

/// What a vendor adds to its Api.
template <class V>
concept Vendor = Api<typename V::Api> &&
    requires(typename V::Api::Status status, int ordinal, std::string_view arch) {
  { V::name } -> std::convertible_to<std::string_view>;
  // The environment variable that names, by UUID, the devices to be seen; empty: there is none.
  { V::visible_devices } -> std::convertible_to<std::string_view>;
  // One line: why device_count() gave no devices, and what to do about it.
  { V::why_no_devices(status) } -> std::same_as<std::string>;
  { V::make_compiler() } -> std::same_as<std::unique_ptr<Compiler>>;
  { V::limits_of(arch) } -> std::same_as<Limits>;
  // Of a device that was counted; these open no context.
  { V::facts(ordinal) } -> std::same_as<Facts>;
  { V::readings(ordinal) } -> std::same_as<Readings>;
  { V::users(ordinal) } -> std::same_as<std::optional<std::vector<DeviceUser>>>;
};

template <Vendor V>
class GpuPlatform final : public Platform {
 public:
  [[nodiscard]] std::string_view name() const override { return V::name; }
  [[nodiscard]] int device_count() const override { return census().count; }
  [[nodiscard]] std::string why_no_devices() const override { return census().problem; }
  [[nodiscard]] std::unique_ptr<Device> open(int ordinal, std::string_view variant) override {
    return std::make_unique<GpuDevice<typename V::Api>>(ordinal, facts(ordinal, variant));
  }
  [[nodiscard]] Facts facts(int ordinal, std::string_view variant) const override;
  [[nodiscard]] const Compiler& compiler() const override;
  [[nodiscard]] std::string arch_of(const DeviceIdentity& identity) const override {
    return identity.device_class.isa;
  }
  [[nodiscard]] Limits limits_of(std::string_view arch) const override {
    return V::limits_of(arch);
  }
  [[nodiscard]] std::string variable_to_see_only(const DeviceIdentity& identity) const override {
    const bool has_others = !V::visible_devices.empty() && census().count > 1;
    return has_others ? fmt::format("{}={}", V::visible_devices, identity.uuid) : std::string();
  }
  [[nodiscard]] Readings readings(int ordinal) const override {
    return told<Readings>(ordinal, &V::readings);
  }
  [[nodiscard]] std::optional<std::vector<DeviceUser>> users(int ordinal) const override {
    return told<std::optional<std::vector<DeviceUser>>>(ordinal, &V::users);
  }

 private:
  struct Census {
    int count = 0;
    std::string problem;
  };
  const Census& census() const;

  /// What the vendor tells of a device that there is; nothing for any other, and when it fails
  /// without losing the device.
  template <class Told>
  Told told(int ordinal, Told (*ask)(int)) const {
    if (ordinal < 0 || ordinal >= census().count) return {};
    try {
      return ask(ordinal);
    } catch (const DeviceLost&) {
      throw;
    } catch (const Error&) {
      return {};
    }
  }

  mutable std::once_flag counted_;
  mutable Census census_;
  mutable std::once_flag compiler_made_;
  mutable std::unique_ptr<Compiler> compiler_;
};

template <Vendor V>
const typename GpuPlatform<V>::Census& GpuPlatform<V>::census() const {
  std::call_once(counted_, [this] {
    int count = 0;
    const auto status = V::Api::device_count(&count);
    if (status == V::Api::success && count > 0) {
      census_.count = count;
    } else {
      census_.problem = V::why_no_devices(status);
    }
  });
  return census_;
}

template <Vendor V>
Facts GpuPlatform<V>::facts(int ordinal, std::string_view variant) const {
  if (!variant.empty()) {
    throw UsageError(fmt::format("'{0}:{1}' is not a device: write '{0}' or '{0}:0', '{0}:1', ...",
                                 V::name, variant));
  }
  const Census& known = census();
  if (known.count == 0) throw NoSuchDevice(known.problem);
  if (ordinal < 0 || ordinal >= known.count) {
    throw NoSuchDevice(fmt::format(
        "there is no device {0}:{1}: {2} {3} found, {0}:0 to {0}:{4}", V::name, ordinal,
        known.count, known.count == 1 ? "device was" : "devices were", known.count - 1));
  }
  Facts facts = V::facts(ordinal);
  facts.identity.toolchain.compiler = compiler().version();
  return facts;
}

template <Vendor V>
const Compiler& GpuPlatform<V>::compiler() const {
  std::call_once(compiler_made_, [this] { compiler_ = V::make_compiler(); });
  return *compiler_;
}

}  // namespace redtune::device::gpu
