// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A binary loaded onto a GPU.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/gpu/context.hpp"

namespace redtune::device::gpu {

template <Api A>
class GpuModule final : public Module {
 public:
  GpuModule(const std::shared_ptr<const Context<A>>& context, std::span<const std::byte> binary)
      : context_(context),
        binary_(binary.begin(), binary.end()),
        module_(context, load(*context, binary_)) {}

  [[nodiscard]] Kernel kernel(const std::string& symbol) const override {
    const auto current = context_->enter();
    typename A::Function function{};
    const auto status = A::find_function(&function, module_.get(), symbol.c_str());
    if (status != A::success) fail<A>(status, fmt::format("find the kernel '{}'", symbol));
    return Kernel{function};
  }

 private:
  static typename A::Module load(const Context<A>& context, std::span<const std::byte> binary) {
    if (binary.empty()) throw DeviceError("cannot load a binary of 0 bytes");
    const auto current = context.enter();
    typename A::Module module{};
    check<A>(A::load_module(&module, binary.data()), "load a binary onto the device");
    return module;
  }

  std::shared_ptr<const Context<A>> context_;
  // Kept as long as the module: HIP goes on reading the image where it was when it was loaded.
  std::vector<std::byte> binary_;
  OwnedModule<A> module_;
};

}  // namespace redtune::device::gpu
