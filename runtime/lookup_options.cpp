// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/lookup_options.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <string_view>

#include "cache/files/paths.hpp"
#include "cache/lookup/pinned.hpp"
#include "cache/lookup/shared_layers.hpp"
#include "redtune/error.hpp"

namespace redtune::runtime {
namespace {

bool is_strict_everywhere() {
  const char* const value = std::getenv("REDTUNE_STRICT");
  const std::string_view text = value == nullptr ? "" : value;
  if (text.empty() || text == "off") return false;
  if (text == "on") return true;
  throw UsageError(fmt::format("REDTUNE_STRICT is '{}': write on or off", text));
}

}  // namespace

LookupOptions completed(LookupOptions options) {
  if (!options.snapshot.empty()) {
    options.snapshot = to_string(cache::parse_pin(options.snapshot, "the option 'snapshot'"));
  } else if (const auto pin = cache::pin_of_environment()) {
    options.snapshot = to_string(cache::parse_pin(*pin, "REDTUNE_SNAPSHOT"));
  }
  options.strict = options.strict || is_strict_everywhere();
  if (options.strict) options.minimum = std::min(options.minimum, worst_strict);
  return options;
}

const LookupOptions& completed(const LookupOptions& options, std::optional<LookupOptions>& place) {
  const bool is_whole = options.snapshot.empty() && !cache::pin_of_environment() &&
                        !options.strict && !is_strict_everywhere();
  return is_whole ? options : place.emplace(completed(options));
}

std::vector<cache::LoadedLayer> layers_of(const LookupOptions& options) {
  const auto named = cache::named_store(options.cache_file);
  if (options.snapshot.empty()) return cache::load_shared(cache::layers(named));
  return {cache::load_pinned(cache::parse_pin(options.snapshot, "the snapshot"), named)};
}

}  // namespace redtune::runtime
