// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Making a Reducer from kernels that are compiled already, and asking for what nobody has tuned.
#include <algorithm>
#include <cstdlib>
#include <map>

#include "bench/launch_overhead/measure.hpp"
#include "bench/launch_overhead/results.hpp"
#include "bench/launch_overhead/sides.hpp"
#include "device/registry.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/reducer.hpp"
#include "runtime/resolve.hpp"

namespace redtune::bench {

ConstructionCost measure_construction(const Target& target, const std::filesystem::path& folder) {
  constexpr int classes = 10;
  constexpr int repetitions = 15;
  const auto selection = runtime::registry().select(target.device);
  const auto device = device::open(selection);
  const kernels::Family& family = kernels::find_family("reduce");
  const search::Space space = family.space(sum_of(tuned_count), device->limits());
  std::map<std::int64_t, Settings> tuned;
  for (int i = 0; i < classes; ++i) {
    tuned[std::int64_t{1} << (6 + 3 * i)] =
        family.settings_at(space[(2 * static_cast<std::size_t>(i) + 1) * space.size() / 20]);
  }
  const LookupOptions lookup =
      publish(folder / "construction.db", sum_of(0), device->identity(), tuned);
  const auto construct = [&] {
    const auto begin = Clock::now();
    const Reducer reducer(sum_of(tuned_count), {.device = target.device, .lookup = lookup});
    return nanoseconds_since(begin) / 1e6;
  };
  ConstructionCost cost{.classes = classes, .compiled_ms = construct()};
  std::vector<double> all;
  std::vector<double> opening;
  for (int i = 0; i < repetitions; ++i) {
    const auto begin = Clock::now();
    const auto opened = device::open(selection);
    opening.push_back(nanoseconds_since(begin) / 1e6);
    all.push_back(construct());
  }
  cost.from_disk_ms = compare::median_of(all).median;
  cost.open_ms = compare::median_of(opening).median;
  return cost;
}

WantedCost measure_wanted(const Target& target, const std::filesystem::path& folder) {
  const int launches = launches_on(target);
  const auto device = device::open(runtime::registry().select(target.device));
  const LookupOptions nothing_tuned = publish(folder / "nothing.db", device->identity(),
                                              std::vector<std::pair<Problem, Settings>>());
  const auto make = [&](std::int64_t count, const char* wanted) {
    setenv("REDTUNE_WANTED", wanted, 1);
    return Reducer(sum_of(count), {.device = target.device, .lookup = nothing_tuned});
  };
  std::int64_t asked = real_count;
  std::vector<double> times;
  const Turn made_without = [&] {
    const auto begin = Clock::now();
    (void)make(asked, "off");
    return nanoseconds_since(begin) / 1e3;
  };
  const Turn made_with = [&] {
    const auto begin = Clock::now();
    (void)make(++asked, "on");
    times.push_back(nanoseconds_since(begin) / 1e3);
    return times.back();
  };
  for (int i = 0; i < 3; ++i) (void)made_without();  // compiles
  const double first = made_with();
  const auto made = take_turns(rounds, made_without, made_with);
  const auto difference = [](const Round& round) { return round.other - round.one; };
  WantedCost cost{.made_without = median_over(made, &Round::one),
                  .made_with = median_over(made, &Round::other),
                  .made_more = median_over(made, difference),
                  .questions = times.size()};
  cost.first_more = first - cost.made_without.median;
  cost.longest_more = *std::ranges::max_element(times) - cost.made_without.median;

  const Reducer without = make(real_count, "off");
  const Reducer with = make(asked + 1, "on");
  Workspace in_without = without.make_workspace();
  Workspace in_with = with.make_workspace();
  const device::Buffer in = device->allocate(real_count * sizeof(float));
  const device::Buffer out = device->allocate(sizeof(float));
  const auto side = [&](const Reducer& reducer, Workspace& workspace) {
    return Side{[&, launches] {
                  for (int i = 0; i < launches; ++i) {
                    reducer.launch(static_cast<const float*>(in.data()), real_count,
                                   static_cast<float*>(out.data()), workspace);
                  }
                },
                [&] { reducer.synchronize(); }};
  };
  const auto launched = take_turns(rounds, timed(side(without, in_without), launches),
                                   timed(side(with, in_with), launches));
  cost.launch_without = median_over(launched, &Round::one);
  cost.launch_with = median_over(launched, &Round::other);
  cost.launch_more = median_over(launched, difference);
  return cost;
}

}  // namespace redtune::bench
