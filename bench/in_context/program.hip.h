// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernels of a made-up program around a reduction, written as programs write them: a thread for
// each element, an ordinary grid. They start and end as kernels do that know nothing of redtune.
#pragma once

#include "kernel_templates/device_code/prelude.hip.h"

namespace redtune {

/// The elements of one thread: a single one, or so many in a row where lanes take turns.
template <int block_size, int run>
struct own_elements {
  i64 first;
  i64 end;

  REDTUNE_DEVICE explicit own_elements(i64 count) {
    first = (i64(block_index()) * block_size + thread_index()) * run;
    end = first + run < count ? first + run : count;
  }
};

/// Computes the input of a reduction from another array. An element is so many words.
template <int block_size, int run, int width>
REDTUNE_KERNEL(block_size)
produce(const vec<u32, width>* source, i64 count, u32 key, vec<u32, width>* input) {
  const own_elements<block_size, run> mine(count);
  REDTUNE_ROLLED
  for (i64 i = mine.first; i < mine.end; ++i) {
    vec<u32, width> element = source[i];
    REDTUNE_UNROLL
    for (int k = 0; k < width; ++k) element.v[k] ^= key;
    input[i] = element;
  }
}

/// The same from two arrays, as the terms of a loss come from what was found and what was wanted.
/// Of the second there are a power of two, again and again. mask is 0, which no compiler knows.
template <int block_size, int run>
REDTUNE_KERNEL(block_size)
compare(const vec<u32, 4>* source, i64 count, u32 key, const vec<u32, 4>* found, i64 found_count,
        u32 mask, vec<u32, 4>* input) {
  const own_elements<block_size, run> mine(count);
  REDTUNE_ROLLED
  for (i64 i = mine.first; i < mine.end; ++i) {
    vec<u32, 4> element = source[i];
    const vec<u32, 4> other = found[i & (found_count - 1)];
    REDTUNE_UNROLL
    for (int k = 0; k < 4; ++k) element.v[k] ^= key ^ (other.v[k] & mask);
    input[i] = element;
  }
}

/// Scales all elements by the result, as in normalising. Words of any type are taken for floats:
/// nobody reads what comes of them.
template <int block_size, int run, int width>
REDTUNE_KERNEL(block_size)
scale(const vec<float, width>* input, i64 count, const float* result, vec<float, width>* scaled) {
  const own_elements<block_size, run> mine(count);
  const float factor = *result;
  REDTUNE_ROLLED
  for (i64 i = mine.first; i < mine.end; ++i) {
    vec<float, width> element = input[i];
    REDTUNE_UNROLL
    for (int k = 0; k < width; ++k) element.v[k] *= factor;
    scaled[i] = element;
  }
}

/// What is above zero.
template <int block_size, int run>
REDTUNE_KERNEL(block_size)
activate(const vec<float, 4>* hidden, i64 count, vec<float, 4>* active) {
  const own_elements<block_size, run> mine(count);
  REDTUNE_ROLLED
  for (i64 i = mine.first; i < mine.end; ++i) {
    vec<float, 4> element = hidden[i];
    REDTUNE_UNROLL
    for (int k = 0; k < 4; ++k) element.v[k] = element.v[k] > 0.0f ? element.v[k] : 0.0f;
    active[i] = element;
  }
}

/// A step against the gradient. rate is 0, which no compiler knows: the weights stay as they are.
template <int block_size, int run>
REDTUNE_KERNEL(block_size)
update(vec<float, 4>* weights, i64 count, const vec<float, 4>* gradient, float rate) {
  const own_elements<block_size, run> mine(count);
  REDTUNE_ROLLED
  for (i64 i = mine.first; i < mine.end; ++i) {
    vec<float, 4> element = weights[i];
    const vec<float, 4> slope = gradient[i];
    REDTUNE_UNROLL
    for (int k = 0; k < 4; ++k) element.v[k] -= rate * slope.v[k];
    weights[i] = element;
  }
}

/// The product of two square matrices of row-major floats, through shared memory: a block makes a
/// square tile of it, a thread a smaller one. edge is a multiple of both tile and depth.
template <int tile, int micro>
REDTUNE_KERNEL((tile / micro) * (tile / micro))
multiply(const float* a, const float* b, i32 edge, float* product) {
  constexpr int side = tile / micro;
  constexpr int threads = side * side;
  constexpr int depth = 16;
  REDTUNE_SHARED float a_part[depth][tile + 1];  // transposed; one more, so that banks differ
  REDTUNE_SHARED float b_part[depth][tile];
  const i32 tiles = edge / tile;
  const i32 row = block_index() / tiles * tile;
  const i32 column = block_index() % tiles * tile;
  const i32 my_row = thread_index() / side * micro;
  const i32 my_column = thread_index() % side * micro;
  float sums[micro][micro];
  for (int r = 0; r < micro; ++r) {
    for (int c = 0; c < micro; ++c) sums[r][c] = 0.0f;
  }
  REDTUNE_ROLLED
  for (i32 from = 0; from < edge; from += depth) {
    for (i32 i = thread_index(); i < depth * tile; i += threads) {
      a_part[i % depth][i / depth] = a[i64(row + i / depth) * edge + from + i % depth];
      b_part[i / tile][i % tile] = b[i64(from + i / tile) * edge + column + i % tile];
    }
    block_barrier();
    REDTUNE_UNROLL
    for (int k = 0; k < depth; ++k) {
      REDTUNE_UNROLL
      for (int r = 0; r < micro; ++r) {
        REDTUNE_UNROLL
        for (int c = 0; c < micro; ++c) {
          sums[r][c] += a_part[k][my_row + r] * b_part[k][my_column + c];
        }
      }
    }
    block_barrier();
  }
  for (int r = 0; r < micro; ++r) {
    for (int c = 0; c < micro; ++c) {
      product[i64(row + my_row + r) * edge + column + my_column + c] = sums[r][c];
    }
  }
}

}  // namespace redtune
