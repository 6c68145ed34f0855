// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a strategy's thinking costs: time of asking and telling, for each evaluation, in a made-up
// space of 20,000 points. The costs come from a formula, so nothing else takes time.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "search/registry.hpp"
#include "search/rng.hpp"

namespace {

using namespace redtune::search;
using Clock = std::chrono::steady_clock;

constexpr int runs = 5;

/// Smooth but for jumps between neighbours; one in eleven fails.
std::optional<double> cost_of(const Point& point) {
  double cost = 1;
  for (std::size_t axis = 0; axis < point.size(); ++axis) {
    const double distance = static_cast<double>(point[axis]) - 3;
    cost += distance * distance * static_cast<double>(axis + 1) / 10;
  }
  const std::size_t mixed = std::hash<Point>{}(point);
  if (mixed % 11 == 0) return std::nullopt;
  return cost * (1 + static_cast<double>(mixed % 7) / 50);
}

/// 1 to `size`: an axis of which a model sees all that it can see of numbers.
Axis numbers(const char* name, std::size_t size) {
  Axis axis{name, size, AxisKind::ordered, {}};
  for (std::size_t i = 1; i <= size; ++i) axis.values.push_back(static_cast<double>(i));
  return axis;
}

/// Problems like it, as many as a tune hears of, with as many points as ship of each.
std::vector<SourceTask> sources_like(const Space& space) {
  constexpr std::size_t problems = 6;
  constexpr std::size_t points = 160;
  std::vector<SourceTask> sources;
  Rng rng(1);
  for (std::size_t i = 0; i < problems; ++i) {
    SourceTask& source = sources.emplace_back();
    source.nearness = 1.0 / static_cast<double>(i + 2);
    while (source.observations.size() < points) {
      const Point point = space[rng.below(space.size())];
      const auto cost = cost_of(point);
      if (cost) source.observations.push_back({point, *cost * static_cast<double>(i + 1)});
    }
  }
  return sources;
}

struct Thinking {
  double begin_ms = 0;  ///< making the strategy
  double us = 0;        ///< asking and telling, for each evaluation
};

double microseconds(Clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

double median(std::vector<double> times) {
  std::ranges::sort(times);
  return times[times.size() / 2];
}

/// Medians of some runs.
Thinking cost_of_thinking(const StrategyRow& row, const Space& space,
                          const std::vector<SourceTask>& sources, std::size_t evaluations,
                          std::size_t batch) {
  std::vector<double> begins;
  std::vector<double> times;
  for (int run = 0; run < runs; ++run) {
    const StrategyOptions options{.seed = static_cast<std::uint64_t>(run), .sources = sources};
    const auto start = Clock::now();
    const auto strategy = row.make(space, options);
    Clock::duration spent{};
    begins.push_back(microseconds(Clock::now() - start) / 1e3);
    std::size_t done = 0;
    while (done < evaluations) {
      auto begin = Clock::now();
      const auto points = strategy->ask(std::min(batch, evaluations - done));
      spent += Clock::now() - begin;
      if (points.empty()) break;
      std::vector<Observation> answers;
      for (const Point& point : points) answers.push_back({point, cost_of(point)});
      begin = Clock::now();
      strategy->tell(answers);
      spent += Clock::now() - begin;
      done += points.size();
    }
    times.push_back(microseconds(spent) / static_cast<double>(done));
  }
  return {median(std::move(begins)), median(std::move(times))};
}

}  // namespace

int main(int argc, char** argv) {
  const bool as_json = argc == 2 && std::string_view(argv[1]) == "--json";
  if (argc > 1 && !as_json) {
    fmt::print(stderr, "usage: strategy_cost [--json]\n");
    return 2;
  }
  const Space space({numbers("a", 20), numbers("b", 10), numbers("c", 10), numbers("d", 5),
                     Axis{"e", 2, AxisKind::categorical, {}}});
  nlohmann::json document = nlohmann::json::array();
  if (!as_json) {
    fmt::print(
        "{} points; a strategy told of so many like problems is made in so many ms,\n"
        "asking and telling take so many us for each evaluation\n\n"
        "{:<16}{:>12}{:>12} {:>6} {:>10} {:>10}\n",
        space.size(), "strategy", "problems", "evaluations", "batch", "ms", "us");
  }
  for (const StrategyRow& row : strategies()) {
    for (const auto& sources : {std::vector<SourceTask>{}, sources_like(space)}) {
      for (const std::size_t evaluations : {100U, 1000U}) {
        for (const std::size_t batch : {1U, 8U}) {
          const Thinking thinking = cost_of_thinking(row, space, sources, evaluations, batch);
          if (as_json) {
            document.push_back({{"strategy", row.name},
                                {"points", space.size()},
                                {"problems", sources.size()},
                                {"evaluations", evaluations},
                                {"batch", batch},
                                {"begin_ms", thinking.begin_ms},
                                {"us", thinking.us}});
          } else {
            fmt::print("{:<16}{:>12}{:>12} {:>6} {:>10.2f} {:>10.1f}\n", row.name, sources.size(),
                       evaluations, batch, thinking.begin_ms, thinking.us);
          }
        }
      }
    }
  }
  if (as_json) fmt::print("{}\n", document.dump(1));
}
