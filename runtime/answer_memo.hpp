// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Answers by their problems, for many readers at once: a table that grows and forgets nothing.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "redtune/find_best.hpp"

namespace redtune::runtime {

class AnswerMemo {
 public:
  AnswerMemo();
  AnswerMemo(const AnswerMemo&) = delete;
  AnswerMemo& operator=(const AnswerMemo&) = delete;

  /// No lock, no allocation; nothing when it is not there yet. An answer stays where it is.
  [[nodiscard]] const Answer* find(const Problem& problem) const noexcept;
  /// Keeps an answer to answer.problem, or finds the one that another thread kept meanwhile.
  const Answer& add(Answer answer);

 private:
  /// Open addressing; at least half of the slots are free. Readers may be in an old table while a
  /// larger one takes its place: what they miss there is found under the lock.
  struct Table {
    explicit Table(std::size_t size)
        : mask(size - 1), slots(std::make_unique<std::atomic<const Answer*>[]>(size)) {}
    [[nodiscard]] const Answer* find(const Problem& problem) const noexcept;
    void insert(const Answer* answer) noexcept;

    std::size_t mask;
    std::unique_ptr<std::atomic<const Answer*>[]> slots;
  };

  std::atomic<const Table*> current_ = nullptr;
  std::mutex adding_;
  std::vector<std::unique_ptr<Table>> tables_;  ///< the last one is current
  std::vector<std::unique_ptr<const Answer>> answers_;
};

}  // namespace redtune::runtime
