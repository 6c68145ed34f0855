// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A tuned reduction, ready to launch for any count: looks up, once, the best configuration for
// every size, and has their kernels loaded. Never tunes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "redtune/error.hpp"
#include "redtune/export.hpp"
#include "redtune/find_best.hpp"
#include "redtune/problem.hpp"
#include "redtune/segment_plan.hpp"
#include "redtune/segments.hpp"
#include "redtune/stream.hpp"

namespace redtune {

struct ReducerOptions {
  std::string device = "auto";  ///< as for identify_device()
  LookupOptions lookup = {};
  /// The same bits for the same data as long as the results file is the same, in this process even
  /// longer: until it ends. Needs Order::fixed.
  bool pinned = false;
};

/// The counts from first to last, and the answer that serves them; its problem.count is first.
struct SizeClass {
  std::int64_t first = 0;
  std::int64_t last = 0;
  Answer answer;
};

namespace detail {

/// What a launch is given, as far as its types tell.
struct LaunchTypes {
  DType in;
  DType out;  ///< of no account where a result is a struct of a user's
  ResultShape shape;
  std::size_t bytes;  ///< of a result

  bool operator==(const LaunchTypes&) const = default;
};

template <class T, class Out>
inline constexpr LaunchTypes launch_types{dtype_of<T>(), dtype_of<value_type_of<Out>>(),
                                          result_shape_of<Out>, sizeof(Out)};

class ReducerCore;
struct WorkspaceState;

}  // namespace detail

/// Device memory that reductions need beside input and output: one for all that are in order, on a
/// stream or in a graph. Keeps the device open, also without its Reducer.
class REDTUNE_API Workspace {
 public:
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;
  ~Workspace();

  /// Of device memory.
  [[nodiscard]] std::size_t bytes() const;

 private:
  friend class Reducer;
  friend class detail::ReducerCore;
  explicit Workspace(std::unique_ptr<detail::WorkspaceState> state);

  std::unique_ptr<detail::WorkspaceState> state_;
};

/// What is const may be called by several threads at a time; launches at the same time each need a
/// workspace of their own. The rest is for one thread at a time.
class REDTUNE_API Reducer {
 public:
  /// Resolves every size, and loads or compiles. problem.count is the count that answer() is about;
  /// any other is as good. Throws UsageError, DeviceError, and UnmetMatch where the answer for
  /// problem.count is below options.lookup.minimum.
  explicit Reducer(const Problem& problem, const ReducerOptions& options = {});
  Reducer(Reducer&&) noexcept;
  Reducer& operator=(Reducer&&) noexcept;
  ~Reducer();

  /// The configuration for problem.count, and how it was found.
  [[nodiscard]] const Answer& answer() const;
  /// Likewise for another count; its explanation holds for all counts of its class.
  [[nodiscard]] Answer answer(std::int64_t count) const;
  /// Likewise for another array; of several results. Throws UsageError as launch() does.
  [[nodiscard]] Answer answer(const Shape& shape) const;
  /// Whether a launch of that count meets options.lookup.minimum.
  [[nodiscard]] bool is_usable(std::int64_t count) const;
  /// All counts from 0 on, without a gap. Neighbours may have the same answer, and other kernels.
  [[nodiscard]] std::vector<SizeClass> size_classes() const;
  [[nodiscard]] const DeviceIdentity& device() const;
  /// Launches so far whose configuration was found with this match.
  [[nodiscard]] std::uint64_t hits(Match match) const;

  /// Throws OutOfMemory.
  [[nodiscard]] Workspace make_workspace() const;

  /// Reduces count elements, for each result, at device address in to device address out,
  /// asynchronously on the stream. in: element-aligned; out: memory that was allocated on the
  /// device itself, since kernels may change it by atomics, which GPUs do not all do in managed or
  /// host memory. No allocation, no lock, no synchronisation on a GPU: a launch may be captured
  /// into a graph. Count 0 writes the operator's identity. Throws UsageError for a negative count,
  /// types that are not the problem's and another Reducer's workspace, UnmetMatch where
  /// is_usable(count) is false, DeviceError when the launch is refused.
  template <class T, class Out>
  void launch(const T* in, std::int64_t count, Out* out, Workspace& workspace,
              Stream stream = {}) const {
    require_types(detail::launch_types<T, Out>);
    launch_bytes(in, count, out, workspace, stream);
  }
  /// Likewise for an array with other extents: out has place for results_of(shape)
  /// values, one behind the other. The configuration is answer(shape): of other
  /// extents than the problem's that of a tuned shape near to it; where none is, of rows the
  /// default of a typical length, and else that for shape.count with the problem's extents. Where
  /// outer or inner is 0, a Reducer of many results does nothing. Throws UsageError also for
  /// extents and pitches that the Reducer's kernels are not for.
  template <class T, class Out>
  void launch(const T* in, const Shape& shape, Out* out, Workspace& workspace,
              Stream stream = {}) const {
    require_types(detail::launch_types<T, Out>);
    launch_bytes(in, shape, out, workspace, stream);
  }
  /// Likewise in the Reducer's own workspace: for one stream at a time.
  template <class T, class Out>
  void launch(const T* in, std::int64_t count, Out* out, Stream stream = {}) {
    require_types(detail::launch_types<T, Out>);
    launch_bytes(in, count, out, own_workspace(), stream);
  }
  template <class T, class Out>
  void launch(const T* in, const Shape& shape, Out* out, Stream stream = {}) {
    require_types(detail::launch_types<T, Out>);
    launch_bytes(in, shape, out, own_workspace(), stream);
  }

