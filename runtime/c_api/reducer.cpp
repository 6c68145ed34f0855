// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of redtune.h that reduces.
#include "redtune/reducer.hpp"

#include <algorithm>
#include <string_view>

#include "runtime/c_api/arguments.hpp"
#include "runtime/c_api/guard.hpp"
#include "runtime/c_api/objects.hpp"
#include "runtime/resolve.hpp"

using namespace redtune;
using namespace redtune::c_api;

namespace {

/// The caller's, else the reducer's own.
Workspace& workspace_of(Reducer& reducer, redtune_workspace* given) {
  return given != nullptr ? given->workspace : reducer.own_workspace();
}

}  // namespace

int redtune_reducer_create(const redtune_problem* problem, const redtune_options* options,
                           redtune_reducer** reducer) {
  return guarded([&] {
    redtune_reducer*& result = required(reducer, "the place for the reducer");
    const ReducerOptions chosen = options_of(options);
    result = new redtune_reducer{Reducer(problem_of(problem), chosen),
                                 runtime::registry().select(chosen.device).text()};
  });
}

void redtune_reducer_destroy(redtune_reducer* reducer) {
  delete reducer;
}

int redtune_reducer_answer(const redtune_reducer* reducer, int64_t count, redtune_answer** answer) {
  return guarded([&] {
    redtune_answer*& result = required(answer, "the place for the answer");
    const Reducer& known = required(reducer, "the reducer").reducer;
    result = new redtune_answer{known.answer(count), known.device()};
  });
}

int redtune_reducer_answer_for_array(const redtune_reducer* reducer, const redtune_array* array,
                                     redtune_answer** answer) {
  return guarded([&] {
    redtune_answer*& result = required(answer, "the place for the answer");
    const Reducer& known = required(reducer, "the reducer").reducer;
    result = new redtune_answer{known.answer(shape_of(array)), known.device()};
  });
}

const char* redtune_reducer_device(const redtune_reducer* reducer) {
  return reducer != nullptr ? reducer->device.c_str() : nullptr;
}

size_t redtune_reducer_result_bytes(const redtune_reducer* reducer) {
  return reducer != nullptr ? result_bytes(reducer->reducer.answer().problem) : 0;
}

uint64_t redtune_reducer_hits(const redtune_reducer* reducer, const char* match) {
  if (reducer == nullptr || match == nullptr) return 0;
  const auto known = std::ranges::find(all_matches, std::string_view(match),
                                       [](Match one) { return to_string(one); });
  return known != all_matches.end() ? reducer->reducer.hits(*known) : 0;
}

int redtune_workspace_create(const redtune_reducer* reducer, redtune_workspace** workspace) {
  return guarded([&] {
    redtune_workspace*& result = required(workspace, "the place for the workspace");
    result = new redtune_workspace{required(reducer, "the reducer").reducer.make_workspace()};
  });
}

void redtune_workspace_destroy(redtune_workspace* workspace) {
  delete workspace;
}

size_t redtune_workspace_bytes(const redtune_workspace* workspace) {
  return workspace != nullptr ? workspace->workspace.bytes() : 0;
}

int redtune_reducer_launch(redtune_reducer* reducer, const void* in, int64_t count, void* out,
                           redtune_workspace* workspace, void* stream) {
  return guarded([&] {
    Reducer& known = required(reducer, "the reducer").reducer;
    if (count > 0) require(in, "the input");
    require(out, "the place for the result");
    known.launch_bytes(in, count, out, workspace_of(known, workspace), Stream::from_handle(stream));
  });
}

int redtune_reducer_launch_array(redtune_reducer* reducer, const void* in,
                                 const redtune_array* array, void* out,
                                 redtune_workspace* workspace, void* stream) {
  return guarded([&] {
    Reducer& known = required(reducer, "the reducer").reducer;
    const Shape shape = shape_of(array);
    const bool has_results = shape.outer > 0 && shape.inner > 0 && !is_segmented(shape);
    if (has_results && shape.count > 0) require(in, "the input");
    if (has_results) require(out, "the place for the results");
    known.launch_bytes(in, shape, out, workspace_of(known, workspace), Stream::from_handle(stream));
  });
}

int redtune_reducer_launch_segments(redtune_reducer* reducer, const void* in, int64_t elements,
                                    const redtune_segments* segments, void* out,
                                    redtune_workspace* workspace, void* stream) {
  return guarded([&] {
    Reducer& known = required(reducer, "the reducer").reducer;
    const SegmentOffsets offsets = segments_of(segments);
    if (offsets.count > 0 && elements > 0) require(in, "the input");
    if (offsets.count > 0) require(out, "the place for the results");
    known.launch_bytes(in, elements, offsets, out, workspace_of(known, workspace),
                       Stream::from_handle(stream));
  });
}

int redtune_reducer_check_offsets(const redtune_reducer* reducer, int64_t elements,
                                  const redtune_segments* segments) {
  return guarded([&] {
    required(reducer, "the reducer").reducer.check_offsets(elements, segments_of(segments));
  });
}

int redtune_reducer_is_capturing(const redtune_reducer* reducer, void* stream) {
  if (reducer == nullptr) return 0;
  try {
    return reducer->reducer.is_capturing(Stream::from_handle(stream)) ? 1 : 0;
  } catch (const std::exception&) {  // a device that is lost, as the launch will say
    return 0;
  }
}

int redtune_reducer_synchronize(const redtune_reducer* reducer, void* stream) {
  return guarded(
      [&] { required(reducer, "the reducer").reducer.synchronize(Stream::from_handle(stream)); });
}

int redtune_reducer_reduce_host(redtune_reducer* reducer, const void* values, int64_t count,
                                void* out) {
  return guarded([&] {
    Reducer& known = required(reducer, "the reducer").reducer;
    if (count > 0) require(values, "the values");
    require(out, "the place for the result");
    known.reduce_bytes(values, count, out);
  });
}
