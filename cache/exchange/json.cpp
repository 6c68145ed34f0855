// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/exchange/json.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <type_traits>

#include "cache/keys/fields_text.hpp"
#include "cache/snapshot/snapshot.hpp"
#include "redtune/error.hpp"

namespace redtune::cache {
Json to_json(const Fields& fields) {
  Json json = Json::object();
  for (const auto& [name, value] : fields) json[name] = value;
  return json;
}

Json interval_json(const Interval& interval) {
  return Json::array({interval.low, interval.median, interval.high});
}

Json members_of(const Best& best, Kept most) {
  Json json{{"settings", to_json(best.settings)}};
  for_each_member(best, [&]<class Value>(const auto& row, const Value& value) {
    if (row.kept > most) return;
    if constexpr (std::is_same_v<Value, Interval>)
      json[std::string(row.name)] = interval_json(value);
    else
      json[std::string(row.name)] = value;
  });
  return json;
}

Json to_json(const StoredBest& entry) {
  const auto& [generation, run, question, device_name, at, best] = entry;
  Json json{{"generation", generation},
            {"run", static_cast<std::int64_t>(run)},
            {"at", at},
            {"family", question.family},
            {"space", question.space_key},
            {"problem", to_json(fields_of(question.problem))},
            {"device", device_name},
            {"device_class", to_json(fields_of(question.device_class))},
            {"toolchain", to_json(fields_of(question.toolchain))}};
  json.update(members_of(best, Kept::everywhere));
  return json;
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
