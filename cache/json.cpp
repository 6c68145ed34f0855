// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/json.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "cache/fields_text.hpp"
#include "redtune/error.hpp"

namespace redtune::cache {
namespace {

Json to_json(const Interval& interval) {
  return Json::array({interval.low, interval.median, interval.high});
}

/// Three numbers, or an interval that no measurement has.
Interval interval_from(const JsonValue& json) {
  const auto* list = json.array();
  if (list == nullptr || list->size() != 3) return {0, 0, 0};
  const auto at = [&](std::size_t i) { return number_of((*list)[i]).value_or(0); };
  return {at(0), at(1), at(2)};
}

int count_from(MemberReader& reader, std::string_view name) {
  const double number = reader.number_or_zero(name);
  return number >= 0 && number <= std::numeric_limits<int>::max() ? static_cast<int>(number) : -1;
}

Best best_from(MemberReader& reader, const Settings& settings) {
  return {.settings = settings,
          .time_us = interval_from(reader.any("time_us")),
          .default_us = reader.number("default_us"),
          .gain = interval_from(reader.any("gain")),
          .gigabytes_per_second = reader.number("gigabytes_per_second"),
          .reason = reader.text("reason"),
          .samples = count_from(reader, "samples"),
          .batch_us = reader.number_or_zero("batch_us"),
          .noise_floor = reader.number_or_zero("noise_floor"),
          .protocol = count_from(reader, "protocol"),
          .stream_us = reader.number_or_zero("stream_us")};
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

std::optional<Fields> fields_from(const JsonValue& json) {
  const auto* members = json.object();
  if (members == nullptr) return std::nullopt;
  Fields fields;
  for (const auto& [name, value] : *members) {
    const auto* text = std::get_if<std::string>(&value.value);
    if (text == nullptr) return std::nullopt;
    fields.push_back({name, *text});
  }
  return fields;
}

std::optional<StoredBest> stored_best_from(const JsonValue& json) {
  MemberReader reader(json);
  const auto problem_fields = fields_from(reader.any("problem"));
  const auto class_fields = fields_from(reader.any("device_class"));
  const auto toolchain_fields = fields_from(reader.any("toolchain"));
  const auto settings = fields_from(reader.any("settings"));
  if (!problem_fields || !class_fields || !toolchain_fields || !settings) return std::nullopt;
  const auto problem = problem_from(*problem_fields);
  const auto device_class = device_class_from(*class_fields);
  const auto toolchain = toolchain_from(*toolchain_fields);
  if (!problem || !device_class || !toolchain) return std::nullopt;
  StoredBest entry{.generation = reader.integer("generation"),
                   .run = RunId{reader.integer("run")},
                   .question = {.family = reader.text("family"),
                                .space_key = reader.text("space"),
                                .problem = *problem,
                                .device_class = *device_class,
                                .toolchain = *toolchain},
                   .device_name = reader.text("device"),
                   .at = reader.text("at"),
                   .best = best_from(reader, *settings)};
  if (!reader.good() || !is_plausible(entry.best)) return std::nullopt;
  return entry;
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
  const auto json = parse_json(text);
  return json ? fields_from(*json) : std::nullopt;
}

}  // namespace redtune::cache
