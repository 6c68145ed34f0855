// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Many values at a time in the shared memory of a block, as rows that become one; and the ends of
// columns that several blocks share, each of which has such a row of values: by tickets or by
// slots, as single values are handed over.
#pragma once

#include "finish_slots.hip.h"

namespace redtune {

/// Folds `rows` rows of `length` values each, one behind the other, into the first, as a tree: of
/// each of some sets of them, `set_length` values from each other. All threads of the block call
/// it, once what is folded is there for all; so is what comes out.
template <class Op, int block_size, class Acc>
REDTUNE_DEVICE void fold_value_rows(Acc* values, i32 rows, i32 length, i32 sets, i32 set_length) {
  REDTUNE_ROLLED
  while (rows > 1) {
    const i32 half = (rows + 1) / 2;
    const i32 upper = (rows - half) * length;
    REDTUNE_ROLLED
    for (i32 i = thread_index(); i < sets * upper; i += block_size) {
      const i32 set = sets == 1 ? 0 : i32(u32(i) / u32(upper));
      Acc* const value = values + (set * set_length + (i - set * upper));
      *value = Op::template combine<Acc>(*value, value[half * length]);
    }
    block_barrier();
    rows = half;
  }
}

/// Which of the blocks that share columns this one is. The last is the last to start.
struct column_part {
  u32 index;
  u32 parts;
  i64 group;  ///< of columns that are shared, among all
};

/// Values in the memory of a finish: from `first` on every step-th before `end`.
struct value_steps {
  u32 first;
  u32 step;
  u32 end;
};

/// Threads that read the values of a column, each those of some parts.
template <int block_size>
REDTUNE_DEVICE u32 readers_of_column(i32 length, u32 parts) {
  const u32 readers = length < block_size ? u32(block_size) / u32(length) : 1;
  return readers < parts ? readers : parts;
}

/// Folds what all parts of columns have, read by all threads of the block, into `values`.
/// read(steps): the value of a column in some of the parts.
template <class Op, int block_size, class Acc, class Read>
REDTUNE_DEVICE void gather_parts(Acc* values, i32 length, u32 parts, Read read) {
  const u32 readers = readers_of_column<block_size>(length, parts);
  REDTUNE_ROLLED
  for (u32 i = u32(thread_index()); i < readers * u32(length); i += block_size) {
    values[i] = read(value_steps{i, readers * u32(length), parts * u32(length)});
  }
  block_barrier();
  fold_value_rows<Op, block_size>(values, i32(readers), length, 1, 0);
}

/// Leaves a part's values among those of all, each group of columns with a counter of its own among
/// the words. Whether the others are there as well: the same for all threads of a block.
template <class Fence, int block_size, class Acc, class Out>
REDTUNE_DEVICE bool leave_part(const Acc* values, i32 length, const column_part& part, Acc* all,
                               const finish_memory<Acc, Out>& memory) {
  REDTUNE_SHARED bool is_last;
  REDTUNE_ROLLED
  for (i32 i = thread_index(); i < length; i += block_size) {
    all[i64(part.index) * length + i] = values[i];
  }
  device_fence();
  block_barrier();
  if (thread_index() == 0) {
    u32* const counter = reinterpret_cast<u32*>(memory.slots + part.group);
    is_last = take_ticket<Fence>(counter, part.parts) == part.parts - 1;
  }
  block_barrier();
  if (is_last) device_fence();
  return is_last;
}

/// By tickets, each group of columns with a counter of its own among the words.
template <class Fence>
struct columns_by_tickets {
  /// Whether this block has the values of all parts; the same for all of its threads.
  template <class Op, int block_size, class Acc, class Out>
  static REDTUNE_DEVICE bool run(Acc* values, i32 length, const column_part& part,
                                 const finish_memory<Acc, Out>& memory) {
    Acc* const all = memory.partials + part.group * part.parts * length;
    if (!leave_part<Fence, block_size>(values, length, part, all, memory)) return false;
    gather_parts<Op, block_size>(values, length, part.parts, [all](const value_steps& steps) {
      Acc value = Op::template identity<Acc>();
      REDTUNE_ROLLED
      for (u32 i = steps.first; i < steps.end; i += 4 * steps.step) {
        Acc some[4];
        REDTUNE_UNROLL
        for (u32 k = 0; k < 4; ++k) {
          const u32 at = i + k * steps.step;
          some[k] = at < steps.end ? all[at] : Op::template identity<Acc>();
        }
        value = Op::template combine<Acc>(
            value, Op::template combine<Acc>(Op::template combine<Acc>(some[0], some[1]),
                                             Op::template combine<Acc>(some[2], some[3])));
      }
      return value;
    });
    return true;
  }
};

/// By slots, one for each column and part: the block of the last part reads those of the others.
struct columns_by_slots {
  template <class Op, int block_size, class Acc, class Out>
  static REDTUNE_DEVICE bool run(Acc* values, i32 length, const column_part& part,
                                 const finish_memory<Acc, Out>& memory) {
    typedef flagged_words<Acc> flagged;
    typedef slot_layout<flagged, 8> layout;
    const u32 last = part.parts - 1;
    u64* const slots = memory.slots + part.group * last * length * layout::stride;
    if (part.index != last) {
      REDTUNE_ROLLED
      for (i32 i = thread_index(); i < length; i += block_size) {
        u64 words[layout::words];
        flagged::write(values[i], words);
        layout::store(slots + (i64(part.index) * length + i) * layout::stride, words);
      }
      return false;
    }
    gather_parts<Op, block_size>(values, length, last, [=](const value_steps& steps) {
      constexpr int some = layout::some;
      Acc value = Op::template identity<Acc>();
      REDTUNE_ROLLED
      for (u32 i = steps.first; i < steps.end; i += u32(some) * steps.step) {
        value = take_slots<Op, layout, wait_all, some>(slots, i, steps.step, steps.end, value);
      }
      // The last part's own values are in the first row.
      if (steps.first < u32(length)) {
        value = Op::template combine<Acc>(value, values[steps.first]);
      }
      return value;
    });
    return true;
  }
};

/// The parts of columns in their order, so that it does not matter whether blocks share the columns
/// or one has all parts: of each column as many sums as it has readers, to which the parts are
/// added in turn, and which meet as a tree.
struct columns_in_turn {
  /// Whether this block has the values of all parts; the same for all of its threads.
  template <class Op, int block_size, class Acc, class Out>
  static REDTUNE_DEVICE bool run(Acc* values, i32 length, const column_part& part,
                                 const finish_memory<Acc, Out>& memory) {
    Acc* const all = memory.partials + part.group * part.parts * length;
    if (!leave_part<full_fence, block_size>(values, length, part, all, memory)) return false;
    gather_parts<Op, block_size>(values, length, part.parts, [all](const value_steps& steps) {
      Acc value = Op::template identity<Acc>();
      REDTUNE_ROLLED
      for (u32 i = steps.first; i < steps.end; i += 4 * steps.step) {
        Acc some[4];
        REDTUNE_UNROLL
        for (u32 k = 0; k < 4; ++k) {
          const u32 at = i + k * steps.step;
          some[k] = at < steps.end ? all[at] : Op::template identity<Acc>();
        }
        REDTUNE_UNROLL
        for (u32 k = 0; k < 4; ++k) {
          if (i + k * steps.step < steps.end) value = Op::template combine<Acc>(value, some[k]);
        }
      }
      return value;
    });
    return true;
  }

  /// Adds the values of the next part to a block's sums; all of its threads call it.
  template <class Op, int block_size, class Acc>
  static REDTUNE_DEVICE void add(const Acc* values, i32 length, u32 part, u32 parts, Acc* sums) {
    const u32 readers = readers_of_column<block_size>(length, parts);
    Acc* const sum = sums + i64(part % readers) * length;
    REDTUNE_ROLLED
    for (i32 i = thread_index(); i < length; i += block_size) {
      const Acc before = part < readers ? Op::template identity<Acc>() : sum[i];
      sum[i] = Op::template combine<Acc>(before, values[i]);
    }
    block_barrier();
  }

  /// Folds the sums of all parts into `values`.
  template <class Op, int block_size, class Acc>
  static REDTUNE_DEVICE void end(Acc* values, i32 length, u32 parts, const Acc* sums) {
    gather_parts<Op, block_size>(values, length, parts,
                                 [sums](const value_steps& steps) { return sums[steps.first]; });
  }
};

}  // namespace redtune
