// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tests/simulated_gpu/simulated_device.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <span>
#include <thread>

#include "redtune/error.hpp"

namespace redtune::simulated {
namespace {

/// Evenly spread in [0, 1), always the same for the same text.
double fraction_of(const std::string& text) {
  std::uint64_t hash = 1469598103934665603u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  hash ^= hash >> 33;
  hash *= 0xff51afd7ed558ccdu;
  hash ^= hash >> 33;
  return static_cast<double>(hash >> 11) / static_cast<double>(std::uint64_t{1} << 53);
}

/// A symbol is the name expression; the handle of a kernel is where its name lies.
class SimulatedModule final : public device::Module {
 public:
  explicit SimulatedModule(std::set<std::string> names) : names_(std::move(names)) {}
  [[nodiscard]] device::Kernel kernel(const std::string& symbol) const override {
    const auto found = names_.find(symbol);
    if (found == names_.end()) throw DeviceError("no such kernel: " + symbol);
    return {const_cast<std::string*>(&*found)};
  }

 private:
  std::set<std::string> names_;
};

class SimulatedBatch final : public device::Batch {
 public:
  explicit SimulatedBatch(std::function<device::BatchTime()> time) : time_(std::move(time)) {}
  [[nodiscard]] device::BatchTime time() override { return time_(); }

