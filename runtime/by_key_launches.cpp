// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/by_key_launches.hpp"

#include <fmt/format.h>

#include "kernel_templates/family/config_axes.hpp"
#include "kernel_templates/segments/planned.hpp"
#include "redtune/error.hpp"

namespace redtune::runtime {
namespace {

LoadedUnit load_grouping(const device::Platform& platform, device::Device& device, int key_bits,
                         std::int64_t offset_bits) {
  KernelLoader loader(platform, device, kernels::group_text());
  auto loaded =
      loader.load(std::array{kernels::group_kernels(key_bits, offset_bits, device.limits())});
  if (const auto* failure = std::get_if<device::CompileFailure>(loaded.data())) {
    throw DeviceError(
        fmt::format("the kernels that find groups do not compile:\n{}", failure->log));
  }
  return std::get<LoadedUnit>(std::move(loaded.front()));
}

LoadedAnswer load_counted(const device::Platform& platform, device::Device& device,
                          const Answer& found) {
  const kernels::Family& family = kernels::counted_segments();
  return load_found(platform, device,
                    {&family, found, family.default_settings(found.problem, device.limits())});
}

}  // namespace

ByKeyLaunches::AsSegments::AsSegments(const device::Platform& platform, device::Device& device,
                                      const Answer& found, int key_bits)
    : loaded(load_counted(platform, device, found)),
      grouping(load_grouping(platform, device, key_bits, found.problem.offset_bits)),
      memory(device, loaded.config) {}

std::unique_ptr<ByKeyLaunches::InTiles> ByKeyLaunches::in_tiles(const device::Platform& platform,
                                                                device::Device& device,
                                                                const Problem& problem,
                                                                int key_bits,
                                                                const ByKeyOptions& options) {
  const Limits& limits = device.limits();
  const bool is_asked_for = options.way == ByKeyWay::tiles;
  if (!is_asked_for && !options.tiles.empty()) {
    throw UsageError("settings of tiles are for ByKeyWay::tiles: ask for that way");
  }
  if (options.way == ByKeyWay::segments) return nullptr;
  if (!is_asked_for && !kernels::suits_tiles(key_bits, problem, limits)) return nullptr;
  const auto config = kernels::keyed_tiles_of(options.tiles, key_bits, problem, limits);
  KernelLoader loader(platform, device, kernels::keyed_tiles_text(problem));
  auto loaded = loader.load(std::array{
      CompileUnit{kernels::keyed_tiles_kernel(config, key_bits, problem, limits.wave_size)}});
  if (const auto* failure = std::get_if<device::CompileFailure>(loaded.data())) {
    if (is_asked_for) throw_failure(problem, *failure);
    return nullptr;
  }
  return std::make_unique<InTiles>(InTiles{std::get<LoadedUnit>(std::move(loaded.front())),
                                           kernels::settings_of(config), limits,
                                           KeyedTiles(device, problem, config)});
}

ByKeyLaunches::ByKeyLaunches(const device::Platform& platform, device::Device& device,
                             const Answer& found, int key_bits, const ByKeyOptions& options)
    : found_(found), tiles_(in_tiles(platform, device, found.problem, key_bits, options)) {
  if (!tiles_) segments_ = std::make_unique<AsSegments>(platform, device, found, key_bits);
}

std::int64_t ByKeyLaunches::longest_chain() const {
  if (tiles_) {
    return longest_chain_in_tiles(tiles_->memory.config(), problem().count, tiles_->limits);
  }
  Shape of_any_lengths = problem();
  of_any_lengths.skew = Skew::giant;
  return segments_->loaded.config.longest_chain(of_any_lengths);
}

std::size_t ByKeyLaunches::bytes() const {
  return tiles_ ? tiles_->memory.bytes() : segments_->memory.bytes();
}

void ByKeyLaunches::clear(device::Device& device, device::Stream stream) const {
  tiles_ ? tiles_->memory.clear(device, stream)
         : segments_->memory.workspace().clear(device, stream);
}

GroupLaunches ByKeyLaunches::launches(const KeyedOperands& operands, std::int64_t elements) const {
  if (tiles_) return {tiles_->memory.launch(tiles_->kernel.kernels.front(), operands, elements)};
  const auto all = segments_->memory.launches(segments_->grouping.kernels, operands, elements);
  return {all[0], all[1], all[2]};
}

}  // namespace redtune::runtime
