// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/question.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <spdlog/spdlog.h>
#include <thread>

#include "kernel_templates/reduce/custom_operator.hpp"
#include "redtune/error.hpp"
#include "redtune/reduce_axes.hpp"
#include "runtime/resolve.hpp"
#include "tuner/lease/lease.hpp"
#include "tuner/text/printable.hpp"

namespace redtune::cli {
namespace {

std::string this_program() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).string();
}

/// An operator's text is part of every key and every compiled program.
constexpr std::uintmax_t most_text_bytes = 1 << 20;

}  // namespace

std::string read_text(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    throw UsageError(
        fmt::format("cannot read {}: {}", path, error ? error.message() : std::strerror(ENOENT)));
  }
  if (!std::filesystem::is_regular_file(status)) {
    throw UsageError(fmt::format("{} is not a regular file", path));
  }
  if (std::filesystem::file_size(path, error) > most_text_bytes) {
    throw UsageError(fmt::format("{} is larger than 1 MiB; is it the file you mean?", path));
  }
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw UsageError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  return text;
}

CustomOp read_operator(const std::string& path) {
  CustomOp op{path, read_text(path)};
  kernels::require_operator_text(op);
  return op;
}

ProblemChoices choices_of(const Options& options, std::string_view out_option) {
  const auto given = [&](std::string_view name, auto parse) {
    const std::string text = options.text(name);
    return text.empty() ? std::nullopt : std::optional(parse(text));
  };
  return {.cache_mode = given("cache-mode", parse_cache_mode).value_or(CacheMode::cold),
          .acc = given("acc", parse_dtype),
          .out = given(out_option, parse_dtype),
          .order = given("order", parse_order).value_or(Order::fixed)};
}

void require_one_operator(const Options& options) {
  if (options.has("op-source") && options.is_given("op")) {
    throw UsageError("name an operator by --op or its text by --op-source, and not both");
  }
}

ArrayAxes array_axes_of(const Options& options) {
  ArrayAxes how;
  if (options.has("axis")) how.axes = parse_axes(options.text("axis"));
  if (options.has("strides")) how.strides = parse_numbers(options.text("strides"));
  return how;
}

std::optional<Shape> shape_of(const Options& options) {
  if (options.has("shape")) {
    if (options.is_given("count")) {
      throw UsageError("--count and --shape both say how many elements; leave one of them out");
    }
    const ArrayAxes how = array_axes_of(options);
    return reduce_axes(parse_extents(options.text("shape")), how.strides, how.axes);
  }
  for (const char* const name : {"axis", "strides"}) {
    if (options.has(name)) {
      throw UsageError(fmt::format("--{} is of an array; name its extents by --shape", name));
    }
  }
  return std::nullopt;
}

std::int64_t offset_bits_of(const Options& options) {
  const std::string bits = options.text("offset-bits");
  if (bits.empty() || bits == "32") return 32;
  if (bits == "64") return 64;
  throw UsageError(fmt::format("--offset-bits is {}; offsets have 32 or 64 bits", bits));
}

Skew skew_of(const Options& options) {
  return options.has("skew") ? parse_skew(options.text("skew")) : Skew::uniform;
}

std::optional<Shape> segments_of(const Options& options, std::int64_t elements) {
  if (!options.has("segments")) {
    for (const char* const name : {"skew", "offset-bits"}) {
      if (!options.is_given(name)) continue;
      throw UsageError(
          fmt::format("--{} is of segments; say how many there are by --segments", name));
    }
    return std::nullopt;
  }
  if (options.has("shape")) {
    throw UsageError("--segments are of an array of --count elements, which has no --shape");
  }
  return Shape::segments(elements, parse_count(options.text("segments")), offset_bits_of(options),
                         skew_of(options));
}

Problem problem_of(const Options& options, const Shape& shape, std::string_view out_option) {
  const ProblemChoices choices = choices_of(options, out_option);
  const DType type = parse_dtype(options.text("type"));
  require_one_operator(options);
  if (!options.has("op-source")) {
    return make_problem(parse_op(options.text("op")), type, shape, choices);
  }
  return make_problem(read_operator(options.text("op-source")), type, shape, choices);
}

Problem problem_of(const Options& options, std::string_view out_option) {
  if (const std::optional<Shape> shape = shape_of(options)) {
    (void)segments_of(options, 0);  // of an array they are a mistake
    return problem_of(options, *shape, out_option);
  }
  const std::int64_t count = parse_count(options.text("count"));
  const std::optional<Shape> segments = segments_of(options, count);
  return problem_of(options, segments ? *segments : Shape{.count = count}, out_option);
}

const kernels::Family& family_of(const Options& options, const Problem& problem) {
  if (!options.has("family")) return kernels::family_of(problem);
  const kernels::Family& family = kernels::find_family(options.text("family"));
  if (family.serves(problem)) return family;
  throw UsageError(fmt::format("{} has no kernels for {}; leave --family out, or name another",
                               family.name(), describe(problem)));
}

OpenDevice open_device(const Options& options) {
  OpenDevice opened{runtime::registry().select(options.text("device")), nullptr};
  opened.device = device::open(opened.selection);
  return opened;
}

void warn_of_lease(const DeviceIdentity& device) {
  const LeaseState lease = lease_of(device.address);
  if (!lease.is_held) return;
  spdlog::warn("{} is being tuned on, by {}: times here are not to be trusted, and disturb it",
               printable(device.name), text_of(lease.holder));
}

int jobs_of(const Options& options) {
  const std::uint64_t jobs = std::min<std::uint64_t>(options.number("jobs"), 1024);
  return jobs > 0 ? static_cast<int>(jobs)
                  : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

std::vector<std::string> worker_command() {
  return {this_program(), "compile-worker"};
}

std::vector<std::string> device_worker_command() {
  return {this_program(), "device-worker"};
}

std::vector<std::string> check_worker_command() {
  return {this_program(), "check-worker"};
}

}  // namespace redtune::cli
