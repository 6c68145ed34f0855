// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/guarded_output.hpp"

#include <algorithm>

namespace redtune::tuner {

GuardedOutput::GuardedOutput(device::Device& device)
    : device_(device),
      memory_(device.allocate(2 * guard_bytes + most_bytes)),
      copy_(2 * guard_bytes + most_bytes) {}

void* GuardedOutput::address() const {
  return static_cast<std::byte*>(memory_.data()) + guard_bytes;
}

void GuardedOutput::poison() {
  device_.fill(memory_.data(), pattern, memory_.bytes());
}

const void* GuardedOutput::value() const {
  return copy_.data() + guard_bytes;
}

std::string GuardedOutput::read(const Problem& problem) {
  device_.copy_to_host(copy_.data(), memory_.data(), memory_.bytes());
  const auto untouched = [](std::byte value) { return value == pattern; };
  const auto result = copy_.begin() + guard_bytes;
  if (!std::all_of(copy_.begin(), result, untouched)) return "wrote before its output";
  const auto end = result + static_cast<std::ptrdiff_t>(result_bytes(problem));
  if (!std::all_of(end, copy_.end(), untouched)) {
    return "wrote past its output";
  }
  return {};
}

}  // namespace redtune::tuner
