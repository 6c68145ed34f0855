// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/asks.hpp"

#include <algorithm>

#include "search/registry.hpp"
#include "tuner/session/groundwork.hpp"

namespace redtune::tuner {
namespace {

search::StrategyOptions options_of(const TuneRequest& request) {
  const kernels::Family& family = *request.family;
  search::StrategyOptions options{
      .seed = request.seed,
      .start = {family.point_of(
          reference_config(family, request.problem, request.limits, request.only))},
      .sources = request.sources,
      .prior = request.groundwork ? request.groundwork->prior : nullptr};
  const auto add = [&](const std::vector<Settings>& all) {
    for (const Settings& one : all) options.start.push_back(family.point_of(one));
  };
  add(request.start);
  add(family.known_shapes(request.problem, request.limits, request.isa));
  return options;
}

/// Of a brief search that nobody guides the 32 would be drawn blindly.
search::AskSizes asks_of(const TuneRequest& request) {
  search::AskSizes asks = request.asks;
  if (request.sources.empty()) asks.first = 0;
  return asks;
}

}  // namespace

/// Two batches of eight keep 16 compilers busy, and a strategy that learns is told late by no more.
/// A brief search ends soon, so what it hears late is of no use to it: it is told of four at a
/// time, and has many to choose among, which are compiled while the problem before is timed.
/// docs/decisions/0112.
search::AskSizes ask_sizes(const search::Budget& budget, bool compiles_behind) {
  search::AskSizes sizes{.batch = usual_batch, .ahead = 2};
  if (budget.is_brief) sizes = {.batch = 4, .ahead = 2, .first = 32};
  if (!compiles_behind) sizes = {.batch = sizes.batch};
  return sizes;
}

std::vector<std::span<const search::Point>> compiled_together(std::span<const search::Point> points,
                                                              std::size_t batch) {
  std::vector<std::span<const search::Point>> parts;
  for (std::size_t count = std::min(usual_batch, batch); !points.empty(); count = batch) {
    parts.push_back(points.first(std::min(count, points.size())));
    points = points.subspan(parts.back().size());
  }
  return parts;
}

Asks::Asks(const TuneRequest& request, const search::Space& space)
    : request_(request),
      strategy_(search::make_strategy(request.strategy, space, options_of(request))),
      queue_(*strategy_, asks_of(request)) {}

std::vector<search::Point> Asks::ask() {
  std::vector<search::Point> points = queue_.ask(request_.budget.remaining_evaluations(asked_for_));
  asked_for_ += points.size();
  return points;
}

std::vector<search::Point> asked_at_first(const TuneRequest& request) {
  const auto space = space_of(request);
  return Asks(request, *space).ask();
}

}  // namespace redtune::tuner
