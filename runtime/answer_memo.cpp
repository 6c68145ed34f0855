// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/answer_memo.hpp"

#include <cstdint>
#include <functional>
#include <string_view>
#include <type_traits>

#include "vocabulary/described.hpp"

namespace redtune::runtime {
namespace {

constexpr std::size_t first_size = 64;

std::size_t hash_of(const Problem& problem) noexcept {
  std::uint64_t hash = 0;
  for_each_member(problem, [&](const auto& row, const auto& value) {
    if (row.tells != Tells::apart) return;
    if constexpr (std::is_same_v<decltype(value), const std::string&>) {
      if (value.empty()) return;
      hash ^= std::hash<std::string_view>{}(value);
    } else {
      hash ^= static_cast<std::uint64_t>(value);
    }
    hash *= 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  });
  return hash;
}

}  // namespace

const Answer* AnswerMemo::Table::find(const Problem& problem) const noexcept {
  for (std::size_t at = hash_of(problem);; ++at) {
    const Answer* const answer = slots[at & mask].load(std::memory_order_acquire);
    if (answer == nullptr || answer->problem == problem) return answer;
  }
}

void AnswerMemo::Table::insert(const Answer* answer) noexcept {
  std::size_t at = hash_of(answer->problem);
  while (slots[at & mask].load(std::memory_order_relaxed) != nullptr) ++at;
  slots[at & mask].store(answer, std::memory_order_release);
}

AnswerMemo::AnswerMemo() {
  tables_.push_back(std::make_unique<Table>(first_size));
  current_ = tables_.back().get();
}

const Answer* AnswerMemo::find(const Problem& problem) const noexcept {
  return current_.load(std::memory_order_acquire)->find(problem);
}

const Answer& AnswerMemo::add(Answer answer) {
  const std::lock_guard lock(adding_);
  if (const Answer* const known = tables_.back()->find(answer.problem)) return *known;
  if (2 * (answers_.size() + 1) > tables_.back()->mask) {
    auto larger = std::make_unique<Table>(2 * (tables_.back()->mask + 1));
    for (const auto& one : answers_) larger->insert(one.get());
    tables_.push_back(std::move(larger));
    current_.store(tables_.back().get(), std::memory_order_release);
  }
  answers_.push_back(std::make_unique<const Answer>(std::move(answer)));
  tables_.back()->insert(answers_.back().get());
  return *answers_.back();
}

}  // namespace redtune::runtime
