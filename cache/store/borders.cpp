// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of Store that keeps the borders between tuned counts.
#include "cache/keys/borders.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <type_traits>

#include "cache/keys/key.hpp"
#include "cache/store/impl.hpp"
#include "cache/store/rows.hpp"

namespace redtune::cache {
namespace {

/// What is read of a row before the members of its border.
struct Place {
  enum Column {
    id,
    at,
    family,
    space,
    problem,
    device_class,
    toolchain,
    problem_key,
    device_class_key,
    toolchain_key,
    hash,
    first_member
  };
};

constexpr QuestionColumns border_question{
    Place::family,    Place::space,       Place::problem,          Place::device_class,
    Place::toolchain, Place::problem_key, Place::device_class_key, Place::toolchain_key};

std::string border_members(std::string_view before) {
  std::string columns;
  for_each_row<Border>([&](const auto& row) { columns += fmt::format("{}{}", before, row.name); });
  return columns;
}

const std::string border_columns = fmt::format(
    R"sql(
SELECT border.id, border.at, border.family, border.space, problem.fields, device_class.fields,
       toolchain.fields, border.problem, border.device_class, border.toolchain, border.row_hash{}
FROM border
LEFT JOIN problem ON problem.key = border.problem
LEFT JOIN device_class ON device_class.key = border.device_class
LEFT JOIN toolchain ON toolchain.key = border.toolchain
)sql",
    border_members(", border."));

/// Of an undamaged row.
std::optional<Border> checked_border(const Statement& row) {
  Border border;
  int column = Place::first_member;
  for_each_member(border, [&]<class Value>(const auto&, Value& value) {
    if constexpr (std::is_same_v<Value, std::string>)
      value = row.text(column++);
    else
      value = row.integer(column++);
  });
  const QuestionKeys question = question_keys_from(row, border_question);
  if (row.blob(Place::hash) != row_hash(question, border)) return std::nullopt;
  return border;
}

/// Without a time it is measured now.
void insert_border(Database& database, const StoredBorder& stored, const std::string& origin) {
  const QuestionKeys keys = keep(database, stored.question);
  const std::string columns = border_members(", ");
  std::string places;
  for (const char c : columns) places += c == ',' ? ", ?" : "";
  Statement row = database.prepare(fmt::format(
      "INSERT INTO border (family, space, problem, device_class, toolchain{}, origin, row_hash, at)"
      " VALUES (?, ?, ?, ?, ?{}, ?, ?,"
      " ifnull(nullif(?, ''), strftime('%Y-%m-%dT%H:%M:%fZ', 'now')))",
      columns, places));
  row.bind(keys.family, keys.space, keys.problem, keys.device_class, keys.toolchain);
  for_each_member(stored.border, [&](const auto&, const auto& value) { row.bind(value); });
  row.bind(origin, Blob{row_hash(keys, stored.border)}, stored.at).run();
}

}  // namespace

void Store::publish(const Question& below, const Border& border) {
  if (!is_plausible(StoredBorder{below, border})) {
    throw UsageError("a border lies between the counts of its winners; it is not published");
  }
  Database& database = impl_->database;
  write_row(database, "border", [&] { insert_border(database, {below, border}, ""); });
  renew_snapshot();
}

std::vector<StoredBorder> Store::borders() const {
  std::vector<StoredBorder> all;
  Statement row = impl_->database.prepare(border_columns + " ORDER BY border.id");
  while (row.step()) {
    const auto border = checked_border(row);
    if (!border) {
      impl_->damaged_rows.emplace("border", row.integer(Place::id));
      continue;
    }
    if (const auto question = question_from(row, border_question)) {
      all.push_back({*question, *border, row.text(Place::at)});
    }
  }
  return all;
}

std::size_t Store::adopt_borders(std::span<const StoredBorder> borders, const std::string& origin) {
  if (borders.empty()) return 0;
  std::vector<StoredBorder> known = this->borders();
  std::size_t adopted = 0;
  for (const StoredBorder& border : borders) {
    const bool is_known = std::ranges::any_of(known, [&](const StoredBorder& one) {
      return one.question == border.question && one.border.above == border.border.above &&
             one.border.below_config == border.border.below_config &&
             one.border.above_config == border.border.above_config && one.at >= border.at;
    });
    if (is_known) continue;
    insert_border(impl_->database, border, origin);
    known.push_back(border);
    ++adopted;
  }
  return adopted;
}

}  // namespace redtune::cache
