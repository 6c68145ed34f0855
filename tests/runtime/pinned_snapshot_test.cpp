// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Look-ups that are pinned to a snapshot have their answers from it alone, whatever else is known;
// and strict ones have answers that somebody tuned.
#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <span>
#include <sys/stat.h>
#include <unistd.h>

#include "cache/snapshot/kept.hpp"
#include "redtune.h"
#include "redtune/best_results.hpp"
#include "redtune/error.hpp"
#include "redtune/reducer.hpp"
#include "tests/runtime/published.hpp"

namespace redtune {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_runtime::ResultsFile;
using testing_runtime::unusual_settings;
namespace fs = std::filesystem;

DeviceIdentity pin_gpu() {
  return cache::testing::sample_device();
}

Settings block_settings(const std::string& size) {
  return parse_settings("finish=second_pass block_size=" + size + " load=cached");
}

Problem summed(std::int64_t count) {
  return make_problem(Op::sum, DType::f32, count);
}

/// A variable for the time of a test.
class SetForATest {
 public:
  SetForATest(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  ~SetForATest() { unsetenv(name_); }
  SetForATest(const SetForATest&) = delete;
  SetForATest& operator=(const SetForATest&) = delete;

 private:
  const char* name_;
};

/// A store whose first snapshot, of one sum, is kept.
class PinnedSnapshot : public testing::Test {
 protected:
  PinnedSnapshot() {
    results_.publish(summed(1 << 20), pin_gpu(), block_settings("512"));
    content_ = cache::testing::read_text(results_.snapshot());
    hash_ = cache::keep_content(results_.snapshot(), content_);
  }
  [[nodiscard]] std::string pin() const { return to_string(hash_); }
  [[nodiscard]] LookupOptions pinned() const {
    return {.cache_file = results_.path(), .snapshot = pin()};
  }
  [[nodiscard]] fs::path kept() const { return cache::kept_file(results_.snapshot(), hash_); }
  [[nodiscard]] static std::string block(const LookupOptions& options,
                                         std::int64_t count = 1 << 20) {
    return value_of(find_best(summed(count), pin_gpu(), options).settings, "block_size");
  }
  /// What is said where the snapshot cannot be used: one line.
  [[nodiscard]] static std::string refusal(const LookupOptions& options) {
    try {
      (void)find_best(summed(1 << 20), pin_gpu(), options);
    } catch (const IoError& error) {
      EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
      return error.what();
    }
    ADD_FAILURE() << "it answers";
    return {};
  }

