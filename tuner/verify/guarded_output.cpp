// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/guarded_output.hpp"

#include <algorithm>
#include <span>

namespace redtune::tuner {

GuardedOutput::GuardedOutput(device::Device& device, std::size_t most_bytes, std::size_t places)
    : device_(device),
      most_bytes_(most_bytes),
      place_bytes_(2 * guard_bytes + std::max<std::size_t>(1, (most_bytes + 15) / 16) * 16),
      memory_(device.allocate(places * place_bytes_)),
      copy_(places * place_bytes_) {}

void* GuardedOutput::address(std::size_t place) const {
  return static_cast<std::byte*>(memory_.data()) + place * place_bytes_ + guard_bytes;
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
  return copy_.data() + place * place_bytes_ + guard_bytes;
}

void GuardedOutput::fetch() {
  device_.copy_to_host(copy_.data(), memory_.data(), memory_.bytes());
}

std::string GuardedOutput::why_beside(std::size_t place, std::size_t bytes) const {
  const auto untouched = [](std::byte value) { return value == pattern; };
  const auto here = std::span(copy_).subspan(place * place_bytes_, place_bytes_);
  if (!std::ranges::all_of(here.first(guard_bytes), untouched)) return "wrote before its output";
  if (!std::ranges::all_of(here.subspan(guard_bytes + bytes), untouched)) {
    return "wrote past its output";
  }
  return {};
}

std::string GuardedOutput::read(std::size_t bytes) {
  fetch();
  for (std::size_t place = 0; place < places(); ++place) {
    std::string why = why_beside(place, bytes);
    if (!why.empty()) return why;
  }
  return {};
}

}  // namespace redtune::tuner
