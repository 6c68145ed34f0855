// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a plan of segments is made by: where equal shares of them begin, lists of them by their
// lengths, and how long they are. Nothing is read back, and the same offsets give the same plan.
#pragma once

#include "device_code/binned_segments.hip.h"
#include "device_code/ordered_places.hip.h"

namespace redtune {

template <class Offset>
REDTUNE_DEVICE segment_array<u8, Offset> without_elements(const Offset* begins, const Offset* ends,
                                                          i64 segments) {
  return {nullptr, 0, begins, ends, segments};
}

/// Words that have to be zero before a plan is used.
template <int block_size>
REDTUNE_KERNEL(block_size)
clear_words(u64* words, i64 many) {
  wait_for_previous();
  REDTUNE_ROLLED
  for (i64 i = i64(block_index()) * block_size + thread_index(); i < many;
       i += i64(grid_size()) * block_size) {
    words[i] = 0;
  }
}

/// For each share, and for what is behind the last, twice the segment of its first step, and one
/// more where that has steps before.
template <class Offset, int block_size>
REDTUNE_KERNEL(block_size)
find_share_starts(const Offset* begins, const Offset* ends, i64 segments, i64 share_length,
                  i64 shares, i64* starts) {
  wait_for_previous();
  const auto of = without_elements(begins, ends, segments);
  const i64 share = i64(block_index()) * block_size + thread_index();
  if (share > shares) return;
  const i64 step = share * share_length;
  i64 low = 0;
  i64 high = segments;
  REDTUNE_ROLLED
  while (low < high) {
    const i64 middle = low + (high - low) / 2;
    if (step_of_end(of, middle) >= step) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  const bool is_cut = low < segments && first_step(of, low) < step;
  starts[share] = 2 * low + (is_cut ? 1 : 0);
}

/// How many segments of a run of them are of each bin; the block that comes last tells where each
/// bin begins, and each block's part of it. counts: for each bin one for each block, and so many
/// for pieces.
template <class Offset, int block_size>
REDTUNE_KERNEL(block_size)
count_bins(const Offset* begins, const Offset* ends, i64 segments, i64 most_of_thread,
           i64 most_of_part, i64 most_of_wave, i64 most_of_block, bin_table* table, u64* counts,
           u32* counter) {
  wait_for_previous();
  const auto of = without_elements(begins, ends, segments);
  const bin_limits limits{{most_of_thread, most_of_part, most_of_wave, most_of_block}};
  const block_run run = run_of_block(segments);
  u64 found[segment_bins + 1] = {};
  REDTUNE_ROLLED
  for (i64 segment = run.first + thread_index(); segment < run.end; segment += block_size) {
    const i64 length = of.end(segment) - of.begin(segment);
    const int bin = limits.bin_of(length);
    REDTUNE_UNROLL
    for (int i = 0; i < segment_bins; ++i) found[i] += bin == i ? 1 : 0;
    if (bin == segment_bins - 1) found[segment_bins] += u64(limits.pieces_of(length));
  }
  REDTUNE_UNROLL
  for (int i = 0; i <= segment_bins; ++i) {
    const u64 all = scan_block<block_size>(found[i]).all;
    if (thread_index() == 0) counts[i * grid_size() + block_index()] = all;
  }
  if (!is_last_block(counter)) return;
  u64 before = 0;
  REDTUNE_ROLLED
  for (int i = 0; i < segment_bins; ++i) {
    if (thread_index() == 0) table->begins[i] = i64(before);
    before += scan_counts<block_size>(counts + i * grid_size(), grid_size());
  }
  const u64 pieces = scan_counts<block_size>(counts + segment_bins * grid_size(), grid_size());
  if (thread_index() == 0) {
    table->begins[segment_bins] = i64(before);
    table->pieces = i64(pieces);
    table->piece = limits.piece();
  }
}

/// Puts the segments of a run into the list, each at the place that those before leave to it.
template <class Offset, int block_size>
REDTUNE_KERNEL(block_size)
place_bins(const Offset* begins, const Offset* ends, i64 segments, i64 most_of_thread,
           i64 most_of_part, i64 most_of_wave, i64 most_of_block, const bin_table* table,
           const u64* counts, u32* list, i64* first_pieces) {
  constexpr int bits = 12;  // of a number of threads
  constexpr u64 mask = (u64(1) << bits) - 1;
  constexpr int last_bin = segment_bins - 1;
  wait_for_previous();
  const auto of = without_elements(begins, ends, segments);
  const bin_limits limits{{most_of_thread, most_of_part, most_of_wave, most_of_block}};
  const block_run run = run_of_block(segments);
  i64 places[segment_bins];
  REDTUNE_UNROLL
  for (int i = 0; i < segment_bins; ++i) {
    places[i] = table->begins[i] + i64(counts[i * grid_size() + block_index()]);
  }
  i64 pieces_before = i64(counts[segment_bins * grid_size() + block_index()]);
  REDTUNE_ROLLED
  for (i64 first = run.first; first < run.end; first += block_size) {
    const i64 segment = first + thread_index();
    const bool is_there = segment < run.end;
    const i64 length = is_there ? of.end(segment) - of.begin(segment) : 0;
    const int bin = limits.bin_of(length);
    const scanned found = scan_block<block_size>(is_there ? u64(1) << bits * bin : u64(0));
    if ((found.all >> bits * last_bin) != 0) {
      const bool is_last = is_there && bin == last_bin;
      const scanned pieces =
          scan_block<block_size>(is_last ? u64(limits.pieces_of(length)) : u64(0));
      if (is_last) {
        const i64 place = places[last_bin] + i64(found.before >> bits * last_bin);
        first_pieces[place - table->begins[last_bin]] = pieces_before + i64(pieces.before);
      }
      pieces_before += i64(pieces.all);
    }
    REDTUNE_UNROLL
    for (int i = 0; i < segment_bins; ++i) {
      if (is_there && bin == i) {
        list[places[i] + i64(found.before >> bits * i & mask)] = u32(segment);
      }
      places[i] += i64(found.all >> bits * i & mask);
    }
  }
}

/// The longest segment, and the elements of all: measured[0] and [1]. partials: two of each block.
template <class Offset, int block_size>
REDTUNE_KERNEL(block_size)
measure_segments(const Offset* begins, const Offset* ends, i64 segments, u64* partials,
                 u32* counter, u64* measured) {
  wait_for_previous();
  const auto of = without_elements(begins, ends, segments);
  u64 longest = 0;
  u64 elements = 0;
  REDTUNE_ROLLED
  for (i64 segment = i64(block_index()) * block_size + thread_index(); segment < segments;
       segment += i64(grid_size()) * block_size) {
    const u64 length = u64(of.end(segment) - of.begin(segment));
    longest = longest < length ? length : longest;
    elements += length;
  }
  longest = greatest_of_block<block_size>(longest);
  elements = scan_block<block_size>(elements).all;
  if (thread_index() == 0) {
    partials[2 * block_index()] = longest;
    partials[2 * block_index() + 1] = elements;
  }
  if (!is_last_block(counter)) return;
  longest = 0;
  elements = 0;
  REDTUNE_ROLLED
  for (i32 block = thread_index(); block < grid_size(); block += block_size) {
    longest = longest < partials[2 * block] ? partials[2 * block] : longest;
    elements += partials[2 * block + 1];
  }
  longest = greatest_of_block<block_size>(longest);
  elements = scan_block<block_size>(elements).all;
  if (thread_index() == 0) {
    measured[0] = longest;
    measured[1] = elements;
  }
}

}  // namespace redtune
