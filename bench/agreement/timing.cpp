// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/agreement/timing.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "bench/agreement/kept_file.hpp"
#include "redtune/error.hpp"
#include "runtime/resolve.hpp"
#include "search/rng.hpp"
#include "tuner/lease/lease.hpp"
#include "tuner/measure/batch_size.hpp"
#include "tuner/measure/batches.hpp"
#include "tuner/measure/calibrate.hpp"
#include "tuner/session/workbench.hpp"
#include "tuner/worker/device_bench.hpp"

namespace redtune::bench {
namespace {

using nlohmann::json;
using tuner::CandidateId;

constexpr std::uint64_t input_seed = 1;

void add_once(std::vector<Settings>& all, const Settings& one) {
  if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

std::vector<tuner::CompiledUnit> compiled(const tuner::CompilePool& compiler,
                                          const std::vector<tuner::CompileUnit>& units) {
  std::vector<tuner::CompiledUnit> all;
  for (auto& result : compiler.compile(units)) {
    if (const auto* failure = std::get_if<device::CompileFailure>(&result)) {
      throw DeviceError(fmt::format("a winner does not compile: {}", failure->log));
    }
    if (const auto* crash = std::get_if<tuner::CompileCrash>(&result)) {
      throw DeviceError(fmt::format("a winner does not compile: {}", crash->why));
    }
    all.push_back(std::get<tuner::CompiledUnit>(std::move(result)));
  }
  return all;
}

/// The rounds of the tuner's final, without an early end.
tuner::Rounds take_rounds(std::vector<tuner::Batches> contestants, int rounds) {
  search::Rng random(input_seed);
  std::vector<std::size_t> order(contestants.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  tuner::Rounds all;
  for (int round = 0; round < rounds; ++round) {
    auto& times = all.emplace_back(contestants.size());
    random.shuffle(std::span(order));
    for (const std::size_t i : order) times[i] = contestants[i].sample();
  }
  return all;
}

}  // namespace

struct TimingSite::State {
  State(const std::string& name, std::vector<std::string> worker, int asked_jobs)
      : selection(runtime::registry().select(name)),
        device(device::open(selection)),
        lease(tuner::Lease::take(device->identity().address, tuner::note_of_this_process())),
        compile_worker(std::move(worker)),
        jobs(asked_jobs > 0 ? asked_jobs
                            : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()))) {
    if (!lease.warning().empty()) fmt::print(stderr, "agreement: {}\n", lease.warning());
  }

  [[nodiscard]] std::vector<CandidateId> add_all(tuner::Workbench& bench, const Problem& problem,
                                                 const std::vector<Settings>& settings,
                                                 const tuner::CompilePool& compiler) const {
    const kernels::Family& family = kernels::family_of(problem);
    std::vector<tuner::CompileUnit> units;
    for (const Settings& one : settings) {
      units.push_back(family.name_expressions(one, problem, device->limits().wave_size));
    }
    auto loadable = compiled(compiler, units);
    std::vector<CandidateId> ids;
    for (std::size_t i = 0; i < settings.size(); ++i) {
      ids.push_back(bench.add({settings[i], std::move(loadable[i]), i == 0}));
      const std::string why = bench.why_wrong(ids.back());
      if (!why.empty()) {
        throw Error(
            fmt::format("{}: {} is wrong: {}", describe(problem), to_string(settings[i]), why));
      }
    }
    return ids;
  }

  device::Selection selection;
  std::unique_ptr<device::Device> device;
  tuner::Lease lease;
  std::vector<std::string> compile_worker;
  int jobs;
};

TimingSite::TimingSite(const std::string& device, std::vector<std::string> compile_worker, int jobs)
    : state_(std::make_unique<State>(device, std::move(compile_worker), jobs)) {}

TimingSite::~TimingSite() = default;

Answer TimingSite::answer(const Problem& problem, const std::filesystem::path& store) const {
  const device::Device& device = *state_->device;
  Answer answer =
      runtime::resolve(problem, device.identity(), device.limits(), {.cache_file = store.string()})
          .answer;
  answer.settings =
      kernels::family_of(problem).completed(std::move(answer.settings), device.limits());
  return answer;
}

Timing TimingSite::time(const Problem& problem, const std::vector<Settings>& winners, int rounds) {
  const State& state = *state_;
  const kernels::Family& family = kernels::family_of(problem);
  const Limits& limits = state.device->limits();
  const DeviceIdentity& identity = state.device->identity();
  Timing timing{.device = identity.name, .settings = {family.default_settings(problem, limits)}};
  for (const Settings& one : winners) add_once(timing.settings, family.completed(one, limits));

  const tuner::CompilePool compiler(
      tuner::target_of(*state.selection.platform, identity, family.device_text(problem)),
      state.compile_worker, state.jobs);
  tuner::Stopwatch watch(tuner::Activity::rest);
  const auto open = [&] {
    return std::make_unique<tuner::DeviceBench>(
        tuner::BenchSetup{state.device.get(), &family, problem, input_seed}, compiler);
  };
  tuner::Workbench bench(open, watch);
  const auto ids = state.add_all(bench, problem, timing.settings, compiler);
  // Noise is not refused: the interval says how sure a ratio is.
  const tuner::MeasureTask task{.bytes = family.bytes_moved(problem), .accept_noise = true};
  tuner::Calibration calibration = tuner::calibrate(bench, task, ids.front());
  tuner::ClockGuard guard(bench, task, calibration);
  std::vector<tuner::Batches> contestants;
  for (const CandidateId id : ids) {
    tuner::Batches& batches =
        contestants.emplace_back(guard, tuner::BatchOrder{id}, tuner::Phase::final);
    batches.single();
    batches.warm_up(tuner::batch_us_for(calibration.resolution_us));
    timing.executions = std::max(timing.executions, batches.executions());
  }
  for (tuner::Batches& one : contestants) one.resize(timing.executions);
  timing.rounds = take_rounds(std::move(contestants), rounds);
  timing.warnings = calibration.warnings;
  return timing;
}

void keep(const Timing& timing, const std::filesystem::path& file) {
  json settings = json::array();
  for (const Settings& one : timing.settings) settings.push_back(to_string(one));
  const json document{{"device", timing.device},
                      {"settings", settings},
                      {"executions", timing.executions},
                      {"warnings", timing.warnings},
                      {"rounds_us", timing.rounds}};
  write_text(file, document.dump());
}

std::optional<Timing> kept_timing(const std::filesystem::path& file,
                                  const std::vector<Settings>& winners, int rounds) {
  const auto document = read_json(file);
  if (!document) return std::nullopt;
  Timing timing{.device = document->at("device").get<std::string>(),
                .rounds = document->at("rounds_us").get<tuner::Rounds>(),
                .executions = document->at("executions").get<std::size_t>(),
                .warnings = document->at("warnings").get<std::vector<std::string>>()};
  for (const json& one : document->at("settings")) {
    timing.settings.push_back(parse_settings(one.get<std::string>()));
  }
  if (timing.settings.empty() || timing.rounds.size() != static_cast<std::size_t>(rounds)) {
    return std::nullopt;
  }
  std::vector<Settings> wanted{timing.settings.front()};
  for (const Settings& one : winners) add_once(wanted, one);
  return wanted == timing.settings ? std::optional(timing) : std::nullopt;
}

}  // namespace redtune::bench
