// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/by_key_tiles.hpp"

namespace redtune::runtime {

KeyedTiles::KeyedTiles(device::Device& device, const Problem& problem,
                       const kernels::KeyedTilesConfig& config)
    : config_(config),
      room_(kernels::keyed_tiles_grid(config, problem.count)),
      words_(
          device.allocate(static_cast<std::size_t>(kernels::keyed_tiles_bytes(problem, room_)))) {
  device.fill(words_.data(), std::byte{0}, bytes());
}

device::Launch KeyedTiles::launch(device::Kernel kernel, const KeyedOperands& operands,
                                  std::int64_t elements) const {
  device::Launch launch;
  launch.kernel = kernel;
  launch.grid = kernels::keyed_tiles_grid(config_, elements);
  launch.block = config_.block_size;
  const auto add = [&](const auto&... arguments) { (launch.arguments.append(arguments), ...); };
  add(operands.keys, operands.in, elements, operands.keys_of_groups, operands.out, operands.groups,
      words_.data(), room_);
  return launch;
}

}  // namespace redtune::runtime
