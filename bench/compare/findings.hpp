// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a comparison measures and finds, as plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/find_best.hpp"

namespace redtune::compare {

/// What is timed, see docs/explanation/measurement.md. Own shares in replayed graphs, between small
/// kernels and behind a producer of the input; the first of these with every launch queued by the
/// host; and a replayed row of nothing but the reduction.
enum class Mode { between, behind, stream, row };
[[nodiscard]] std::string_view to_string(Mode mode);

/// library: the vendor's, with redtune's accumulator; rows: segments between offsets. fixed: its
/// call for segments of one size. narrow: its sum of 16-bit floats as it is typed first, into the
/// type of the input: it accumulates in 16 bits, and its sums are not right.
enum class Peer { library, fixed, narrow, thrust };
[[nodiscard]] std::string_view to_string(Peer peer);

/// Who else is timed beside segments of one length: redtune with rows of the same elements.
inline constexpr std::string_view rows_beside_segments = "rows";
/// And redtune with plans of the segments that were made before.
inline constexpr std::string_view plan_in_shares = "shares";
inline constexpr std::string_view plan_in_bins = "bins";

/// Microseconds of one execution, one for each round.
struct Times {
  std::string name;             ///< "redtune", "rows", "shares", "bins", or that of the peer
  int executions = 0;           ///< in each round
  std::vector<double> us;       ///< by the device's events; of a blocking call, by the host's clock
  std::vector<double> host_us;  ///< by the host's clock, queueing and waiting included
};

/// The contestants of a cell in one mode, in rounds of all of them.
struct ModeTimes {
  Mode mode = Mode::between;
  std::vector<Times> contestants;  ///< redtune first

  [[nodiscard]] const Times* find(std::string_view name) const;
};

enum class CellState {
  measured,  ///< timed, and every result that was looked at is right
  wrong,     ///< the contestants disagree
  failed,    ///< could not be run
  skipped,   ///< does not fit into the device's memory, or has no input here
};
[[nodiscard]] std::string_view to_string(CellState state);

/// Of the key that tells an element's group.
inline constexpr std::size_t key_bytes = 4;

/// One problem and what became of it.
struct Cell {
  Problem problem;
  std::int64_t offset = 0;  ///< elements by which the input starts off its alignment
  bool by_key = false;      ///< each element has a key, and there are no offsets
  std::int64_t groups = 0;  ///< of equal keys; segments of nothing have none
  CellState state = CellState::measured;
  std::string note;               ///< why it is not measured, or what a reader must know
  std::optional<Answer> answer;   ///< what redtune used
  std::size_t copies = 1;         ///< of the input, taken in turns
  std::string value;              ///< the result; of many the first
  std::string narrow_value = {};  ///< what the library finds with a narrow accumulator
  bool checked = false;           ///< whether there was a peer to compare the result with
  double mix_peak = 0;            ///< GB/s of plain reading and writing as many bytes; 0: not taken
  std::vector<ModeTimes> modes = {};
};

/// What memory gives to kernels that do nothing but read: those of `redtune probe`.
struct ReadPeak {
  double gbps = 0;         ///< 10^9 bytes per second; 0: not measured
  std::int64_t bytes = 0;  ///< of the buffer
  std::string shape;       ///< of the best kernel, or why there is none
};

/// The machine, for the head of the table and for the JSON file.
struct Machine {
  std::string device;
  std::string driver;   ///< version of the runtime that the driver offers
  std::string runtime;  ///< of the runtime in this program
  std::string library;
  std::string compiler;  ///< that compiled the peers
  std::string redtune;   ///< what redtune's library says about itself: its toolchain
  int compute_units = 0;
  std::int64_t cache_bytes = 0;
  std::int64_t memory_bytes = 0;
  ReadPeak read_peak = {};
};

}  // namespace redtune::compare
