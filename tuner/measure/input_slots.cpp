// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/input_slots.hpp"

#include <algorithm>
#include <vector>

namespace redtune::tuner {
namespace {

constexpr std::size_t alignment = 256;
constexpr std::size_t fewest_warm = 2;

/// Copies that stay in a cache of so many bytes beside other things, for each site. One site is
/// enough for what no cache holds, and where batches are no graphs.
std::size_t warm_slots(const device::Device& device, std::size_t stride, std::size_t cache) {
  const std::size_t sites =
      stride <= cache && device.batching() == device::Batching::graph ? most_sites : 1;
  return sites * std::clamp<std::size_t>(cache / 4 / stride, fewest_warm, most_places_at_a_site);
}

std::size_t slots(const device::Device& device, std::size_t stride, CacheMode mode) {
  const auto cache =
      static_cast<std::size_t>(device.identity().device_class.last_level_cache_bytes);
  const std::size_t wanted =
      mode == CacheMode::warm ? warm_slots(device, stride, cache) : 2 * cache / stride + 2;
  return std::clamp<std::size_t>(device.free_memory() / 2 / stride, 1, wanted);
}

}  // namespace

InputSlots::InputSlots(device::Device& device, const SlotContent& content, CacheMode mode)
    : stride_((std::max<std::size_t>(content.bytes, 1) + alignment - 1) / alignment * alignment),
      count_(slots(device, stride_, mode)) {
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
