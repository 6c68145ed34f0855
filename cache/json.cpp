// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/json.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "cache/fields_text.hpp"
#include "redtune/error.hpp"

namespace redtune::cache {
namespace {

Json to_json(const Interval& interval) {
  return Json::array({interval.low, interval.median, interval.high});
}

/// Throws Json::exception for anything but three numbers.
Interval interval_from(const Json& json) {
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

/// Throws Json::exception for a missing or mistyped member.
std::optional<StoredBest> parse_stored_best(const Json& json) {
  const auto problem_fields = fields_from(json.at("problem"));
  const auto class_fields = fields_from(json.at("device_class"));
  const auto toolchain_fields = fields_from(json.at("toolchain"));
  const auto settings = fields_from(json.at("settings"));
  if (!problem_fields || !class_fields || !toolchain_fields || !settings) return std::nullopt;
  const auto problem = problem_from(*problem_fields);
  const auto device_class = device_class_from(*class_fields);
  const auto toolchain = toolchain_from(*toolchain_fields);
  if (!problem || !device_class || !toolchain) return std::nullopt;
  return StoredBest{.generation = json.at("generation").get<std::int64_t>(),
                    .run = RunId{json.at("run").get<std::int64_t>()},
                    .question = {.family = json.at("family").get<std::string>(),
                                 .space_key = json.at("space").get<std::string>(),
                                 .problem = *problem,
                                 .device_class = *device_class,
                                 .toolchain = *toolchain},
                    .device_name = json.at("device").get<std::string>(),
                    .at = json.at("at").get<std::string>(),
                    .best = {.settings = *settings,
                             .time_us = interval_from(json.at("time_us")),
                             .default_us = json.at("default_us").get<double>(),
                             .gain = interval_from(json.at("gain")),
                             .gigabytes_per_second = json.at("gigabytes_per_second").get<double>(),
                             .reason = json.at("reason").get<std::string>(),
                             .samples = json.value("samples", 0),
                             .batch_us = json.value("batch_us", 0.0),
                             .noise_floor = json.value("noise_floor", 0.0),
                             .protocol = json.value("protocol", 0),
                             .stream_us = json.value("stream_us", 0.0)}};
}

}  // namespace

Json to_json(const Fields& fields) {
  Json json = Json::object();
  for (const auto& [name, value] : fields) json[name] = value;
  return json;
}

Json to_json(const StoredBest& entry) {
  const auto& [generation, run, question, device_name, at, best] = entry;
  return {{"generation", generation},
          {"run", static_cast<std::int64_t>(run)},
          {"at", at},
          {"family", question.family},
          {"space", question.space_key},
          {"problem", to_json(fields_of(question.problem))},
          {"device", device_name},
          {"device_class", to_json(fields_of(question.device_class))},
          {"toolchain", to_json(fields_of(question.toolchain))},
          {"settings", to_json(best.settings)},
          {"time_us", to_json(best.time_us)},
          {"default_us", best.default_us},
          {"gain", to_json(best.gain)},
          {"gigabytes_per_second", best.gigabytes_per_second},
          {"reason", best.reason},
          {"samples", best.samples},
          {"batch_us", best.batch_us},
          {"noise_floor", best.noise_floor},
          {"protocol", best.protocol},
          {"stream_us", best.stream_us}};
}

std::optional<Fields> fields_from(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  Fields fields;
  for (const auto& [name, value] : json.items()) {
    if (!value.is_string()) return std::nullopt;
    fields.push_back({name, value.get<std::string>()});
  }
  return fields;
}

std::optional<StoredBest> stored_best_from(const Json& json) {
  try {
    auto entry = parse_stored_best(json);
    if (entry && !is_plausible(entry->best)) return std::nullopt;
    return entry;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string to_json_text(const Fields& fields) {
  for (auto field = fields.begin(); field != fields.end(); ++field) {
    if (std::ranges::find(field + 1, fields.end(), field->name, &Field::name) != fields.end()) {
      throw UsageError(fmt::format("'{}' is given twice; give each setting once", field->name));
    }
  }
  return dump(to_json(fields));
}

std::optional<Fields> fields_from_json_text(std::string_view text) {
  return fields_from(Json::parse(text, nullptr, false));
}

}  // namespace redtune::cache
