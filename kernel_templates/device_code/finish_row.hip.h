// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The ends of rows that several blocks share: as blocks of a grid become one value, by tickets or
// by slots, but each row by itself.
#pragma once

#include "finish_last_wave.hip.h"
#include "finish_slots.hip.h"

namespace redtune {

/// Which part of a row a block has. The last part is that of the block which is the last to start.
struct row_part {
  u32 index;
  u32 parts;
};

/// By tickets, each row with a counter of its own among the words.
template <class Fence>
struct row_by_tickets {
  template <class Op, int wave_size, class Acc, class Out>
  static REDTUNE_DEVICE ending<Acc> run(Acc value, row_part part, i64 row,
                                        const finish_memory<Acc, Out>& memory) {
    if (thread_index() >= wave_size) return {value, false};
    finish_memory<Acc, Out> of_row = memory;
    of_row.partials += row * part.parts;
    of_row.counter = reinterpret_cast<u32*>(memory.slots + row);
    return end_by_last_wave<Fence, Op, wave_size>(value, part.index, part.parts, of_row);
  }
};

/// By slots: the block of a row's last part reads those of the others.
struct row_by_slots {
  template <class Op, int wave_size, class Acc, class Out>
  static REDTUNE_DEVICE ending<Acc> run(Acc value, row_part part, i64 row,
                                        const finish_memory<Acc, Out>& memory) {
    typedef flagged_words<Acc> flagged;
    typedef slot_layout<flagged, 8> layout;
    u64* const slots = memory.slots + row * part.parts * layout::stride;
    const u32 last = part.parts - 1;
    if (part.index != last) {
      if (thread_index() == 0) {
        u64 words[layout::words];
        flagged::write(value, words);
        layout::store(slots + i64(part.index) * layout::stride, words);
      }
      return {value, false};
    }
    if (thread_index() >= wave_size) return {value, false};
    Acc all = gather_slots<Op, layout, wait_all, wave_size, Acc>(slots, last);
    if (thread_index() == 0) all = Op::template combine<Acc>(all, value);
    return {wave_reduce<Op, wave_size>(all), true};
  }
};

}  // namespace redtune
