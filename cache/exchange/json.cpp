// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/exchange/json.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <type_traits>
#include <utility>

#include "cache/keys/fields_text.hpp"
#include "cache/snapshot/snapshot.hpp"
#include "redtune/error.hpp"
#include "vocabulary/json_bounds.hpp"

namespace redtune::cache {
namespace {

/// Ours have 6 levels; a tree takes memory for each.
constexpr std::size_t most_levels = 64;
/// Ours have 25 members at most; each new one is compared with all before it.
constexpr std::size_t most_members = 1024;

}  // namespace

std::optional<Json> parse_json(std::string_view text) {
  if (JsonBounds(most_levels, most_members).fit_of(text) != JsonFit::fits) return std::nullopt;
  return Json::parse(text);
}

const Json& member_of(const Json& json, std::string_view name) {
  static const Json null;
  const auto member = json.find(name);
  return member == json.end() ? null : *member;
}

std::optional<std::int64_t> integer_from(const Json& json) {
  const bool is_too_large =
      json.is_number_unsigned() && !std::in_range<std::int64_t>(json.get<std::uint64_t>());
  if (!json.is_number_integer() || is_too_large) return std::nullopt;
  return json.get<std::int64_t>();
}

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

Json to_json(const StoredBorder& stored) {
  const Question& question = stored.question;
  Json json{{"family", question.family},
            {"space", question.space_key},
            {"problem", to_json(fields_of(question.problem))},
            {"device_class", to_json(fields_of(question.device_class))},
            {"toolchain", to_json(fields_of(question.toolchain))},
            {"at", stored.at}};
  for_each_member(stored.border,
                  [&](const auto& row, const auto& value) { json[std::string(row.name)] = value; });
  return json;
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

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string describe_as_json(const Snapshot& snapshot) {
  Json entries = Json::array();
  for (const StoredBest& entry : snapshot.entries) entries.push_back(to_json(entry));
  Json json{{"generation", snapshot.generation}, {"entries", std::move(entries)}};
  for (const StoredBorder& border : snapshot.borders) json["borders"].push_back(to_json(border));
  for (const StoredPrediction& one : snapshot.predictions) {
    const Question& question = one.question;
    json["predictions"].push_back({{"family", question.family},
                                   {"problem", to_json(fields_of(question.problem))},
                                   {"settings", to_json(one.settings)},
                                   {"trials", one.trials},
                                   {"at", one.at}});
  }
  return dump(json);
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