  ResultsFile results_;
  std::string content_;
  cache::SnapshotHash hash_;
};

TEST_F(PinnedSnapshot, AnswersAloneWhateverIsPublished) {
  const BestResults before(pin_gpu(), pinned());
  results_.publish(summed(1 << 20), pin_gpu(), block_settings("1024"));
  results_.publish(summed(1 << 10), pin_gpu(), block_settings("1024"));
  EXPECT_EQ(block(results_.options()), "1024");
  EXPECT_EQ(block(pinned()), "512");
  const Answer other = find_best(summed(1 << 10), pin_gpu(), pinned());
  EXPECT_EQ(other.match, Match::fallback) << "tuned since, and not in it";
  const Answer answer = find_best(summed(1 << 20), pin_gpu(), pinned());
  EXPECT_EQ(answer.source, kept().string());
  EXPECT_EQ(answer.match, Match::exact);
  EXPECT_EQ(BestResults(pin_gpu(), pinned()).find(summed(1 << 20)).settings, answer.settings);
  EXPECT_FALSE(before.is_outdated());
  EXPECT_TRUE(BestResults(pin_gpu(), results_.options()).find(summed(1 << 10)).match ==
              Match::exact);
}

TEST_F(PinnedSnapshot, IsNamedByTheEnvironmentUnlessAnOptionDoes) {
  results_.publish(summed(1 << 20), pin_gpu(), block_settings("1024"));
  const auto newer =
      cache::keep_content(results_.snapshot(), cache::testing::read_text(results_.snapshot()));
  {
    const SetForATest variable("REDTUNE_SNAPSHOT", pin());
    EXPECT_EQ(block(results_.options()), "512");
    LookupOptions named = results_.options();
    named.snapshot = to_string(newer);
    EXPECT_EQ(block(named), "1024");
  }
  const SetForATest empty("REDTUNE_SNAPSHOT", "");
  EXPECT_EQ(block(results_.options()), "1024");
}

TEST_F(PinnedSnapshot, GivesStoresThatDifferTheSameAnswers) {
  ResultsFile other;
  other.publish(summed(1 << 20), pin_gpu(), block_settings("256"));
  other.publish(summed(1 << 24), pin_gpu(), block_settings("256"));
  EXPECT_THAT(refusal({.cache_file = other.path(), .snapshot = pin()}),
              HasSubstr("redtune cache pin FILE"));
  EXPECT_EQ(cache::keep_content(other.snapshot(), cache::testing::read_text(kept())), hash_);
  for (const std::int64_t count : {0, 1000, 1 << 19, 1 << 20, 1 << 24}) {
    const Answer here = find_best(summed(count), pin_gpu(), pinned());
    const Answer there =
        find_best(summed(count), pin_gpu(), {.cache_file = other.path(), .snapshot = pin()});
    EXPECT_EQ(here.settings, there.settings) << count;
    EXPECT_EQ(here.match, there.match) << count;
  }
  EXPECT_EQ(block({.cache_file = other.path()}), "256");
}

TEST_F(PinnedSnapshot, IsWhatReducersAreMadeOf) {
  const DeviceIdentity host = identify_device("host");
  results_.publish(summed(1000), host, unusual_settings());
  const auto hash =
      cache::keep_content(results_.snapshot(), cache::testing::read_text(results_.snapshot()));
  const std::vector<float> ones(1000, 1.0F);
  Settings later = unusual_settings();
  for (Setting& one : later) {
    if (one.name == "block_size") one.value = "16";
  }
  results_.publish(summed(1000), host, later);
  const LookupOptions lookup{.cache_file = results_.path(), .snapshot = to_string(hash)};
  Reducer reducer(summed(1000), {.device = "host", .lookup = lookup});
  EXPECT_EQ(reducer.answer().settings, unusual_settings());
  fs::remove_all(cache::kept_folder(results_.snapshot()));
  const SetForATest nonsense("REDTUNE_SNAPSHOT", "nonsense");
  EXPECT_EQ(reducer.reduce<float>(std::span<const float>(ones)), 1000.0F) << "it asks no more";
}

TEST_F(PinnedSnapshot, StaysAProcesssOwnOnceItWasFound) {
  EXPECT_EQ(block(pinned()), "512");
  fs::remove_all(fs::path(results_.path()).parent_path());
  EXPECT_EQ(block(pinned()), "512");
}

TEST_F(PinnedSnapshot, IsSaidToBeDamaged) {
  std::string damaged = content_;
  damaged[damaged.size() / 2] ^= 1;
  cache::testing::write_text(kept(), damaged);
  results_.publish(summed(1 << 20), pin_gpu(), block_settings("1024"));
  EXPECT_THAT(refusal(pinned()), HasSubstr(kept().string() + " is damaged"));
  cache::testing::write_text(kept(), content_.substr(0, content_.size() / 2));
  EXPECT_THAT(refusal(pinned()), HasSubstr(kept().string() + " is damaged"));
  cache::testing::write_text(kept(), "");
  EXPECT_THAT(refusal(pinned()), HasSubstr(kept().string() + " is damaged"));
  EXPECT_EQ(cache::keep_content(results_.snapshot(), content_), hash_) << "it is mended";
  EXPECT_EQ(block(pinned()), "512");
}

TEST_F(PinnedSnapshot, IsSaidToBeUnreadable) {
  results_.publish(summed(1 << 20), pin_gpu(), block_settings("1024"));
  fs::remove(kept());
  fs::create_directory(kept());
  EXPECT_THAT(refusal(pinned()), HasSubstr(kept().string() + " cannot be read"));
  fs::remove(kept());
  ASSERT_EQ(mkfifo(kept().c_str(), 0600), 0);
  EXPECT_THAT(refusal(pinned()), HasSubstr(kept().string() + " cannot be read"));
  fs::remove(kept());
  cache::testing::write_text(kept(), content_);
  fs::permissions(kept(), fs::perms::none);
  if (geteuid() != 0) {
    EXPECT_THAT(refusal(pinned()), HasSubstr("Permission denied"));
  }
}

TEST_F(PinnedSnapshot, IsLookedForAndSaidToBeElsewhereOrNowhere) {
  fs::remove(kept());
  EXPECT_EQ(block(pinned()), "512") << "the present one is it";
  ResultsFile other;
  other.publish(summed(1 << 20), pin_gpu(), block_settings("512"));
  const std::string older =
      to_string(cache::snapshot_hash_of(cache::testing::read_text(other.snapshot())));
  other.publish(summed(1 << 20), pin_gpu(), block_settings("1024"));
  const std::string present =
      to_string(cache::snapshot_hash_of(cache::testing::read_text(other.snapshot())));
  // A name that was noted and not kept: its generation stays for a while.
  const std::string said = refusal({.cache_file = other.path(), .snapshot = older});
  EXPECT_THAT(said, HasSubstr(other.snapshot() + " is another one (" + present + ")"));
  EXPECT_THAT(said, testing::ContainsRegex("[.]1[.]snap is it: redtune cache pin /"));
  const std::string nowhere = "sha256:" + std::string(64, 'a');
  EXPECT_THAT(refusal({.cache_file = other.path(), .snapshot = nowhere}),
              HasSubstr("copy it from a machine that has it"));
  EXPECT_THAT(refusal({.cache_file = "/nowhere/results.db", .snapshot = nowhere}),
              HasSubstr("the pinned snapshot " + nowhere + " is not in /nowhere/pinned-v1; copy"));
  // A snapshot that is named as the results is that one or none.
  EXPECT_EQ(block({.cache_file = results_.snapshot(), .snapshot = pin()}), "512");
  EXPECT_THAT(refusal({.cache_file = other.snapshot(), .snapshot = nowhere}),
              HasSubstr("is another one"));
}

TEST_F(PinnedSnapshot, OfANewerFormatIsRefused) {
  std::string newer = content_;
  newer[8] = 127;
  const auto hash = cache::keep_content(results_.snapshot(), newer);
  EXPECT_THAT(refusal({.cache_file = results_.path(), .snapshot = to_string(hash)}),
              HasSubstr("was written by a newer redtune"));
}

TEST_F(PinnedSnapshot, IsNamedInOneWay) {
  std::string capitals = hash_.digits;
  for (char& c : capitals) c = static_cast<char>(c >= 'a' && c <= 'f' ? c - 'a' + 'A' : c);
  capitals = "sha256:" + capitals;
  EXPECT_EQ(block({.cache_file = results_.path(), .snapshot = capitals}), "512");
  const std::string digits = hash_.digits;
  const std::vector<std::string> wrong_ones{digits,
                                            "sha256:",
                                            "sha256:" + digits.substr(1),
                                            "sha256:" + digits + "0",
                                            "sha256:" + digits.substr(1) + "g",
                                            "md5:" + digits,
                                            "sha256: " + digits.substr(1),
                                            "best-v1.snap",
                                            "sha256:../" + digits.substr(3)};
  for (const std::string& wrong : wrong_ones) {
    const SetForATest variable("REDTUNE_SNAPSHOT", wrong);
    const auto expect_refused = [&](const std::string& name, const LookupOptions& options) {
      try {
        (void)find_best(summed(5), pin_gpu(), options);
        ADD_FAILURE() << wrong;
      } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr(name + " is '" + wrong + "', which names no snapshot"));
        EXPECT_THAT(error.what(), HasSubstr("redtune cache pin"));
      }
    };
    expect_refused("REDTUNE_SNAPSHOT", {});
    expect_refused("the option 'snapshot'", {.snapshot = wrong});
    EXPECT_THROW(BestResults(pin_gpu(), {}), UsageError);
    EXPECT_THROW(Reducer(summed(5), {.device = "host"}), UsageError);
  }
}

