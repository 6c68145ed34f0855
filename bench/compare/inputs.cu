// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <algorithm>

#include "bench/compare/inputs.cuh"

namespace redtune::compare {
namespace {

constexpr std::size_t alignment = 256;

/// Reads everything. Writes only where all bits are set, and nothing there sets them.
__global__ void read_all(uint4* data, std::size_t count) {
  unsigned all = ~0U;
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    const uint4 four = data[i];
    all &= four.x & four.y & four.z & four.w;
  }
  if (all == ~0U && count > stride) data[0].x = all;
}

}  // namespace

Layout layout_of(const Cell& cell, CacheMode input, std::int64_t cache_bytes) {
  Layout layout{.offset = static_cast<std::size_t>(cell.offset) * size_of(cell.problem.in)};
  std::size_t end = layout.offset + input_bytes(cell.problem);
  if (is_segmented(cell.problem)) {
    end = (end + alignment - 1) / alignment * alignment;
    layout.offsets_at = end - layout.offset;
    end += cell.by_key ? key_bytes * static_cast<std::size_t>(cell.problem.count)
                       : static_cast<std::size_t>(offsets_bytes(cell.problem));
  }
  layout.stride = (end + alignment - 1) / alignment * alignment;
  const auto cache = static_cast<std::size_t>(cache_bytes);
  if (input == CacheMode::warm) {
    layout.copies = places_of(layout.stride, cache / 4, most_places_of_a_sample);
    return layout;
  }
  const std::size_t twice_the_cache = 2 * cache;
  layout.evict = twice_the_cache / sizeof(uint4) * sizeof(uint4);
  const std::size_t wanted = (twice_the_cache + layout.stride - 1) / layout.stride;
  layout.copies = std::clamp<std::size_t>(wanted, 1, most_copies);
  return layout;
}

Inputs::Inputs(const Layout& layout, gpuStream_t stream)
    : layout_(layout), stream_(stream), memory_(allocate(layout.stride * layout.copies)) {
  if (layout.evict == 0) return;
  other_ = allocate(layout.evict);
  check(gpuMemsetAsync(other_->get(), 0, layout.evict, stream), "clear device memory");
}

std::byte* Inputs::copy(std::size_t i) const {
  return static_cast<std::byte*>(memory_.get()) + i * layout_.stride + layout_.offset;
}

void Inputs::write(Fill fill, std::int64_t count, std::uint64_t seed) const {
  for (std::size_t i = 0; i < layout_.copies; ++i) fill(copy(i), count, seed, stream_);
}

void Inputs::write_offsets(const std::vector<std::byte>& offsets) const {
  for (std::size_t i = 0; i < layout_.copies; ++i) {
    check(gpuMemcpyAsync(copy(i) + layout_.offsets_at, offsets.data(), offsets.size(),
                         gpuMemcpyDefault, stream_),
          "copy offsets to the device");
  }
  check(gpuStreamSynchronize(stream_), "finish what was queued");
}

std::vector<const void*> Inputs::addresses() const {
  std::vector<const void*> all;
  for (std::size_t i = 0; i < layout_.copies; ++i) all.push_back(copy(i));
  return all;
}

void Inputs::evict() const {
  if (!other_) return;
  read_all<<<1024, 256, 0, stream_>>>(static_cast<uint4*>(other_->get()),
                                      layout_.evict / sizeof(uint4));
  check(gpuGetLastError(), "read other memory");
}

const void* Inputs::at(const Turn& turn) {
  if (layout_.evict == 0) return copy(turn.place_of(layout_.copies));
  turn_ = (turn_ + 1) % layout_.copies;
  return copy(turn_);
}

}  // namespace redtune::compare
