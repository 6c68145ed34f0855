// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is remembered, as plain data: questions, runs, trials and best results.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "redtune/device_identity.hpp"
#include "redtune/interval.hpp"
#include "redtune/problem.hpp"
#include "redtune/settings.hpp"

namespace redtune::cache {

using redtune::Interval;

/// Finite and 0 < low <= median <= high.
[[nodiscard]] bool is_positive(const Interval& interval);

/// What a best result answers. Results are kept per question; a difference in any part is another.
struct Question {
  std::string family;
  std::string space_key;
  Problem problem;
  DeviceClass device_class;
  Toolchain toolchain;

  auto operator<=>(const Question&) const = default;
};

enum class RunId : std::int64_t {};

struct RunStart {
  std::string family{};
  std::string space_key{};
  Problem problem;
  DeviceIdentity device;
  std::string strategy{};
  std::uint64_t seed = 0;
  std::string budget{};  ///< as the user typed it
  std::string program_version{};
  std::string command_line{};
};

[[nodiscard]] Question question_of(const RunStart& start);

enum class RunState { running, done, interrupted, failed };

[[nodiscard]] std::string_view to_string(RunState state);

struct RunSummary {
  RunId id{};
  RunStart start;
  RunState state = RunState::running;  ///< interrupted when its process is gone
  std::string started_at{};            ///< times are UTC, ISO 8601 with milliseconds
  std::string heartbeat_at{};          ///< when it last recorded something
  std::string finished_at{};           ///< empty while it runs
  std::string note{};
  std::int64_t trial_count = 0;
};

/// How fast a device was seen to read when a run began.
struct ReadPeaks {
  double memory_gbps = 0;  ///< GB/s, 1e9 bytes a second
  double cache_gbps = 0;   ///< from the last-level cache; 0: not known

  bool operator==(const ReadPeaks&) const = default;
};

struct Trial {
  std::int64_t sequence = 0;  ///< order within the run
  Settings settings{};
  std::string phase{};   ///< "search" or "confirm"
  std::string status{};  ///< "ok", "slow", "compile_failed", "launch_failed", "wrong_result",
                         ///< "crashed", "timed_out" or "implausible"
  std::optional<Interval> time_us{};  ///< always there, and positive, when the status is "ok"
  int samples = 0;
  std::string detail{};  ///< log or reason, for people
  double compile_ms = 0;
  double wall_ms = 0;

  bool operator==(const Trial&) const = default;
};

struct Best {
  Settings settings{};
  Interval time_us;
  double default_us = 0;   ///< time of the family's default, measured in the same run
  Interval gain{1, 1, 1};  ///< time of the default / time of these settings
  double gigabytes_per_second = 0;
  std::string reason{};  ///< "winner" or "no significant gain"

  bool operator==(const Best&) const = default;
};

/// Whether every number of a best result is finite and its times are positive.
[[nodiscard]] bool is_plausible(const Best& best);

struct StoredBest {
  std::int64_t generation = 0;  ///< counts all best results that a store ever published
  RunId run{};
  Question question;
  std::string device_name;  ///< marketing name, for people
  std::string at;           ///< UTC, ISO 8601
  Best best;

  bool operator==(const StoredBest&) const = default;
};

}  // namespace redtune::cache
