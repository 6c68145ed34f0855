// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Equal shares of all elements and segments, and how what blocks have of the segments that are cut
// is put together in order.
#pragma once

#include "finish_row.hip.h"
#include "segment_array.hip.h"

namespace redtune {

/// The share of a block: steps of the walk over all elements and ends of segments.
struct segment_share {
  i64 first;      ///< the segment of the first step
  i64 last;       ///< that of the first step behind; it may have steps before
  i64 from;       ///< elements before are those of others
  i64 to;         ///< elements from there on as well
  bool is_begun;  ///< the first segment has steps before the share
  bool is_open;   ///< the last segment has steps in it, or before, and ends behind it

  /// Segments of which the share has something.
  REDTUNE_DEVICE i64 end() const { return is_open ? last + 1 : last; }
  /// Whether a segment that others began ends here: its value is theirs and this block's.
  REDTUNE_DEVICE bool ends_begun() const { return is_begun && first < last; }
};

template <int block_size, class In, class Offset>
REDTUNE_DEVICE segment_share share_of_block(const segment_array<In, Offset>& of, i64 length) {
  const i64 steps[2] = {block_index() * length, (block_index() + 1) * length};
  i64 found[2];
  find_segments<block_size>(of, steps, found);
  segment_share share{found[0], found[1], steps[0] - found[0], steps[1] - found[1], false, false};
  share.is_begun = share.first < of.segments && first_step(of, share.first) < steps[0];
  share.is_open = share.last < of.segments && first_step(of, share.last) < steps[1];
  return share;
}

/// The part of a block in segments that are cut: their values are kept for whoever puts them
/// together.
template <class Op, class Acc, class Out>
struct cut_segments {
  segment_share share;
  Acc* begun;  ///< of the first segment, where others began it
  Acc* open;   ///< of the last
  Out* out;

  template <class In, class Offset>
  REDTUNE_DEVICE segment_piece piece(const segment_array<In, Offset>& of, i64 segment) const {
    const i64 begin = of.begin(segment);
    const i64 end = of.end(segment);
    const i64 from = segment == share.first && begin < share.from ? share.from : begin;
    const i64 to = segment == share.last && share.to < end ? share.to : end;
    return {from, to - from, from - begin};
  }
  template <class In, class Offset>
  REDTUNE_DEVICE void take(const segment_array<In, Offset>& of, i64 segment, Acc value) const {
    if (segment == share.last) {
      *open = value;
    } else if (segment == share.first && share.is_begun) {
      *begun = value;
    } else {
      write_segment<Op>(of, segment, value, out);
    }
  }
};

/// Where blocks leave what they have of cut segments.
template <class Acc>
struct cut_memory {
  void* partials;
  u64* words;
  u32* counter;
  i64 length;  ///< of a share

  /// The first block that has steps of a segment.
  template <class In, class Offset>
  REDTUNE_DEVICE i32 first_block(const segment_array<In, Offset>& of, i64 segment) const {
    return i32(first_step(of, segment) / length);
  }
  // By tickets: which segment a block ends that others began, or none; its value of it, and that of
  // the segment which it leaves open.
  REDTUNE_DEVICE i64* ended() const { return static_cast<i64*>(partials); }
  REDTUNE_DEVICE Acc* begun() const { return reinterpret_cast<Acc*>(ended() + grid_size()); }
  REDTUNE_DEVICE Acc* open() const { return begun() + grid_size(); }
};

/// The block that ends a segment waits for those that have the rest of it.
struct cuts_by_slots {
  template <class Op, int block_size, int wave_size, class In, class Offset, class Acc, class Out>
  static REDTUNE_DEVICE void run(const segment_array<In, Offset>& of,
                                 const cut_segments<Op, Acc, Out>& part,
                                 const cut_memory<Acc>& memory) {
    typedef flagged_words<Acc> flagged;
    typedef slot_layout<flagged, 8> layout;
    if (thread_index() == 0 && part.share.is_open) {
      u64 words[layout::words];
      flagged::write(*part.open, words);
      layout::store(memory.words + i64(block_index()) * layout::stride, words);
    }
    if (!part.share.ends_begun() || thread_index() >= wave_size) return;
    const i32 first = memory.first_block(of, part.share.first);
    Acc all = gather_slots<Op, layout, wait_all, wave_size, Acc>(
        memory.words + i64(first) * layout::stride, u32(block_index() - first));
    if (thread_index() == 0) all = Op::template combine<Acc>(all, *part.begun);
    all = wave_reduce<Op, wave_size>(all);
    if (thread_index() == 0) write_segment<Op>(of, part.share.first, all, part.out);
  }
};

/// The block that comes last puts all segments together that are cut.
struct cuts_by_tickets {
  /// Values that a thread folds alone; others are left to waves.
  static constexpr i32 few = 8;
  /// Of so many blocks at most; each that is left has `few` and more of them.
  static constexpr i32 most_blocks = 8192;

  template <class Op, int block_size, int wave_size, class In, class Offset, class Acc, class Out>
  static REDTUNE_DEVICE void run(const segment_array<In, Offset>& of,
                                 const cut_segments<Op, Acc, Out>& part,
                                 const cut_memory<Acc>& memory) {
    REDTUNE_SHARED bool is_last;
    REDTUNE_SHARED u32 left;
    REDTUNE_SHARED u16 places[most_blocks / few];
    if (thread_index() == 0) {
      const i32 block = block_index();
      memory.ended()[block] = part.share.ends_begun() ? part.share.first : -1;
      if (part.share.ends_begun()) memory.begun()[block] = *part.begun;
      if (part.share.is_open) memory.open()[block] = *part.open;
      const u32 blocks = u32(grid_size());
      is_last = take_ticket<full_fence>(memory.counter, blocks) == blocks - 1;
      left = 0;
    }
    block_barrier();
    if (!is_last) return;
    REDTUNE_ROLLED
    for (i32 block = thread_index(); block < grid_size(); block += block_size) {
      const i64 segment = memory.ended()[block];
      if (segment < 0) continue;
      const i32 first = memory.first_block(of, segment);
      if (block - first > few) {
        places[take_place(&left)] = u16(block);
        continue;
      }
      Acc value = memory.begun()[block];
      REDTUNE_UNROLL
      for (i32 i = 1; i <= few; ++i) {
        if (block - i < first) continue;
        value = Op::template combine<Acc>(memory.open()[block - i], value);
      }
      write_segment<Op>(of, segment, value, part.out);
    }
    block_barrier();
    REDTUNE_ROLLED
    for (u32 k = u32(thread_index()) / u32(wave_size); k < left; k += u32(block_size / wave_size)) {
      const i32 block = places[k];
      const i64 segment = memory.ended()[block];
      const i32 lane = thread_index() % wave_size;
      Acc value = lane == 0 ? memory.begun()[block] : Op::template identity<Acc>();
      REDTUNE_ROLLED
      for (i32 i = memory.first_block(of, segment) + lane; i < block; i += wave_size) {
        value = Op::template combine<Acc>(value, memory.open()[i]);
      }
      value = wave_reduce<Op, wave_size>(value);
      if (lane == 0) write_segment<Op>(of, segment, value, part.out);
    }
  }
};

}  // namespace redtune
