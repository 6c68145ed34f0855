// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <thread>

#include "bench/handover_stress/stress.hpp"
#include "bench/launch_overhead/results.hpp"
#include "device/registry.hpp"
#include "redtune/error.hpp"
#include "redtune/reducer.hpp"
#include "runtime/resolve.hpp"

namespace redtune::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// A Reducer with its inputs. The device is opened once more for them, since a Reducer keeps its
/// own to itself.
class OneOfTwo {
 public:
  OneOfTwo(const StressCase& one, const std::string& device, const LookupOptions& lookup,
           std::uint64_t seed, std::chrono::seconds patience)
      : case_(one),
        inputs_(exact_inputs(one.problem, seed)),
        memory_(device::open(runtime::registry().select(device))),
        device_inputs_(*memory_, inputs_),
        results_(*memory_, batch_launches),
        reducer_(one.problem, {.device = device, .lookup = lookup}),
        workspace_(reducer_.make_workspace()),
        watchdog_(patience) {
    for (const ExactInput& input : inputs_) {
      if (reducer_.answer(input.count).settings == one.settings) continue;
      throw Error(fmt::format("the Reducer does not launch {} for {} elements",
                              to_string(one.settings), input.count));
    }
  }

  void run(const Endurance& endurance) {
    const auto begin = Clock::now();
    const bool is_timed = endurance.most_time.count() > 0;
    while (tally_.launches < endurance.launches) {
      if (is_timed && tally_.launches > 0 && Seconds(Clock::now() - begin) >= endurance.most_time) {
        return;
      }
      run_batch(std::min(batch_launches, endurance.launches - tally_.launches));
    }
  }
  [[nodiscard]] const Tally& tally() const { return tally_; }

 private:
  void run_batch(std::int64_t count) {
    results_.poison();
    watchdog_.expect(
        fmt::format("two Reducers, {}, {}", describe(case_.problem), to_string(case_.settings)));
    for (std::int64_t i = 0; i < count; ++i) {
      const std::size_t turn = static_cast<std::size_t>(i) % inputs_.size();
      reducer_.launch_bytes(device_inputs_.at(turn), inputs_[turn].count, results_.at(i),
                            workspace_, {});
    }
    reducer_.synchronize();
    watchdog_.calm();
    results_.count_into(tally_, case_.problem, inputs_, count);
  }

  StressCase case_;
  std::vector<ExactInput> inputs_;
  std::unique_ptr<device::Device> memory_;
  DeviceInputs device_inputs_;
  BatchResults results_;
  Reducer reducer_;
  Workspace workspace_;
  Watchdog watchdog_;
  Tally tally_;
};

/// Runs both at once, and throws what either has thrown.
void run_both(OneOfTwo& first, OneOfTwo& second, const Endurance& endurance) {
  std::exception_ptr failure;
  {
    const std::jthread other([&] {
      try {
        second.run(endurance);
      } catch (...) {
        failure = std::current_exception();
      }
    });
    first.run(endurance);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

Tally run_pair(const StressCase& one, const std::string& device,
               const std::filesystem::path& scratch, const Endurance& endurance,
               std::chrono::seconds patience) {
  const LookupOptions lookup = publish(scratch / "pair.db", one.problem, identify_device(device),
                                       {{one.problem.count, one.settings}});
  OneOfTwo first(one, device, lookup, 11, patience);
  OneOfTwo second(one, device, lookup, 12, patience);
  const auto begin = Clock::now();
  run_both(first, second, endurance);
  Tally both = first.tally();
  both.launches += second.tally().launches;
  both.wrong += second.tally().wrong;
  if (both.first_wrong.empty()) both.first_wrong = second.tally().first_wrong;
  both.seconds = Seconds(Clock::now() - begin).count();
  return both;
}

}  // namespace redtune::bench
