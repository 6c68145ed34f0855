// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A platform whose device knows how long the probe's kernels take, by a formula, and does what they
// would do to the sums. What is launched can be looked at afterwards.
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/platform.hpp"
#include "redtune/error.hpp"

namespace redtune::tuner {

/// A launch of one of the probe's kernels, as the device sees it.
struct ProbedLaunch {
  std::string kernel;  ///< the name expression
  std::int64_t grid = 1;
  int block = 1;
  std::int64_t words = 0;
  int passes = 1;

  [[nodiscard]] bool is(const char* what) const { return kernel.find(what) != std::string::npos; }
  [[nodiscard]] double bytes() const { return 4.0 * static_cast<double>(words) * passes; }
};

enum class HowQueued { graph, stream };

struct ProbedWorld {
  DeviceIdentity identity{
      .device_class = {.platform = "hip", .last_level_cache_bytes = 16 << 20, .memory_bytes = 0},
      .name = "Invented 300"};
  Limits limits{.compute_units = 100};
  std::size_t free_bytes = std::size_t{1} << 30;
  /// Microseconds of one launch.
  std::function<double(const ProbedLaunch&, HowQueued)> time;
  /// Of a whole batch, by the host's clock.
  std::function<double(double)> host_time = [](double device_us) { return device_us + 5; };
  bool reads_everything = true;
  bool compiles = true;

  std::vector<ProbedLaunch> launched = {};  ///< the first launch of every batch that was timed
  std::size_t largest_buffer = 0;
  std::size_t batches = 0;
};

class ProbedDevice final : public device::Device {
 public:
  explicit ProbedDevice(ProbedWorld& world) : world_(world) {}
  [[nodiscard]] const DeviceIdentity& identity() const override { return world_.identity; }
  [[nodiscard]] const Limits& limits() const override { return world_.limits; }
  [[nodiscard]] std::size_t free_memory() const override { return world_.free_bytes; }
  [[nodiscard]] device::Buffer allocate(std::size_t bytes) override {
    if (bytes > world_.free_bytes) throw OutOfMemory("invented memory is used up");
    world_.largest_buffer = std::max(world_.largest_buffer, bytes);
    // Nobody touches the pages of a large buffer, so it costs nothing.
    return {*this, std::calloc(bytes, 1), bytes};
  }
  void copy_to_device(void* to, const void* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
  }
  void copy_to_host(void* to, const void* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
  }
  void copy_within(void* to, const void* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
  }
  void fill(void*, std::byte value, std::size_t) override { filled_with_ = value; }
  [[nodiscard]] std::unique_ptr<device::Module> load(std::span<const std::byte> binary) override;
  void launch(std::span<const device::Launch>, device::Stream) override {}
  void synchronize(device::Stream) override {}
  [[nodiscard]] device::BatchTime time(std::span<const device::Launch> launches) override {
    return run(launches, HowQueued::stream);
  }
  [[nodiscard]] device::Batching batching() const override { return device::Batching::graph; }
  [[nodiscard]] std::unique_ptr<device::Batch> prepare(
      std::span<const device::Launch> launches) override;

  [[nodiscard]] device::BatchTime run(std::span<const device::Launch> launches, HowQueued how);

 private:
  void release(void* data, std::size_t) noexcept override { std::free(data); }
  [[nodiscard]] ProbedLaunch seen(const device::Launch& launch) const;

