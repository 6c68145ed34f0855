// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/reduce_inputs.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <string>
#include <string_view>

#include "cli/question.hpp"
#include "redtune/error.hpp"
#include "redtune/segments.hpp"
#include "tuner/verify/input.hpp"
#include "tuner/verify/offsets.hpp"

namespace redtune::cli {
namespace {

/// Segments as --offsets has them: where each begins, and where the last ends.
std::vector<std::int64_t> read_offsets(const RawFile& file, std::int64_t bits) {
  const auto each = static_cast<std::size_t>(bits / 8);
  if (file.bytes() == 0 || file.bytes() % each != 0) {
    throw UsageError(fmt::format(
        "{} has {} bytes, which are not one offset of {} bits or more: where each segment begins, "
        "and where the last ends",
        file.name(), file.bytes(), bits));
  }
  return keys_in(file.read(), bits);
}

/// Those of --offsets, which are looked at, or of generated segments; none of anything else.
std::vector<std::int64_t> offsets_asked(const ReduceInputs& inputs, const Problem& problem) {
  if (!is_segmented(problem) || inputs.keys) return {};
  if (!inputs.offsets) return segment_offsets(problem);
  std::vector<std::int64_t> offsets = read_offsets(*inputs.offsets, problem.offset_bits);
  const std::string why =
      why_no_segments(segments_at(offsets.data(), problem.segment_count), problem.count);
  if (!why.empty()) throw UsageError(fmt::format("{}: {}", inputs.offsets->name(), why));
  return offsets;
}

std::int64_t key_bits_of(const Options& options) {
  return options.has("key-bits") ? parse_count(options.text("key-bits")) : 32;
}

/// Of so many elements; nothing where no segments are asked for.
std::optional<Shape> segments_asked(const Options& options, const ReduceInputs& inputs,
                                    std::int64_t elements) {
  if (options.has("keys")) {
    const std::int64_t groups = read_keys(*inputs.keys, key_bits_of(options), elements).groups();
    return Shape::segments(elements, groups, offset_bits_of(options), skew_of(options));
  }
  if (!options.has("offsets")) return segments_of(options, elements);
  const std::int64_t bits = offset_bits_of(options);
  const auto offsets = static_cast<std::int64_t>(inputs.offsets->bytes()) * 8 / bits;
  return Shape::segments(elements, std::max<std::int64_t>(offsets - 1, 0), bits, skew_of(options));
}

/// Where two of them would each say what is reduced. Throws UsageError.
void require_one_of(const Options& options, std::string_view name,
                    std::initializer_list<std::string_view> others) {
  if (!options.has(name)) return;
  for (const std::string_view other : others) {
    if (!options.has(other)) continue;
    throw UsageError(
        fmt::format("--{} and --{} both say what is reduced; leave one of them out", name, other));
  }
}

}  // namespace

void require_inputs(const Options& options) {
  require_one_of(options, "keys", {"offsets", "segments", "shape"});
  require_one_of(options, "offsets", {"segments", "shape"});
  const std::optional<Shape> shape = shape_of(options);
  const bool has_file = !options.words().empty();
  if (has_file == options.has("count") && !(shape && !has_file)) {
    throw UsageError(
        "name a FILE of raw numbers, or --count N or --shape NxM of generated ones, and not both");
  }
  if (!has_file && options.has("offsets")) {
    throw UsageError("--offsets are of a FILE; name it, or generated ones by --segments");
  }
  if (!has_file && options.has("keys")) throw UsageError("--keys are of a FILE; name it");
  for (const char* const name : {"key-bits", "result-keys"}) {
    if (options.is_given(name) && !options.has("keys")) {
      throw UsageError(fmt::format(
          "--{} is of --keys; name the file of keys by --keys FILE, or leave it out", name));
    }
  }
}

ReduceInputs inputs_of(const Options& options) {
  std::vector<std::string> paths = options.words();
  for (const char* const name : {"offsets", "keys"}) {
    if (options.has(name)) paths.push_back(options.text(name));
  }
  require_read_once(paths);
  ReduceInputs inputs;
  if (!options.words().empty()) inputs.elements.emplace(options.words()[0]);
  if (options.has("offsets")) inputs.offsets.emplace(options.text("offsets"));
  if (options.has("keys")) inputs.keys.emplace(options.text("keys"));
  return inputs;
}

Problem problem_of(const Options& options, const ReduceInputs& inputs) {
  if (!inputs.elements) return problem_of(options);
  const DType type = parse_dtype(options.text("type"));
  const std::optional<Shape> shape = shape_of(options);
  const std::string& path = inputs.elements->name();
  const std::size_t bytes = inputs.elements->bytes();
  if (bytes % size_of(type) != 0) {
    throw UsageError(
        fmt::format("{} has {} bytes, which is not a whole number of {} ({} bytes each)", path,
                    bytes, to_string(type), size_of(type)));
  }
  const auto elements = static_cast<std::int64_t>(bytes / size_of(type));
  const std::optional<Shape> segments = segments_asked(options, inputs, elements);
  if (segments) return problem_of(options, *segments);
  if (!shape) return problem_of(options, {.count = elements});
  const Problem problem = problem_of(options, *shape);
  // What lies behind the last element may be in the file: a gap that ends each line but the last.
  if (const std::size_t needed = input_bytes(problem); bytes < needed) {
    throw UsageError(fmt::format("{} has {} bytes, and {} of {} needs {}", path, bytes,
                                 options.text("shape"), to_string(type), needed));
  } else if (bytes > needed && !options.has("strides")) {
    throw UsageError(fmt::format("{} has {} bytes, and {} of {} has {}", path, bytes,
                                 options.text("shape"), to_string(type), needed));
  }
  return problem;
}

ReduceData data_of(const Options& options, const ReduceInputs& inputs, const Problem& problem) {
  ReduceData data{inputs.elements ? inputs.elements->read(input_bytes(problem))
                                  : make_input(problem, options.number("seed")),
                  offsets_asked(inputs, problem),
                  {}};
  if (inputs.keys) {
    data.keys = read_keys(*inputs.keys, key_bits_of(options), problem.count);
    data.offsets = data.keys->offsets;
  }
  return data;
}

}  // namespace redtune::cli
