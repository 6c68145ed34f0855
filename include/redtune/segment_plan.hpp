// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What of the segments of an array is found out once, and kept for many launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "redtune/export.hpp"
#include "redtune/find_best.hpp"
#include "redtune/problem.hpp"
#include "redtune/segments.hpp"
#include "redtune/stream.hpp"

namespace redtune {

namespace detail {
class SegmentPlanState;
}

/// How launches with a plan deal out segments: in the way of the configuration that was found for
/// them; in equal shares of elements and segments; or in bins, which are lists of segments by their
/// lengths, so that each is folded by a thread, part of a wave, a wave, a block or several blocks.
enum class PlanWay { as_found, shares, bins };

struct SegmentPlanOptions {
  PlanWay way = PlanWay::as_found;
  /// Measures the lengths before it is made, and waits for that: the configuration is that for as
  /// skewed segments as there are, and not as the Reducer's problem says.
  bool measured = false;
  /// Looks at all offsets first, as Reducer::check_offsets() does, also when it is made again, and
  /// waits for that: those that are out of order or beyond the array are refused with UsageError.
  bool checked = false;
  /// Device memory for it, aligned to 256 bytes, that outlives it; null: it takes its own, once.
  void* memory = nullptr;
  std::size_t bytes = 0;  ///< of memory
};

/// How long segments are.
struct SegmentLengths {
  std::int64_t elements = 0;  ///< of all of them together
  std::int64_t longest = 0;
  Skew skew = Skew::uniform;  ///< what comes nearest to how they are spread
};

/// Made by Reducer::plan_segments(). Holds where equal shares begin, or bins, or nothing, in
/// device memory, and the workspace of its launches; keeps the device open, and needs the offsets, which it does
/// not copy, as they were. The same offsets give the same bits each time. For one thread, and one
/// stream, at a time.
class REDTUNE_API SegmentPlan {
 public:
  SegmentPlan(SegmentPlan&&) noexcept;
  SegmentPlan& operator=(SegmentPlan&&) noexcept;
  ~SegmentPlan();

  /// The configuration of its launches, and how it was found. Where the way that was asked for
  /// makes another of what was tuned, nothing tuned is claimed: its match is `fallback`.
  [[nodiscard]] const Answer& answer() const;
  /// Of device memory.
  [[nodiscard]] std::size_t bytes() const;
  /// Makes it again on the stream, for other offsets of as many segments of as many elements, in
  /// the same memory; waits for nothing, but where it is to be checked. Throws UsageError for
  /// another number of them, and for offsets that are none where it is checked: then it stays as it
  /// was.
  void update(const SegmentOffsets& segments, Stream stream = {});
  /// Looks at all lengths on the stream, and waits for the answer.
  [[nodiscard]] SegmentLengths measure(Stream stream = {}) const;

 private:
  friend class Reducer;
  explicit SegmentPlan(std::unique_ptr<detail::SegmentPlanState> state);

  std::unique_ptr<detail::SegmentPlanState> state_;
};

}  // namespace redtune
