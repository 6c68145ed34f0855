// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/resolve.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <new>
#include <utility>

#include "cache/files/paths.hpp"
#include "cache/lookup/shared_layers.hpp"
#include "device/registry.hpp"
#include "kernel_templates/description/described_family.hpp"
#include "redtune/error.hpp"
#include "runtime/space_key.hpp"

namespace redtune::runtime {
namespace {

std::string describe(const cache::Difference& difference) {
  return fmt::format("{}: {} here, {} there", difference.name, difference.asked, difference.stored);
}

std::string differences(const cache::LookupResult& found) {
  std::string text;
  for (const cache::Difference& difference : found.differences) {
    text += (text.empty() ? "" : "; ") + describe(difference);
  }
  return text;
}

/// Of what was found for another shape.
bool differs_in_count_alone(const cache::LookupResult& found) {
  return std::ranges::none_of(found.differences, [](const cache::Difference& difference) {
    return difference.name == "outer" || difference.name == "inner" || difference.name == "batch";
  });
}

/// Where a prediction that is nearer answers instead of a result: beyond the tuned counts, where
/// nobody has measured how far a winner reaches, and between them where their border was measured.
/// docs/decisions/0054, 0099, 0102.
constexpr double farthest_beyond = 0.5;
constexpr double farthest_of_kernel = 1;  // of a user's, of which fewer trials tell
constexpr double farthest_between = 2;

bool answers(const cache::LookupResult& found) {
  const bool is_near_enough = found.border || found.shape_distance <= farthest_near;
  return found.match != Match::fallback && is_near_enough;
}

/// On which side of a measured border an answer is.
std::string side_of(const cache::MeasuredBorder& border, const cache::LookupResult& found) {
  const bool is_below = found.entry->question.problem.count == border.below;
  return is_below ? fmt::format("measured: the winner of {} takes over at {}", border.above,
                                border.first)
                  : fmt::format("measured: it takes over from the winner of {} at {}", border.below,
                                border.first);
}

std::string explain_prediction(const cache::LookupResult& found) {
  if (!answers(found)) {
    return fmt::format("predicted only for counts too far away ({})", differences(found));
  }
  const std::string how = fmt::format(
      "what a model expects from {} trials of other problems on this device", found.trials);
  const std::string differing = differences(found);
  return differing.empty() ? how : fmt::format("{} ({})", how, differing);
}

std::string explain(const cache::LookupResult& found) {
  switch (found.match) {
    case Match::exact:
      return "tuned for this problem on this device with this toolchain";
    case Match::drift:
      return "tuned with another toolchain (" + differences(found) + ")";
    case Match::sibling:
      return "tuned on a sibling of this device (" + differences(found) + ")";
    case Match::near:
      if (std::isinf(found.shape_distance)) {
        return fmt::format("tuned only for shapes that do not tell what is best here ({})",
                           differences(found));
      }
      if (!answers(found)) {
        return fmt::format("tuned only for {} too far away ({})",
                           differs_in_count_alone(found) ? "counts" : "shapes", differences(found));
      }
      return fmt::format("tuned for another {} ({}){}",
                         differs_in_count_alone(found) ? "count" : "shape", differences(found),
                         found.border ? "; " + side_of(*found.border, found) : "");
    case Match::predicted:
      return explain_prediction(found);
    case Match::fallback:
      break;
  }
  // A results file that is there and cannot be used, or that was named and is not there, is worth
  // more words than one that was never made.
  for (const cache::LayerReport& report : found.layers) {
    const bool is_told = !report.is_missing || report.layer.trust == cache::Trust::named;
    if (is_told && report.match == Match::fallback && found.differences.empty()) {
      return "nothing tuned: " + report.skipped;
    }
  }
  if (!found.entry && found.differences.empty()) return "nothing tuned yet; run: redtune tune";
  return "nothing tuned that fits (nearest: " + differences(found) + ")";
}

void use_entry(Answer& answer, const cache::LookupResult& found, const kernels::Family& family,
               const Limits& limits) {
  const cache::Best& best = found.entry->best;
  answer.settings = family.completed(best.settings, limits);
  answer.match = found.match;
  answer.source = found.source.string();
  if (found.match == Match::predicted) return;  // nobody has timed it
  answer.time_us = best.time_us;
  answer.gain = best.gain;
  answer.tuned_at = found.entry->at;
}

cache::Query query_of(const Problem& problem, const DeviceRef& device) {
  const kernels::Family& family = kernels::family_of(problem);
  const std::size_t bytes = size_of(problem.in);
  const auto distance = [&family, bytes, limits = device.limits,
                         exact = is_batch_invariant(problem)](const Shape& asked,
                                                              const Shape& tuned) {
    // One config for a length, whoever asks: a Reducer has the same for a whole class of counts.
    if (exact && asked.count != tuned.count) return std::numeric_limits<double>::infinity();
    const bool tells = family.regime(asked, bytes, limits) == family.regime(tuned, bytes, limits) &&
                       family.tells_of(tuned, asked, bytes);
    return tells ? family.distance(asked, tuned) / 2 : std::numeric_limits<double>::infinity();
  };
  return {.family = std::string(family.name()),
          .space_key = space_key(family),
          .problem = problem,
          .device = device.identity,
          .distance = distance,
          .farthest_beyond = problem.op == Op::kernel ? farthest_of_kernel : farthest_beyond,
          .farthest_between = is_whole_array(problem) && problem.op != Op::kernel ? farthest_between
                                                                                  : farthest_near};
}

/// Results of a kernel that were kept under its former key answer, too, until it is tuned again.
cache::LookupResult look_up(std::span<const cache::LoadedLayer> layers, const cache::Query& query,
                            const kernels::Family& family) {
  cache::LookupResult found = cache::look_up(layers, query);
  const auto* const kernel = kernels::as_described(family);
  if (kernel == nullptr || found.match == Match::exact) return found;
  cache::Query former = query;
  auto before = kernel->former(query.problem);
  former.family = std::move(before.family);
  former.problem = std::move(before.problem);
  former.space_key.reset();  // it is of the key
  cache::LookupResult kept = cache::look_up(layers, former);
  const bool is_better = !answers(found) || kept.match < found.match;
  return answers(kept) && is_better ? kept : found;
}

/// Whether its one block takes no more at once, and took all where this was found.
bool goes_around_again(const cache::StoredBest& stored, const kernels::Family& family,
                       const Problem& problem, const Limits& limits) {
  const auto at_once = family.elements_at_once(stored.best.settings, limits);
  return at_once && stored.question.problem.count <= *at_once && problem.count > *at_once;
}

Resolution look_up(std::span<const cache::LoadedLayer> layers, const Problem& problem,
                   const DeviceRef& device) {
  const auto& [identity, limits] = device;
  const kernels::Family& family = kernels::family_of(problem);
  // What comes from a file is checked by the rule every candidate passes.
  const auto why_not = [&](const cache::StoredBest& stored,
                           const std::optional<cache::MeasuredBorder>& border) -> std::string {
    const std::string why = family.why_invalid(stored.best.settings, problem, limits);
    if (!why.empty()) return fmt::format("cannot run here: {}", why);
    if (border || !goes_around_again(stored, family, problem, limits)) return {};
    return fmt::format("has one block, which took all {} elements and would go around again for {}",
                       stored.question.problem.count, problem.count);
  };
  cache::Query query = query_of(problem, device);
  Resolution resolution{{.problem = problem, .family = std::string(family.name())},
                        look_up(layers, query, family)};
  auto& [answer, found] = resolution;
  answer.explanation = explain(found);
  bool is_usable = answers(found);
  const std::string why = is_usable ? why_not(*found.entry, found.border) : std::string();
  if (!why.empty()) {
    query.may_answer = [&](const cache::StoredBest& stored,
                           const std::optional<cache::MeasuredBorder>& border) {
      return why_not(stored, border).empty();
    };
    cache::LookupResult next = look_up(layers, query, family);
    is_usable = answers(next);
    if (is_usable) found = std::move(next);
    answer.explanation = is_usable ? fmt::format("{}; a better match {}", explain(found), why)
                                   : fmt::format("the stored configuration {}", why);
  }
  if (is_usable)
    use_entry(answer, found, family, limits);
  else
    answer.settings = family.default_settings(problem, limits);
  return resolution;
}

/// What is known without reading anything.
Resolution built_in(const Problem& problem, const Limits& limits) {
  const kernels::Family& family = kernels::family_of(problem);
  return {{.problem = problem,
           .family = std::string(family.name()),
           .settings = family.default_settings(problem, limits),
           .explanation = "there is not enough memory to read the results"},
          {}};
}

}  // namespace

const device::Registry& registry() {
  static const device::Registry platforms;
  return platforms;
}

Limits limits_of(const DeviceIdentity& identity) {
  const DeviceClass& what = identity.device_class;
  // An architecture that is not known is taken for one like most GPUs'.
  Limits limits = device::architecture_limits(what.platform, what.isa).value_or(Limits{});
  limits.compute_units = what.compute_units;
  limits.wave_size = what.wave_size;
  limits.min_block_size = std::max(limits.min_block_size, what.wave_size);
  return limits;
}

void refuse(const Answer& answer, const LookupOptions& options) {
  throw UnmetMatch(fmt::format(
      "{}: only a {} match for {}, {} was asked for{}; {}", answer.family, to_string(answer.match),
      describe(answer.problem), to_string(options.minimum),
      options.strict ? " (strict: what nobody tuned is an error)" : "", answer.explanation));
}

std::string explanation_for_any_count(const Resolution& resolution) {
  std::string text = resolution.answer.explanation;
  const auto& differences = resolution.details.differences;
  const auto count = std::ranges::find(differences, "count", &cache::Difference::name);
  if (count == differences.end()) return text;
  const std::string with_asked = describe(*count);
  const auto place = text.find(with_asked);
  if (place == text.npos) return text;
  return text.replace(place, with_asked.size(), fmt::format("count: {} there", count->stored));
}

std::vector<Shape> tuned_shapes(std::span<const cache::LoadedLayer> layers, const Problem& problem,
                                const DeviceRef& device) {
  return cache::tuned_shapes(layers, query_of(problem, device));
}

std::vector<std::int64_t> counts_of(std::span<const Shape> shapes, const Problem& problem) {
  std::vector<std::int64_t> counts;
  for (Shape shape : shapes) {
    const std::int64_t count = std::exchange(shape.count, problem.count);
    if (shape_of_answer(problem, shape) == shape_of_answer(problem, problem)) {
      counts.push_back(count);
    }
  }
  std::ranges::sort(counts);
  return counts;
}

Resolution resolve_in(std::span<const cache::LoadedLayer> layers, const Problem& problem,
                      const DeviceRef& device, const LookupOptions& options) {
  Resolution resolution = look_up(layers, problem, device);
  require_match(resolution.answer, options);
  return resolution;
}

Resolution resolve_any(const Problem& problem, const DeviceIdentity& device, const Limits& limits,
                       const LookupOptions& options) {
  // Nothing else may answer, also where memory is short.
  if (!options.snapshot.empty()) return look_up(layers_of(options), problem, {device, limits});
  try {
    const auto layers = cache::layers(cache::named_store(options.cache_file));
    return look_up(cache::load_for_one_question(layers), problem, {device, limits});
  } catch (const std::bad_alloc&) {
    // A results file can be large; the default needs next to nothing.
    return built_in(problem, limits);
  }
}

Resolution resolve(const Problem& problem, const DeviceIdentity& device, const Limits& limits,
                   const LookupOptions& options) {
  const LookupOptions lookup = completed(options);
  Resolution resolution = resolve_any(problem, device, limits, lookup);
  require_match(resolution.answer, lookup);
  return resolution;
}

}  // namespace redtune::runtime
