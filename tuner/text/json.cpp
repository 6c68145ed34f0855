// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/text/json.hpp"

#include <type_traits>

#include "vocabulary/described.hpp"

namespace redtune::tuner {

namespace {

/// Numbers as such, all else as text. then(name): behind each.
template <class Record, class Then>
void add_members(Json& document, const Record& record, const Then& then) {
  for_each_member(record, [&](const auto& row, const auto& value) {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>) {
      document[std::string(row.name)] = value;
    } else {
      document[std::string(row.name)] = member_text(value);
    }
    then(row.name);
  });
}

constexpr auto nothing = [](std::string_view) {};

}  // namespace

Json json_of(const Problem& problem) {
  Json document = Json::object();
  add_members(document, problem, nothing);
  document.erase("op_source");  // a program, and long
  if (!is_users_own(problem.op)) document.erase("op_name");
  return document;
}

Json json_of(const DeviceIdentity& device) {
  Json document{{"name", device.name}};
  add_members(document, device.device_class, [&](std::string_view name) {
    if (name == "wave_size") document["dies"] = device.dies == 0 ? Json() : Json(device.dies);
  });
  document["address"] = device.address;
  add_members(document, device.toolchain, nothing);
  return document;
}

Json json_of(const Settings& settings) {
  Json object = Json::object();
  for (const Setting& setting : settings) object[setting.name] = setting.value;
  return object;
}

Json json_of(const Interval& interval) {
  return {{"low", interval.low}, {"median", interval.median}, {"high", interval.high}};
}

}  // namespace redtune::tuner
