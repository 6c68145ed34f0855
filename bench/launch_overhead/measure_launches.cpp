// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Launches through the library, beside the driver's of the same.
#include <algorithm>
#include <fstream>
#include <random>
#include <span>

#include "bench/launch_overhead/bare_driver.hpp"
#include "bench/launch_overhead/measure.hpp"
#include "bench/launch_overhead/results.hpp"
#include "bench/launch_overhead/sides.hpp"
#include "device/registry.hpp"
#include "redtune/kernel.hpp"
#include "redtune/reducer.hpp"
#include "runtime/adopt_kernel.hpp"
#include "runtime/kernel_loader.hpp"
#include "runtime/load_config.hpp"
#include "runtime/planned_launch.hpp"
#include "runtime/resolve.hpp"

namespace redtune::bench {
namespace {

constexpr const char* launched_settings[] = {
    "finish=last_block tile_order=strided blocks_per_unit=4",
    "finish=last_block tile_order=chunked blocks_per_unit=4",
    "finish=second_pass tile_order=strided blocks_per_unit=4",
};

/// Complete and valid on the device, from words that name a few.
Settings completed(const char* words, const DeviceIdentity& identity, const Limits& limits) {
  const kernels::Family& family = kernels::find_family("reduce");
  Settings settings = family.default_settings(sum_of(tuned_count), limits);
  for (const Setting& word : parse_settings(words)) {
    std::ranges::find(settings, word.name, &Setting::name)->value = word.value;
  }
  const std::string why = family.why_invalid(settings, sum_of(tuned_count), limits);
  if (!why.empty()) throw UsageError(identity.name + " cannot run " + words + ": " + why);
  return settings;
}

/// The same launches as the Reducer's, for the bare driver.
class SameLaunches {
 public:
  /// largest: what input and output have place for.
  SameLaunches(const device::Selection& selection, const Settings& settings, const Shape& launched,
               const Shape& largest)
      : device_(device::open(selection)),
        config_(runtime::load_config(*selection.platform, *device_,
                                     {&kernels::family_of(sum_of(launched)), sum_of(launched),
                                      settings, device_->limits()})),
        workspace_(config_.make_workspace(*device_)),
        in_(device_->allocate(input_bytes(sum_of(largest)))),
        out_(device_->allocate(output_bytes(sum_of(largest)))),
        launches_(config_.launches({in_.data(), launched, out_.data()}, workspace_)) {}

  [[nodiscard]] const runtime::Launches& launches() const { return launches_; }
  [[nodiscard]] const float* in() const { return static_cast<const float*>(in_.data()); }
  [[nodiscard]] float* out() const { return static_cast<float*>(out_.data()); }

 private:
  std::unique_ptr<device::Device> device_;
  runtime::LoadedConfig config_;
  runtime::Workspace workspace_;
  device::Buffer in_;
  device::Buffer out_;
  runtime::Launches launches_;
};

/// A kernel as users have them.
constexpr std::string_view scale_text = R"(// redtune: kernel  scale<BLOCK>
// redtune: tune    BLOCK = 64, 128, 256 default 128
// redtune: size    n = 4096
// redtune: launch  block = BLOCK  grid = ceil(n / BLOCK)
// redtune: arg     float out[n] out
// redtune: arg     const float in[n] uniform(-1, 1)
// redtune: arg     int n
// redtune: arg     float factor = 2.0
// redtune: check   out exact
template <int BLOCK>
__global__ void scale(float* out, const float* in, int n, float factor) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) out[i] = in[i] * factor;
}
)";

