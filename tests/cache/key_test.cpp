// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Keys differ when anything differs, and only then.
#include "cache/keys/key.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <set>

#include "cache/keys/fields_text.hpp"
#include "redtune/error.hpp"
#include "samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

/// Every change of a thing must give a key that no other has.
template <class Thing>
void expect_all_differ(const Thing& thing, const std::vector<std::function<void(Thing&)>>& edits) {
  std::set<std::string> hashes{key_of(thing).hash};
  for (std::size_t i = 0; i < edits.size(); ++i) {
    Thing changed = thing;
    edits[i](changed);
    EXPECT_TRUE(hashes.insert(key_of(changed).hash).second) << "edit " << i;
  }
  EXPECT_EQ(edits.size(), key_of(thing).fields.size()) << "a field is not tested";
}

TEST(Key, OfADeviceClassHasEveryField) {
  using C = DeviceClass;
  expect_all_differ<C>(sample_device().device_class,
                       {[](C& c) { c.platform = "cuda"; }, [](C& c) { c.isa += '+'; },
                        [](C& c) { c.model += '0'; }, [](C& c) { c.partition = "CPX"; },
                        [](C& c) { ++c.compute_units; }, [](C& c) { c.wave_size = 32; },
                        [](C& c) { ++c.last_level_cache_bytes; }, [](C& c) { ++c.memory_bytes; }});
}

TEST(Key, OfAToolchainHasEveryField) {
  using T = Toolchain;
  expect_all_differ<T>(sample_device().toolchain,
                       {[](T& t) { t.driver += '1'; }, [](T& t) { t.runtime += '1'; },
                        [](T& t) { t.compiler += '1'; }});
}

TEST(Key, OfAProblemHasEveryField) {
  using P = Problem;
  expect_all_differ<P>(sample_problem(),
                       {[](P& p) { p.op = Op::min; }, [](P& p) { p.in = DType::f64; },
                        [](P& p) { p.acc = DType::f64; }, [](P& p) { p.out = DType::f64; },
                        [](P& p) { ++p.count; }, [](P& p) { p.cache_mode = CacheMode::warm; }});
}

/// What is written only where it is not as usual.
TEST(Key, OfAProblemHasOrderAndExtentsToo) {
  std::set<std::string> hashes{key_of(sample_problem()).hash};
  for (const auto& edit : std::vector<std::function<void(Problem&)>>{
           [](Problem& p) { p.order = Order::any; }, [](Problem& p) { ++p.outer; },
           [](Problem& p) { ++p.inner; }, [](Problem& p) { ++p.batch; },
           [](Problem& p) { ++p.batch_pitch; }, [](Problem& p) { ++p.segment_count; },
           [](Problem& p) { p.offset_bits = 64; }, [](Problem& p) { p.skew = Skew::zipf; }}) {
    Problem problem = sample_problem();
    edit(problem);
    EXPECT_EQ(key_of(problem).fields.size(), key_of(sample_problem()).fields.size() + 1);
    EXPECT_TRUE(hashes.insert(key_of(problem).hash).second);
  }
}

/// What a custom operator is called is kept beside the key, for people.
TEST(Key, OfACustomOperatorHasItsTextAndNotItsName) {
  Problem problem = sample_problem();
  problem.op = Op::custom;
  problem.custom = {"a.hpp", "struct custom {};"};
  Problem renamed = problem;
  renamed.custom.name = "b.hpp";
  EXPECT_EQ(key_of(renamed).hash, key_of(problem).hash);
  EXPECT_EQ(renamed, problem);
  EXPECT_EQ(problem_from(fields_of(renamed))->custom.name, "b.hpp");
  EXPECT_EQ(problem_from(fields_of(renamed))->custom.source, problem.custom.source);
  Problem changed = problem;
  changed.custom.source += ' ';
  EXPECT_NE(key_of(changed).hash, key_of(problem).hash);
  EXPECT_NE(changed, problem);
}

