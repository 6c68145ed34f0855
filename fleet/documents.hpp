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

/// A result as 'redtune cache export' writes it alone; nothing when its run is missing. The same
/// for whoever has it, where it was found or after it was taken over.
[[nodiscard]] std::optional<std::string> document_of(const cache::Store& store,
                                                     const cache::PastResult& result);

/// What this store found itself and nobody has taken back: results that answer, borders, and the
/// trials of runs that are over.
[[nodiscard]] std::vector<Entry> documents_in(const cache::Store& store);

/// Whether others may be asked to tune it: nobody runs program text because a database has it.
[[nodiscard]] bool may_be_shared(const cache::Question& question);

[[nodiscard]] Wish wish_of(const cache::Wanted& wanted, double usefulness);

}  // namespace redtune::fleet