TEST_F(PinnedSnapshot, IsAskedThroughC) {
  results_.publish(summed(1000), identify_device("host"), unusual_settings());
  const std::string hash = to_string(
      cache::keep_content(results_.snapshot(), cache::testing::read_text(results_.snapshot())));
  results_.publish(summed(2000), identify_device("host"), unusual_settings());
  const std::string path = results_.path();
  redtune_problem problem{.size = sizeof(redtune_problem), .op = "sum", .type = "f32"};
  redtune_options options{.size = sizeof(redtune_options), .device = "host"};
  options.cache_file = path.c_str();
  options.snapshot = hash.c_str();
  const auto match_of = [&](std::int64_t count, bool is_strict) -> std::string {
    problem.count = count;
    options.strict = is_strict ? 1 : 0;
    redtune_answer* answer = nullptr;
    const int status = redtune_find_best(&problem, &options, &answer);
    if (status != REDTUNE_DONE) return std::to_string(status);
    std::string match = redtune_answer_match(answer);
    redtune_answer_destroy(answer);
    return match;
  };
  EXPECT_EQ(match_of(1000, true), "exact");
  EXPECT_EQ(match_of(2000, true), "near");
  EXPECT_EQ(match_of(1 << 30, false), "default");
  EXPECT_EQ(match_of(1 << 30, true), std::to_string(REDTUNE_MISSED));
  EXPECT_THAT(redtune_last_error(), HasSubstr("strict: what nobody tuned is an error"));
  redtune_reducer* reducer = nullptr;
  EXPECT_EQ(redtune_reducer_create(&problem, &options, &reducer), REDTUNE_MISSED);
  const std::string nowhere = "sha256:" + std::string(64, '0');
  options.snapshot = nowhere.c_str();
  EXPECT_EQ(match_of(1000, false), std::to_string(REDTUNE_IO));
  EXPECT_EQ(redtune_reducer_create(&problem, &options, &reducer), REDTUNE_IO);
  options.snapshot = "latest";
  EXPECT_EQ(match_of(1000, false), std::to_string(REDTUNE_USAGE));
  options.snapshot = nullptr;
  EXPECT_EQ(match_of(2000, true), "exact");
}

