// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/keys/key.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "cache/keys/sha256.hpp"
#include "redtune/error.hpp"
#include "vocabulary/described.hpp"

namespace redtune::cache {
namespace {

/// A record as its rows describe it.
template <class Record>
Fields fields_of_record(const Record& record) {
  Fields fields;
  for_each_member(record, [&](const auto& row, const auto& value) {
    if (is_written(row, record))
      fields.push_back({std::string(row.name), std::string(member_text(value))});
  });
  return fields;
}

/// Nothing for a field that is missing, unknown or unreadable.
template <class Record>
std::optional<Record> record_from(const Fields& fields) {
  Record record;
  std::size_t known = 0;
  bool is_good = true;
  try {
    for_each_member(record, [&](const auto& row, auto& value) {
      const auto field = std::ranges::find(fields, row.name, &Field::name);
      if (field == fields.end()) return;
      ++known;
      is_good = read_member_text(field->value, value) && is_good;
    });
  } catch (const UsageError&) {
    return std::nullopt;  // a name that only another version knows
  }
  // What a record writes must have been there; of the rest only a default that says nothing.
  const Record usual{};
  for_each_member(record, [&](const auto& row, const auto& value) {
    const bool is_there = std::ranges::find(fields, row.name, &Field::name) != fields.end();
    const bool may_be_there = row.written == Written::unless_default && value == row.of(usual);
    is_good = is_good && (is_written(row, record) ? is_there : !is_there || may_be_there);
  });
  if (!is_good || known != fields.size()) return std::nullopt;
  return record;
}

/// Only what tells records apart.
template <class Record>
Key key_of_record(std::string_view kind, const Record& record) {
  const Fields fields = fields_of_record(record);
  Fields that_count = fields;
  for_each_row<Record>([&](const auto& row) {
    if (row.tells == Tells::people) {
      std::erase_if(that_count, [&](const Field& field) { return field.name == row.name; });
    }
  });
  return {.hash = make_key(kind, std::move(that_count)).hash, .fields = fields};
}

}  // namespace

Key make_key(std::string_view kind, Fields fields) {
  Fields sorted = fields;
  std::ranges::sort(sorted);
  std::string canonical = fmt::format("{}:{},", kind.size(), kind);
  for (const auto& [name, value] : sorted) {
    canonical += fmt::format("{}:{},{}:{},", name.size(), name, value.size(), value);
  }
  return {.hash = sha256_hex(canonical), .fields = std::move(fields)};
}

Fields fields_of(const Problem& problem) {
  return fields_of_record(problem);
}
Fields fields_of(const DeviceClass& device_class) {
  return fields_of_record(device_class);
}
Fields fields_of(const Toolchain& toolchain) {
  return fields_of_record(toolchain);
}

Key key_of(const Problem& problem) {
  return key_of_record("problem", problem);
}
Key key_of(const DeviceClass& device_class) {
  return key_of_record("device_class", device_class);
}
Key key_of(const Toolchain& toolchain) {
  return key_of_record("toolchain", toolchain);
}
Key key_of(const Settings& settings) {
  return make_key("config", settings);
}

std::optional<Problem> problem_from(const Fields& fields) {
  auto problem = record_from<Problem>(fields);
  if (!problem || !is_possible(*problem)) return std::nullopt;
  return problem;
}
std::optional<DeviceClass> device_class_from(const Fields& fields) {
  return record_from<DeviceClass>(fields);
}
std::optional<Toolchain> toolchain_from(const Fields& fields) {
  return record_from<Toolchain>(fields);
}

}  // namespace redtune::cache
