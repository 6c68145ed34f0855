// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is remembered, as plain data: questions, runs, trials and best results.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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

/// Such a run can be gone on with.
[[nodiscard]] constexpr bool ended_early(RunState state) {
  return state == RunState::interrupted || state == RunState::failed;
}

struct RunSummary {
  RunId id{};
  RunStart start;
  RunState state = RunState::running;  ///< interrupted when its process is gone
  std::string started_at{};            ///< times are UTC, ISO 8601 with milliseconds
  std::string heartbeat_at{};          ///< when it last recorded something
  std::string finished_at{};           ///< empty while it runs
  std::string note{};
  std::int64_t trial_count = 0;
  int resumed = 0;       ///< how often another process took it over
  std::string origin{};  ///< where it came from, if it is no run of this store
};

/// How long a run took that went from its beginning to its end in one go.
struct RunTime {
  Problem problem;
  std::string budget{};  ///< as the user typed it
  double seconds = 0;    ///< of wall time
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
                         ///< "flaky", "crashed", "timed_out" or "implausible"
  std::optional<Interval> time_us{};  ///< always there, and positive, when the status is "ok"
  int samples = 0;
  std::string detail{};  ///< log or reason, for people
  double compile_ms = 0;
  double wall_ms = 0;
  int attempts = 1;  ///< how often it was tried before this was believed
  int worker = 0;    ///< which worker process of its run measured it; 0: none of them

  bool operator==(const Trial&) const = default;
};

/// Why a default is kept that something is surely faster than.
inline constexpr std::string_view kept_off_the_alignment =
    "as fast, and faster off the alignment of vectors";

struct Best {
  Settings settings{};
  Interval time_us;
  double default_us = 0;   ///< time of the family's default, measured in the same run
  Interval gain{1, 1, 1};  ///< time of the default / time of these settings
  double gigabytes_per_second = 0;
  std::string reason{};  ///< "winner", "no significant gain" or kept_off_the_alignment
  // How it was measured; 0 and empty: not known.
  int samples = 0;         ///< of the winner, in the final
  double batch_us = 0;     ///< length of one timed batch
  double noise_floor = 0;  ///< gains below it are none, as a share of the time
  int protocol = 0;        ///< revision of the measuring protocol
  double stream_us = 0;    ///< per launch when many follow each other in one stream
  /// Whatever else the tuner wants to keep, as one JSON object. Stores only: no snapshot has it.
  std::string measurement{};
  /// Another process used the device during the final. Such a result is never published.
  bool contended = false;

  bool operator==(const Best&) const = default;
};

/// Whether every number of a best result is finite, its times are positive and nothing else is
/// negative.
[[nodiscard]] bool is_plausible(const Best& best);

/// How far an exclusion reaches: it holds for every question that shares these parts.
enum class ExclusionScope {
  toolchain,  ///< space and toolchain: the config does not compile
  device,     ///< space, device class and toolchain: it cannot be launched, or never ends
  problem,    ///< the whole question
};

[[nodiscard]] std::string_view to_string(ExclusionScope scope);

/// A config that is never to be tried again.
struct Exclusion {
  Question question;
  Settings settings{};
  ExclusionScope scope = ExclusionScope::problem;
  std::string status{};  ///< of the trial that led to it, see Trial
  std::string detail{};  ///< log or reason, for people

  bool operator==(const Exclusion&) const = default;
};

/// An exclusion as it stands in a store; parts it does not depend on are nothing.
struct StoredExclusion {
  std::int64_t id = 0;
  ExclusionScope scope = ExclusionScope::problem;
  std::string family{};
  Settings settings{};
  Toolchain toolchain{};
  std::optional<DeviceClass> device_class{};
  std::optional<Problem> problem{};
  std::string status{};
  std::string detail{};
  std::string at{};  ///< UTC, ISO 8601
};

/// What a run is about to do with a config: written before, for whoever comes after a crash.
enum class IntentStage { compile, launch };

[[nodiscard]] std::string_view to_string(IntentStage stage);

struct Intent {
  Settings settings{};
  IntentStage stage = IntentStage::launch;

  bool operator==(const Intent&) const = default;
};

/// An intent whose process is gone and whose trial was never recorded.
struct OpenIntent {
  RunId run{};
  Intent intent;
  bool machine_went_down = false;  ///< it was written before the last boot of this machine
  std::string at{};                ///< UTC, ISO 8601

  bool operator==(const OpenIntent&) const = default;
};

struct StoredBest {
  std::int64_t generation = 0;  ///< counts all best results that a store ever published
  RunId run{};
  Question question;
  std::string device_name;  ///< marketing name, for people
  std::string at;           ///< UTC, ISO 8601
  Best best;

  bool operator==(const StoredBest&) const = default;
};

/// Somebody took a result back.
struct Revocation {
  std::string reason{};
  std::string at{};  ///< UTC, ISO 8601

  bool operator==(const Revocation&) const = default;
};

/// Any result that a store ever published, and what became of it.
struct PastResult {
  StoredBest stored;
  std::string origin{};  ///< where its run came from, if it is no run of this store
  std::optional<Revocation> revoked{};
  bool answers = false;  ///< its question is answered with it
};

}  // namespace redtune::cache
