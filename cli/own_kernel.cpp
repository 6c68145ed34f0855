// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/own_kernel.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

#include "cli/names.hpp"
#include "redtune/error.hpp"
#include "redtune/suggest.hpp"
#include "runtime/adopt_kernel.hpp"
#include "tuner/workload/lists.hpp"

namespace redtune::cli {
namespace {

/// Options that name a reduction.
constexpr std::array<std::string_view, 15> of_reductions{
    "op",      "op-source", "type", "acc",         "out",         "count", "shape",   "axis",
    "strides", "segments",  "skew", "offset-bits", "row-lengths", "total", "workload"};

using kernels::KernelDescription;

/// What --size says of a name: the texts behind "NAME=".
struct NamedText {
  std::size_t size;  // of the description's
  std::string text;
};

NamedText named_size(const std::string& given, const KernelDescription& description) {
  const std::size_t is = given.find('=');
  if (is == std::string::npos) {
    throw UsageError(fmt::format("'{}' is no size; write NAME=N, like n=2^20", given));
  }
  const std::string name = given.substr(0, is);
  const auto& known = description.sizes;
  const auto found = std::ranges::find(known, name, &kernels::NamedSize::name);
  if (found == known.end()) {
    std::vector<std::string_view> names;
    for (const kernels::NamedSize& size : known) names.push_back(size.name);
    throw UsageError(fmt::format("the kernel has no size '{}'{}; known: {}", name,
                                 suggest(name, names), names.empty() ? "none" : join(names)));
  }
  return {static_cast<std::size_t>(found - known.begin()), given.substr(is + 1)};
}

const kernels::DescribedFamily& adopted(const Options& options, std::string_view platform,
                                        const Limits& limits) {
  return runtime::adopt_kernel(kernel_file(options), platform, limits);
}

CacheMode cache_mode_of(const Options& options) {
  return parse_cache_mode(options.text("cache-mode"));
}

}  // namespace

std::string kernel_file(const Options& options) {
  if (options.words().empty()) {
    if (options.is_given("size")) throw UsageError("--size is of a kernel; name its FILE as well");
    return {};
  }
  for (const std::string_view name : of_reductions) {
    if (!options.is_given(name)) continue;
    throw UsageError(fmt::format("{} and --{} both say what is meant; leave one of them out",
                                 options.words()[0], name));
  }
  return options.words()[0];
}

kernels::SizeValues sizes_asked(const Options& options, const KernelDescription& description) {
  kernels::SizeValues sizes = kernels::problems_of(description).front();
  for (const std::string& given : options.all("size")) {
    const NamedText named = named_size(given, description);
    sizes[named.size] = parse_count(named.text);
  }
  return sizes;
}

Problem kernel_problem_of(const Options& options, std::string_view platform, const Limits& limits) {
  const kernels::DescribedFamily& family = adopted(options, platform, limits);
  return family.problem(sizes_asked(options, family.description()), cache_mode_of(options));
}

Workload kernel_workload(const Options& options, std::string_view platform, const Limits& limits) {
  const kernels::DescribedFamily& family = adopted(options, platform, limits);
  KernelDescription asked = family.description();
  if (asked.tunables.empty()) {
    throw UsageError(
        fmt::format("{}: the kernel has nothing to tune; name a tunable by "
                    "'// redtune: tune NAME = VALUES'",
                    asked.text_file));
  }
  for (const std::string& given : options.all("size")) {
    const NamedText named = named_size(given, asked);
    asked.sizes[named.size].values = parse_counts(named.text);
  }
  Workload workload{.name = asked.text_file, .items = {}, .left_out = {}};
  for (const kernels::SizeValues& sizes : kernels::problems_of(asked)) {
    const Problem problem = family.problem(sizes, cache_mode_of(options));
    const Settings usual = family.default_settings(problem, limits);
    const std::string why = family.why_invalid(usual, problem, limits);
    if (!why.empty()) {
      throw UsageError(fmt::format("{}: the default of {} cannot run: {}", asked.text_file,
                                   describe(problem), why));
    }
    workload.items.push_back({problem});
  }
  return workload;
}

}  // namespace redtune::cli
