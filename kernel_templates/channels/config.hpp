// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// One choice of every tunable of the family 'reduce_channels'.
#pragma once

#include <compare>
#include <string_view>
#include <tuple>

#include "kernel_templates/family/field.hpp"
#include "kernel_templates/reduce/config.hpp"

namespace redtune::kernels {

/// The way from a channel to its result: a block has some channels; several blocks share a channel,
/// and end by tickets or by slots.
enum class ChannelWay { blocks, tickets, slots };

[[nodiscard]] std::string_view to_string(ChannelWay way);

struct ChannelsConfig {
  ChannelWay way = ChannelWay::blocks;
  int block_size = 256;        ///< threads per block
  int threads_per_span = 32;   ///< that fold what a channel has in an array, or a piece of it
  int channels_per_block = 1;  ///< neighbours that a block reduces at a time
  int spans_per_thread = 1;    ///< spans of a channel that a group of threads has on their way
  int loads_per_thread = 4;    ///< loads on their way for each span
  int vector_width = 4;        ///< elements per load instruction
  int blocks_per_channel = 1;  ///< that share a channel, where channels are few
  Load load = Load::cached;
  Early early_start = Early::off;

  auto operator<=>(const ChannelsConfig&) const = default;

  static constexpr auto fields() {
    return std::tuple{
        field("way", &ChannelsConfig::way, ChannelWay::blocks, ChannelWay::tickets,
              ChannelWay::slots),
        field("block_size", &ChannelsConfig::block_size, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512,
              1024),
        field("threads_per_span", &ChannelsConfig::threads_per_span, 1, 2, 4, 8, 16, 32, 64, 128,
              256, 512, 1024),
        field("channels_per_block", &ChannelsConfig::channels_per_block, 1, 2, 4, 8, 16, 32, 64),
        field("spans_per_thread", &ChannelsConfig::spans_per_thread, 1, 2, 4, 8),
        field("loads_per_thread", &ChannelsConfig::loads_per_thread, 1, 2, 4, 8),
        field("vector_width", &ChannelsConfig::vector_width, 1, 2, 4, 8, 16),
        field("blocks_per_channel", &ChannelsConfig::blocks_per_channel, 1, 2, 4, 8, 16, 32, 64,
              128, 256),
        field("load", &ChannelsConfig::load, Load::cached, Load::streaming),
        field("early_start", &ChannelsConfig::early_start, Early::off, Early::on),
    };
  }
};

}  // namespace redtune::kernels
