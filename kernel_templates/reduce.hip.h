// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The family 'reduce': a whole array to one value. Load tiles, fold per thread, fold per block,
// finish.
#pragma once

#include "device_code/find_extreme.hip.h"
#include "device_code/finish_atomic.hip.h"
#include "device_code/finish_cluster.hip.h"
#include "device_code/finish_counted.hip.h"
#include "device_code/finish_last_block.hip.h"
#include "device_code/finish_last_wave.hip.h"
#include "device_code/finish_second_pass.hip.h"
#include "device_code/finish_single_block.hip.h"
#include "device_code/finish_slots.hip.h"
#include "device_code/fold_block.hip.h"

namespace redtune {

/// What all kernels of the family do.
template <class Op, class Finish, class Shape, class In, class Acc, class Out>
REDTUNE_DEVICE void reduce_grid(const In* in, i64 run, const finish_memory<Acc, Out>& memory) {
  const split_input<In, Shape::vector_width> input(in, memory.count);
  const tile_range mine = Finish::one_block
                              ? tile_range(input.vector_count, Shape::tile)
                              : tile_range(input.vector_count, Shape::tile, run, Shape::backwards);
  Finish::begin();
  wait_for_previous();
  constexpr int block_size = Shape::block_size;
  constexpr int wave_size = Shape::wave_size;
  if constexpr (Op::indexed) {
    const Acc found = find_block_extreme<Op, Acc, Shape>(input, mine);
    [[maybe_unused]] const auto end =
        Finish::template run<Op, block_size, wave_size>(found, memory);
    // Otherwise another launch looks for the index: here the code for it would never run.
    if constexpr (ends_at_once<Finish>::value) {
      write_index<Op, Shape>(input, end, mine.one_each, memory);
    }
  } else {
    const Acc value = fold_block<Op, Acc, Shape>(input, mine);
    write_result<Op>(Finish::template run<Op, block_size, wave_size>(value, memory), memory);
  }
}

/// What stands in the memory through which blocks hand over.
template <class Op, class Finish, class Acc>
struct handed_over {
  typedef
      typename either<hands_over_words<Finish>::value, u64, typename shaped<Op, Acc>::type>::type
          type;
};

/// Of which registers were seen in memory otherwise: each element is loaded by itself, 1024 threads
/// have elements of 8 bytes, little is loaded and words are waited for, or 32 elements by twos in
/// blocks of 256, or many elements are kept until their best value is known; or several members are
/// accumulated in f64, or of many elements of 2 bytes.
template <class Op, class In, class Finish, int block_size, int items_per_thread, int vector_width>
struct has_all_registers {
  static constexpr bool value =
      vector_width == 1 || (block_size == 1024 && sizeof(In) == 8) ||
      (hands_over_words<Finish>::value &&
       (items_per_thread <= 8 ||
        (block_size == 256 && items_per_thread == 32 && vector_width == 2))) ||
      (Op::indexed && items_per_thread >= 32) ||
      (Op::joint &&
       (sizeof(In) == 8 || is_integer<In>::value || (sizeof(In) == 2 && items_per_thread >= 32)));
};

template <class Op, class In, class Acc, class Out, class Finish, int block_size,
          int items_per_thread, int vector_width, class Hint, int wave_size>
REDTUNE_TILE_KERNEL(
    block_size,
    (has_all_registers<Op, In, Finish, block_size, items_per_thread, vector_width>::value))
reduce(const In* REDTUNE_RESTRICT in, i64 count, typename shaped<Op, Out>::result* out,
       typename handed_over<Op, Finish, Acc>::type* partials, u32* counter, i64 run) {
  typedef block_shape<block_size, items_per_thread, vector_width, Hint, wave_size> shape;
  typedef typename shaped<Op, Acc>::type Partial;
  reduce_grid<Op, Finish, shape>(in, run,
                                 memory_of<Finish, Partial>(out, partials, counter, count));
}

/// Likewise, fastest where there is one whole tile for each block.
template <class Op, class In, class Acc, class Out, class Finish, int block_size,
          int items_per_thread, int vector_width, class Hint, int wave_size>
REDTUNE_TILE_KERNEL(
    block_size,
    (has_all_registers<Op, In, Finish, block_size, items_per_thread, vector_width>::value))
reduce_exact(const In* REDTUNE_RESTRICT in, i64 count, typename shaped<Op, Out>::result* out,
             typename handed_over<Op, Finish, Acc>::type* partials, u32* counter, i64 run) {
  typedef block_shape<block_size, items_per_thread, vector_width, Hint, wave_size> shape;
  typedef typename shaped<Op, Acc>::type Partial;
  reduce_grid<Op, Finish, exact_shape<shape>>(
      in, run, memory_of<Finish, Partial>(out, partials, counter, count));
}

/// Likewise, for large inputs: tiles that are dealt round-robin are read from the last one
/// backwards. The kernel that wrote the input left its end in the cache, not its beginning.
template <class Op, class In, class Acc, class Out, class Finish, int block_size,
          int items_per_thread, int vector_width, class Hint, int wave_size>
REDTUNE_TILE_KERNEL(
    block_size,
    (has_all_registers<Op, In, Finish, block_size, items_per_thread, vector_width>::value))
reduce_backwards(const In* REDTUNE_RESTRICT in, i64 count, typename shaped<Op, Out>::result* out,
                 typename handed_over<Op, Finish, Acc>::type* partials, u32* counter, i64 run) {
  typedef block_shape<block_size, items_per_thread, vector_width, Hint, wave_size> shape;
  typedef typename shaped<Op, Acc>::type Partial;
  reduce_grid<Op, Finish, backwards_shape<shape>>(
      in, run, memory_of<Finish, Partial>(out, partials, counter, count));
}

/// Likewise, in clusters of blocks; the grid is whole clusters.
template <class Op, class In, class Acc, class Out, class Finish, int cluster_size, int block_size,
          int items_per_thread, int vector_width, class Hint, int wave_size>
REDTUNE_CLUSTER_KERNEL(
    block_size,
    (has_all_registers<Op, In, Finish, block_size, items_per_thread, vector_width>::value),
    cluster_size)
reduce_in_clusters(const In* REDTUNE_RESTRICT in, i64 count, typename shaped<Op, Out>::result* out,
                   typename shaped<Op, Acc>::type* partials, u32* counter, i64 run) {
  typedef finish_memory<typename shaped<Op, Acc>::type, typename shaped<Op, Out>::result> memory;
  typedef block_shape<block_size, items_per_thread, vector_width, Hint, wave_size> shape;
  reduce_grid<Op, Finish, shape>(in, run, memory{out, partials, counter, count, nullptr});
}

/// What every config does at least: the loads and folds. Each block keeps its value; nobody adds
/// them up. A floor for the times of configs, and none of them.
template <class Op, class In, class Acc, int block_size, int items_per_thread, int vector_width,
          class Hint, int wave_size>
REDTUNE_KERNEL(block_size)
loads_only(const In* REDTUNE_RESTRICT in, i64 count, typename shaped<Op, Acc>::type* partials) {
  typedef exact_shape<block_shape<block_size, items_per_thread, vector_width, Hint, wave_size>>
      shape;
  typedef typename shaped<Op, Acc>::type Partial;
  const split_input<In, vector_width> input(in, count);
  const tile_range mine(input.vector_count, shape::tile, i64(0), false);
  wait_for_previous();
  if constexpr (Op::indexed) {
    const Partial value = find_block_extreme<Op, Partial, shape>(input, mine);
    if (thread_index() == 0) partials[block_index()] = value;
  } else {
    const Partial value = fold_block<Op, Partial, shape>(input, mine);
    if (thread_index() == 0) partials[block_index()] = value;
  }
}

/// The second launch of second_pass for a value and its index.
template <class Op, class In, class Acc, class Out, int block_size, int items_per_thread,
          int vector_width, class Hint, int wave_size>
REDTUNE_KERNEL(block_size)
find_pass(const In* REDTUNE_RESTRICT in, i64 count, typename shaped<Op, Out>::result* out,
          typename shaped<Op, Acc>::type* partials, i32 partial_count) {
  typedef finish_memory<typename shaped<Op, Acc>::type, typename shaped<Op, Out>::result> memory;
  typedef block_shape<block_size, items_per_thread, vector_width, Hint, wave_size> shape;
  const split_input<In, vector_width> input(in, count);
  wait_for_previous();
  const auto found = fold_partials<Op, block_size, wave_size>(partials, partial_count);
  write_index<Op, shape>(input, {found, true}, false,
                         memory{out, partials, nullptr, count, nullptr});
}

}  // namespace redtune
