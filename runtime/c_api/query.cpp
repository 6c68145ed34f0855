// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of redtune.h that asks: versions, errors, answers and launch shapes.
#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/parse_identity.hpp"
#include "redtune/reduce_axes.hpp"
#include "redtune/version.hpp"
#include "runtime/c_api/arguments.hpp"
#include "runtime/c_api/guard.hpp"
#include "runtime/c_api/objects.hpp"

namespace redtune::c_api {
namespace {

struct LastError {
  std::string text;
  bool is_cut = false;
};
thread_local LastError last_error;

int find(const redtune_problem* problem, const redtune_options* options, redtune_answer** answer,
         DeviceIdentity (*identify)(const char*), const char* device) {
  return guarded([&] {
    redtune_answer*& result = required(answer, "the place for the answer");
    const Problem asked = problem_of(problem);
    const ReducerOptions chosen = options_of(options);
    const DeviceIdentity identity = identify(device != nullptr ? device : chosen.device.c_str());
    result = new redtune_answer{find_best(asked, identity, chosen.lookup), identity};
  });
}

/// Far more axes than an array can have that is larger than one element along each: who gives more
/// has given something else.
constexpr std::size_t most_axes = 64;

/// What pointers to lists are read by.
void check_rank(std::size_t rank, std::size_t axis_count) {
  if (rank > most_axes) {
    throw UsageError(fmt::format("the rank is {}; an array has at most {} axes", rank, most_axes));
  }
  if (axis_count > rank) {
    throw UsageError(
        fmt::format("{} axes are named of an array of {}; name each one once, or none for all",
                    axis_count, rank));
  }
}

/// Nothing of a null pointer.
std::vector<std::int64_t> numbers_of(const int64_t* list, std::size_t length) {
  return list != nullptr ? std::vector<std::int64_t>(list, list + length)
                         : std::vector<std::int64_t>();
}

/// Of a list that must be there unless it is empty.
std::vector<std::int64_t> required_numbers(const int64_t* list, std::size_t length,
                                           const char* name) {
  if (length > 0) require(list, name);
  return numbers_of(list, length);
}

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

double value_of(const std::optional<Interval>& interval, const char* which) {
  if (!interval || which == nullptr) return no_value;
  const std::string_view name = which;
  if (name == "low") return interval->low;
  if (name == "median") return interval->median;
  return name == "high" ? interval->high : no_value;
}

const KernelLaunch* launch_of(const redtune_shape* shape, std::size_t i) {
  return shape != nullptr && i < shape->shape.launches.size() ? &shape->shape.launches[i] : nullptr;
}

}  // namespace

void set_last_error(const char* text) noexcept {
  last_error.is_cut = false;
  try {
    last_error.text = text;
  } catch (const std::bad_alloc&) {
    last_error.is_cut = true;
  }
}

}  // namespace redtune::c_api

using namespace redtune;
using namespace redtune::c_api;

const char* redtune_version(void) {
  static const std::string text(version);
  return text.c_str();
}

int redtune_abi_version(void) {
  return 1;
}

const char* redtune_last_error(void) {
  return last_error.is_cut ? "there is not enough memory" : last_error.text.c_str();
}

int redtune_reduce_axes(const int64_t* extents, const int64_t* strides, size_t rank,
                        const int64_t* axes, size_t axis_count, redtune_array* array) {
  return guarded([&] {
    redtune_array& result = required(array, "the array");
    check_rank(rank, axis_count);
    fill(result, reduce_axes(required_numbers(extents, rank, "the list of extents"),
                             numbers_of(strides, rank),
                             required_numbers(axes, axis_count, "the list of axes")));
  });
}

int redtune_find_best(const redtune_problem* problem, const redtune_options* options,
                      redtune_answer** answer) {
  const auto identify = [](const char* name) { return identify_device(name); };
  return find(problem, options, answer, identify, nullptr);
}

int redtune_find_best_for(const redtune_problem* problem, const char* device_json,
                          const redtune_options* options, redtune_answer** answer) {
  const auto identify = [](const char* text) { return parse_identity(text); };
  return find(problem, options, answer, identify, device_json != nullptr ? device_json : "");
}

void redtune_answer_destroy(redtune_answer* answer) {
  delete answer;
}

const char* redtune_answer_match(const redtune_answer* answer) {
  return answer != nullptr ? answer->match.c_str() : nullptr;
}

const char* redtune_answer_source(const redtune_answer* answer) {
  return answer != nullptr ? answer->answer.source.c_str() : nullptr;
}

const char* redtune_answer_explanation(const redtune_answer* answer) {
  return answer != nullptr ? answer->answer.explanation.c_str() : nullptr;
}

const char* redtune_answer_family(const redtune_answer* answer) {
  return answer != nullptr ? answer->answer.family.c_str() : nullptr;
}

double redtune_answer_time_us(const redtune_answer* answer, const char* which) {
  return answer != nullptr ? value_of(answer->answer.time_us, which) : no_value;
}

double redtune_answer_gain(const redtune_answer* answer, const char* which) {
  return answer != nullptr ? value_of(answer->answer.gain, which) : no_value;
}

const char* redtune_answer_tuned_at(const redtune_answer* answer) {
  return answer != nullptr ? answer->answer.tuned_at.c_str() : nullptr;
}

const char* redtune_answer_settings(const redtune_answer* answer) {
  return answer != nullptr ? answer->settings.c_str() : nullptr;
}

const char* redtune_answer_setting(const redtune_answer* answer, const char* name) {
  if (answer == nullptr || name == nullptr) return nullptr;
  const Settings& settings = answer->answer.settings;
  const auto found = std::ranges::find(settings, name, &Setting::name);
  return found != settings.end() ? found->value.c_str() : nullptr;
}

const char* redtune_answer_setting_name(const redtune_answer* answer, size_t number) {
  if (answer == nullptr || number >= answer->answer.settings.size()) return nullptr;
  return answer->answer.settings[number].name.c_str();
}

int redtune_answer_shape(const redtune_answer* answer, int64_t count, redtune_shape** shape) {
  return guarded([&] {
    redtune_shape*& result = required(shape, "the place for the shape");
    const redtune_answer& known = required(answer, "the answer");
    result = new redtune_shape{launch_shape(known.answer, count, known.device)};
  });
}

void redtune_shape_destroy(redtune_shape* shape) {
  delete shape;
}

size_t redtune_shape_launches(const redtune_shape* shape) {
  return shape != nullptr ? shape->shape.launches.size() : 0;
}

size_t redtune_shape_workspace_bytes(const redtune_shape* shape) {
  return shape != nullptr ? shape->shape.workspace_bytes : 0;
}

const char* redtune_shape_kernel(const redtune_shape* shape, size_t i) {
  const KernelLaunch* launch = launch_of(shape, i);
  return launch != nullptr ? launch->kernel.c_str() : nullptr;
}

int64_t redtune_shape_grid(const redtune_shape* shape, size_t i) {
  const KernelLaunch* launch = launch_of(shape, i);
  return launch != nullptr ? launch->grid : 0;
}

int redtune_shape_block(const redtune_shape* shape, size_t i) {
  const KernelLaunch* launch = launch_of(shape, i);
  return launch != nullptr ? launch->block : 0;
}

size_t redtune_shape_shared_bytes(const redtune_shape* shape, size_t i) {
  const KernelLaunch* launch = launch_of(shape, i);
  return launch != nullptr ? launch->shared_bytes : 0;
}
