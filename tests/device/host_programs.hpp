// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Small hand-written kernels on host devices: the prelude, a few lines, the host compiler.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device/host/host_compiler.hpp"
#include "device/host/host_platform.hpp"
#include "kernel_templates/text/device_text.hpp"
#include "redtune/error.hpp"

namespace redtune::device::host {

/// Compiles the body of namespace redtune, with the prelude before it. Kernel i is names[i].
inline CompiledProgram compile_kernels(const std::string& body, std::vector<std::string> names) {
  for (std::string& name : names) name.insert(0, "redtune::");
  const std::string text = kernels::program_text("device_code/prelude.hip.h") +
                           "\nnamespace redtune {\n" + body + "\n}\n";
  auto result = HostCompiler().compile({text, std::move(names), "native"});
  if (const auto* failure = std::get_if<CompileFailure>(&result)) throw Error(failure->log);
  return std::get<CompiledProgram>(std::move(result));
}

/// A launch with these arguments.
template <class... Values>
Launch launch_of(Kernel kernel, std::int64_t grid, int block, Values... values) {
  Launch launch{kernel, grid, block, {}};
  (launch.arguments.append(values), ...);
  return launch;
}

/// Device memory for `count` numbers, all zero.
template <class T>
class Numbers {
 public:
  Numbers(Device& device, std::size_t count)
      : device_(device), buffer_(device.allocate(count * sizeof(T))), count_(count) {
    device.fill(buffer_.data(), std::byte{0}, buffer_.bytes());
  }
  [[nodiscard]] T* data() const { return static_cast<T*>(buffer_.data()); }
  [[nodiscard]] std::vector<T> read() const {
    std::vector<T> values(count_);
    device_.copy_to_host(values.data(), buffer_.data(), buffer_.bytes());
    return values;
  }

 private:
  Device& device_;
  Buffer buffer_;
  std::size_t count_;
};

}  // namespace redtune::device::host
