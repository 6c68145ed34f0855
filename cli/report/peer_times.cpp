// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/peer_times.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "cache/files/files.hpp"
#include "redtune/error.hpp"
#include "tuner/text/json.hpp"

namespace redtune::cli {
namespace {

constexpr std::size_t most_bytes_of_peers = std::size_t{256} << 20;
/// As in programs first.
constexpr std::array peer_modes{"between", "behind", "stream", "row"};
constexpr std::array peer_libraries{"cub", "rocprim"};

const Json* part_of(const Json& object, std::string_view name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

std::string text_in(const Json& object, std::string_view name) {
  const Json* found = part_of(object, name);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

std::int64_t whole_in(const Json& object, std::string_view name, std::int64_t otherwise) {
  const Json* found = part_of(object, name);
  if (found == nullptr || !found->is_number_integer()) return otherwise;
  return found->get<std::int64_t>();
}

/// Microseconds, or 0.
double median_in(const Json& cell, std::string_view mode, std::string_view contestant) {
  const Json* times = part_of(cell, mode);
  const Json* one = times == nullptr ? nullptr : part_of(*times, contestant);
  const Json* interval = one == nullptr ? nullptr : part_of(*one, "time_us");
  const Json* median = interval == nullptr ? nullptr : part_of(*interval, "median");
  if (median == nullptr || !median->is_number()) return 0;
  const auto value = median->get<double>();
  return std::isfinite(value) && value > 0 ? value : 0;
}

std::optional<Problem> problem_in(const Json& cell) {
  try {
    Shape shape{.count = whole_in(cell, "count", 0),
                .outer = whole_in(cell, "outer", 1),
                .inner = whole_in(cell, "inner", 1),
                .batch = whole_in(cell, "batch", 1),
                .segment_count = whole_in(cell, "segments", 0),
                .offset_bits = whole_in(cell, "offset_bits", 0)};
    if (const std::string skew = text_in(cell, "skew"); !skew.empty())
      shape.skew = parse_skew(skew);
    // An input that begins elsewhere is another question.
    if (whole_in(cell, "offset", 0) != 0) return std::nullopt;
    const ProblemChoices choices{.cache_mode = parse_cache_mode(text_in(cell, "cache_mode")),
                                 .acc = parse_dtype(text_in(cell, "accumulator")),
                                 .out = parse_dtype(text_in(cell, "output"))};
    return make_problem(parse_op(text_in(cell, "op")), parse_dtype(text_in(cell, "type")), shape,
                        choices);
  } catch (const Error&) {
    return std::nullopt;  // of a version that knows more, or nonsense
  }
}

}  // namespace

PeerTimes read_peers(const std::string& file) {
  const auto content = cache::read_whole(file, most_bytes_of_peers);
  const auto* text = std::get_if<std::string>(&content);
  if (text == nullptr) {
    throw UsageError(
        fmt::format("cannot read {}; is it there, readable, and below 256 MiB?", file));
  }
  const Json document = Json::parse(*text, nullptr, false);
  const Json* machine = part_of(document, "machine");
  const Json* cells = part_of(document, "cells");
  if (machine == nullptr || cells == nullptr || !cells->is_array()) {
    throw UsageError(fmt::format(
        "{} is not what 'compare_cub --json' or 'compare_rocprim --json' writes", file));
  }
  PeerTimes peers{
      .file = file, .device = text_in(*machine, "device"), .library = {}, .mode = {}, .times = {}};
  const auto has = [&](std::string_view mode, std::string_view library) {
    return std::ranges::any_of(
        *cells, [&](const Json& cell) { return median_in(cell, mode, library) > 0; });
  };
  for (const char* mode : peer_modes) {
    for (const char* library : peer_libraries) {
      if (!peers.mode.empty() || !has(mode, library)) continue;
      peers.mode = mode;
      peers.library = library;
    }
  }
  for (const Json& cell : *cells) {
    const double time = median_in(cell, peers.mode, peers.library);
    const auto problem = time > 0 ? problem_in(cell) : std::nullopt;
    if (!problem) continue;
    const double moved = static_cast<double>(
        std::max<std::int64_t>(whole_in(cell, "moved_bytes", whole_in(cell, "bytes", 0)), 0));
    peers.times.push_back({.problem = *problem,
                           .time_us = time,
                           .redtune_us = median_in(cell, peers.mode, "redtune"),
                           .gbps = moved / time / 1e3});
  }
  return peers;
}

const PeerTime* peer_of(const PeerTimes& peers, const std::string& device, const Problem& problem) {
  if (peers.device != device) return nullptr;
  const auto found = std::ranges::find(peers.times, problem, &PeerTime::problem);
  return found == peers.times.end() ? nullptr : &*found;
}

}  // namespace redtune::cli
