// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <algorithm>
#include <exception>
#include <numeric>
#include <optional>
#include <random>
#include <string>

#include "bench/compare/measure.cuh"
#include "bench/compare/samplers.cuh"
#include "bench/compare/segments.hpp"
#include "redtune/error.hpp"

namespace redtune::compare {
namespace {

/// Bytes that stay free beside the input: workspaces, graphs, modules.
constexpr std::size_t spare = std::size_t{512} << 20;

class WrongResult : public Error {
 public:
  using Error::Error;
};

/// Contestants, how they are timed, and the value that all must find.
struct Race {
  const Problem& problem;
  Inputs& inputs;
  const Results& results;
  gpuStream_t stream;
  Bytes expected{};
  std::string expected_of = {};  ///< who found it
  Contestants contestants = {};
};

void check_value(const Race& race, Contestant& contestant) {
  if (contestant.finds() == Finds::its_own) return;
  const Bytes value = contestant.value();
  if (!agree(race.problem, value, race.expected)) {
    throw WrongResult(std::string(contestant.name()) + " finds " + text_of(race.problem, value) +
                      ", " + race.expected_of + " " + text_of(race.problem, race.expected));
  }
  if (results_of(race.problem) == 1) return;
  const auto wrong = race.results.first_wrong(race.stream);
  if (!wrong) return;
  throw WrongResult(std::string(contestant.name()) + " finds " +
                    text_of(race.problem, race.results.read(race.stream, *wrong)) + " for result " +
                    std::to_string(*wrong) + ", " + race.expected_of + " " +
                    text_of(race.problem, race.results.expected(race.stream, *wrong)));
}

/// The first peer that finds the value; redtune, the first of all, where there is none.
std::size_t judge_of(const Contestants& contestants) {
  for (std::size_t i = 1; i < contestants.size(); ++i) {
    if (contestants[i]->finds() == Finds::the_value) return i;
  }
  return 0;
}

/// The judge's value is what is expected; where that is redtune's first one, all that is learnt is
/// whether it stays the same. Every contestant is run and looked at once.
void agree_on_value(Race& race) {
  const std::size_t judge = judge_of(race.contestants);
  for (std::size_t turn = 0; turn < race.contestants.size(); ++turn) {
    Contestant& contestant = *race.contestants[(judge + turn) % race.contestants.size()];
    contestant.forget();
    contestant.reduce(race.inputs.at({}), {});
    if (turn == 0) {
      race.expected = contestant.value();
      race.expected_of = contestant.name();
      race.results.expect(race.stream);
    }
    check_value(race, contestant);
  }
}

/// Somebody in a mode: who, how often in a sample, and the samples.
struct Lane {
  Contestant* contestant;
  std::unique_ptr<Sampler> sampler;
  Times times;
};

void add_lanes(std::vector<Lane>& lanes, Mode mode, const std::vector<Contestant*>& group,
               const Track& track) {
  if (group.empty()) return;
  const int executions = executions_for(mode, group, track);
  for (Contestant* contestant : group) {
    lanes.push_back({contestant,
                     make_sampler(mode, *contestant, track, executions),
                     {.name = std::string(contestant->name()), .executions = executions}});
  }
}

std::vector<Lane> make_lanes(const Race& race, Mode mode, const Track& track) {
  std::vector<Contestant*> queueing;
  std::vector<Contestant*> waiting;
  for (const auto& contestant : race.contestants) {
    const bool waits = contestant->returns() == Returns::with_the_value;
    (waits ? waiting : queueing).push_back(contestant.get());
  }
  std::vector<Lane> lanes;
  add_lanes(lanes, mode, queueing, track);
  // What waits for its value cannot be captured into a graph.
  if (mode == Mode::stream) add_lanes(lanes, mode, waiting, track);
  return lanes;
}

/// Rounds in random order, the first of which is a warm-up; every sample's last value is checked.
ModeTimes run(const Race& race, Mode mode, const Track& track, const Options& options) {
  std::vector<Lane> lanes = make_lanes(race, mode, track);
  std::mt19937_64 random(options.seed);
  std::vector<std::size_t> order(lanes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (int round = 0; round <= options.rounds; ++round) {
    std::ranges::shuffle(order, random);
    for (const std::size_t i : order) {
      Lane& lane = lanes[i];
      lane.contestant->forget();
      track.neighbours().keep_two_streams();
      const Sample sample = lane.sampler->take();
      check_value(race, *lane.contestant);
      if (round == 0) continue;
      lane.times.us.push_back(sample.us);
      lane.times.host_us.push_back(sample.host_us);
    }
  }
  ModeTimes times{.mode = mode};
  for (Lane& lane : lanes) times.contestants.push_back(std::move(lane.times));
  return times;
}

std::string mebibytes(std::size_t bytes) {
  return std::to_string(bytes >> 20) + " MiB";
}

void require_room(std::size_t bytes) {
  const std::size_t free = free_memory();
  if (bytes + spare <= free) return;
  throw OutOfMemory("input and results need " + mebibytes(bytes) + " and " + mebibytes(spare) +
                    " to spare, " + mebibytes(free) + " are free");
}

/// What a reader must know about a cell.
std::string note_of(const Race& race, const PeerRow* peers, bool by_key) {
  if (by_key) {
    return peers != nullptr && peers->by_key != nullptr
               ? std::string()
               : "no peer in " + std::string(contest().title) + " for keys: unchecked";
  }
  const bool has_shape = is_whole_array(race.problem) || has_row_peers(race.problem) ||
                         (is_segmented(race.problem) && peers != nullptr && peers->segments);
  if (peers == nullptr || !has_shape) {
    // Rows are another family.
    const bool has_rows = race.contestants.back()->name() == rows_beside_segments;
    if (has_rows) return "no peer in " + std::string(contest().title) + ": compared with rows";
    return "no peer in " + std::string(contest().title) + (has_shape ? "" : " for such a shape") +
           ": unchecked";
  }
  if (peers->acc == to_string(race.problem.acc)) return {};
  return "the peers accumulate in " + std::string(peers->acc);
}

/// The value of a contestant with a narrow accumulator, which is of the input's type.
std::string narrow_value(const Race& race) {
  for (const auto& contestant : race.contestants) {
    if (contestant->finds() == Finds::the_value) continue;
    contestant->reduce(race.inputs.at({}), {});
    return text_of(info(race.problem.in), contestant->value());
  }
  return {};
}

ReducerOptions reducer_options(const Options& options) {
  return {.device = contest().device, .lookup = options.lookup};
}

/// redtune, its peers, and whoever else reduces the same segments.
class Reducers {
 public:
  Reducers(Cell& cell, const Options& options, const Arena& arena, const Inputs& inputs) {
    const Problem& problem = cell.problem;
    const PeerRow* const peers = find_peers(problem);
    if (cell.by_key) {
      by_key_.emplace(problem, 8 * int{key_bytes}, reducer_options(options), options.groups);
      cell.answer = by_key_->answer();
      cell.answer->settings = by_key_->settings();
      cell.answer->settings.insert(cell.answer->settings.begin(),
                                   {"groups", std::string(to_string(by_key_->way()))});
      contestants_ = by_key_contestants(*by_key_, peers, arena, options.peers);
      return;
    }
    own_.emplace(problem, reducer_options(options));
    cell.answer = own_->answer();
    contestants_ = contestants_of(*own_, peers, arena, options.peers);
    if (options.with_plans) {
      for (const PlanWay way : {PlanWay::shares, PlanWay::bins}) {
        contestants_.push_back(plan_contestant(*own_, way, arena, inputs));
      }
    }
    const auto rows = rows_beside(problem, options.degrees);
    if (!rows) return;
    Problem as_rows = problem;
    static_cast<Shape&>(as_rows) = *rows;
    ReducerOptions whatever_fits = reducer_options(options);
    whatever_fits.lookup.minimum = Match::fallback;  // what is required is of segments
    of_rows_.emplace(as_rows, whatever_fits);
    contestants_.push_back(rows_contestant(*of_rows_, *rows, arena));
  }

  /// They keep to these reducers.
  [[nodiscard]] Contestants take_contestants() { return std::move(contestants_); }

 private:
  std::optional<Reducer> own_;
  std::optional<Reducer> of_rows_;
  std::optional<ByKeyReducer> by_key_;
  Contestants contestants_;
};

/// What lies behind the elements of segments: offsets, or keys, of which the cell learns how many
/// groups they are.
std::vector<std::byte> beside_elements(Cell& cell, const Options& options) {
  if (!cell.by_key) return offsets_in_memory(cell.problem, options.degrees);
  Keys keys = keys_in_memory(cell.problem, options.degrees);
  cell.groups = keys.groups;
  return std::move(keys.bytes);
}

void measure_into(Cell& cell, const Options& options, const Layout& layout, Fill fill) {
  const Problem& problem = cell.problem;
  const Stream stream = make_stream();
  Inputs inputs(layout, stream.get());
  inputs.write(fill, span_of(problem), options.seed);
  if (is_segmented(problem)) inputs.write_offsets(beside_elements(cell, options));
  Problem found = problem;  // as many results as there are
  if (cell.by_key) found.segment_count = cell.groups;
  const Results results(found);
  Arena arena{problem, layout.offsets_at, &results, stream.get()};
  const Memory keys_of_groups =
      allocate(key_bytes * static_cast<std::size_t>(std::max<std::int64_t>(cell.groups, 1)));
  const Memory number = allocate(sizeof(std::int64_t));
  if (cell.by_key) {
    arena.keys_of_groups = static_cast<std::int32_t*>(keys_of_groups.get());
    arena.groups = static_cast<std::int64_t*>(number.get());
  }
  Reducers reducers(cell, options, arena, inputs);
  Race race{.problem = found, .inputs = inputs, .results = results, .stream = stream.get()};
  race.contestants = reducers.take_contestants();
  cell.checked = judge_of(race.contestants) != 0;
  cell.note = note_of(race, find_peers(problem), cell.by_key);
  agree_on_value(race);
  cell.value = text_of(problem, race.expected);
  cell.narrow_value = narrow_value(race);
  if (!cell.narrow_value.empty()) {
    cell.note = "narrow finds " + cell.narrow_value + " for " + cell.value;
  }
  Neighbours neighbours(results.data(), stream.get());
  const Track track(inputs, neighbours, stream.get());
  for (const Mode mode : options.modes) {
    // A cold input was not just written.
    if (mode == Mode::behind && options.input == CacheMode::cold) continue;
    cell.modes.push_back(run(race, mode, track, options));
  }
}

}  // namespace

Cell measure(const Task& task, const Options& options, const Machine& machine) {
  Cell cell{.problem = task.problem, .offset = task.offset, .by_key = options.by_key};
  const auto end_as = [&cell](CellState state, const std::string& note) {
    cell.state = state;
    cell.note = note;
    (void)gpuGetLastError();  // or the next cell would be told of it
  };
  try {
    const Fill fill = find_fill(task.problem);
    const Layout layout = layout_of(cell, options.input, machine.cache_bytes);
    cell.copies = layout.copies;
    if (fill == nullptr) {
      end_as(CellState::skipped, "this program does not know the type");
      return cell;
    }
    require_room(layout.bytes() + Results::bytes_for(cell.problem));
    measure_into(cell, options, layout, fill);
  } catch (const WrongResult& error) {
    end_as(CellState::wrong, error.what());
  } catch (const OutOfMemory& error) {
    end_as(CellState::skipped, error.what());
  } catch (const std::exception& error) {  // libraries throw their own
    end_as(CellState::failed, error.what());
  }
  return cell;
}

}  // namespace redtune::compare
