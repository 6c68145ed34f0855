// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/description/described_family.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "redtune/error.hpp"
#include "redtune/suggest.hpp"

namespace redtune::kernels {

namespace {

std::string name_of(const KernelDescription& description, const std::string& key) {
  return fmt::format("{}@{}", description.name, key.substr(0, 16));
}

}  // namespace

DescribedFamily::DescribedFamily(Parts parts, std::string key, std::string former_key)
    : parts_(std::move(parts)),
      key_(std::move(key)),
      former_key_(std::move(former_key)),
      name_(name_of(description(), key_)),
      summary_(fmt::format("the kernel {} of {}", description().name, description().text_file)) {}

bool DescribedFamily::is_made_of(const Parts& parts) const {
  return parts_.source.path == parts.source.path && parts_.source.text == parts.source.text &&
         parts_.text == parts.text && parts_.words == parts.words && parts_.limits == parts.limits;
}

Problem DescribedFamily::problem(const SizeValues& sizes, CacheMode cache_mode) const {
  return kernel_problem(description(), key_, sizes, cache_mode);
}

DescribedFamily::Former DescribedFamily::former(const Problem& problem) const {
  Former former{name_of(description(), former_key_), problem};
  std::string& source = former.problem.custom.source;
  source.replace(0, std::min(source.find(' '), source.size()), former_key_);
  return former;
}

KernelPlan DescribedFamily::plan(const Settings& settings, const Problem& problem) const {
  return plan_kernel(description(), point_of(settings), sizes_of(description(), problem),
                     parts_.limits);
}

bool DescribedFamily::serves(const Problem& problem) const {
  const std::string& source = problem.custom.source;
  return problem.op == Op::kernel && source.substr(0, source.find(' ')) == key_;
}

double DescribedFamily::bytes_moved(const Problem& problem) const {
  return plan(default_settings(problem, parts_.limits), problem).traffic.value_or(0);
}

std::size_t DescribedFamily::bytes_held(const Problem& problem) const {
  const KernelPlan plan = this->plan(default_settings(problem, parts_.limits), problem);
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < plan.amounts.size(); ++i) {
    const KernelArgument& argument = description().arguments[i];
    if (argument.is_memory()) {
      bytes += static_cast<std::size_t>(plan.amounts[i]) * argument.type.bytes();
    }
  }
  return bytes;
}

std::string DescribedFamily::device_text(const Problem&) const {
  return parts_.text;
}

std::string DescribedFamily::config_text(const Settings& settings) const {
  return program_of(description(), "", point_of(settings), parts_.words, parts_.limits);
}

std::vector<TunableInfo> DescribedFamily::tunables() const {
  std::vector<TunableInfo> all;
  for (const Tunable& tunable : description().tunables) {
    TunableInfo& one = all.emplace_back(TunableInfo{tunable.name, {}});
    for (const TunableValue& value : tunable.values) one.values.push_back(value.text);
  }
  return all;
}

search::Space DescribedFamily::space(const Problem& problem, const Limits& limits) const {
  return space_of(description(), sizes_of(description(), problem), limits);
}

Settings DescribedFamily::default_settings(const Problem&, const Limits&) const {
  return settings_of(description(), default_config(description()));
}

Settings DescribedFamily::settings_at(const search::Point& point) const {
  return settings_of(description(), point);
}

search::Point DescribedFamily::point_of(const Settings& settings) const {
  const auto& tunables = description().tunables;
  std::vector<std::string_view> names;
  for (const Tunable& tunable : tunables) names.push_back(tunable.name);
  for (const Setting& setting : settings) {
    if (std::ranges::find(names, setting.name) != names.end()) continue;
    throw UsageError(fmt::format("{} has no tunable '{}'{}; known: {}", description().name,
                                 setting.name, suggest(setting.name, names),
                                 names.empty() ? "none" : join(names)));
  }
  search::Point point = search::Point::of_size(tunables.size());
  for (std::size_t i = 0; i < tunables.size(); ++i) {
    const auto given = std::ranges::find(settings, tunables[i].name, &Setting::name);
    if (given == settings.end()) {
      throw UsageError(
          fmt::format("nothing is said of {}'s tunable {}", description().name, tunables[i].name));
    }
    const auto value = std::ranges::find(tunables[i].values, given->value, &TunableValue::text);
    if (value == tunables[i].values.end()) {
      throw UsageError(fmt::format("{} is no value of {}'s tunable {}", given->value,
                                   description().name, tunables[i].name));
    }
    point.set(i, static_cast<std::size_t>(value - tunables[i].values.begin()));
  }
  return point;
}

Settings DescribedFamily::completed(const Settings& stored, const Limits&) const {
  return settings_at(point_of(stored));
}

std::string DescribedFamily::why_invalid(const Settings& settings, const Problem& problem,
                                         const Limits& limits) const {
  try {
    return kernels::why_invalid(description(), point_of(settings), sizes_of(description(), problem),
                                limits);
  } catch (const UsageError& error) {
    return error.what();
  }
}

std::vector<Shape> DescribedFamily::edge_shapes(const Settings&, const Problem&,
                                                const Limits&) const {
  return {};
}

std::vector<std::string> DescribedFamily::name_expressions(const Settings& settings,
                                                           const Problem& problem, int) const {
  const bool is_default = settings == default_settings(problem, parts_.limits);
  return kernels_of(plan(settings, problem), is_default ? WithReferences::yes : WithReferences::no);
}

std::unique_ptr<const Planner> DescribedFamily::planner(const Settings&, const Problem&,
                                                        const Limits&) const {
  throw Error(fmt::format("{} is launched as its description says", name_));
}

const DescribedFamily* as_described(const Family& family) {
  return dynamic_cast<const DescribedFamily*>(&family);
}

}  // namespace redtune::kernels
