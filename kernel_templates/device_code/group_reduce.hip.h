// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Folding groups of threads of a block, each to a value of its own: part of a wave, a wave, several
// waves. The first thread of a group holds its result.
#pragma once

#include "block_reduce.hip.h"

namespace redtune {

/// Folds groups of so many neighbouring lanes of a wave; all lanes of the wave call it.
template <class Op, int lanes, int wave_size, class Acc>
REDTUNE_DEVICE Acc reduce_part_of_wave(Acc value) {
  if constexpr (lanes == wave_size) {
    return wave_reduce<Op, wave_size>(value);
  } else {
    REDTUNE_UNROLL
    for (i32 distance = lanes / 2; distance > 0; distance /= 2) {
      value = Op::template combine<Acc>(value, shuffle_down<wave_size>(value, distance));
    }
    return value;
  }
}

/// Folds the values of the waves of a group, which stand one behind the other; one wave calls it.
template <class Op, int waves, int wave_size, class Acc>
REDTUNE_DEVICE Acc fold_waves(const Acc* of_waves) {
  if constexpr (folds_alone<Op, waves>::value) {
    return fold_values<Op, 0, waves>(of_waves);
  } else {
    Acc value = Op::template identity<Acc>();
    REDTUNE_UNROLL
    for (i32 i = thread_index() % wave_size; i < waves; i += wave_size) {
      value = Op::template combine<Acc>(value, of_waves[i]);
    }
    return wave_reduce<Op, wave_size, (waves < wave_size ? waves : wave_size)>(value);
  }
}

/// Folds groups of `lanes` threads, several values of each; all threads of the block call it, and
/// have a barrier of their own before they do so again where groups are of several waves.
template <class Op, int lanes, int block_size, int wave_size, int many, class Acc>
REDTUNE_DEVICE void group_reduce(Acc* values) {
  constexpr int lanes_of_wave = lanes < wave_size ? lanes : wave_size;
  REDTUNE_UNROLL
  for (int i = 0; i < many; ++i) {
    values[i] = reduce_part_of_wave<Op, lanes_of_wave, wave_size>(values[i]);
  }
  if constexpr (lanes > wave_size) {
    constexpr int waves = block_size / wave_size;
    constexpr int waves_of_group = lanes / wave_size;
    REDTUNE_SHARED Acc of_waves alignas(16)[many * waves];
    const i32 wave = i32(u32(thread_index()) / u32(wave_size));
    if (thread_index() % wave_size == 0) {
      REDTUNE_UNROLL
      for (int i = 0; i < many; ++i) of_waves[i * waves + wave] = values[i];
    }
    block_barrier();
    if (wave % waves_of_group != 0) return;
    REDTUNE_UNROLL
    for (int i = 0; i < many; ++i) {
      values[i] = fold_waves<Op, waves_of_group, wave_size>(of_waves + i * waves + wave);
    }
  }
}

}  // namespace redtune
