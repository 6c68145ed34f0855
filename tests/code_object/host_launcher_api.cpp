// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Arguments arrive as one block of bytes. Which member lies where is told here by structs that a
// compiler lays out, independent of what redtune writes into its JSON.
#include "tests/code_object/host_launcher_api.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <exception>
#include <initializer_list>
#include <iostream>
#include <map>
#include <memory>
#include <vector>

#include "device/host/host_platform.hpp"

namespace redtune::code_object {
namespace {

struct Reduce {
  const void* in;
  std::int64_t count;
  void* out;
  void* partials;
  std::uint32_t* counter;
  std::int64_t run;
};
struct FoldPass {
  void* partials;
  std::int32_t partial_count;
  void* out;
  std::int64_t count;
};
struct FindPass {
  const void* in;
  std::int64_t count;
  void* out;
  void* partials;
  std::int32_t partial_count;
};
struct SetIdentity {
  void* out;
};

struct Rows {
  const void* in;
  std::int64_t rows;
  std::int64_t count;
  std::int64_t pitch;
  void* out;
};
struct StagedRows {
  Rows rows;
  std::int64_t tile_rows;
};
struct PartedRows {
  Rows rows;
  void* partials;
  void* slots;
  std::int32_t parts;
};
struct KeptRows {
  Rows rows;
  void* partials;
  void* slots;
  std::int32_t parts;
  std::int32_t blocks;
};
struct Columns {
  const void* in;
  std::int64_t slices;
  std::int64_t count;
  std::int64_t inner;
  std::int64_t pitch;
  std::int64_t slice_pitch;
  void* out;
  std::int64_t tiles;
  std::int32_t across;
  std::int32_t merged;
  std::int32_t down;
};
struct PartedColumns {
  Columns columns;
  void* partials;
  void* slots;
  std::int32_t parts;
};
struct KeptColumns {
  const void* in;
  std::int64_t slices;
  std::int64_t count;
  std::int64_t inner;
  std::int64_t pitch;
  std::int64_t slice_pitch;
  void* out;
  std::int64_t tiles;
  std::int32_t across;
  std::int32_t down;
  void* partials;
  void* slots;
  std::int32_t parts;
  std::int32_t blocks;
};
struct Channels {
  const void* in;
  std::int64_t channels;
  std::int64_t pitch;
  std::int64_t batch;
  std::int64_t batch_pitch;
  std::int64_t count;
  std::int64_t piece;
  std::int32_t pieces;
  void* out;
};
struct PartedChannels {
  Channels channels;
  void* partials;
  void* slots;
  std::int32_t parts;
};
struct Segments {
  const void* in;
  std::int64_t count;
  const void* begins;
  const void* ends;
  std::int64_t segments;
  void* out;
};
struct SharedSegments {
  Segments segments;
  void* partials;
  void* slots;
  void* counter;
  std::int64_t share;
};

/// Offsets of eight bytes each.
std::vector<std::size_t> all_long(std::size_t bytes) {
  std::vector<std::size_t> offsets;
  for (std::size_t at = 0; at < bytes; at += 8) offsets.push_back(at);
  return offsets;
}

std::vector<std::size_t> behind(std::vector<std::size_t> first,
                                std::initializer_list<std::size_t> others) {
  first.insert(first.end(), others);
  return first;
}

/// Of Columns.
std::vector<std::size_t> of_columns() {
  return behind(all_long(offsetof(Columns, across)),
                {offsetof(Columns, across), offsetof(Columns, merged), offsetof(Columns, down)});
}

/// Of Channels.
std::vector<std::size_t> of_channels() {
  return behind(all_long(offsetof(Channels, pieces)),
                {offsetof(Channels, pieces), offsetof(Channels, out)});
}

constexpr std::size_t word = sizeof(std::int32_t);

/// Where the arguments of a kernel lie, by the end of the last one.
const std::map<std::size_t, std::vector<std::size_t>>& layouts() {
  static const std::map<std::size_t, std::vector<std::size_t>> table{
      {sizeof(Reduce),
       {offsetof(Reduce, in), offsetof(Reduce, count), offsetof(Reduce, out),
        offsetof(Reduce, partials), offsetof(Reduce, counter), offsetof(Reduce, run)}},
      {sizeof(FoldPass),
       {offsetof(FoldPass, partials), offsetof(FoldPass, partial_count), offsetof(FoldPass, out),
        offsetof(FoldPass, count)}},
      {offsetof(FindPass, partial_count) + sizeof(std::int32_t),
       {offsetof(FindPass, in), offsetof(FindPass, count), offsetof(FindPass, out),
        offsetof(FindPass, partials), offsetof(FindPass, partial_count)}},
      {sizeof(SetIdentity), {offsetof(SetIdentity, out)}},
      {sizeof(Rows), all_long(sizeof(Rows))},
      {sizeof(StagedRows), all_long(sizeof(StagedRows))},  // and Reduce, and Segments
      {offsetof(PartedRows, parts) + word,
       behind(all_long(offsetof(PartedRows, parts)), {offsetof(PartedRows, parts)})},
      {sizeof(KeptRows), behind(all_long(offsetof(KeptRows, parts)),
                                {offsetof(KeptRows, parts), offsetof(KeptRows, blocks)})},
      {offsetof(Columns, down) + word, of_columns()},
      {offsetof(PartedColumns, parts) + word,
       behind(of_columns(), {offsetof(PartedColumns, partials), offsetof(PartedColumns, slots),
                             offsetof(PartedColumns, parts)})},
      {sizeof(KeptColumns), behind(all_long(offsetof(KeptColumns, across)),
                                   {offsetof(KeptColumns, across), offsetof(KeptColumns, down),
                                    offsetof(KeptColumns, partials), offsetof(KeptColumns, slots),
                                    offsetof(KeptColumns, parts), offsetof(KeptColumns, blocks)})},
      {sizeof(Channels), of_channels()},
      {offsetof(PartedChannels, parts) + word,
       behind(of_channels(), {offsetof(PartedChannels, partials), offsetof(PartedChannels, slots),
                              offsetof(PartedChannels, parts)})},
      {sizeof(Segments), all_long(sizeof(Segments))},
      {sizeof(SharedSegments), all_long(sizeof(SharedSegments))}};
  return table;
}

struct State {
  std::unique_ptr<device::Device> device = device::host::make_host_device({});
  std::map<void*, device::Buffer> buffers;
  std::map<device::Module*, std::unique_ptr<device::Module>> modules;
};

State& state() {
  static State all;
  return all;
}

/// 0, or 1 with the reason on standard error.
template <class Work>
int status_of(Work work) {
  try {
    work();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}

int allocate(void** memory, std::size_t bytes) {
  return status_of([&] {
    device::Buffer buffer = state().device->allocate(bytes);
    *memory = buffer.data();
    state().buffers.emplace(*memory, std::move(buffer));
  });
}

int release(void* memory) {
  return state().buffers.erase(memory) == 1 ? 0 : 1;
}

int copy(void* to, const void* from, std::size_t bytes, int kind, void*) {
  return status_of([&] {
    if (kind == copy_to_device) state().device->copy_to_device(to, from, bytes);
    if (kind == copy_to_host) state().device->copy_to_host(to, from, bytes);
  });
}

int fill(void* memory, int value, std::size_t bytes, void*) {
  return status_of([&] { state().device->fill(memory, static_cast<std::byte>(value), bytes); });
}

/// Images come without their size: an object of the host's linker ends with its section headers.
int load(void** module, const void* image) {
  return status_of([&] {
    Elf64_Ehdr header{};
    std::memcpy(&header, image, sizeof header);
    const std::size_t bytes = header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize;
    auto loaded = state().device->load({static_cast<const std::byte*>(image), bytes});
    *module = loaded.get();
    state().modules.emplace(loaded.get(), std::move(loaded));
  });
}

int unload(void* module) {
  return state().modules.erase(static_cast<device::Module*>(module)) == 1 ? 0 : 1;
}

int find(void** function, void* module, const char* symbol) {
  return status_of(
      [&] { *function = static_cast<device::Module*>(module)->kernel(symbol).handle; });
}

int launch(void* function, unsigned grid, unsigned grid_y, unsigned grid_z, unsigned block,
           unsigned block_y, unsigned block_z, unsigned shared_bytes, void*, void** arguments,
           void** extra) {
  const bool is_plain = grid_y == 1 && grid_z == 1 && block_y == 1 && block_z == 1 &&
                        shared_bytes == 0 && arguments == nullptr && extra[0] == extra_pointer &&
                        extra[2] == extra_size && extra[4] == extra_end;
  if (!is_plain) return 1;
  const std::size_t bytes = *static_cast<const std::size_t*>(extra[3]);
  const auto layout = layouts().find(bytes);
  if (layout == layouts().end()) return 1;
  device::Launch one{.kernel = {function}, .grid = grid, .block = static_cast<int>(block)};
  for (const std::size_t offset : layout->second) {
    std::uint64_t value = 0;
    const auto* from = static_cast<const std::byte*>(extra[1]) + offset;
    std::memcpy(&value, from, std::min(sizeof value, bytes - offset));
    one.arguments.append(value);
  }
  return status_of([&] { state().device->launch({&one, 1}, {}); });
}

int synchronize(void*) {
  return status_of([] { state().device->synchronize({}); });
}

}  // namespace

LauncherApi host_launcher_api() {
  return {.allocate = allocate,
          .release = release,
          .copy = copy,
          .fill = fill,
          .load = load,
          .unload = unload,
          .find = find,
          .launch = launch,
          .synchronize = synchronize};
}

int still_held() {
  return static_cast<int>(state().buffers.size() + state().modules.size());
}

}  // namespace redtune::code_object
