// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Finish in one launch by one atomic addition of each block, for values whose order of additions
// cannot matter: one word holds their sum and, below it, how many blocks have added theirs. The
// block whose addition finds all others counted has the result, and clears the word.
#pragma once

#include "block_reduce.hip.h"

namespace redtune {

/// What is added for the value of a block, and what the sum means. `any` and `all`: the blocks for
/// which it holds.
template <class Op, class Acc>
struct counted_values {
  typedef typename Op::fold fold;
  static constexpr bool is_any = is_same<fold, united_bits>::value;
  static constexpr bool is_all = is_same<fold, common_bits>::value;
  static constexpr bool is_signed = is_signed_integer<Acc>::value;
  static_assert(is_integer<Acc>::value, "integers can be added in any order");
  static_assert(is_same<fold, adding>::value || ((is_any || is_all) && enters_as_flag<Op>),
                "values that can be added");

  static REDTUNE_DEVICE u64 enter(Acc value) {
    if constexpr (is_any) return value != 0 ? 1 : 0;
    if constexpr (is_all) return u64(value & Acc(1));  // of no elements all bits are set
    return u64(value);
  }
  static REDTUNE_DEVICE Acc leave(u64 sum, u32 blocks) {
    if constexpr (is_any) return Acc(sum != 0 ? 1 : 0);
    if constexpr (is_all) return Acc(sum == blocks ? 1 : 0);
    return Acc(sum);
  }
};

/// The words: sum and count in one; a sum alone, and a ticket for it.
constexpr int counted_sum_alone = 1;
constexpr int counted_ticket = 2;

/// bits: no element adds 2^bits or more, and none less than -2^bits.
template <int bits>
struct counted {
  static constexpr bool one_block = false;

  static REDTUNE_DEVICE void begin() {}

  template <class Op, int block_size, int wave_size, class Acc, class Out>
  static REDTUNE_DEVICE ending<Acc> run(Acc block_value, const finish_memory<Acc, Out>& memory) {
    typedef counted_values<Op, Acc> values;
    if (thread_index() != 0) return {block_value, false};
    const u32 blocks = u32(grid_size());
    const u64 value = values::enter(block_value);
    const int shift = bit_width(blocks - 1);  // of what is counted before the last block
    constexpr int above = (values::is_signed ? 63 : 64) - bits;
    if (u64(memory.count) > u64(1) << (above - shift)) {
      return end_by_ticket<values>(value, blocks, block_value, memory.slots);
    }
    const u64 before = add_to_counted_word(memory.slots, (value << shift) + 1);
    const u64 counted_before = before & ((u64(1) << shift) - 1);
    if (counted_before != blocks - 1) return {block_value, false};
    store_slot_word(memory.slots, 0);
    const u64 sum = values::is_signed ? u64(i64(before) >> shift) : before >> shift;
    return {values::leave(sum + value, blocks), true};
  }

 private:
  /// Of more elements than leave room for a count: the sum has a word of its own.
  template <class Values, class Acc>
  static REDTUNE_DEVICE ending<Acc> end_by_ticket(u64 value, u32 blocks, Acc block_value,
                                                  u64* words) {
    add_to_word(words + counted_sum_alone, value);
    u32* const ticket = reinterpret_cast<u32*>(words + counted_ticket);
    if (take_ticket<full_fence>(ticket, blocks) != blocks - 1) return {block_value, false};
    const u64 sum = load_slot_word(words + counted_sum_alone);
    store_slot_word(words + counted_sum_alone, 0);
    return {Values::leave(sum, blocks), true};
  }
};

template <int bits>
struct hands_over_words<counted<bits>> {
  static constexpr bool value = true;
};

}  // namespace redtune