 private:
  std::function<device::BatchTime()> time_;
};

/// The other kernels, between which executions are timed.
constexpr std::string_view touch = "redtune::touch<";
constexpr std::string_view renew = "redtune::renew<";
constexpr std::string_view consume = "redtune::consume<";

/// An argument of 64 bits.
std::uint64_t wide(const device::Launch& launch, std::size_t i) {
  return *static_cast<const std::uint64_t*>(launch.arguments[i]);
}

/// In several lanes, so that no addition waits for the one before, and by the widest instructions
/// there are: tunes on this device do little else.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__GLIBC__)
[[gnu::target_clones("default", "avx2", "avx512f")]]
#endif
double
sum_of(std::span<const float> in) {
  std::array<double, 16> lanes{};
  std::size_t i = 0;
  for (; i + lanes.size() <= in.size(); i += lanes.size()) {
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      lanes[lane] += static_cast<double>(in[i + lane]);
    }
  }
  for (; i < in.size(); ++i) lanes[0] += static_cast<double>(in[i]);
  return std::accumulate(lanes.begin(), lanes.end(), 0.0);
}

[[noreturn]] void sleep_for_ever() {
  while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

}  // namespace

SimulatedDevice::SimulatedDevice(const World& world, int ordinal)
    : world_(world),
      ordinal_(ordinal),
      identity_(identity_of(world, ordinal)),
      limits_(limits_of_all()) {}

Limits SimulatedDevice::limits_of_all() {
  return {.compute_units = 8, .registers_per_unit = 131072};
}

DeviceIdentity SimulatedDevice::identity_of(const World& world, int ordinal) {
  const bool is_other = world.number("other_model", -1) == ordinal;
  const bool is_part = world.number("part_of_first", -1) == ordinal;
  return {.device_class = {.platform = "hip",
                           .isa = "gfx90a:sramecc+:xnack-",
                           .model = world.find("model").value_or(is_other ? "1002:7408:0c34"
                                                                          : "1002:740f:0c34"),
                           .partition = "",
                           .compute_units = 8,
                           .wave_size = 64,
                           .last_level_cache_bytes = 1 << 20,
                           .memory_bytes = std::int64_t{1} << 30},
          .toolchain = {"simulated driver", "simulated runtime",
                        "simulated compiler " + world.find("compiler").value_or("1")},
          .name = "Simulated GPU",
          .address = is_part ? "0000:c1:00.1" : fmt::format("0000:c{}:00.0", 1 + ordinal),
          .uuid = "",
          .memory_gbps = 0};
}

void SimulatedDevice::check() const {
  // "lost:1" is gone at once, "lost_later:1" once it has run for a while.
  const bool is_late = world_.number("lost_later", -1) == ordinal_ && World::kept("timed_1") > 40;
  if (is_late || world_.number("lost", -1) == ordinal_) throw DeviceLost("the device is lost");
  if (is_broken_) throw DeviceError("an illegal memory access was encountered");
}

std::size_t SimulatedDevice::free_memory() const {
  // Asked when a trial has ended.
  is_broken_ = is_broken_ || breaks_at_end_;
  breaks_next_ = breaks_later_;
  check();
  return std::size_t{1} << 30;
}

device::Buffer SimulatedDevice::allocate(std::size_t bytes) {
  if (breaks_next_ && !is_broken_) {
    World::count("broke");
    is_broken_ = true;
  }
  check();
  void* data = std::aligned_alloc(256, (bytes + 511) / 256 * 256);
  return {*this, data, bytes};
}

void SimulatedDevice::release(void* data, std::size_t) noexcept {
  std::free(data);
}

void SimulatedDevice::copy_to_device(void* to, const void* from, std::size_t bytes) {
  check();
  if (bytes > 0) std::memcpy(to, from, bytes);
}

void SimulatedDevice::copy_to_host(void* to, const void* from, std::size_t bytes) {
  copy_to_device(to, from, bytes);
}

void SimulatedDevice::copy_within(void* to, const void* from, std::size_t bytes) {
  copy_to_device(to, from, bytes);
}

void SimulatedDevice::fill(void* to, std::byte value, std::size_t bytes) {
  check();
  std::memset(to, static_cast<int>(value), bytes);
}

std::unique_ptr<device::Module> SimulatedDevice::load(std::span<const std::byte> binary) {
  check();
  std::set<std::string> names;
  std::string line;
  for (const std::byte byte : binary) {
    if (byte != std::byte{'\n'}) {
      line += static_cast<char>(byte);
    } else {
      names.insert(std::exchange(line, {}));
    }
  }
  return std::make_unique<SimulatedModule>(std::move(names));
}

const std::string& SimulatedDevice::name_of(const device::Launch& launch) {
  return *static_cast<const std::string*>(launch.kernel.handle);
}

bool SimulatedDevice::is_of_others(const device::Launch& launch) {
  const std::string& name = name_of(launch);
  return name.starts_with(touch) || name.starts_with(renew) || name.starts_with(consume);
}

bool SimulatedDevice::is_reduction(const device::Launch& launch) {
  return !is_of_others(launch) && launch.arguments.size() == 6;
}

void SimulatedDevice::misbehave(const std::string& name) {
  if (world_.concerns("refuse", name)) throw DeviceError("too many resources requested for launch");
  if (world_.concerns("oom", name)) throw OutOfMemory("out of device memory");
  if (world_.concerns("abort", name)) {
    World::keep("sick", static_cast<int>(world_.number("sick_for", 0)));
    std::abort();
  }
  if (world_.concerns("abort_once", name) && World::count("aborted") == 0) std::abort();
  if (world_.concerns("hang", name)) sleep_for_ever();
  if (world_.concerns("fault", name)) {
    is_broken_ = true;
    check();
  }
}

/// The arguments of redtune::reduce: in, count, out, partials, counter, run.
void SimulatedDevice::reduce(const device::Launch& launch, const std::string& name) {
  const auto* in = reinterpret_cast<const float*>(wide(launch, 0));
  auto* out = reinterpret_cast<float*>(wide(launch, 2));
  auto result = static_cast<float>(sum_of({in, wide(launch, 1)}));
  const int run = ++runs_[name];
  if (world_.concerns("wrong", name)) result = 1;
  if (world_.concerns("wrong_at_seventh", name) && run % 7 == 0) result = 1;
  if (world_.concerns("wrong_once", name) && World::count("wronged") == 0) result = 1;
  if (world_.find("sick_for") && World::kept("sick") > 0) result = 1;  // files are asked last
  out[0] = result;
  if (world_.concerns("beside", name)) out[1] = 1;
}

/// What stands around a reduction (kernel_templates/surroundings.hip.h).
void SimulatedDevice::run_of_others(const device::Launch& launch) {
  auto* const words = reinterpret_cast<std::uint32_t*>(wide(launch, 0));
  const std::string& name = name_of(launch);
  if (name.starts_with(renew)) {
    const auto key = *static_cast<const std::uint32_t*>(launch.arguments[2]);
    for (std::uint64_t i = 0; i < wide(launch, 1); ++i) words[i] ^= key;
    return;
  }
  const std::uint32_t more =
      name.starts_with(consume) ? *reinterpret_cast<const std::uint32_t*>(wide(launch, 1)) : 1U;
  for (std::int64_t i = 0; i < launch.grid * launch.block; ++i) words[i] += more;
}

void SimulatedDevice::run(const device::Launch& launch) {
  check();
  const std::string& name = name_of(launch);
  misbehave(name);
  if (is_of_others(launch)) return run_of_others(launch);
  if (is_reduction(launch)) reduce(launch, name);
  if (world_.concerns("fault_later", name) && World::kept("broke") > 0) {
    is_broken_ = true;
    check();
  }
  // Noticed by nobody before the next config comes, or before the trial has ended.
  breaks_later_ = breaks_later_ || world_.concerns("fault_later", name);
  breaks_at_end_ = breaks_at_end_ || world_.concerns("fault_at_end", name);
}

void SimulatedDevice::launch(std::span<const device::Launch> launches, device::Stream) {
  for (const device::Launch& launch : launches) run(launch);
}

void SimulatedDevice::synchronize(device::Stream) {
  check();
}

double SimulatedDevice::true_microseconds(const device::Launch& launch) const {
  const std::string& name = name_of(launch);
  if (name.find("pace<") != std::string::npos) {
    return 0.01 * static_cast<double>(*static_cast<std::uint32_t*>(launch.arguments[1]));
  }
  if (world_.find("inert")) return 25;
  const double clock = world_.find("halved") ? 0.5 : 1;
  if (name.starts_with(renew)) return clock * (2 + static_cast<double>(wide(launch, 1)) / 1e5);
  if (is_of_others(launch)) return clock * 2;
  // From some count on every kernel is another one, so to speak, whatever its blocks.
  if (const double changes_at = world_.number("changes_at", 0); changes_at > 0) {
    const bool is_beyond =
        is_reduction(launch) && static_cast<double>(wide(launch, 1)) >= changes_at;
    return clock * (20 + 20 * fraction_of(name + (is_beyond ? " beyond" : "")));
  }
  if (world_.concerns("slow", name)) return clock * 50;
  if (world_.concerns("fast", name)) return clock * (10 + fraction_of(name));
  // 20 to 40 us; a launch of more blocks is another config.
  const std::string config = name + std::to_string(launch.grid);
  return clock * (20 + 20 * fraction_of(config));
}

double SimulatedDevice::microseconds(std::span<const device::Launch> launches) {
  if (launches.empty()) return 1;
  double us = 0;
  for (const device::Launch& launch : launches) us += true_microseconds(launch);
  // Whose batch it is: a clock that fails, fails with what stands between the other kernels.
  const auto own = std::ranges::find_if_not(launches, is_of_others);
  const std::string& name = name_of(own != launches.end() ? *own : launches.front());
  if (world_.concerns("zero", name)) return 0;
  if (world_.concerns("negative", name)) return -us;
  if (world_.concerns("nan", name)) return std::numeric_limits<double>::quiet_NaN();
  const double noise = world_.number("noise", 0);
  if (noise == 0) return us;
  // Two evenly spread numbers make a triangle.
  const std::string sample = name + "#" + std::to_string(samples_[name]++);
  return us * (1 + noise * (fraction_of(sample) + fraction_of(sample + "'") - 1));
}

device::BatchTime SimulatedDevice::time(std::span<const device::Launch> launches) {
  check();
  World::count(fmt::format("timed_{}", ordinal_));
  // One of each kernel is enough to have their results, which go to all places that are asked for.
  std::map<const void*, const device::Launch*> have_run;
  for (const device::Launch& launch : launches) {
    const auto [first, is_new] = have_run.try_emplace(launch.kernel.handle, &launch);
    if (is_new) {
      run(launch);
    } else if (is_reduction(launch)) {
      *reinterpret_cast<float*>(wide(launch, 2)) =
          *reinterpret_cast<float*>(wide(*first->second, 2));
    }
  }
  const double us = microseconds(launches);
  const double truly = world_.find("halved") ? 2 * us : us;
  if (const double real = world_.number("real_time", 0); real > 0) {
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(real));
  }
  return {.device_us = us, .host_us = std::abs(truly) + 3};
}

std::unique_ptr<device::Batch> SimulatedDevice::prepare(std::span<const device::Launch> launches) {
  check();
  return std::make_unique<SimulatedBatch>(
      [this, all = std::vector<device::Launch>(launches.begin(), launches.end())] {
        return time(all);
      });
}

}  // namespace redtune::simulated
