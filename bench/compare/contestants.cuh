// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Those who reduce the input of a cell, behind one interface: redtune and its peers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/compare/gpu.cuh"
#include "bench/compare/inputs.cuh"
#include "bench/compare/options.hpp"
#include "bench/compare/results.cuh"
#include "bench/compare/type_table.cuh"
#include "redtune/reduce_by_key.hpp"
#include "redtune/reducer.hpp"
#include "redtune/segment_plan.hpp"

namespace redtune::compare {

/// When a call is back: after queueing its work, or with the value.
enum class Returns { at_once, with_the_value };

/// Whether somebody's value is that of the others, or rounded in a way of its own.
enum class Finds { the_value, its_own };

class Contestant {
 public:
  Contestant() = default;
  Contestant(const Contestant&) = delete;
  Contestant& operator=(const Contestant&) = delete;
  virtual ~Contestant() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual Returns returns() const { return Returns::at_once; }
  [[nodiscard]] virtual Finds finds() const { return Finds::the_value; }
  /// Reduces the elements of the cell at this address, with memory of its own as far in its
  /// places as the turn is.
  virtual void reduce(const void* in, const Turn& turn) = 0;
  /// Forgets the value of earlier calls.
  virtual void forget() = 0;
  /// The value of the last call, of many the first; waits for it.
  [[nodiscard]] virtual Bytes value() = 0;
};

/// What the contestants of a cell share.
struct Arena {
  Shape shape = {};
  std::size_t offsets_at = 0;  ///< bytes from an input to the offsets of its segments, or to keys
  const Results* output = nullptr;
  gpuStream_t stream = nullptr;
  std::int32_t* keys_of_groups = nullptr;  ///< null, as is what follows, where there are no keys
  std::int64_t* groups = nullptr;
};

using Contestants = std::vector<std::unique_ptr<Contestant>>;

/// redtune first, then the peers that were asked for and do the same for such a shape. peers may be
/// null.
[[nodiscard]] Contestants contestants_of(Reducer& reducer, const PeerRow* peers, const Arena& arena,
                                         const std::vector<Peer>& wanted);

/// redtune for rows that are the elements of the segments, one behind the other: what segments cost
/// beside them. The reducer is that of the rows.
[[nodiscard]] std::unique_ptr<Contestant> rows_contestant(Reducer& reducer, const Shape& rows,
                                                          Arena arena);

/// redtune with plans of the segments of these inputs, made before.
[[nodiscard]] std::unique_ptr<Contestant> plan_contestant(Reducer& reducer, PlanWay way,
                                                          const Arena& arena, const Inputs& inputs);

/// As contestants_of(), for elements with keys.
[[nodiscard]] Contestants by_key_contestants(ByKeyReducer& reducer, const PeerRow* peers,
                                             const Arena& arena, const std::vector<Peer>& wanted);

}  // namespace redtune::compare