/// Its default's launch, for the bare driver.
class SameKernel {
 public:
  SameKernel(const device::Selection& selection, const std::string& file)
      : device_(device::open(selection)),
        family_(runtime::adopt_kernel(file, selection.platform->name(), device_->limits())),
        in_(device_->allocate(real_count * sizeof(float))),
        out_(device_->allocate(real_count * sizeof(float))) {
    const Problem problem = family_.problem({real_count}, CacheMode::cold);
    const Settings settings = family_.default_settings(problem, device_->limits());
    const kernels::KernelPlan plan = family_.plan(settings, problem);
    runtime::KernelLoader loader(*selection.platform, *device_,
                                 family_.config_text(settings) + family_.device_text(problem));
    const runtime::CompileUnit unit{plan.launches[0].kernel};
    loaded_ = std::get<runtime::LoadedUnit>(std::move(loader.load({&unit, 1}).front()));
    launch_ = runtime::launch_of(plan.launches[0], loaded_.kernels[0]);
    launch_.arguments.append(out_.data());
    launch_.arguments.append(in_.data());
    launch_.arguments.append(static_cast<int>(real_count));
    launch_.arguments.append(2.0F);
  }

  [[nodiscard]] const device::Launch& launch() const { return launch_; }
  [[nodiscard]] const float* in() const { return static_cast<const float*>(in_.data()); }
  [[nodiscard]] float* out() const { return static_cast<float*>(out_.data()); }

 private:
  std::unique_ptr<device::Device> device_;
  const kernels::DescribedFamily& family_;
  device::Buffer in_;
  device::Buffer out_;
  runtime::LoadedUnit loaded_;
  device::Launch launch_;
};

/// Null where no driver is known.
std::unique_ptr<BareDriver> driver_of(const Target& target) {
  const auto device = device::open(runtime::registry().select(target.device));
  return bare_driver(target.platform, device->limits());
}

/// What the library launches, so many times, beside the driver's launches of the same.
LaunchCost compared(const Target& target, std::span<const device::Launch> same,
                    const Side& of_library, int launches) {
  const Turn ours = timed(of_library, launches);
  LaunchCost cost{.driver_launches = static_cast<int>(same.size())};
  const auto driver = driver_of(target);
  if (!driver) {
    cost.reducer = median_over(take_turns(rounds, ours, ours), &Round::one);
    return cost;
  }
  driver->prepare(same);
  const Turn bare =
      timed({[&] { driver->launch(launches); }, [&] { driver->synchronize(); }}, launches);
  const auto all = take_turns(rounds, bare, ours);
  cost.bare = median_over(all, &Round::one);
  cost.reducer = median_over(all, &Round::other);
  cost.above_bare = median_over(all, [](const Round& round) { return round.other - round.one; });
  return cost;
}

LaunchCost measure_one(const Target& target, const Settings& settings,
                       const LookupOptions& lookup) {
  const bool is_null = target.platform == "null";
  const int launches = launches_on(target);
  const Shape shape{.count = is_null ? tuned_count : real_count};
  const SameLaunches same(runtime::registry().select(target.device), settings, shape, shape);
  const Reducer reducer(sum_of(tuned_count), {.device = target.device, .lookup = lookup});
  Workspace workspace = reducer.make_workspace();
  const auto launch_ours = [&] {
    for (int i = 0; i < launches; ++i) {
      // On the null device a count that is never the one before, and its class with it.
      const std::int64_t now = is_null ? shape.count + 1000 * i : shape.count;
      reducer.launch(same.in(), now, same.out(), workspace);
    }
  };
  LaunchCost cost =
      compared(target, same.launches(), {launch_ours, [&] { reducer.synchronize(); }}, launches);
  cost.settings = to_string(reducer.answer().settings);
  return cost;
}

/// Powers of two; the last has the most rows and the longest.
std::vector<Shape> tuned_rows() {
  std::vector<Shape> shapes;
  for (int rows = 3; rows <= 10; ++rows) {
    for (int columns = 2; columns <= 9; ++columns) {
      shapes.push_back(Shape::rows(std::int64_t{1} << rows, std::int64_t{1} << columns));
    }
  }
  return shapes;
}

/// Near the tuned ones, of the same kind as far as can be, and in no order that a processor learns.
std::vector<Shape> launched_rows(const std::vector<Shape>& tuned) {
  constexpr std::size_t how_many = 1000;
  std::minstd_rand any;
  const auto a_little_less = [&](std::int64_t extent) {
    return extent - static_cast<std::int64_t>(any()) % (extent / 8 + 1);
  };
  std::vector<Shape> shapes;
  while (shapes.size() < how_many) {
    const Shape& near = tuned[any() % tuned.size()];
    const std::int64_t rows = a_little_less(near.outer);
    shapes.push_back(Shape::rows(rows, a_little_less(near.count)));
  }
  return shapes;
}

