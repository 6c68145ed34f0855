// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every member of a record that is written anywhere has a row; and rows have names of their own.
#include "vocabulary/described.hpp"

#include <gtest/gtest.h>
#include <set>

#include "tests/support/members_of.hpp"

namespace redtune {
namespace {

using checks::members_of;

static_assert(members_of<DeviceClass>() == member_count<DeviceClass>);
static_assert(members_of<Toolchain>() == member_count<Toolchain>);
static_assert(members_of<Shape>() == member_count<Shape>);
// A custom operator stands for its own members, and a problem for those of its two parts.
static_assert(members_of<Operation>() - 1 + members_of<CustomOp>() + members_of<Shape>() + 1 ==
              member_count<Problem>);
static_assert(members_of<Problem>() == 3);

template <class Record>
void expect_names_of_their_own() {
  std::set<std::string_view> names;
  for_each_row<Record>([&](const auto& row) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.name.empty());
  });
}

TEST(Described, RowsHaveNamesOfTheirOwn) {
  expect_names_of_their_own<Problem>();
  expect_names_of_their_own<DeviceClass>();
  expect_names_of_their_own<Toolchain>();
}

/// All but the count: what problems of one kind share.
TEST(Described, WhatIsNoPartOfTheShapeIsPartOfTheKind) {
  std::set<std::string_view> of_shape;
  for_each_row<Problem>([&](const auto& row) {
    if (!is_of_kind(row)) of_shape.insert(row.name);
  });
  EXPECT_EQ(of_shape, (std::set<std::string_view>{"count", "outer", "inner", "outer_pitch",
                                                  "count_pitch", "batch", "batch_pitch", "segments",
                                                  "offset_bits", "skew"}));
}

TEST(Described, ATextGivesTheValueItIsOf) {
  Problem problem = make_problem(CustomOp{"a.hpp", "struct custom {};"}, DType::i16, 77,
                                 {.cache_mode = CacheMode::warm, .order = Order::any});
  Problem read;
  for_each_row<Problem>([&](const auto& row) {
    EXPECT_TRUE(read_member_text(member_text(row.of(problem)), row.of(read))) << row.name;
  });
  EXPECT_EQ(read, problem);
  EXPECT_EQ(read.custom.name, problem.custom.name);
  EXPECT_FALSE(read_member_text("12a", read.count));
  EXPECT_FALSE(read_member_text("", read.count));
  EXPECT_FALSE(read_member_text("9223372036854775808", read.count));
}

TEST(Described, IsWrittenWhereItSaysSomething) {
  const auto written = [](const Problem& problem) {
    std::set<std::string_view> names;
    for_each_row<Problem>([&](const auto& row) {
      if (is_written(row, problem)) names.insert(row.name);
    });
    return names;
  };
  const std::set<std::string_view> always{"op", "in", "acc", "out", "count", "cache_mode"};
  EXPECT_EQ(written(Problem()), always);
  Problem problem;
  problem.order = Order::any;
  auto with_order = always;
  with_order.insert("order");
  EXPECT_EQ(written(problem), with_order);
  problem.op = Op::custom;
  with_order.insert({"op_name", "op_source"});
  EXPECT_EQ(written(problem), with_order);
}

}  // namespace
}  // namespace redtune