TEST(Key, DoesNotDependOnNameAndAddress) {
  DeviceIdentity other = sample_device();
  other.name = "another name";
  other.address = "0000:83:00.0";
  EXPECT_EQ(key_of(other.device_class), key_of(sample_device().device_class));
}

TEST(Key, DoesNotDependOnTheOrderOfFields) {
  EXPECT_EQ(make_key("k", {{"a", "1"}, {"b", "2"}}).hash,
            make_key("k", {{"b", "2"}, {"a", "1"}}).hash);
}

TEST(Key, KeepsTheFieldsInTheirOrder) {
  const Fields fields{{"b", "2"}, {"a", "1"}};
  EXPECT_EQ(make_key("k", fields).fields, fields);
}

TEST(Key, TellsWhereATextEnds) {
  const std::set<std::string> hashes{make_key("k", {{"ab", "c"}}).hash,
                                     make_key("k", {{"a", "bc"}}).hash,
                                     make_key("k", {{"a", ""}, {"b", ""}}).hash,
                                     make_key("k", {{"a", "1:b,0:,"}}).hash,
                                     make_key("ka", {{"b", "c"}}).hash,
                                     make_key("k", {}).hash,
                                     make_key("", {{"k", ""}}).hash};
  EXPECT_EQ(hashes.size(), 7U);
}

TEST(Key, IsWhatItWasInTheFirstRelease) {
  // A changed hash makes every stored result unreachable: raise the schema's number then.
  EXPECT_EQ(key_of(Problem{{}, {.count = 5}}).hash,
            "d2060cc5656ce27d3db2b6505175f3326485bee5027b2c38a46c9ebaab2772d3");
}

TEST(Fields, AreReadBackAsTheThingTheyCameFrom) {
  EXPECT_EQ(problem_from(fields_of(sample_problem())), sample_problem());
  Problem columns = sample_problem();
  columns.inner = 7;
  EXPECT_EQ(problem_from(fields_of(columns)), columns);
  const DeviceIdentity device = sample_device();
  EXPECT_EQ(device_class_from(fields_of(device.device_class)), device.device_class);
  EXPECT_EQ(toolchain_from(fields_of(device.toolchain)), device.toolchain);
}

TEST(Fields, AreNotGuessedWhenOneIsMissingStrangeOrTooMuch) {
  for (std::size_t i = 0; i < fields_of(sample_problem()).size(); ++i) {
    Fields fields = fields_of(sample_problem());
    fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_EQ(problem_from(fields), std::nullopt) << i;
    fields = fields_of(sample_problem());
    fields[i].value = "-5";
    EXPECT_EQ(problem_from(fields), std::nullopt) << i;
  }
  for (const Field& field :
       Fields{{"rows", "8"}, {"outer", "0"}, {"inner", "-1"}, {"outer", "9223372036854775807"}}) {
    Fields fields = fields_of(sample_problem());
    fields.push_back(field);
    EXPECT_EQ(problem_from(fields), std::nullopt) << field.name;
  }
}

TEST(FieldsText, KeepsOrderQuotesAndEmptyTexts) {
  const Fields fields{{"z", "'; DROP TABLE run; --"}, {"a", ""}, {"\"q\"", "\\\n\t"}};
  EXPECT_EQ(fields_from_json_text(to_json_text(fields)), fields);
  EXPECT_EQ(to_json_text({}), "{}");
}

TEST(FieldsText, RefusesANameThatComesTwice) {
  EXPECT_THROW((void)to_json_text({{"a", "1"}, {"a", "2"}}), UsageError);
}

TEST(FieldsText, IsNothingForAnythingButAnObjectOfTexts) {
  for (const char* text :
       {"", "{", "[]", "null", "{\"a\":1}", "{\"a\":{}}", "\"a\"", "{\"a\":\"\xff\"}"}) {
    EXPECT_EQ(fields_from_json_text(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace redtune::cache
