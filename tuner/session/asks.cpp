// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/asks.hpp"

#include <algorithm>
#include <iterator>

#include "search/registry.hpp"

namespace redtune::tuner {
namespace {

search::StrategyOptions options_of(const TuneRequest& request) {
  const kernels::Family& family = *request.family;
  search::StrategyOptions options{.seed = request.seed,
                                  .start = {family.point_of(reference_config(
                                      family, request.problem, request.limits, request.only))},
                                  .sources = request.sources};
  const auto add = [&](const std::vector<Settings>& all) {
    for (const Settings& one : all) options.start.push_back(family.point_of(one));
  };
  add(request.start);
  add(family.known_shapes(request.problem, request.limits, request.isa));
  return options;
}

}  // namespace

/// Two asks of eight keep 16 compilers busy, and a strategy that learns is told late by no more. A
/// brief search ends soon, so what it hears late is of no use to it: NVRTC compiles an ask of four
/// while another is timed; others take longer. docs/decisions/0110.
AskSizes ask_sizes(const search::Budget& budget, std::string_view platform, bool compiles_behind) {
  constexpr AskSizes usual{.batch = usual_batch, .ahead = 2};
  constexpr AskSizes brief{.batch = 4, .ahead = 1};
  constexpr AskSizes brief_elsewhere{.batch = 4, .ahead = 3};
  AskSizes sizes = usual;
  if (budget.is_brief) sizes = platform == "cuda" ? brief : brief_elsewhere;
  if (!compiles_behind) sizes.ahead = 0;
  return sizes;
}

Asks::Asks(const TuneRequest& request, const search::Space& space)
    : request_(request),
      strategy_(search::make_strategy(request.strategy, space, options_of(request))) {}

std::vector<search::Point> Asks::next() {
  const std::size_t left = request_.budget.remaining_evaluations(asked_for_);
  const std::size_t batch = asked_for_ == 0 ? first_batch(request_.batch) : request_.batch;
  std::vector<search::Point> points = strategy_->ask(std::min(batch, left));
  asked_for_ += points.size();
  return points;
}

std::vector<search::Point> asked_before_results(const TuneRequest& request) {
  const search::Space space =
      searched_space(*request.family, request.problem, request.limits, request.only);
  Asks asks(request, space);
  std::vector<search::Point> all;
  for (std::size_t ask = 0; ask <= request.asks_ahead; ++ask) {
    std::ranges::move(asks.next(), std::back_inserter(all));
  }
  return all;
}

}  // namespace redtune::tuner
