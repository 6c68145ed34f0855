// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a Reducer and its workspaces share: the open device, the classes of counts, and the kernels
// of their configs. Unchanged once it is made.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cache/lookup/lookup.hpp"
#include "device/registry.hpp"
#include "redtune/reducer.hpp"
#include "runtime/class_table.hpp"
#include "runtime/hits.hpp"
#include "runtime/loaded_config.hpp"
#include "runtime/resolve.hpp"
#include "runtime/shape_table.hpp"
#include "runtime/size_classes.hpp"
#include "runtime/wanted.hpp"

namespace redtune::detail {

class ReducerCore : public std::enable_shared_from_this<ReducerCore> {
 public:
  ReducerCore(const Problem& problem, const ReducerOptions& options);

  [[nodiscard]] const Problem& problem() const { return problem_; }
  /// For the problem's own count, in the words for just that.
  [[nodiscard]] const Answer& answer() const { return own_answer_; }
  [[nodiscard]] Answer answer(std::int64_t count) const;
  /// Throws UsageError where no kernel of its is for the shape.
  [[nodiscard]] Answer answer(const Shape& shape) const;
  [[nodiscard]] bool is_usable(std::int64_t count) const {
    return choice_of(count).config != nullptr;
  }
  /// Throws UsageError where no kernel of its is for the shape, and UnmetMatch.
  void require_usable(const Shape& shape) const {
    if (has_other_extents(shape)) require_served(shape);
    if (choice_of(shape).config == nullptr) runtime::refuse(answer(shape), lookup_);
  }
  [[nodiscard]] std::vector<SizeClass> size_classes() const;
  [[nodiscard]] const LookupOptions& lookup() const { return lookup_; }
  [[nodiscard]] device::Device& device() const { return *device_; }
  [[nodiscard]] const device::Platform& platform() const { return *selection_.platform; }
  [[nodiscard]] runtime::HitTotals& hits() const { return hits_; }
  [[nodiscard]] Workspace make_workspace() const;
  /// Of the problem's bits, in device memory. Throws UsageError for those that are out of order or
  /// beyond an array of so many elements.
  void check_offsets(std::int64_t elements, const SegmentOffsets& segments) const;
  void launch(const runtime::Operands& operands, WorkspaceState& workspace, Stream stream) const;

 private:
  /// What a launch needs of its class, or of a tuned shape.
  struct Choice {
    const runtime::LoadedConfig* config = nullptr;  ///< null: below the minimum
    Match match = Match::fallback;
  };
  /// Settings to load, and a count that tells which kernels of theirs are meant.
  struct Needed {
    Settings settings;
    std::int64_t count = 0;
  };
  /// Where a shape stands among others; told once for all tables.
  struct Place {
    const Shape& shape;
    runtime::ShapeTable::Logs logs;
    std::uint32_t regime;
  };

