// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The words people type: counts, operators, types, settings; what is refused and what is suggested.
#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <limits>
#include <set>

#include "redtune/error.hpp"
#include "redtune/match.hpp"
#include "redtune/problem.hpp"
#include "redtune/settings.hpp"
#include "redtune/suggest.hpp"
#include "tests/vocabulary/refusal.hpp"

namespace redtune {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

using checks::refusal;

TEST(ParseCount, ReadsDigitsPowersAndSuffixes) {
  EXPECT_EQ(parse_count("0"), 0);
  EXPECT_EQ(parse_count("1"), 1);
  EXPECT_EQ(parse_count("007"), 7);
  EXPECT_EQ(parse_count("16777216"), 1 << 24);
  EXPECT_EQ(parse_count("2^0"), 1);
  EXPECT_EQ(parse_count("2^24"), 1 << 24);
  EXPECT_EQ(parse_count("2^62"), std::int64_t{1} << 62);
  EXPECT_EQ(parse_count("16M"), 1 << 24);
  EXPECT_EQ(parse_count("16m"), 1 << 24);
  EXPECT_EQ(parse_count("0G"), 0);
  EXPECT_EQ(parse_count("3K"), 3072);
  EXPECT_EQ(parse_count("8G"), std::int64_t{1} << 33);
  EXPECT_EQ(parse_count("9223372036854775807"), largest);
  EXPECT_EQ(parse_count("8589934591G"), ((std::int64_t{1} << 33) - 1) << 30);
}

TEST(ParseCount, RefusesWhatIsNoCountAndRepeatsIt) {
  for (const char* wrong : {"",
                            " ",
                            " 5",
                            "5 ",
                            "-1",
                            "-0x1",
                            "+5",
                            "1e9",
                            "1.5",
                            "0x10",
                            "2^63",
                            "2^64",
                            "2^-1",
                            "2^",
                            "^24",
                            "3^4",
                            "2^2^2",
                            "2^1K",
                            "K",
                            "MK",
                            "1KK",
                            "-1K",
                            "16T",
                            "1,000",
                            "99999999999999999999",
                            "9223372036854775808",
                            "8589934592G",
                            "2 ^ 4",
                            "many"}) {
    const std::string text = refusal([&] { return parse_count(wrong); });
    EXPECT_NE(text.find(std::string("'") + wrong + "'"), std::string::npos)
        << wrong << ": " << text;
  }
}

TEST(ParseCount, ReadsEveryPowerOfTwoThatDescribeCountWrites) {
  for (int shift = 0; shift < 63; ++shift) {
    const std::int64_t count = std::int64_t{1} << shift;
    EXPECT_EQ(parse_count(describe_count(count)), count);
  }
}

TEST(DescribeCount, IsShortForPowersOfTwoAndExactForTheRest) {
  EXPECT_EQ(describe_count(0), "0");
  EXPECT_EQ(describe_count(1), "1");
  EXPECT_EQ(describe_count(512), "512");
  EXPECT_EQ(describe_count(1023), "1023");
  EXPECT_EQ(describe_count(1024), "2^10");
  EXPECT_EQ(describe_count(1025), "1025");
  EXPECT_EQ(describe_count(3 << 20), "3*2^20");
  EXPECT_EQ(describe_count(1000000), "1000000");
  EXPECT_EQ(describe_count((1 << 24) + 1), "16777217");
  EXPECT_EQ(describe_count(largest), "9223372036854775807");
}

TEST(Names, AreReadBackForEveryRowOfEveryTable) {
  std::set<std::string_view> seen;
  for (const OpInfo& row : all_ops()) {
    EXPECT_EQ(parse_op(row.name), row.op);
    EXPECT_EQ(to_string(row.op), row.name);
    EXPECT_FALSE(row.summary.empty());
    EXPECT_TRUE(seen.insert(row.name).second);
  }
  for (const DTypeInfo& row : all_dtypes()) {
    EXPECT_EQ(parse_dtype(row.name), row.dtype);
    EXPECT_EQ(to_string(row.dtype), row.name);
    EXPECT_EQ(&info(row.dtype), &row);
    EXPECT_TRUE(seen.insert(row.name).second);
    EXPECT_EQ(info(row.wide).wide, row.wide);
    EXPECT_EQ(info(row.wide).kind, row.kind);
    EXPECT_GE(info(row.wide).bytes, row.bytes);
  }
  for (const CacheMode mode : {CacheMode::cold, CacheMode::warm}) {
    EXPECT_EQ(parse_cache_mode(to_string(mode)), mode);
  }
}

TEST(Names, BelongToTheCppTypeOfTheirSize) {
  for (const DTypeInfo& row : all_dtypes()) {
    visit_dtype(row.dtype, [&]<class T>(std::type_identity<T>) {
      EXPECT_EQ(sizeof(T), row.bytes);
      EXPECT_EQ(dtype_of<T>(), row.dtype);
      EXPECT_EQ(is_floating_v<T>, row.kind == DTypeKind::floating);
      EXPECT_EQ(is_floating_v<T> || std::is_signed_v<T>, row.kind != DTypeKind::unsigned_int);
    });
  }
}

TEST(Names, AreSuggestedWhenMistyped) {
  const std::string op = refusal([] { return parse_op("sun"); });
  EXPECT_EQ(op.find("unknown operator 'sun' (did you mean 'sum'?); known: sum, product, min, max,"),
            0U)
      << op;
  const std::string type = refusal([] { return parse_dtype("f23"); });
  EXPECT_EQ(type.find("unknown type 'f23'"), 0U) << type;
  EXPECT_NE(refusal([] { return parse_dtype("f33"); }).find("did you mean 'f32'"),
            std::string::npos);
  EXPECT_NE(refusal([] { return parse_cache_mode("colt"); }).find("did you mean 'cold'"),
            std::string::npos);
  for (const char* wrong : {"", "SUM", "sum ", "custom"}) {
    EXPECT_NE(refusal([&] { return parse_op(wrong); }).find("known: "), std::string::npos);
  }
}

TEST(Matches, KeepTheNumbersThatProgramsWereBuiltWith) {
  EXPECT_EQ(static_cast<int>(Match::exact), 0);
  EXPECT_EQ(static_cast<int>(Match::drift), 1);
  EXPECT_EQ(static_cast<int>(Match::sibling), 2);
  EXPECT_EQ(static_cast<int>(Match::near), 3);
  EXPECT_EQ(static_cast<int>(Match::fallback), 4);
  EXPECT_EQ(static_cast<int>(Match::predicted), 5);
}

TEST(Matches, AreInTheOrderOfTheirListAndNotOfTheirNumbers) {
  for (std::size_t a = 0; a < all_matches.size(); ++a) {
    EXPECT_EQ(rank_of(all_matches[a]), static_cast<int>(a));
    for (std::size_t b = 0; b < all_matches.size(); ++b) {
      EXPECT_EQ(all_matches[a] < all_matches[b], a < b);
      EXPECT_EQ(all_matches[a] <= all_matches[b], a <= b);
      EXPECT_EQ(all_matches[a] > all_matches[b], a > b);
      EXPECT_EQ(all_matches[a] >= all_matches[b], a >= b);
      EXPECT_EQ((all_matches[a] <=> all_matches[b]) < 0, a < b);
    }
  }
}

TEST(MatchNames, AreParsedAndDifferFromEachOther) {
  std::set<std::string_view> names;
  for (const Match match : all_matches) {
    EXPECT_TRUE(names.insert(to_string(match)).second);
    EXPECT_EQ(parse_match(to_string(match)), match);
  }
  EXPECT_EQ(to_string(Match::fallback), "default");
  EXPECT_TRUE(std::ranges::is_sorted(all_matches)) << "best first";
  EXPECT_NE(refusal([] { return parse_match("exat"); }).find("did you mean 'exact'"),
            std::string::npos);
}

TEST(MakeProblem, RefusesNegativeCountsAndMoreBytesThanAnIndexReaches) {
  for (const DTypeInfo& in : all_dtypes()) {
    const auto most = largest / static_cast<std::int64_t>(in.bytes);
    EXPECT_EQ(make_problem(Op::sum, in.dtype, most).count, most);
    if (in.bytes > 1) {  // of single bytes every count is reached
      EXPECT_THROW(static_cast<void>(make_problem(Op::sum, in.dtype, most + 1)), UsageError);
      EXPECT_THROW(static_cast<void>(make_problem(Op::sum, in.dtype, largest)), UsageError);
    }
    EXPECT_THROW(static_cast<void>(make_problem(Op::sum, in.dtype, -1)), UsageError);
    EXPECT_EQ(make_problem(Op::sum, in.dtype, 0).count, 0);
  }
}

TEST(MakeProblem, IsDescribedInOneLine) {
  EXPECT_EQ(describe(make_problem(Op::sum, DType::f32, 1 << 24)), "sum f32 2^24 cold");
  EXPECT_EQ(describe(make_problem(Op::min, DType::u64, 0, CacheMode::warm)), "min u64 0 warm");
}

TEST(ParseSettings, ReadsWhatToStringWrote) {
  const Settings settings{{"finish", "last_block"}, {"block_size", "256"}, {"x", ""}, {"y", "a=b"}};
  EXPECT_EQ(to_string(settings), "finish=last_block block_size=256 x= y=a=b");
  EXPECT_EQ(parse_settings(to_string(settings)), settings);
  EXPECT_EQ(parse_settings("  a=1   b=2 "), (Settings{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(parse_settings(""), Settings{});
  EXPECT_EQ(parse_settings("   "), Settings{});
  EXPECT_EQ(to_string(Settings{}), "");
}

TEST(ParseSettings, RefusesWordsThatAreNoSettings) {
  for (const char* wrong : {"block_size", "=256", "=", "a=1 b"}) {
    EXPECT_NE(refusal([&] { return parse_settings(wrong); }).find("write name=value"),
              std::string::npos)
        << wrong;
  }
}

TEST(Suggest, OffersOnlyWhatIsNear) {
  const std::string_view known[] = {"block_size", "load", "f32"};
  EXPECT_EQ(suggest("block_siez", known), " (did you mean 'block_size'?)");
  EXPECT_EQ(suggest("blocksize", known), " (did you mean 'block_size'?)");
  EXPECT_EQ(suggest("laod", known), " (did you mean 'load'?)");
  EXPECT_EQ(suggest("--conut", std::array<std::string_view, 2>{"--out", "--count"}),
            " (did you mean '--count'?)");
  EXPECT_EQ(suggest("lo", known), " (did you mean 'load'?)");
  EXPECT_EQ(suggest("f3", known), " (did you mean 'f32'?)");
  EXPECT_EQ(suggest("g3", known), "");  // two edits of three letters: anything
  EXPECT_EQ(suggest("blk_sze_", known), "");
  EXPECT_EQ(suggest("", known), "");
  EXPECT_EQ(suggest("load", {}), "");
}

TEST(Suggest, PrefersTheNearestAndThenTheFirst) {
  const std::string_view known[] = {"hip:1", "hip:0", "host"};
  EXPECT_EQ(suggest("hip:2", known), " (did you mean 'hip:1'?)");
  EXPECT_EQ(suggest("hist", known), " (did you mean 'host'?)");
}

TEST(Join, SeparatesByCommas) {
  const std::string_view names[] = {"a", "b"};
  EXPECT_EQ(join(names), "a, b");
  EXPECT_EQ(join({}), "");
}

}  // namespace
}  // namespace redtune
