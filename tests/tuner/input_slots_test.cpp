// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Copies of an input: enough of them that a cold measurement finds none in a cache.
#include "tuner/measure/input_slots.hpp"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <set>

#include "tests/tuner/imagined_device.hpp"

namespace redtune::tuner {
namespace {

std::vector<std::byte> pattern(std::size_t bytes) {
  std::vector<std::byte> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::byte>(i * 7 + 1);
  return data;
}

/// The addresses of so many turns.
std::vector<const void*> turns(InputSlots& slots, std::size_t count) {
  std::vector<const void*> addresses;
  for (std::size_t i = 0; i < count; ++i) addresses.push_back(slots.next());
  return addresses;
}

TEST(InputSlots, ColdHasTwiceTheLastLevelCacheBetweenTwoUsesOfASlot) {
  ImaginedDevice device({.cache_bytes = 1 << 20, .free_bytes = std::size_t{1} << 30});
  for (const std::size_t bytes : {1u, 256u, 1000u, 300000u, 1u << 20, 5u << 20}) {
    const InputSlots slots(device, pattern(bytes), CacheMode::cold);
    EXPECT_GE(slots.count(), 2u) << bytes;
    EXPECT_GE((slots.count() - 1) * (bytes + 255), 2u << 20) << bytes;
  }
}

TEST(InputSlots, RotatesThroughAllItsSlots) {
  ImaginedDevice device({.cache_bytes = 1 << 20, .free_bytes = std::size_t{1} << 30});
  const auto data = pattern(300000);
  InputSlots slots(device, data, CacheMode::cold);
  const auto first = turns(slots, slots.count());
  EXPECT_EQ(std::set<const void*>(first.begin(), first.end()).size(), slots.count());
  EXPECT_EQ(turns(slots, slots.count()), first) << "the second time round";
  for (const void* slot : first) EXPECT_EQ(std::memcmp(slot, data.data(), data.size()), 0);
}

TEST(InputSlots, TakesAtMostHalfTheFreeMemoryButAlwaysOneSlot) {
  ImaginedDevice device({.cache_bytes = 1 << 20, .free_bytes = 1 << 20});
  EXPECT_EQ(InputSlots(device, pattern(100 * 1024), CacheMode::cold).count(), 5u);
  EXPECT_EQ(InputSlots(device, pattern(900 * 1024), CacheMode::cold).count(), 1u);
}

TEST(InputSlots, EachOfManySmallOnesHoldsTheInput) {
  const auto input = pattern(100);
  for (const std::int64_t cache : {1 << 20, 9 << 20}) {
    ImaginedDevice device({.cache_bytes = cache, .free_bytes = std::size_t{1} << 30});
    InputSlots slots(device, input, CacheMode::cold);
    ASSERT_EQ(slots.count(), static_cast<std::size_t>(2 * cache / 256 + 2));
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < slots.count(); ++i) {
      wrong += std::memcmp(slots.next(), input.data(), input.size()) != 0 ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0U) << slots.count();
  }
}

TEST(InputSlots, WarmStaysWithOneSlotAndThenTheNext) {
  ImaginedDevice device({.cache_bytes = 1 << 20, .free_bytes = std::size_t{1} << 30});
  const InputSlots slots(device, pattern(1 << 16), CacheMode::warm);
  EXPECT_EQ(slots.count(), 4U) << "in a quarter of the cache";
  EXPECT_EQ(slots.of_warm({0, 1}), slots.first());
  std::vector<const void*> addresses;
  for (std::size_t i = 0; i < 12; ++i) addresses.push_back(slots.of_warm({i, 12}));
  EXPECT_TRUE(std::ranges::is_sorted(addresses));
  for (const void* const address : std::set(addresses.begin(), addresses.end())) {
    EXPECT_EQ(std::ranges::count(addresses, address), 3);
  }
}

TEST(InputSlots, WarmHasTwoOfALargeInputAndNotMoreOfASmallOneThanABatchGoesThrough) {
  ImaginedDevice device({.cache_bytes = 1 << 20, .free_bytes = std::size_t{1} << 30});
  EXPECT_EQ(InputSlots(device, pattern(5 << 20), CacheMode::warm).count(), 2U);
  EXPECT_EQ(InputSlots(device, pattern(100), CacheMode::warm).count(), most_places_at_a_site);
}

/// Whose batches are graphs.
class GraphDevice : public ImaginedDevice {
 public:
  using ImaginedDevice::ImaginedDevice;
  [[nodiscard]] device::Batching batching() const override { return device::Batching::graph; }
};

TEST(InputSlots, WarmHasThatForEverySiteWhereBatchesAreGraphs) {
  GraphDevice device({.cache_bytes = 1 << 20, .free_bytes = std::size_t{1} << 30});
  const auto copies = [&](std::size_t bytes) {
    return InputSlots(device, pattern(bytes), CacheMode::warm).count();
  };
  EXPECT_EQ(copies(100), most_places);
  EXPECT_EQ(copies(1 << 16), 4 * most_sites) << "a quarter of the cache at a site";
  EXPECT_EQ(copies(1 << 20), most_sites) << "two would push each other out";
  EXPECT_EQ(copies((1 << 20) + 1), 2U) << "no cache holds it";
}

/// A page of the device's is 2 MiB.
TEST(InputSlots, LiesAtManyPlacesOfAPage) {
  constexpr std::size_t page = 2 << 20;
  GraphDevice device({.cache_bytes = 50 << 20, .free_bytes = std::size_t{1} << 30});
  for (const std::size_t bytes : {std::size_t{1} << 19, page / 2, page, 2 * page, 5 * page / 2}) {
    const InputSlots slots(device, pattern(bytes), CacheMode::warm);
    std::set<std::size_t> sixteenths;
    for (std::size_t i = 0; i < slots.count(); ++i) {
      sixteenths.insert(i * slots.stride() % page * 16 / page);
    }
    EXPECT_GE(sixteenths.size(), 7U) << bytes;
  }
}

TEST(InputSlots, WarmStaysAtItsSite) {
  GraphDevice device({.cache_bytes = 1 << 20, .free_bytes = std::size_t{1} << 30});
  const InputSlots slots(device, pattern(1 << 16), CacheMode::warm);
  std::set<const void*> all;
  for (std::size_t site = 0; site < most_sites; ++site) {
    std::set<const void*> here;
    for (std::size_t i = 0; i < 12; ++i) here.insert(slots.of_warm({i, 12, site, most_sites}));
    EXPECT_EQ(here.size(), 4U) << site;
    all.merge(here);
    EXPECT_TRUE(here.empty()) << "another site's";
  }
  EXPECT_EQ(all.size(), slots.count());
}

TEST(InputSlots, WarmOnesInTurnsAreThoseOfTheFirstSite) {
  GraphDevice device({.cache_bytes = 1 << 20, .free_bytes = std::size_t{1} << 30});
  InputSlots slots(device, pattern(1 << 16), CacheMode::warm);
  ASSERT_EQ(slots.in_turns(), 4U);
  std::set<const void*> here;
  for (std::size_t i = 0; i < 12; ++i) here.insert(slots.of_warm({i, 12, 0, most_sites}));
  const auto first = turns(slots, 4);
  EXPECT_EQ(std::set<const void*>(first.begin(), first.end()), here);
  EXPECT_EQ(turns(slots, 4), first) << "and round again";
  const InputSlots cold(device, pattern(1 << 16), CacheMode::cold);
  EXPECT_EQ(cold.in_turns(), cold.count());
}

TEST(InputSlots, FewerThanSitesAreTakenInTurn) {
  GraphDevice device({.cache_bytes = 1 << 20, .free_bytes = 11 << 20});
  const InputSlots slots(device, pattern(1 << 20), CacheMode::warm);
  ASSERT_EQ(slots.count(), 3U);
  const auto* const first = static_cast<const std::byte*>(slots.first());
  for (std::size_t site = 0; site < most_sites; ++site) {
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(slots.of_warm({i, 4, site, most_sites}), first + site % 3 * slots.stride());
    }
  }
}

TEST(InputSlots, AreAlignedForEveryVectorLoad) {
  ImaginedDevice device({.cache_bytes = 4096, .free_bytes = std::size_t{1} << 30});
  InputSlots slots(device, pattern(1001), CacheMode::cold);
  for (const void* slot : turns(slots, slots.count())) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(slot) % 256, 0u);
  }
}

TEST(InputSlots, OfAnEmptyInputStillHaveAnAddress) {
  ImaginedDevice device({.cache_bytes = 4096, .free_bytes = std::size_t{1} << 30});
  for (const CacheMode mode : {CacheMode::cold, CacheMode::warm}) {
    InputSlots slots(device, pattern(0), mode);
    EXPECT_NE(slots.next(), nullptr);
  }
}

TEST(InputSlots, SayThatNotEvenOneFits) {
  ImaginedDevice device({.cache_bytes = 4096, .free_bytes = 512});
  EXPECT_THROW(InputSlots(device, pattern(1000), CacheMode::cold), OutOfMemory);
  EXPECT_THROW(InputSlots(device, pattern(1000), CacheMode::warm), OutOfMemory);
}

}  // namespace
}  // namespace redtune::tuner
