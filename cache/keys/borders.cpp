// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/keys/borders.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "cache/keys/key.hpp"

namespace redtune::cache {
namespace {

/// What neighbours have in common.
Question without_count(Question question) {
  question.problem.count = 0;
  return question;
}

}  // namespace

bool is_plausible(const StoredBorder& stored) {
  const Border& border = stored.border;
  return 0 <= stored.question.problem.count &&
         stored.question.problem.count <= border.still_below && border.still_below < border.first &&
         border.first <= border.first_above && border.first_above <= border.above;
}

bool is_between(const StoredBorder& border, const StoredBest& below, const StoredBest& above) {
  return border.question == below.question && border.border.above == above.question.problem.count &&
         border.border.below_config == key_of(below.best.settings).hash &&
         border.border.above_config == key_of(above.best.settings).hash;
}

std::vector<Neighbours> neighbours_among(std::span<const StoredBest> results) {
  std::map<Question, std::map<std::int64_t, const StoredBest*>> kinds;
  for (const StoredBest& result : results) {
    const std::int64_t count = result.question.problem.count;
    const StoredBest*& newest = kinds[without_count(result.question)][count];
    if (newest == nullptr || newest->generation < result.generation) newest = &result;
  }
  std::vector<Neighbours> all;
  for (const auto& [question, by_count] : kinds) {
    const StoredBest* below = nullptr;
    for (const auto& [count, result] : by_count) {
      if (below != nullptr) all.push_back({below, result});
      below = result;
    }
  }
  return all;
}

std::vector<StoredBorder> borders_among(std::span<const StoredBest> results,
                                        std::span<const StoredBorder> known) {
  if (known.empty()) return {};
  std::multimap<Question, const StoredBorder*> by_question;
  for (const StoredBorder& border : known) by_question.emplace(border.question, &border);
  std::vector<StoredBorder> all;
  for (const auto& [below, above] : neighbours_among(results)) {
    const StoredBorder* newest = nullptr;
    const auto [begin, end] = by_question.equal_range(below->question);
    for (auto at = begin; at != end; ++at) {
      const StoredBorder& border = *at->second;
      if (!is_plausible(border) || !is_between(border, *below, *above)) continue;
      const auto age = [](const StoredBorder& one) { return std::tie(one.at, one.border); };
      if (newest == nullptr || age(*newest) < age(border)) newest = &border;
    }
    if (newest != nullptr) all.push_back(*newest);
  }
  std::ranges::sort(all);
  return all;
}

}  // namespace redtune::cache
