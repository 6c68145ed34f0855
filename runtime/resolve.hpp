// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// From a question to a valid configuration: look up, check again, or fall back to the family's
// default.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cache/lookup/lookup.hpp"
#include "device/registry.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/find_best.hpp"
#include "runtime/lookup_options.hpp"

namespace redtune::runtime {

/// The platforms of this process, opened once.
[[nodiscard]] const device::Registry& registry();

/// Limits of a device that need not be here: those of its architecture, with its own compute units.
/// Opens no vendor's module.
[[nodiscard]] Limits limits_of(const DeviceIdentity& identity);

/// What resolving found, with the cache's own account of it.
struct Resolution {
  Answer answer;
  cache::LookupResult details;
};

/// Always answers, even when memory runs out, but where a snapshot is pinned. Throws as
/// find_best().
[[nodiscard]] Resolution resolve(const Problem& problem, const DeviceIdentity& device,
                                 const Limits& limits, const LookupOptions& options);

/// Likewise with completed options, whatever the answer is: UnmetMatch is for the caller to throw.
[[nodiscard]] Resolution resolve_any(const Problem& problem, const DeviceIdentity& device,
                                     const Limits& limits, const LookupOptions& options);

/// Throws UnmetMatch, of an answer below what was asked for.
[[noreturn]] void refuse(const Answer& answer, const LookupOptions& options);
inline void require_match(const Answer& answer, const LookupOptions& options) {
  if (answer.match > options.minimum) refuse(answer, options);
}

/// A device that need not be here.
struct DeviceRef {
  const DeviceIdentity& identity;
  const Limits& limits;
};

/// Likewise, in results that are open already. Throws UnmetMatch and std::bad_alloc.
[[nodiscard]] Resolution resolve_in(std::span<const cache::LoadedLayer> layers,
                                    const Problem& problem, const DeviceRef& device,
                                    const LookupOptions& options);

/// The answer's explanation without the count that was asked for: it holds for each that has this
/// answer.
[[nodiscard]] std::string explanation_for_any_count(const Resolution& resolution);

/// A config tuned for a shape this many factors of two away is no better a guess than the default:
/// winners differ between launch-bound, cache-resident and memory-bound ones.
inline constexpr double farthest_near = 4;

/// The shapes for which there is a result in any of these, be it a sibling's, each once.
[[nodiscard]] std::vector<Shape> tuned_shapes(std::span<const cache::LoadedLayer> layers,
                                              const Problem& problem, const DeviceRef& device);
/// The counts of those with the problem's other extents, ascending.
[[nodiscard]] std::vector<std::int64_t> counts_of(std::span<const Shape> shapes,
                                                  const Problem& problem);

}  // namespace redtune::runtime
