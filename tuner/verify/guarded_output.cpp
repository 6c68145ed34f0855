// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/guarded_output.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace redtune::tuner {

GuardedOutput::GuardedOutput(device::Device& device, std::size_t most_bytes, std::size_t places)
    : device_(device),
      most_bytes_(most_bytes),
      places_(places),
      place_bytes_(2 * guard_bytes + std::max<std::size_t>(1, (most_bytes + 15) / 16) * 16),
      memory_(device.allocate(places_ * place_bytes_)) {}

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
  copy_.resize(memory_.bytes());
  device_.copy_to_host(copy_.data(), memory_.data(), memory_.bytes());
}

std::string GuardedOutput::why_touched(std::span<const std::byte> before,
                                       std::span<const std::byte> behind) {
  const auto is_touched = [](std::span<const std::byte> guard) {
    if (guard.empty()) return false;
    return guard.front() != pattern ||
           std::memcmp(guard.data(), guard.data() + 1, guard.size() - 1) != 0;
  };
  if (is_touched(before)) return "wrote before its output";
  if (is_touched(behind)) return "wrote past its output";
  return {};
}

std::string GuardedOutput::why_beside(std::size_t place, std::size_t bytes) const {
  const auto here = std::span(copy_).subspan(place * place_bytes_, place_bytes_);
  return why_touched(here.first(guard_bytes), here.subspan(guard_bytes + bytes));
}

std::string GuardedOutput::read(std::size_t bytes) {
  fetch();
  for (std::size_t place = 0; place < places(); ++place) {
    std::string why = why_beside(place, bytes);
    if (!why.empty()) return why;
  }
  return {};
}

std::string GuardedOutput::read_beside(std::size_t bytes) const {
  std::vector<std::byte> before(guard_bytes);
  std::vector<std::byte> behind(place_bytes_ - guard_bytes - bytes);
  for (std::size_t place = 0; place < places(); ++place) {
    const auto* const output = static_cast<const std::byte*>(address(place));
    device_.copy_to_host(before.data(), output - guard_bytes, before.size());
    device_.copy_to_host(behind.data(), output + bytes, behind.size());
    std::string why = why_touched(before, behind);
    if (!why.empty()) return why;
  }
  return {};
}

void GuardedOutput::read_part(std::size_t place, std::size_t from, std::span<std::byte> to) const {
  device_.copy_to_host(to.data(), static_cast<const std::byte*>(address(place)) + from, to.size());
}

}  // namespace redtune::tuner
