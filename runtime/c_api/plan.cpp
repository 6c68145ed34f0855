// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of redtune.h that plans segments.
#include "redtune/reducer.hpp"
#include "runtime/c_api/arguments.hpp"
#include "runtime/c_api/guard.hpp"
#include "runtime/c_api/objects.hpp"

using namespace redtune;
using namespace redtune::c_api;

int redtune_plan_create(const redtune_reducer* reducer, int64_t elements,
                        const redtune_segments* segments, const redtune_plan_options* options,
                        void* stream, redtune_plan** plan) {
  return guarded([&] {
    redtune_plan*& result = required(plan, "the place for the plan");
    const Reducer& known = required(reducer, "the reducer").reducer;
    result =
        new redtune_plan{known.plan_segments(elements, segments_of(segments),
                                             plan_options_of(options), Stream::from_handle(stream)),
                         known.device()};
  });
}

void redtune_plan_destroy(redtune_plan* plan) {
  delete plan;
}

size_t redtune_plan_bytes(const redtune_plan* plan) {
  return plan != nullptr ? plan->plan.bytes() : 0;
}

int redtune_reducer_plan_bytes(const redtune_reducer* reducer, int64_t elements, int64_t segments,
                               const redtune_plan_options* options, size_t* bytes) {
  return guarded([&] {
    size_t& result = required(bytes, "the place for the bytes");
    result = required(reducer, "the reducer")
                 .reducer.segment_plan_bytes(elements, segments, plan_options_of(options));
  });
}

int redtune_plan_answer(const redtune_plan* plan, redtune_answer** answer) {
  return guarded([&] {
    redtune_answer*& result = required(answer, "the place for the answer");
    const redtune_plan& known = required(plan, "the plan");
    result = new redtune_answer{known.plan.answer(), known.device};
  });
}

int redtune_plan_update(redtune_plan* plan, const redtune_segments* segments, void* stream) {
  return guarded([&] {
    required(plan, "the plan").plan.update(segments_of(segments), Stream::from_handle(stream));
  });
}

int redtune_plan_measure(const redtune_plan* plan, void* stream, redtune_lengths* lengths) {
  return guarded([&] {
    redtune_lengths& result = required(lengths, "the place for the lengths");
    fill(result, required(plan, "the plan").plan.measure(Stream::from_handle(stream)));
  });
}

int redtune_reducer_launch_plan(const redtune_reducer* reducer, const void* in, redtune_plan* plan,
                                void* out, void* stream) {
  return guarded([&] {
    const Reducer& known = required(reducer, "the reducer").reducer;
    SegmentPlan& planned = required(plan, "the plan").plan;
    const Shape& shape = planned.answer().problem;
    if (shape.segment_count > 0 && shape.count > 0) require(in, "the input");
    if (shape.segment_count > 0) require(out, "the place for the results");
    known.launch_bytes(in, planned, out, Stream::from_handle(stream));
  });
}
