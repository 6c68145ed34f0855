// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where the time of a session goes. Each moment belongs to one activity, so that all of them add up
// to the whole.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string_view>

namespace redtune::tuner {

/// What a session is doing.
enum class Activity {
  start_up,
  probe,
  calibrate,
  choose,
  compile,
  load,
  verify,
  measure,
  final,
  rest
};

struct ActivityRow {
  Activity activity;
  std::string_view name;
  std::string_view about;
};

/// In the order in which they are shown.
inline constexpr std::array activity_rows{
    ActivityRow{Activity::start_up, "start_up", "opening device and store, starting workers"},
    ActivityRow{Activity::probe, "probe", "how fast the device can read"},
    ActivityRow{Activity::calibrate, "calibrate", "the default timed against itself"},
    ActivityRow{Activity::choose, "choose", "choosing configs and the winner"},
    ActivityRow{Activity::compile, "compile", "waiting for compilers"},
    ActivityRow{Activity::load, "load", "bringing kernels to the device"},
    ActivityRow{Activity::verify, "verify", "checking results"},
    ActivityRow{Activity::measure, "measure", "timing configs in the search"},
    ActivityRow{Activity::final, "final", "timing the finalists and the winner"},
    ActivityRow{Activity::rest, "rest", "writing store and log, ending workers"},
};

struct TimeSpent {
  std::array<double, activity_rows.size()> seconds{};  ///< by activity
  double wall_seconds = 0;                             ///< the whole time
  double measuring_seconds = 0;                        ///< of these, while the device took samples

  [[nodiscard]] double& of(Activity activity) {
    return seconds[static_cast<std::size_t>(activity)];
  }
  [[nodiscard]] double of(Activity activity) const {
    return seconds[static_cast<std::size_t>(activity)];
  }
  TimeSpent& operator+=(const TimeSpent& other);
};

/// Of one thread: the one that waits for all others.
class Stopwatch {
 public:
  using Clock = std::chrono::steady_clock;
  using Now = std::function<Clock::time_point()>;

  /// Starts now.
  explicit Stopwatch(Activity first, Now now = Clock::now);
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  /// While it lives, time belongs to its activity, but for what others within it take.
  class Span {
   public:
    Span(Stopwatch& watch, Activity activity);
    Span(const Span&) = delete;
    Span& operator=(const Span&) = delete;
    ~Span();

   private:
    Stopwatch& watch_;
    Activity before_;
  };
  /// While it lives, the device takes samples, whatever for.
  class Sampling {
   public:
    explicit Sampling(Stopwatch& watch);
    Sampling(const Sampling&) = delete;
    Sampling& operator=(const Sampling&) = delete;
    ~Sampling();

   private:
    Stopwatch& watch_;
    Clock::time_point begin_;
  };

  /// When it ends, however that is, the watch starts anew; outside of all spans.
  class Lap {
   public:
    explicit Lap(Stopwatch& watch) : watch_(watch) {}
    Lap(const Lap&) = delete;
    Lap& operator=(const Lap&) = delete;
    ~Lap() { watch_.restart(); }

   private:
    Stopwatch& watch_;
  };

  [[nodiscard]] Lap lap() { return Lap(*this); }
  [[nodiscard]] Span during(Activity activity) { return {*this, activity}; }
  [[nodiscard]] Sampling sampling() { return Sampling(*this); }
  /// Since it was started.
  [[nodiscard]] TimeSpent spent();

 private:
  void restart();
  void turn_to(Activity activity);

  Now now_;
  Activity activity_;
  Clock::time_point begin_;
  Clock::time_point since_;  ///< the activity is this one
  TimeSpent spent_;
};

}  // namespace redtune::tuner
