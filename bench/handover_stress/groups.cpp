// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/handover_stress/groups.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <span>

#include "device/registry.hpp"
#include "kernel_templates/segments/keyed_tiles.hpp"
#include "redtune/error.hpp"
#include "redtune/reduce_by_key.hpp"
#include "runtime/resolve.hpp"
#include "search/rng.hpp"

namespace redtune::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using Key = std::uint32_t;

constexpr int key_bits = 8 * sizeof(Key);
constexpr std::int64_t most_elements = 1 << 19;  // more tiles than a look-back sees at a time
constexpr std::int64_t launches_of_batch = 16;
constexpr std::byte poison_of_groups{0xa5};
constexpr std::array types{DType::f32, DType::f64, DType::i64};

Problem problem_of(DType type) {
  return make_problem(Op::sum, type, Shape::segments(most_elements, most_elements / 16));
}

/// Neighbouring keys, what they add up to, and both on the device.
template <class T>
struct KeyedInput {
  std::vector<Key> keys_of_groups;
  std::vector<T> sums;
  std::int64_t count = 0;
  device::Buffer keys;
  device::Buffer values;
};

/// Groups of up to twice the mean length, and a giant in their middle. Small whole numbers: their
/// sums are exact in any order.
template <class T>
KeyedInput<T> keyed_input(device::Device& device, std::int64_t count, std::size_t mean_length,
                          std::uint64_t seed) {
  search::Rng random(seed);
  KeyedInput<T> input;
  input.count = count;
  std::vector<Key> keys;
  std::vector<T> values;
  const auto all = static_cast<std::size_t>(count);
  const auto giant = all / 3;
  for (bool is_giant_due = true; keys.size() < all;) {
    std::size_t length = 1 + random.below(2 * mean_length);
    if (is_giant_due && keys.size() >= giant) {
      length = giant;
      is_giant_due = false;
    }
    length = std::min(length, all - keys.size());
    const auto key = static_cast<Key>(2654435761U * (input.sums.size() + seed));
    T sum = 0;
    for (std::size_t i = 0; i < length; ++i) {
      values.push_back(static_cast<T>(random.below(16)));
      sum += values.back();
    }
    keys.insert(keys.end(), length, key);
    input.keys_of_groups.push_back(key);
    input.sums.push_back(sum);
  }
  const auto bring = [&](const auto& elements) {
    device::Buffer buffer = device.allocate(elements.size() * sizeof(elements[0]));
    device.copy_to_device(buffer.data(), elements.data(), buffer.bytes());
    return buffer;
  };
  input.keys = bring(keys);
  input.values = bring(values);
  return input;
}

/// Where a launch leaves what it finds: poisoned before it.
template <class T>
class Found {
 public:
  explicit Found(device::Device& device)
      : device_(device),
        keys_(device.allocate(most_elements * sizeof(Key))),
        sums_(device.allocate(most_elements * sizeof(T))),
        groups_(device.allocate(sizeof(std::int64_t))) {}

  void poison() {
    for (device::Buffer* buffer : {&keys_, &sums_, &groups_}) {
      device_.fill(buffer->data(), poison_of_groups, buffer->bytes());
    }
  }
  void launch(ByKeyReducer& reducer, const KeyedInput<T>& input) {
    reducer.launch_bytes({input.keys.data(), input.values.data(), input.count, keys_.data(),
                          sums_.data(), static_cast<std::int64_t*>(groups_.data())},
                         {});
  }
  /// What is wrong with it; empty: nothing.
  [[nodiscard]] std::string why_wrong(const KeyedInput<T>& input) const {
    const std::size_t right = input.sums.size();
    if (const auto many = brought<std::int64_t>(groups_, 1).front();
        many != static_cast<std::int64_t>(right)) {
      return fmt::format("{} groups instead of {}", many, right);
    }
    const auto keys = brought<Key>(keys_, right);
    const auto sums = brought<T>(sums_, right);
    for (std::size_t i = 0; i < right; ++i) {
      if (keys[i] == input.keys_of_groups[i] && sums[i] == input.sums[i]) continue;
      return fmt::format("group {}: {} of key {} instead of {} of {}", i, sums[i], keys[i],
                         input.sums[i], input.keys_of_groups[i]);
    }
    return {};
  }

