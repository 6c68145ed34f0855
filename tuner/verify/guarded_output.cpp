// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/guarded_output.hpp"

#include <algorithm>

namespace redtune::tuner {

GuardedOutput::GuardedOutput(device::Device& device, std::size_t places)
    : device_(device),
      memory_(device.allocate(places * place_bytes)),
      copy_(places * place_bytes) {}

void* GuardedOutput::address(std::size_t place) const {
  return static_cast<std::byte*>(memory_.data()) + place * place_bytes + guard_bytes;
}

std::vector<const void*> GuardedOutput::addresses() const {
  std::vector<const void*> all;
  for (std::size_t place = 0; place < places(); ++place) all.push_back(address(place));
  return all;
}

void GuardedOutput::poison() {
  device_.fill(memory_.data(), pattern, memory_.bytes());
}

const void* GuardedOutput::value(std::size_t place) const {
  return copy_.data() + place * place_bytes + guard_bytes;
}

std::string GuardedOutput::read(const Problem& problem) {
  device_.copy_to_host(copy_.data(), memory_.data(), memory_.bytes());
  const auto untouched = [](std::byte value) { return value == pattern; };
  for (auto begin = copy_.begin(); begin != copy_.end(); begin += place_bytes) {
    const auto result = begin + guard_bytes;
    if (!std::all_of(begin, result, untouched)) return "wrote before its output";
    const auto end = result + static_cast<std::ptrdiff_t>(result_bytes(problem));
    if (!std::all_of(end, begin + place_bytes, untouched)) return "wrote past its output";
  }
  return {};
}

}  // namespace redtune::tuner
