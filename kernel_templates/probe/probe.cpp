// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/probe/probe.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "kernel_templates/text/device_text.hpp"

namespace redtune::kernels {
namespace {

constexpr TileOrder strided = TileOrder::strided;
constexpr TileOrder chunked = TileOrder::chunked;
constexpr Load cached = Load::cached;
constexpr Load streaming = Load::streaming;

// Where lanes run one after another: one lane a block, contiguous runs for the prefetchers.
const std::vector<ProbeShape> of_processors{
    {1, 8, 16, chunked}, {1, 8, 1, chunked}, {1, 16, 16, chunked}, {1, 4, 64, chunked}};

// On GPUs memory wants many bytes in flight: few large loads or many threads.
const std::vector<ProbeShape> reads{
    {512, 4, 4, strided, streaming}, {256, 8, 8, strided, cached},
    {1024, 4, 32, strided, cached},  {256, 4, 32, strided, streaming},
    {128, 8, 16, strided, cached},   {512, 8, 2, strided, streaming}};

// A cache's latency is short and its share of the tiles small: tiles must be small too.
const std::vector<ProbeShape> cached_reads{
    {256, 2, 8, strided, cached}, {512, 4, 4, strided, cached}, {1024, 1, 2, strided, cached}};

const std::vector<ProbeShape> copies{{512, 4, 8, strided, streaming},
                                     {256, 4, 32, strided, cached},
                                     {1024, 2, 32, strided, streaming}};

const std::vector<ProbeShape>& known(ProbeKind kind, const Limits& limits) {
  if (limits.min_block_size == 1) return of_processors;
  switch (kind) {
    case ProbeKind::read:
      return reads;
    case ProbeKind::cached_read:
      return cached_reads;
    case ProbeKind::copy:
      return copies;
  }
  return reads;
}

/// The widest load of the device, in words of 4 bytes.
int vector_width(const Limits& limits) {
  return std::clamp(limits.max_vector_bytes / 4, 1, 16);
}

}  // namespace

std::string to_string(const ProbeShape& shape) {
  return fmt::format("block_size={} loads={} blocks_per_unit={} tile_order={} load={}",
                     shape.block_size, shape.loads, shape.blocks_per_unit,
                     to_string(shape.tile_order), to_string(shape.load));
}

std::vector<ProbeShape> probe_shapes(ProbeKind kind, const Limits& limits) {
  std::vector<ProbeShape> shapes;
  for (ProbeShape shape : known(kind, limits)) {
    shape.block_size = std::clamp(shape.block_size, limits.min_block_size, limits.max_block_size);
    if (limits.streaming_loads == StreamingLoads::absent) shape.load = cached;
    if (std::ranges::find(shapes, shape) == shapes.end()) shapes.push_back(shape);
  }
  return shapes;
}

const std::string& probe_text() {
  static const std::string text = program_text("probe.hip.h");
  return text;
}

std::string probe_name(ProbeKind kind, const ProbeShape& shape, const Limits& limits) {
  return fmt::format("redtune::probe_{}<{}, {}, {}, redtune::{}>",
                     kind == ProbeKind::copy ? "copy" : "read", shape.block_size, shape.loads,
                     vector_width(limits), to_string(shape.load));
}

std::string empty_probe_name(const Limits& limits) {
  return fmt::format("redtune::probe_empty<{}>", limits.min_block_size);
}

std::int64_t probe_grid(const ProbeShape& shape, std::int64_t words, const Limits& limits) {
  const std::int64_t tile = std::int64_t{shape.block_size} * shape.loads * vector_width(limits);
  const std::int64_t wanted = std::int64_t{shape.blocks_per_unit} * limits.compute_units;
  return std::clamp<std::int64_t>(words / tile, 1, std::min(wanted, limits.max_grid));
}

}  // namespace redtune::kernels
