// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How a step of the ladder runs for a count: launches, workspace, and how many additions follow one
// another.
#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <utility>

#include "kernel_templates/ladder/ladder.hpp"
#include "kernel_templates/text/device_names.hpp"

namespace redtune::kernels {
namespace {

/// Additions of a thread beyond its even share of elements: a whole vector more than others, an odd
/// element, several accumulators that become one.
constexpr std::int64_t uneven_additions = 16;

std::int64_t divided_up(std::int64_t a, std::int64_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

int log2_of(int value) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(value))) - 1;
}

class LadderPlanner {
 public:
  LadderPlanner(const LadderStep& step, const LadderVariant& variant, const Problem& problem,
                const Limits& limits)
      : step_(step),
        variant_(variant),
        limits_(limits),
        in_(device_type(problem.in)),
        acc_(ladder_accumulator(problem)),
        items_(step.items > 0 ? step.items : variant.number),
        results_(step.results_per_block > 0 ? step.results_per_block : variant.block_size) {}

  [[nodiscard]] LadderPlan plan(std::int64_t count) && {
    switch (step_.end) {
      case LadderEnd::atomic:
        add_atomic(count);
        break;
      case LadderEnd::relaunched:
        add_relaunched(count);
        break;
      case LadderEnd::two_pass:
        add_two_passes(count);
        break;
      case LadderEnd::tuned:
        break;
    }
    return std::move(plan_);
  }

 private:
  /// Elements of a block.
  [[nodiscard]] std::int64_t tile() const { return std::int64_t{variant_.block_size} * items_; }

  [[nodiscard]] std::int64_t blocks_for(std::int64_t count) const {
    return std::max<std::int64_t>(1, divided_up(count, tile()));
  }

  /// What a pass over so many elements leaves.
  [[nodiscard]] std::int64_t results_of(std::int64_t count) const {
    return step_.results_per_block > 0 ? blocks_for(count)
                                       : std::max<std::int64_t>(1, divided_up(count, items_));
  }

  /// The instantiation for elements of the input, or for accumulators.
  [[nodiscard]] std::string kernel(LadderPlace from) const {
    return fmt::format(
        "redtune::ladder::{}<{}>", step_.kernel,
        fmt::format(fmt::runtime(step_.arguments),
                    fmt::arg("in", from == LadderPlace::in ? in_ : acc_), fmt::arg("acc", acc_),
                    fmt::arg("block", variant_.block_size), fmt::arg("wave", limits_.wave_size),
                    fmt::arg("number", variant_.number)));
  }

  /// Additions in a block that takes `items` elements with each thread.
  [[nodiscard]] std::int64_t chain_of_block(std::int64_t items) const {
    const int block = variant_.block_size;
    switch (step_.fold) {
      case LadderFold::none:
        return items;
      case LadderFold::serial:
        return items + block;
      case LadderFold::tree:
        return items + log2_of(block);
      case LadderFold::waves:  // a wave, then the waves' sums by one wave
        return items + 2 * log2_of(limits_.wave_size) +
               divided_up(divided_up(block, limits_.wave_size), limits_.wave_size);
    }
    return items;
  }

  /// One launch, or several where there are more blocks than a launch takes.
  void add_pass(LadderPlace from, std::int64_t count, LadderPlace to) {
    const std::int64_t most = limits_.max_grid * tile();
    const std::int64_t results = step_.end == LadderEnd::atomic ? 0 : limits_.max_grid * results_;
    std::int64_t slice = 0;
    do {
      const std::int64_t offset = slice * most;
      const std::int64_t here = std::min(most, count - offset);
      plan_.calls.push_back({kernel(from), blocks_for(here), variant_.block_size,
                             LadderSource{from, offset, here}, to, slice * results});
    } while (++slice * most < count);
    plan_.longest_chain += chain_of_block(items_);
  }

  void add_atomic(std::int64_t count) {
    const int wave = limits_.wave_size;  // blocks are whole waves
    plan_.calls.push_back({fmt::format("redtune::ladder::set_zero<{}, {}>", acc_, wave), 1, wave,
                           std::nullopt, LadderPlace::out, 0});
    add_pass(LadderPlace::in, count, LadderPlace::out);
    plan_.longest_chain += step_.fold == LadderFold::none ? count : blocks_for(count);
  }

  void add_relaunched(std::int64_t count) {
    LadderPlace from = LadderPlace::in;
    for (bool is_done = false; !is_done;) {
      const std::int64_t results = results_of(count);
      is_done = results == 1;
      const LadderPlace half = from == LadderPlace::front ? LadderPlace::back : LadderPlace::front;
      if (!is_done) {
        std::int64_t& held = half == LadderPlace::front ? plan_.front_count : plan_.back_count;
        held = std::max(held, results);
      }
      add_pass(from, count, is_done ? LadderPlace::out : half);
      from = half;
      count = results;
    }
  }

  void add_two_passes(std::int64_t count) {
    const int block = variant_.block_size;
    const std::int64_t most = std::min<std::int64_t>(variant_.blocks, limits_.max_grid);
    const std::int64_t blocks = std::min(blocks_for(count), most);
    plan_.front_count = blocks;
    plan_.calls.push_back({kernel(LadderPlace::in), blocks, block,
                           LadderSource{LadderPlace::in, 0, count}, LadderPlace::front, 0});
    plan_.calls.push_back({kernel(LadderPlace::front), 1, block,
                           LadderSource{LadderPlace::front, 0, blocks}, LadderPlace::out, 0});
    plan_.longest_chain = chain_of_block(divided_up(count, blocks * block) + uneven_additions) +
                          chain_of_block(divided_up(blocks, block) + uneven_additions);
  }

  const LadderStep& step_;
  const LadderVariant& variant_;
  const Limits& limits_;
  std::string_view in_;
  std::string_view acc_;
  std::int64_t items_;
  std::int64_t results_;
  LadderPlan plan_;
};

}  // namespace

LadderPlan ladder_plan(const LadderStep& step, const LadderVariant& variant, const Problem& problem,
                       const Limits& limits) {
  return LadderPlanner(step, variant, problem, limits).plan(problem.count);
}

}  // namespace redtune::kernels
