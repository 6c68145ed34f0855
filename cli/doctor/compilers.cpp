// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <fmt/format.h>

#include "cli/doctor/examine.hpp"
#include "redtune/error.hpp"

namespace redtune::cli {
namespace {

/// What the host's compiler is called where there is none.
constexpr std::string_view none = "none";

/// The platform that tuning would take; empty where it has none.
std::string platform_of(const device::Registry& registry, const std::string& asked) {
  try {
    return std::string(registry.select(asked.empty() ? "auto" : asked).platform->name());
  } catch (const NoSuchDevice&) {
    return {};
  }
}

Fact fact_of(const device::Platform& platform, Verdict when_missing) {
  Fact fact{.name = std::string(platform.name()), .value = nullptr};
  try {
    const std::string version = platform.compiler().version();
    if (version != none) {
      fact.value = version;
      return fact;
    }
    fact.text = "no C++ compiler was found or can be run";
    fact.next = "install c++, g++ or clang++, or set REDTUNE_HOST_CXX";
  } catch (const Error& error) {
    fact.text = error.what();
    fact.next = "without it no kernel can be compiled";
  }
  fact.verdict = when_missing;
  if (when_missing == Verdict::fine) fact.next.clear();
  return fact;
}

}  // namespace

Section examine_compilers(const device::Registry& registry, const std::string& asked) {
  const std::string needed = platform_of(registry, asked);
  Topic topic;
  for (const device::PlatformEntry& entry : registry.platforms()) {
    if (!entry.platform) continue;
    // Where there are no devices nobody misses it.
    const Verdict otherwise = entry.platform->device_count() > 0 ? Verdict::remark : Verdict::fine;
    topic.facts.push_back(
        fact_of(*entry.platform, entry.name == needed ? Verdict::problem : otherwise));
  }
  return {.name = "compilers", .topics = {std::move(topic)}};
}

}  // namespace redtune::cli
