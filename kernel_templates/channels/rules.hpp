// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Which configs of 'reduce_channels' can run on a device, which are worth trying for a problem, and
// what follows from a config alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernel_templates/channels/config.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

/// Parts of channels of a launch, in all: what the workspace has room for.
inline constexpr std::int64_t most_channel_parts = 4096;

[[nodiscard]] constexpr bool is_parted(ChannelWay way) {
  return way != ChannelWay::blocks;
}

/// Groups of threads of a block that share its channels.
[[nodiscard]] std::int64_t lines_of(const ChannelsConfig& config);
/// Blocks that share a channel of this shape.
[[nodiscard]] std::int64_t parts_of_channel(const ChannelsConfig& config, const Shape& shape);
/// Blocks of the launch.
[[nodiscard]] std::int64_t channel_blocks(const ChannelsConfig& config, const Shape& shape,
                                          const Limits& limits);

/// Elements of which pieces are made, and of a piece at most.
[[nodiscard]] std::int64_t channel_line(std::size_t element_bytes);
inline constexpr std::int64_t longest_channel_piece = std::int64_t{1} << 30;
/// What a group of threads takes at a time of what a channel has in an array: all of it, or where
/// there are more groups than arrays, or it is long, pieces of whole lines.
struct Pieces {
  std::int64_t count = 1;   ///< of a span, below 2^31
  std::int64_t length = 1;  ///< elements of each but the last
};
[[nodiscard]] Pieces pieces_of(const ChannelsConfig& config, const Shape& shape,
                               std::size_t element_bytes);

/// Empty when a config can run on a device, whatever the shape; else why it cannot.
[[nodiscard]] std::string why_unbuildable(const ChannelsConfig& config, const Problem& problem,
                                          const Limits& limits);
/// Empty when it is worth trying, too, for the problem's shape. Of the first axes alone, and of
/// all.
[[nodiscard]] std::string why_threads_outside_space(const ChannelsConfig& config,
                                                    const Problem& problem, const Limits& limits);
[[nodiscard]] std::string why_loads_outside_space(const ChannelsConfig& config,
                                                  const Problem& problem, const Limits& limits);
[[nodiscard]] std::string why_outside_space(const ChannelsConfig& config, const Problem& problem,
                                            const Limits& limits);
inline constexpr std::size_t channel_thread_axes = 4;  ///< up to channels_per_block
inline constexpr std::size_t channel_load_axes = 7;    ///< up to vector_width

/// The built-in default for a problem; always valid.
[[nodiscard]] ChannelsConfig default_channels(const Problem& problem, const Limits& limits);

/// Configs worth trying first; all in the space.
[[nodiscard]] std::vector<ChannelsConfig> known_channels(const Problem& problem,
                                                         const Limits& limits);

/// Upper bound on the additions that an element's value passes through.
[[nodiscard]] std::int64_t longest_chain(const ChannelsConfig& config, const Problem& problem,
                                         const Limits& limits);

}  // namespace redtune::kernels