 private:
  template <class Element>
  [[nodiscard]] std::vector<Element> brought(const device::Buffer& from, std::size_t many) const {
    std::vector<Element> elements(many);
    device_.copy_to_host(elements.data(), from.data(), many * sizeof(Element));
    return elements;
  }

  device::Device& device_;
  device::Buffer keys_;
  device::Buffer sums_;
  device::Buffer groups_;
};

template <class T>
Tally run_typed(const StressCase& one, const std::string& name, const Endurance& endurance,
                std::chrono::seconds patience) {
  const auto memory = device::open(runtime::registry().select(name));
  std::vector<KeyedInput<T>> inputs;
  inputs.push_back(keyed_input<T>(*memory, most_elements, 4, 1));
  inputs.push_back(keyed_input<T>(*memory, most_elements - 1, 200, 2));
  inputs.push_back(keyed_input<T>(*memory, most_elements / 5, 16, 3));
  std::vector<Found<T>> found;
  for (std::int64_t i = 0; i < launches_of_batch; ++i) found.emplace_back(*memory);
  ByKeyReducer reducer(one.problem, key_bits, {.device = name}, {.way = ByKeyWay::tiles});
  Watchdog watchdog(patience);
  Tally tally;
  const auto begin = Clock::now();
  const bool is_timed = endurance.most_time.count() > 0;
  while (tally.launches < endurance.launches) {
    if (is_timed && tally.launches > 0 && Seconds(Clock::now() - begin) >= endurance.most_time)
      break;
    const auto many =
        static_cast<std::size_t>(std::min(launches_of_batch, endurance.launches - tally.launches));
    const auto input_of = [&](std::size_t i) -> const KeyedInput<T>& {
      return inputs[(static_cast<std::size_t>(tally.launches) + i) % inputs.size()];
    };
    for (Found<T>& one_of_them : found) one_of_them.poison();
    watchdog.expect(fmt::format("groups by key, {}", describe(one.problem)));
    for (std::size_t i = 0; i < many; ++i) found[i].launch(reducer, input_of(i));
    reducer.synchronize();
    watchdog.calm();
    for (std::size_t i = 0; i < many; ++i) {
      const std::string why = found[i].why_wrong(input_of(i));
      if (why.empty() || tally.wrong++ > 0) continue;
      tally.first_wrong =
          fmt::format("launch {}: {}", tally.launches + static_cast<std::int64_t>(i), why);
    }
    tally.launches += static_cast<std::int64_t>(many);
  }
  tally.seconds = Seconds(Clock::now() - begin).count();
  return tally;
}

}  // namespace

std::vector<StressCase> cases_of_groups(const Limits& limits) {
  std::vector<StressCase> cases;
  for (const DType type : types) {
    const Problem problem = problem_of(type);
    const auto tiles = kernels::default_keyed_tiles(key_bits, problem, limits);
    if (!kernels::why_not_in_tiles(tiles, key_bits, problem, limits).empty()) continue;
    cases.push_back(
        {problem, kernels::settings_of(tiles), kernels::keyed_tiles_grid(tiles, most_elements)});
  }
  return cases;
}

Tally run_groups(const StressCase& one, const std::string& device, const Endurance& endurance,
                 std::chrono::seconds patience) {
  switch (one.problem.in) {
    case DType::f32:
      return run_typed<float>(one, device, endurance, patience);
    case DType::f64:
      return run_typed<double>(one, device, endurance, patience);
    case DType::i64:
      return run_typed<std::int64_t>(one, device, endurance, patience);
    default:
      throw Error(fmt::format("groups of {} are not known here", to_string(one.problem.in)));
  }
}

}  // namespace redtune::bench
