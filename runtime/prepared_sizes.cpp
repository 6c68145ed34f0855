// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/prepared_sizes.hpp"

#include <algorithm>

namespace redtune::runtime {
namespace {

std::size_t hash_of_sizes(std::span<const std::int64_t> sizes) noexcept {
  std::uint64_t hash = 0;
  for (const std::int64_t size : sizes) {
    hash = (hash ^ static_cast<std::uint64_t>(size)) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32;
  }
  return hash;
}

constexpr std::size_t slots_at_first = 16;

}  // namespace

PreparedTable::PreparedTable() {
  slots_.push_back(std::make_unique<const Slots>(slots_at_first));
  current_.store(slots_.back().get(), std::memory_order_release);
}

const PreparedSizes* PreparedTable::find(std::span<const std::int64_t> sizes) const noexcept {
  const Slots& slots = *current_.load(std::memory_order_acquire);
  for (std::size_t at = hash_of_sizes(sizes);; ++at) {
    const PreparedSizes* found = slots.all[at & slots.mask].load(std::memory_order_acquire);
    if (found == nullptr || std::ranges::equal(found->sizes, sizes)) return found;
  }
}

void PreparedTable::put(const Slots& slots, const PreparedSizes& prepared) {
  std::size_t at = hash_of_sizes(prepared.sizes);
  while (slots.all[at & slots.mask].load(std::memory_order_relaxed) != nullptr) ++at;
  slots.all[at & slots.mask].store(&prepared, std::memory_order_release);
}

const PreparedSizes& PreparedTable::add(std::unique_ptr<const PreparedSizes> prepared) {
  const std::size_t count = slots_.back()->mask + 1;
  if (2 * (prepared_.size() + 1) > count) {
    auto larger = std::make_unique<const Slots>(2 * count);
    for (const auto& one : prepared_) put(*larger, *one);
    slots_.push_back(std::move(larger));
    current_.store(slots_.back().get(), std::memory_order_release);
  }
  const PreparedSizes& added = *prepared_.emplace_back(std::move(prepared));
  put(*slots_.back(), added);
  return added;
}

}  // namespace redtune::runtime
