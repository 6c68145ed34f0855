// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/input_slots.hpp"

#include <algorithm>
#include <vector>

namespace redtune::tuner {
namespace {

/// Where copies are a page of the device apart, or some part of one, all lie in few parts of their
/// pages, and these have speeds of their own. Those of some size are shifted from one to the next,
/// by no simple part of a page of 2 MiB.
constexpr std::size_t shift = std::size_t{816} << 10;
constexpr std::size_t some_size = std::size_t{512} << 10;

/// Slots that are written each by itself, and what is copied at a time to the others.
constexpr std::size_t most_written = 64;
constexpr std::size_t most_copied_bytes = std::size_t{1} << 24;

constexpr std::size_t aligned(std::size_t bytes) {
  constexpr std::size_t alignment = 256;
  return (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
}

constexpr std::size_t stride_of(std::size_t bytes) {
  return aligned(bytes) + (bytes < some_size ? 0 : shift);
}

struct Slots {
  std::size_t in_turns = 1;
  std::size_t sites = 1;
};

/// One site is enough for what no cache holds, and where batches are no graphs; there are two
/// copies at one site alone.
Slots warm_slots(const device::Device& device, std::size_t bytes, std::size_t cache) {
  const bool has_sites = bytes <= cache && device.batching() == device::Batching::graph;
  return {.in_turns =
              std::clamp<std::size_t>(cache / 4 / bytes, has_sites ? 1 : 2, most_places_at_a_site),
          .sites = has_sites ? most_sites : 1};
}

Slots wanted_slots(const device::Device& device, std::size_t bytes, CacheMode mode) {
  const auto cache =
      static_cast<std::size_t>(device.identity().device_class.last_level_cache_bytes);
  if (mode == CacheMode::warm) return warm_slots(device, bytes, cache);
  return {.in_turns = 2 * cache / bytes + 2};
}

}  // namespace

InputSlots::InputSlots(device::Device& device, const SlotContent& content, CacheMode mode)
    : bytes_(aligned(content.bytes)),
      stride_(stride_of(content.bytes)),
      count_(1),
      in_turns_(1),
      are_cold_(mode == CacheMode::cold) {
  const Slots wanted = wanted_slots(device, bytes_, mode);
  count_ = std::clamp<std::size_t>(device.free_memory() / 2 / stride_, 1,
                                   wanted.in_turns * wanted.sites);
  in_turns_ = std::min(count_, wanted.in_turns);
  memory_ = device.allocate(stride_ * (count_ - 1) + bytes_);
  std::vector<std::byte*> places;
  for (std::size_t i = 0; i < std::min(count_, most_written); ++i) places.push_back(place(i));
  content.write(places);
  if (places.size() < count_) repeat_first(device, places.size());
}

/// Hundreds of thousands of small inputs one by one would take longer than all else that is set up.
void InputSlots::repeat_first(device::Device& device, std::size_t written) {
  const std::size_t at_a_time =
      std::min(std::max<std::size_t>(most_copied_bytes / stride_, 1), count_ - written);
  std::vector<std::byte> copies(at_a_time * stride_);
  device.copy_to_host(copies.data(), memory_.data(), bytes_);
  for (std::size_t i = 1; i < at_a_time; ++i) {
    std::copy_n(copies.begin(), bytes_, copies.begin() + static_cast<std::ptrdiff_t>(i * stride_));
  }
  for (std::size_t i = written; i < count_; i += at_a_time) {
    const std::size_t here = std::min(at_a_time, count_ - i);
    device.copy_to_device(place(i), copies.data(), (here - 1) * stride_ + bytes_);
  }
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
  turn_ = (turn_ + 1) % in_turns_;
  return address(turn_);
}

}  // namespace redtune::tuner
