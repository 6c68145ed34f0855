// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/host/host_platform.hpp"

#include <charconv>
#include <fmt/format.h>

#include "device/host/host_compiler.hpp"
#include "device/host/host_device.hpp"
#include "device/host/host_identity.hpp"
#include "redtune/error.hpp"

namespace redtune::device::host {
namespace {

class HostPlatform final : public Platform {
 public:
  [[nodiscard]] std::string_view name() const override { return "host"; }
  [[nodiscard]] int device_count() const override { return 1; }
  [[nodiscard]] std::string why_no_devices() const override { return {}; }

  [[nodiscard]] std::unique_ptr<Device> open(int ordinal, std::string_view variant) override {
    return std::make_unique<HostDevice>(options_of(ordinal, variant), compiler_.version());
  }
  [[nodiscard]] Facts facts(int ordinal, std::string_view variant) const override {
    const HostOptions options = options_of(ordinal, variant);
    return {host_identity(options, compiler_.version()), host_limits(options)};
  }
  [[nodiscard]] const Compiler& compiler() const override { return compiler_; }
  [[nodiscard]] std::string arch_of(const DeviceIdentity&) const override { return "native"; }
  [[nodiscard]] Limits limits_of(std::string_view arch) const override {
    compiler_.check_arch(arch);
    return host_limits({});
  }

 private:
  static HostOptions options_of(int ordinal, std::string_view variant) {
    if (ordinal != 0) throw UsageError(fmt::format("there is no host:{}; write host", ordinal));
    return parse_host_variant(variant);
  }

  HostCompiler compiler_;
};

bool apply_word(HostOptions& options, std::string_view word) {
  if (word == "wave32")
    options.wave_size = 32;
  else if (word == "wave64")
    options.wave_size = 64;
  else if (word == "wave1")
    options.wave_size = 1;
  else if (word == "forward")
    options.order = LaneOrder::forward;
  else if (word == "reverse")
    options.order = LaneOrder::reverse;
  else if (word.starts_with("random")) {
    options.order = LaneOrder::random;
    options.seed = 1;
    const std::string_view seed = word.substr(6);
    if (seed.empty()) return true;
    const auto [end, error] =
        std::from_chars(seed.data() + 1, seed.data() + seed.size(), options.seed);
    return seed[0] == '=' && error == std::errc{} && end == seed.data() + seed.size();
  } else
    return false;
  return true;
}

}  // namespace

HostOptions parse_host_variant(std::string_view variant) {
  HostOptions options;
  while (!variant.empty()) {
    const auto end = std::min(variant.find(','), variant.size());
    const std::string_view word = variant.substr(0, end);
    if (!apply_word(options, word)) {
      throw UsageError(
          fmt::format("unknown host variant '{}'; known: wave1, wave32, wave64, forward, "
                      "reverse, random, random=SEED",
                      word));
    }
    variant.remove_prefix(std::min(end + 1, variant.size()));
  }
  return options;
}

std::unique_ptr<Platform> make_host_platform() {
  return std::make_unique<HostPlatform>();
}

std::unique_ptr<Device> make_host_device(const HostOptions& options) {
  return std::make_unique<HostDevice>(options, HostCompiler().version());
}

}  // namespace redtune::device::host