TEST(Strict, TakesWhatWasTunedAndNothingElse) {
  ResultsFile results;
  results.publish(summed(1 << 20), pin_gpu(), block_settings("512"));
  const LookupOptions strict{.cache_file = results.path(), .strict = true};
  EXPECT_EQ(find_best(summed(1 << 20), pin_gpu(), strict).match, Match::exact);
  EXPECT_EQ(find_best(summed(1 << 21), pin_gpu(), strict).match, Match::near);
  EXPECT_THROW((void)find_best(summed(100), pin_gpu(), strict), UnmetMatch);
  EXPECT_THROW((void)BestResults(pin_gpu(), strict).find(summed(100)), UnmetMatch);
  EXPECT_THROW(Reducer(summed(100), {.device = "host", .lookup = strict}), UnmetMatch);
  {
    cache::Store store = cache::Store::open(results.path());
    cache::Question question = store.bests().entries.front().question;
    question.problem = summed(100);
    const cache::StoredPrediction prediction{
        .question = question, .settings = block_settings("256"), .trials = 77};
    store.publish({&prediction, 1});
  }
  EXPECT_EQ(find_best(summed(100), pin_gpu(), results.options()).match, Match::predicted);
  EXPECT_THROW((void)find_best(summed(100), pin_gpu(), strict), UnmetMatch);
  LookupOptions exact = strict;
  exact.minimum = Match::exact;
  EXPECT_THROW((void)find_best(summed(1 << 21), pin_gpu(), exact), UnmetMatch)
      << "what asks for more has more";
}

TEST(Strict, IsTurnedOnForAllProgramsByTheEnvironment) {
  ResultsFile results;
  results.publish(summed(1 << 20), pin_gpu(), block_settings("512"));
  {
    const SetForATest on("REDTUNE_STRICT", "on");
    EXPECT_EQ(find_best(summed(1 << 20), pin_gpu(), results.options()).match, Match::exact);
    EXPECT_THROW((void)find_best(summed(100), pin_gpu(), results.options()), UnmetMatch);
    EXPECT_THROW((void)BestResults(pin_gpu(), results.options()).find(summed(100)), UnmetMatch);
  }
  for (const char* off : {"off", ""}) {
    const SetForATest variable("REDTUNE_STRICT", off);
    EXPECT_EQ(find_best(summed(100), pin_gpu(), results.options()).match, Match::fallback);
  }
  const SetForATest wrong("REDTUNE_STRICT", "yes");
  try {
    (void)find_best(summed(100), pin_gpu(), results.options());
    ADD_FAILURE();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "REDTUNE_STRICT is 'yes': write on or off");
  }
}

}  // namespace
}  // namespace redtune