  /// Reduces segments of an array of so many elements, each to a value, one behind the other at
  /// out: of a Reducer whose problem has segments, with offsets of as many bits. The offsets lie in
  /// device memory; what becomes of those that are out of order, or beyond the array, is not
  /// defined: check_offsets() tells. The lengths may be any; how they are spread is expected to be
  /// as the problem says. Else as launch().
  template <class T, class Out>
  void launch(const T* in, std::int64_t elements, const SegmentOffsets& segments, Out* out,
              Workspace& workspace, Stream stream = {}) const {
    require_types(detail::launch_types<T, Out>);
    launch_bytes(in, elements, segments, out, workspace, stream);
  }
  template <class T, class Out>
  void launch(const T* in, std::int64_t elements, const SegmentOffsets& segments, Out* out,
              Stream stream = {}) {
    require_types(detail::launch_types<T, Out>);
    launch_bytes(in, elements, segments, out, own_workspace(), stream);
  }
  /// Brings the offsets to the host and looks at each. Throws UsageError that tells the first
  /// segment which is none.
  void check_offsets(std::int64_t elements, const SegmentOffsets& segments) const;

  /// A plan of segments, for many launches with the same offsets: makes it on the stream, and waits
  /// for nothing unless lengths are to be measured. Loads, or compiles, kernels of its own. Throws
  /// UsageError as launch() does, also where memory that is given is too small, UnmetMatch and
  /// OutOfMemory.
  [[nodiscard]] SegmentPlan plan_segments(std::int64_t elements, const SegmentOffsets& segments,
                                          const SegmentPlanOptions& options = {},
                                          Stream stream = {}) const;
  /// Bytes of device memory that are enough for a plan of so many segments, for whoever gives it
  /// some. With measured lengths that is not known before.
  [[nodiscard]] std::size_t segment_plan_bytes(std::int64_t elements, std::int64_t segments,
                                               const SegmentPlanOptions& options = {}) const;
  /// Reduces the segments of a plan, which this Reducer has made: as launch() with its offsets, and
  /// with its configuration. The plan has the workspace: launches with it are for one stream at a
  /// time.
  template <class T, class Out>
  void launch(const T* in, SegmentPlan& plan, Out* out, Stream stream = {}) const {
    require_types(detail::launch_types<T, Out>);
    launch_bytes(in, plan, out, stream);
  }

  /// Whether somebody captures the stream into a graph: what is launched on it runs when the graph
  /// is replayed, on whichever stream, and no memory can be taken now.
  [[nodiscard]] bool is_capturing(Stream stream) const;
  /// Waits for the stream. Throws DeviceError for faults of earlier launches.
  void synchronize(Stream stream = {}) const;

  /// Reduces host memory: copies, launches, waits, and returns the value; Out is IndexedValue<T>
  /// where the operator gives an index, MinMax<T> and the like where it gives two values, a struct
  /// of the same members where an operator given as text gives one, of which the size is compared.
  /// Throws UsageError when T or Out is not the problem's type, and where the problem's shape has
  /// several results.
  template <class Out, class T>
  [[nodiscard]] Out reduce(std::span<const T> values) {
    require_types(detail::launch_types<T, Out>);
    require_one_result();
    Out out{};
    reduce_bytes(values.data(), static_cast<std::int64_t>(values.size()), &out);
    return out;
  }

  /// For foreign functions, which have addresses and no types: in holds problem.in, out has
  /// output_bytes() of the problem with that shape or count.
  void launch_bytes(const void* in, std::int64_t count, void* out, Workspace& workspace,
                    Stream stream) const;
  void launch_bytes(const void* in, const Shape& shape, void* out, Workspace& workspace,
                    Stream stream) const;
  void launch_bytes(const void* in, std::int64_t elements, const SegmentOffsets& segments,
                    void* out, Workspace& workspace, Stream stream) const;
  void launch_bytes(const void* in, SegmentPlan& plan, void* out, Stream stream) const;
  void reduce_bytes(const void* values, std::int64_t count, void* out);
  [[nodiscard]] Workspace& own_workspace();

 private:
  void require_types(const detail::LaunchTypes& types) const {
    if (types != types_) refuse_types(types);
  }
  [[noreturn]] void refuse_types(const detail::LaunchTypes& types) const;
  void require_one_result() const;

  struct State;
  std::unique_ptr<State> state_;
  detail::LaunchTypes types_;
};

}  // namespace redtune
