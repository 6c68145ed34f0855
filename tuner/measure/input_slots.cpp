// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/input_slots.hpp"

#include <algorithm>
#include <vector>

namespace redtune::tuner {
namespace {

constexpr std::size_t alignment = 256;

struct Slots {
  std::size_t in_turns = 1;
  std::size_t sites = 1;
};

/// One site is enough for what no cache holds, and where batches are no graphs; there are two
/// copies at one site alone.
Slots warm_slots(const device::Device& device, std::size_t stride, std::size_t cache) {
  const bool has_sites = stride <= cache && device.batching() == device::Batching::graph;
  return {.in_turns =
              std::clamp<std::size_t>(cache / 4 / stride, has_sites ? 1 : 2, most_places_at_a_site),
          .sites = has_sites ? most_sites : 1};
}

Slots wanted_slots(const device::Device& device, std::size_t stride, CacheMode mode) {
  const auto cache =
      static_cast<std::size_t>(device.identity().device_class.last_level_cache_bytes);
  if (mode == CacheMode::warm) return warm_slots(device, stride, cache);
  return {.in_turns = 2 * cache / stride + 2};
}

}  // namespace

InputSlots::InputSlots(device::Device& device, const SlotContent& content, CacheMode mode)
    : stride_((std::max<std::size_t>(content.bytes, 1) + alignment - 1) / alignment * alignment),
      count_(1),
      in_turns_(1) {
  const Slots wanted = wanted_slots(device, stride_, mode);
  count_ = std::clamp<std::size_t>(device.free_memory() / 2 / stride_, 1,
                                   wanted.in_turns * wanted.sites);
  in_turns_ = std::min(count_, wanted.in_turns);
  memory_ = device.allocate(stride_ * count_);
  std::vector<std::byte*> places;
  for (std::size_t i = 0; i < count_; ++i) {
    places.push_back(static_cast<std::byte*>(memory_.data()) + i * stride_);
  }
  content.write(places);
}

InputSlots::InputSlots(device::Device& device, std::span<const std::byte> input, CacheMode mode)
    : InputSlots(device,
                 {input.size(),
                  [&](std::span<std::byte* const> places) {
                    for (std::byte* const place : places) {
                      device.copy_to_device(place, input.data(), input.size());
                    }
                  }},
                 mode) {}

const void* InputSlots::next() {
  turn_ = turn();
  return address(turn_);
}

std::vector<std::span<const std::byte>> InputSlots::others(std::size_t from,
                                                           std::size_t taken) const {
  std::vector<std::span<const std::byte>> pieces;
  const std::size_t rest = count_ - std::min(taken, count_);
  const std::size_t begin = (from + taken) % count_;
  const std::size_t first = std::min(rest, count_ - begin);
  const auto add = [&](std::size_t slot, std::size_t slots) {
    const auto* const memory = static_cast<const std::byte*>(address(slot));
    if (slots > 0) pieces.emplace_back(memory, slots * stride_);
  };
  add(begin, first);
  add(0, rest - first);
  return pieces;
}

}  // namespace redtune::tuner
