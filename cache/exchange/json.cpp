// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/exchange/json.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "cache/keys/fields_text.hpp"
#include "cache/snapshot/snapshot.hpp"
#include "redtune/error.hpp"

namespace redtune::cache {
namespace {

Json to_json(const Interval& interval) {
  return Json::array({interval.low, interval.median, interval.high});
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

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string describe_as_json(const Snapshot& snapshot) {
  Json entries = Json::array();
  for (const StoredBest& entry : snapshot.entries) entries.push_back(to_json(entry));
  return dump({{"generation", snapshot.generation}, {"entries", std::move(entries)}});
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
