// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Structs of a later interface than there is: a library of one interface, callers of others.
#include <gtest/gtest.h>

#include "runtime/c_api/whole.hpp"

namespace redtune::c_api {
namespace {

struct First {
  std::size_t size;
  int number;
  int reserved;
};
struct Second {
  std::size_t size;
  int number;
  int reserved;
  const char* added;
};
struct Third {
  std::size_t size;
  int number;
  int reserved;
  const char* added;
  const char* added_later;
};

constexpr std::size_t smallest = sizeof(First);

/// As a library of interface Known sees it.
template <class Known, class Given>
Known seen(const Given& given) {
  return whole(reinterpret_cast<const Known&>(given), smallest, "redtune_sample");
}

TEST(CStructs, OfAnOlderCallerEndWhereItsHeaderEnded) {
  // What follows in the caller's memory is not the library's.
  const struct {
    First given;
    const char* next;
  } memory{{sizeof(First), 7, 0}, "another variable"};
  const Third known = seen<Third>(memory.given);
  EXPECT_EQ(known.number, 7);
  EXPECT_EQ(known.added, nullptr);
  EXPECT_EQ(known.added_later, nullptr);
}

TEST(CStructs, OfACallerBetweenKeepWhatItHas) {
  const Second given{sizeof(Second), 7, 0, "text"};
  const Third known = seen<Third>(given);
  EXPECT_STREQ(known.added, "text");
  EXPECT_EQ(known.added_later, nullptr);
}

TEST(CStructs, OfAYoungerCallerMustNotAskForWhatIsNotKnown) {
  Third given{sizeof(Third), 7, 0, "text", nullptr};
  EXPECT_STREQ(seen<Second>(given).added, "text");
  given.added_later = "more";
  EXPECT_THROW((void)seen<Second>(given), UsageError);
  EXPECT_THROW((void)seen<First>(given), UsageError);
}

TEST(CStructs, HaveNoOtherSize) {
  for (const std::size_t size :
       {std::size_t{0}, sizeof(First) - 1, largest_struct + 1, ~std::size_t{0}}) {
    const First given{size, 7, 0};
    EXPECT_THROW((void)seen<Second>(given), UsageError) << size;
  }
}

}  // namespace
}  // namespace redtune::c_api