  [[nodiscard]] runtime::Resolution look_up(const Shape& shape) const;
  [[nodiscard]] runtime::Found ask(std::int64_t count) const;
  [[nodiscard]] std::vector<runtime::SizeClass> find_classes(bool pinned) const;
  [[nodiscard]] std::int64_t count_alike(const Shape& shape) const;
  [[nodiscard]] std::uint32_t regime_of(const Shape& shape) const;
  /// A regime and a class of gaps: only tuned shapes of one kind are near each other.
  [[nodiscard]] static std::uint32_t kind_of(std::uint32_t regime, const Shape& shape);
  /// Nothing where no tuned shape tells what is best for this one.
  [[nodiscard]] std::optional<runtime::ShapeTable::Found> nearest_tuned(const Place& of) const;
  [[nodiscard]] std::optional<runtime::ShapeTable::Found> nearest_default(const Place& of) const;
  [[nodiscard]] bool keeps_to_own_extents(bool pinned) const;
  [[nodiscard]] std::vector<Answer> find_tuned_shapes(bool pinned) const;
  [[nodiscard]] std::vector<Answer> find_default_answers(bool pinned) const;
  [[nodiscard]] Answer find_own_answer() const;
  void load_all();
  void load(const std::vector<Needed>& choices);
  [[nodiscard]] std::vector<Needed> configs_to_load() const;
  void use_default_for(const Needed& refused, const device::CompileFailure& failure);
  [[nodiscard]] bool have_same_kernels(std::int64_t one, std::int64_t other) const;
  [[nodiscard]] bool needs(const runtime::SizeClass& one, const Needed& config) const;
  [[nodiscard]] const runtime::LoadedConfig* find_config(const Settings& settings,
                                                         std::int64_t count) const;
  [[nodiscard]] std::size_t class_of(std::int64_t count) const {
    if (count < 0) refuse_negative(count);
    return table_.class_of(count);
  }
  [[nodiscard]] const Choice& choice_of(std::int64_t count) const {
    return choices_[class_of(count)];
  }
  /// That of the nearest tuned shape for one of other extents than the problem's.
  [[nodiscard]] Choice choice_of(const Shape& shape) const;
  [[nodiscard]] bool are_own_segments(const Shape& shape) const {
    return shape.segment_count == problem_.segment_count &&
           shape.offset_bits == problem_.offset_bits && shape.skew == problem_.skew;
  }
  /// But for its count the problem's, or as good as that. Of one without needless pitches.
  [[nodiscard]] bool is_own(const Shape& shape) const {
    if (is_batch_invariant(problem_)) return true;
    return shape.outer == problem_.outer && shape.inner == problem_.inner &&
           shape.batch == problem_.batch && shape.outer_pitch == problem_.outer_pitch &&
           shape.count_pitch == problem_.count_pitch && shape.batch_pitch == problem_.batch_pitch &&
           are_own_segments(shape);
  }
  /// Than the problem's, or with gaps that a count may be too large for, or too large itself.
  [[nodiscard]] bool has_other_extents(const Shape& shape) const {
    return shape.outer != problem_.outer || shape.inner != problem_.inner ||
           shape.batch != problem_.batch || !are_own_segments(shape) ||
           (shape.outer_pitch | shape.count_pitch | shape.batch_pitch) != 0 ||
           shape.count > largest_count_;
  }
  /// Of other extents than the problem's. Throws UsageError where no kernel of its is for them.
  void require_served(const Shape& shape) const;
  [[noreturn]] static void refuse_negative(std::int64_t count);

  Problem problem_;
  std::int64_t largest_count_;  // of which 64 bits index every byte, with the problem's extents
  const kernels::Family* family_;
  LookupOptions lookup_;
  device::Selection selection_;
  std::unique_ptr<device::Device> device_;
  std::vector<cache::LoadedLayer> layers_;  // as they are when it is made, and only then
  std::vector<Shape> tuned_shapes_;         // in them, of this kind of problem; likewise
  std::vector<runtime::SizeClass> classes_;
  std::vector<std::unique_ptr<const runtime::LoadedConfig>> configs_;  // each once
  std::vector<Choice> choices_;                                        // of the classes
  runtime::ClassTable table_;
  std::vector<Answer> shape_answers_;  // of tuned shapes, where the problem has several results
  std::vector<Choice> shape_choices_;  // of these
  runtime::ShapeTable shapes_;
  std::vector<Answer> default_answers_;  // of shapes that stand for those of which nothing tells
  std::vector<Choice> default_choices_;
  runtime::ShapeTable default_shapes_;
  Answer own_answer_;
  mutable runtime::HitTotals hits_;
  runtime::WantedLaunches wanted_;  // which asks for the hits when it goes
};

struct WorkspaceState {
  explicit WorkspaceState(std::shared_ptr<const ReducerCore> core, runtime::Workspace memory);
  WorkspaceState(const WorkspaceState&) = delete;
  WorkspaceState& operator=(const WorkspaceState&) = delete;
  ~WorkspaceState();

  std::shared_ptr<const ReducerCore> core;
  runtime::Workspace memory;
  runtime::HitCounters hits;
  bool is_broken_off = false;  // the last launch failed: what must be zero may not be
};

}  // namespace redtune::detail
