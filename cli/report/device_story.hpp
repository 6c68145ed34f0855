// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// All that a store knows of a device: its results, how near they are to the most it reads, which
// counts they answer, and what it would answer for everything else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cache/store/store.hpp"
#include "cli/names.hpp"
#include "redtune/match.hpp"
#include "tuner/measure/peak.hpp"

namespace redtune::cli {

/// A result that answers.
struct KnownResult {
  cache::StoredBest stored;
  std::string name;         ///< of the problem
  std::string differences;  ///< of the config, from the default
  double bytes = 0;         ///< that one execution moves; 0: not known
  Peak peak;                ///< to compare it with; 0: not known
  /// Of the peak, above 1 where that is no roof; 0: not known.
  [[nodiscard]] double share() const {
    return peak.gbps > 0 ? stored.best.gigabytes_per_second / peak.gbps : 0;
  }
  [[nodiscard]] double default_gbps() const;
};

/// Neighbouring counts of one kind of problem that are answered by one config.
struct SizeClass {
  const KnownResult* first = nullptr;
  const KnownResult* last = nullptr;
  std::size_t results = 0;
  std::optional<std::int64_t> from;  ///< the smallest count, as it was measured
  std::optional<std::int64_t> to;    ///< the largest
};

/// Of one operator and type, cold whole arrays: an answer for each of the sizes.
struct CoverageRow {
  std::string name;
  std::vector<Match> matches;
};

struct DeviceStory {
  DeviceIdentity device;  ///< with the toolchain of the newest result
  std::optional<cache::ReadPeaks> peaks;
  std::vector<KnownResult> results;  ///< by operation, then by shape
  std::vector<cache::StoredBorder> borders;
  std::size_t predictions = 0;
  std::size_t toolchains = 0;
};

/// Of devices with this text in their name, platform or ISA, in any case; empty: of all.
[[nodiscard]] std::vector<DeviceStory> device_stories(const cache::Store& store,
                                                      const std::string& text);

[[nodiscard]] std::vector<SizeClass> size_classes(const DeviceStory& device);

/// Powers of two.
[[nodiscard]] std::vector<std::int64_t> coverage_counts();
/// Of every operator and type that may go together.
[[nodiscard]] std::vector<CoverageRow> coverage_of(const cache::Snapshot& answers,
                                                   const DeviceStory& device);

/// A user's own by the name that it was given.
[[nodiscard]] std::string operator_name(const Problem& problem);
/// Types, order and cache mode as far as they are not usual: "f32", "bf16 to f32, warm".
[[nodiscard]] std::string variant_of(const Problem& problem);
/// Kinds of shape, for headings: "whole arrays", "rows".
[[nodiscard]] std::string kind_of_shape(const Shape& shape);
/// What results of one kind are drawn over: bytes of whole arrays, else elements of a result.
[[nodiscard]] double size_for_chart(const KnownResult& result);

}  // namespace redtune::cli
