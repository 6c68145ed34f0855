// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the sub-commands of 'redtune cache' have in common.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cache/store/store.hpp"
#include "cli/command.hpp"
#include "cli/names.hpp"
#include "tuner/text/json.hpp"

namespace redtune::cli {

/// Whether a place has a snapshot, with a store beside it or without.
[[nodiscard]] bool has_snapshot(const std::filesystem::path& store);

/// The store that --cache, REDTUNE_CACHE or the user's folders name. Throws UsageError when there
/// is no place or no file.
[[nodiscard]] std::filesystem::path existing_store(const Options& options);

/// For commands that only look: a copy, so that they work on the stores of others too.
[[nodiscard]] cache::Store copy_store(const Options& options);

/// For commands that change an existing store.
[[nodiscard]] cache::Store open_existing_store(const Options& options);

/// Shows what a store warns of.
void show_warnings(const cache::Store& store);

/// The exit code of a command that has changed a store: whether applications see it.
[[nodiscard]] int code_of(const cache::Store& store);

/// Before a command does anything: what --cache or REDTUNE_CACHE names is a store, a snapshot, or
/// not there. Throws UsageError that says what it is instead, IoError for what cannot be looked at.
void check_named_place(const Options& options);

/// A whole number from 1 that names a thing of a store; list: the command that shows them. Throws
/// UsageError.
[[nodiscard]] std::int64_t parse_id(const std::string& word, std::string_view thing,
                                    std::string_view list);
/// The same from the only word of a command.
[[nodiscard]] std::int64_t id_of(const Options& options, std::string_view thing,
                                 std::string_view list = "cache list");

/// Which results a command is about: --op, --type, --device.
class ResultFilter {
 public:
  /// Throws UsageError for unknown names.
  explicit ResultFilter(const Options& options);
  /// Where --device means something else.
  ResultFilter(const Options& options, const std::string& device);
  [[nodiscard]] bool takes(const cache::StoredBest& result) const;

 private:
  std::optional<Op> op_;
  std::optional<DType> type_;
  std::string device_;
};

/// Why a family's rules refuse a config on a device of this class; empty when they do not.
[[nodiscard]] std::string why_invalid(const cache::Question& question, const Settings& settings);

/// A config by what distinguishes it from the default of its family.
[[nodiscard]] std::string short_text(const cache::StoredBest& result);

/// What is in the store, as --json shows it.
[[nodiscard]] Json json_of(const cache::PastResult& result);

}  // namespace redtune::cli