/// For each shape a config of its space, from its first to its last.
std::vector<std::pair<Problem, Settings>> any_configs(const std::vector<Shape>& shapes,
                                                      const Limits& limits) {
  std::vector<std::pair<Problem, Settings>> configs;
  for (const Shape& shape : shapes) {
    const Problem problem = sum_of(shape);
    const kernels::Family& family = kernels::family_of(problem);
    const search::Space space = family.space(problem, limits);
    const std::size_t rank = configs.size() * space.size() / shapes.size();
    configs.emplace_back(problem, family.settings_at(space[rank]));
  }
  return configs;
}

}  // namespace

std::vector<LaunchCost> measure_launches(const Target& target,
                                         const std::filesystem::path& folder) {
  const auto device = device::open(runtime::registry().select(target.device));
  std::vector<LaunchCost> costs;
  for (const char* words : launched_settings) {
    const Settings settings = completed(words, device->identity(), device->limits());
    const std::string file = "launch-" + std::to_string(costs.size()) + ".db";
    const LookupOptions lookup =
        publish(folder / file, sum_of(0), device->identity(),
                {{real_count, settings}, {tuned_count, settings}, {tuned_count << 4, settings}});
    costs.push_back(measure_one(target, settings, lookup));
  }
  return costs;
}

RowsCost measure_rows(const Target& target, const std::filesystem::path& folder) {
  const int launches = launches_on(target);
  const auto selection = runtime::registry().select(target.device);
  const auto device = device::open(selection);
  const std::vector<Shape> tuned = tuned_rows();
  const std::vector<Shape> launched = launched_rows(tuned);
  const auto configs = any_configs(tuned, device->limits());
  const LookupOptions lookup = publish(folder / "rows.db", device->identity(), configs);
  const auto& [problem, settings] = configs.back();
  const SameLaunches same(selection, settings, problem, problem);
  const Reducer reducer(problem, {.device = target.device, .lookup = lookup});
  Workspace workspace = reducer.make_workspace();
  const auto launch_ours = [&] {
    for (std::size_t i = 0; i < static_cast<std::size_t>(launches); ++i) {
      reducer.launch(same.in(), launched[i % launched.size()], same.out(), workspace);
    }
  };
  RowsCost cost{.tuned_shapes = tuned.size()};
  cost.launch =
      compared(target, same.launches(), {launch_ours, [&] { reducer.synchronize(); }}, launches);
  std::uint64_t all = 0;
  for (const Match match : all_matches) all += reducer.hits(match);
  const std::uint64_t others = reducer.hits(Match::fallback);
  cost.near_share = static_cast<double>(all - others) / static_cast<double>(all);
  return cost;
}

LaunchCost measure_kernel(const Target& target, const std::filesystem::path& folder) {
  const int launches = launches_on(target);
  const std::string file = (folder / "scale.hip.cpp").string();
  std::ofstream(file) << scale_text;
  const SameKernel same(runtime::registry().select(target.device), file);
  const Kernel kernel(file, {.device = target.device, .lookup = {.cache_file = file + ".db"}});
  constexpr int sizes = 100;
  for (int i = 0; i < sizes; ++i) kernel.prepare({real_count - i});
  const auto launch_ours = [&] {
    for (int i = 0; i < launches; ++i) {
      const int n = static_cast<int>(real_count) - i % sizes;
      kernel.launch({}, {n}, same.out(), same.in(), n, 2.0F);
    }
  };
  const device::Launch launch = same.launch();
  LaunchCost cost =
      compared(target, {&launch, 1}, {launch_ours, [&] { kernel.synchronize(); }}, launches);
  cost.settings = to_string(kernel.settings({real_count}));
  return cost;
}

}  // namespace redtune::bench
