// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A module whose devices throw when they are opened: device N the kind of error in row N.
#include <array>
#include <new>
#include <stdexcept>

#include "device/platform.hpp"
#include "redtune/error.hpp"

namespace redtune::device {
namespace {

template <class E>
void raise(const std::string& text) {
  throw E(text);
}

void raise_bad_alloc(const std::string&) {
  throw std::bad_alloc();
}

struct Kind {
  std::string_view name;
  void (*raise)(const std::string& text);
};

/// CMakeLists.txt has the same order.
constexpr std::array kinds{
    Kind{"DeviceError", raise<DeviceError>},
    Kind{"NoSuchDevice", raise<NoSuchDevice>},
    Kind{"OutOfMemory", raise<OutOfMemory>},
    Kind{"UsageError", raise<UsageError>},
    Kind{"UnmetMatch", raise<UnmetMatch>},
    Kind{"IoError", raise<IoError>},
    Kind{"Error", raise<Error>},
    Kind{"runtime_error", raise<std::runtime_error>},
    Kind{"bad_alloc", raise_bad_alloc},
};

class ThrowingPlatform final : public Platform {
 public:
  [[nodiscard]] std::string_view name() const override { return "cuda"; }
  /// Those that `redtune devices` shows as devices that cannot be used.
  [[nodiscard]] int device_count() const override { return 3; }
  [[nodiscard]] std::string why_no_devices() const override { return {}; }
  [[nodiscard]] std::unique_ptr<Device> open(int ordinal, std::string_view) override {
    (void)facts(ordinal, {});
    return nullptr;
  }
  [[nodiscard]] Facts facts(int ordinal, std::string_view) const override {
    const Kind& kind = kinds.at(static_cast<std::size_t>(ordinal));
    kind.raise("thrown as " + std::string(kind.name));
    return {};
  }
  [[nodiscard]] const Compiler& compiler() const override { throw DeviceError("no compiler"); }
  [[nodiscard]] std::string arch_of(const DeviceIdentity&) const override { return {}; }
  [[nodiscard]] Limits limits_of(std::string_view) const override { return {}; }
};

std::unique_ptr<Platform> open_throwing() {
  return std::make_unique<ThrowingPlatform>();
}

}  // namespace
}  // namespace redtune::device

extern "C" {
extern const redtune::device::ModuleEntry redtune_device_module
    __attribute__((visibility("default")));
const redtune::device::ModuleEntry redtune_device_module{redtune::device::module_abi,
                                                         &redtune::device::open_throwing};
}
