// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/surroundings.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "redtune/error.hpp"

namespace redtune::tuner {
namespace {

using kernels::SurroundingKernel;

constexpr std::array every_kernel{SurroundingKernel::touch, SurroundingKernel::renew,
                                  SurroundingKernel::sweep, SurroundingKernel::consume};

std::vector<Surrounding> surroundings_of(CacheMode mode) {
  if (mode == CacheMode::cold) return {Surrounding::small_kernel};
  return {Surrounding::small_kernel, Surrounding::producer};
}

/// An eighth of what is free is left to nobody at most: outputs and what compares them come later.
constexpr std::size_t parts_of_memory = 8;

/// So much of it that no cache keeps anything else; none where nothing is swept.
device::Buffer nobodys_memory(device::Device& device, CacheMode mode) {
  if (mode != CacheMode::cold || device.batching() != device::Batching::graph) return {};
  const auto cache =
      static_cast<std::size_t>(device.identity().device_class.last_level_cache_bytes);
  const std::size_t bytes = std::min(2 * cache, device.free_memory() / parts_of_memory);
  if (bytes == 0) return {};
  device::Buffer memory = device.allocate(bytes);
  device.fill(memory.data(), std::byte{0}, bytes);
  return memory;
}

}  // namespace

std::vector<CompileUnit> surrounding_units(const Limits& limits) {
  std::vector<CompileUnit> units;
  for (const SurroundingKernel kernel : every_kernel) {
    units.push_back({kernels::surrounding_name(kernel, limits)});
  }
  return units;
}

SurroundingKernels load_surroundings(device::Device& device, const CompilePool& compiler) {
  const std::vector<CompileUnit> units = surrounding_units(device.limits());
  const auto results = compiler.with_text(kernels::surroundings_text()).compile(units);
  SurroundingKernels loaded;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const auto* compiled = std::get_if<CompiledUnit>(&results[i]);
    if (compiled == nullptr) {
      throw DeviceError(
          fmt::format("{} does not compile; it is needed to time executions between other kernels",
                      units[i].front()));
    }
    loaded.modules.push_back(device.load(*compiled->binary));
    loaded.kernels[every_kernel[i]] = loaded.modules.back()->kernel(compiled->kernels[0].symbol);
  }
  return loaded;
}

Surroundings::Surroundings(device::Device& device, SurroundingKernels kernels,
                           const Neighbourhood& around)
    : device_(device),
      words_(static_cast<std::int64_t>(around.input_bytes / sizeof(std::uint32_t))),
      all_(surroundings_of(around.cache_mode)),
      restorations_(around.restorations),
      kernels_(std::move(kernels)) {
  small_ = launch_of(SurroundingKernel::touch, words_);
  device::Launch consumer = launch_of(SurroundingKernel::consume, words_);
  const auto bytes_of = [](const device::Launch& launch) {
    return sizeof(std::uint32_t) * static_cast<std::size_t>(launch.grid * launch.block);
  };
  own_ = device.allocate(bytes_of(small_) + bytes_of(consumer));
  device.fill(own_.data(), std::byte{0}, own_.bytes());
  auto* const words = static_cast<std::byte*>(own_.data());
  small_.arguments.append(static_cast<void*>(words));
  consumer.arguments.append(static_cast<void*>(words + bytes_of(small_)));
  for (const void* const result : around.results) {
    after_.push_back(consumer);
    after_.back().arguments.append(result);
  }
  nobodys_ = nobodys_memory(device, around.cache_mode);
}

device::Launch Surroundings::launch_of(SurroundingKernel kernel, std::int64_t words) const {
  const Limits& limits = device_.limits();
  return {.kernel = kernels_.kernels.at(kernel),
          .grid = kernels::surrounding_grid(kernel, words, limits),
          .block = kernels::surrounding_block(kernel, limits)};
}

void Surroundings::append_before(std::vector<device::Launch>& launches, Surrounding surrounding,
                                 const void* input) const {
  launches.insert(launches.end(), restorations_.begin(), restorations_.end());
  if (surrounding == Surrounding::small_kernel) launches.push_back(small_);
  if (surrounding != Surrounding::producer) return;
  device::Launch& launch = launches.emplace_back(launch_of(SurroundingKernel::renew, words_));
  launch.arguments.append(input);
  launch.arguments.append(words_);
  launch.arguments.append(std::int32_t{0});
}

void Surroundings::append_after(std::vector<device::Launch>& launches, Surrounding surrounding,
                                const Turn& turn) const {
  if (surrounding != Surrounding::itself) launches.push_back(after_[turn.place_of(after_.size())]);
}

void Surroundings::sweep() const {
  if (nobodys_.bytes() == 0) return;
  const auto words = static_cast<std::int64_t>(nobodys_.bytes() / sizeof(std::uint32_t));
  device::Launch launch = launch_of(SurroundingKernel::sweep, words);
  launch.arguments.append(static_cast<const void*>(nobodys_.data()));
  launch.arguments.append(words);
  launch.arguments.append(std::int32_t{0});
  launch.arguments.append(own_.data());
  device_.launch({&launch, 1}, {});
  device_.synchronize({});  // the host's clock must not run meanwhile
}

}  // namespace redtune::tuner
