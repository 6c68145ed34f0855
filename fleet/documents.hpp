// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a machine has for the others, as documents: what it found, and what it wants.
#pragma once

#include <string>
#include <vector>

#include "cache/exchange/wanted.hpp"
#include "cache/store/store.hpp"
#include "fleet/store.hpp"

namespace redtune::fleet {

/// By what questions are told apart between machines.
struct QuestionKeys {
  std::string question;
  std::string subject;  ///< whatever the toolchain
  std::string device_class;
  std::string toolchain;
};

[[nodiscard]] QuestionKeys keys_of(const cache::Question& question);

/// What tells a result from others, whoever has it and however it is written: its question, when it
/// was published, its settings. So a store tells them apart, too.
[[nodiscard]] std::string result_key(const cache::StoredBest& result);
/// Of the one that a document is of. Nothing for a document of several, or of none, or one that
/// cannot be read here.
[[nodiscard]] std::optional<std::string> result_key(const std::string& document);

/// What this store found itself and nobody has taken back: results that answer, borders, and the
/// trials of runs that are over.
[[nodiscard]] std::vector<Entry> documents_in(const cache::Store& store);

/// Whether others may be asked to tune it: nobody runs program text because a database has it.
[[nodiscard]] bool may_be_shared(const cache::Question& question);

[[nodiscard]] Wish wish_of(const cache::Wanted& wanted, double usefulness);

}  // namespace redtune::fleet