  ProbedWorld& world_;
  std::byte filled_with_{0};
  std::vector<std::string> names_;
};

/// A binary is the name expressions, one a line; the handle of a kernel is its line, from 1.
class ProbedModule final : public device::Module {
 public:
  [[nodiscard]] device::Kernel kernel(const std::string& symbol) const override {
    return {reinterpret_cast<void*>(std::stoul(symbol))};
  }
};

inline std::unique_ptr<device::Module> ProbedDevice::load(std::span<const std::byte> binary) {
  std::string line;
  for (const std::byte byte : binary) {
    if (byte != std::byte{'\n'}) {
      line += static_cast<char>(byte);
      continue;
    }
    names_.push_back(line);
    line.clear();
  }
  return std::make_unique<ProbedModule>();
}

inline ProbedLaunch ProbedDevice::seen(const device::Launch& launch) const {
  const auto value = [&](std::size_t i) {
    return *static_cast<std::int64_t*>(launch.arguments[i]);
  };
  ProbedLaunch what{.kernel = names_.at(reinterpret_cast<std::size_t>(launch.kernel.handle) - 1),
                    .grid = launch.grid,
                    .block = launch.block};
  if (launch.arguments.size() > 1) what.words = value(1);
  if (what.is("probe_read")) what.passes = static_cast<int>(value(3));
  return what;
}

inline device::BatchTime ProbedDevice::run(std::span<const device::Launch> launches,
                                           HowQueued how) {
  const ProbedLaunch what = seen(launches[0]);
  if (what.is("probe_read") && world_.reads_everything) {
    // All of the sum by the first thread, and the old sums gone.
    auto* sums =
        reinterpret_cast<std::uint32_t*>(*static_cast<std::uint64_t*>(launches[0].arguments[2]));
    std::memset(sums, 0, static_cast<std::size_t>(what.grid * what.block) * 4);
    std::uint32_t word = 0;
    std::memset(&word, std::to_integer<int>(filled_with_), sizeof(word));
    *sums = word * static_cast<std::uint32_t>(what.words) * static_cast<std::uint32_t>(what.passes);
  }
  world_.launched.push_back(what);
  ++world_.batches;
  const double us = world_.time(what, how) * static_cast<double>(launches.size());
  return {.device_us = us, .host_us = world_.host_time(us)};
}

class ProbedBatch final : public device::Batch {
 public:
  ProbedBatch(ProbedDevice& device, std::span<const device::Launch> launches)
      : device_(device), launches_(launches.begin(), launches.end()) {}
  [[nodiscard]] device::BatchTime time() override {
    return device_.run(launches_, HowQueued::graph);
  }

 private:
  ProbedDevice& device_;
  std::vector<device::Launch> launches_;
};

inline std::unique_ptr<device::Batch> ProbedDevice::prepare(
    std::span<const device::Launch> launches) {
  return std::make_unique<ProbedBatch>(*this, launches);
}

class ProbedPlatform final : public device::Platform, private device::Compiler {
 public:
  explicit ProbedPlatform(ProbedWorld& world) : world_(world) {}
  [[nodiscard]] device::CompilerPlace place() const override {
    return device::CompilerPlace::own_process;
  }
  [[nodiscard]] std::string_view name() const override { return "hip"; }
  [[nodiscard]] int device_count() const override { return 1; }
  [[nodiscard]] std::string why_no_devices() const override { return {}; }
  [[nodiscard]] std::unique_ptr<device::Device> open(int, std::string_view) override {
    return std::make_unique<ProbedDevice>(world_);
  }
  [[nodiscard]] device::Facts facts(int, std::string_view) const override {
    return {world_.identity, world_.limits};
  }
  [[nodiscard]] const device::Compiler& compiler() const override { return *this; }
  [[nodiscard]] std::string arch_of(const DeviceIdentity&) const override { return "gfx90a"; }
  [[nodiscard]] Limits limits_of(std::string_view) const override { return world_.limits; }

 private:
  [[nodiscard]] std::string version() const override { return "invented"; }
  void check_arch(std::string_view) const override {}
  [[nodiscard]] int wave_size(std::string_view) const override { return world_.limits.wave_size; }
  [[nodiscard]] device::CompileResult compile(
      const device::CompileRequest& request) const override {
    if (!world_.compiles) return device::CompileFailure{"no such thing"};
    device::CompiledProgram program;
    for (const std::string& name : request.name_expressions) {
      for (const char c : name + '\n') program.binary.push_back(std::byte(c));
      program.kernels.push_back({std::to_string(program.kernels.size() + 1), {}});
    }
    return program;
  }

  ProbedWorld& world_;
};

}  // namespace redtune::tuner
