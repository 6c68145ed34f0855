// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>
#include <vector>

#include "cache/files/paths.hpp"
#include "cache/lookup/pinned.hpp"
#include "cli/doctor/examine.hpp"
#include "redtune/error.hpp"
#include "redtune/suggest.hpp"

namespace redtune::cli {
namespace {

constexpr std::string_view own_prefix = "REDTUNE_";
/// Read by the tests of redtune, not by redtune.
constexpr std::string_view test_prefix = "REDTUNE_TEST_";

constexpr std::array known_variables{
    Variable{"REDTUNE_CACHE", "the results file instead of the user's own; --cache wins"},
    Variable{"REDTUNE_MODULE_PATH", "folders with the modules for GPUs"},
    Variable{"REDTUNE_HOST_CXX", "the C++ compiler of the host device"},
    Variable{"REDTUNE_OPERATOR_SECONDS", "how long a step of a custom operator may take"},
    Variable{"REDTUNE_LOG", "the least severe line shown"},
    Variable{"REDTUNE_SNAPSHOT", "the snapshot, sha256:..., that all answers come from"},
    Variable{"REDTUNE_STRICT", "'on': what nobody tuned is an error"},
    Variable{"REDTUNE_WANTED", "'off': what applications ask for is not written down"},
    Variable{"REDTUNE_SYSFS", "where the kernel shows its devices, instead of /sys"},
    Variable{"HOME", "where results and logs lie, unless XDG_* says otherwise"},
    Variable{"XDG_DATA_HOME", "results are in redtune/ below it"},
    Variable{"XDG_STATE_HOME", "run logs are in redtune/ below it"},
    Variable{"XDG_CACHE_HOME", "for compiled binaries, in redtune/ below it"},
    Variable{"XDG_RUNTIME_DIR", "leases of devices are in redtune/ below it"},
    Variable{"TMPDIR", "where the host's compiler works"},
    Variable{"PATH", "where the host's compiler is looked for"},
    Variable{"LD_LIBRARY_PATH", "where drivers and run-time compilers are looked for first"},
    Variable{"CUDA_PATH", "where NVRTC is looked for"},
    Variable{"CUDA_HOME", "where NVRTC is looked for"},
    Variable{"CUDA_VISIBLE_DEVICES", "hides and renumbers NVIDIA GPUs"},
    Variable{"HIP_VISIBLE_DEVICES", "hides and renumbers AMD GPUs"},
    Variable{"ROCR_VISIBLE_DEVICES", "hides and renumbers AMD GPUs"},
    Variable{"JOURNAL_STREAM", "of systemd: lines have priorities where they go to the journal"},
    Variable{"NO_COLOR", "no colours"},
    Variable{"TERM", "'dumb' or unset: no progress line drawn in place"},
};

/// What programs meet that are pinned to a snapshot.
void judge_pin(Fact& fact, std::string_view value) {
  try {
    const auto pinned =
        cache::find_pinned(cache::parse_pin(value, fact.name), cache::named_store());
    fact.value["file"] = pinned.layer.layer.snapshot.string();
    if (pinned.is_kept) return;
    fact.verdict = Verdict::remark;
    fact.next = "the next tune replaces that snapshot; keep it: redtune cache pin";
  } catch (const Error& error) {
    fact.verdict = Verdict::remark;
    fact.next = fmt::format("programs get this error: {}", error.what());
  }
}

Fact fact_of(const Variable& variable) {
  const std::string name(variable.name);
  const char* value = std::getenv(name.c_str());
  Fact fact{.name = name,
            .value = {{"value", nullptr}, {"effect", variable.effect}},
            .text = fmt::format("not set ({})", variable.effect)};
  if (value == nullptr) return fact;
  fact.value["value"] = value;
  fact.text = fmt::format("'{}' ({})", value, variable.effect);
  if (name.starts_with("XDG_") && *value != '/' && *value != '\0') {
    fact.verdict = Verdict::remark;
    fact.next = "it is not an absolute path and is ignored; set one";
  }
  const std::string_view text = value;
  if (name == "REDTUNE_SNAPSHOT" && !text.empty()) judge_pin(fact, text);
  if (name == "REDTUNE_STRICT" && !text.empty() && text != "on" && text != "off") {
    fact.verdict = Verdict::remark;
    fact.next = "programs refuse it: write on or off";
  }
  return fact;
}

/// Variables that look like redtune's and that nothing reads.
std::vector<Fact> strangers() {
  std::vector<std::string_view> names;
  for (const Variable& variable : known_variables) names.push_back(variable.name);
  std::vector<Fact> facts;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    if (!name.starts_with(own_prefix) || name.starts_with(test_prefix)) continue;
    if (std::ranges::count(names, name) > 0) continue;
    facts.push_back({.name = std::string(name),
                     .value = {{"value", text.substr(std::min(name.size() + 1, text.size()))},
                               {"effect", nullptr}},
                     .text = "set, but nothing reads it",
                     .verdict = Verdict::remark,
                     .next = fmt::format("unset it{}", suggest(name, names))});
  }
  return facts;
}

}  // namespace

std::span<const Variable> variables() {
  return known_variables;
}

Section examine_environment() {
  Topic topic;
  for (const Variable& variable : known_variables) topic.facts.push_back(fact_of(variable));
  for (Fact& fact : strangers()) topic.facts.push_back(std::move(fact));
  return {.name = "environment", .topics = {std::move(topic)}};
}

}  // namespace redtune::cli
