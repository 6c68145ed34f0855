// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Look-up without a device: what is invented, damaged or poisoned still gives settings that can
// run.
#include "redtune/find_best.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <optional>
#include <string>

#include "cache/files/files.hpp"
#include "cache/keys/key.hpp"
#include "redtune/error.hpp"
#include "runtime/resolve.hpp"
#include "tests/runtime/published.hpp"

namespace redtune {
namespace {

using testing_runtime::ResultsFile;
using testing_runtime::unusual_settings;

const Problem problem = make_problem(Op::sum, DType::f32, std::int64_t{1} << 24);

DeviceIdentity invented_gpu() {
  return cache::testing::sample_device();
}

std::string why_invalid(const Answer& answer, const DeviceIdentity& device) {
  return kernels::find_family(answer.family)
      .why_invalid(answer.settings, answer.problem, runtime::limits_of(device));
}

/// An environment variable with another value, or none, for a while.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name); old != nullptr) old_ = old;
    set(value);
  }
  ~Environment() { set(old_ ? old_->c_str() : nullptr); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  void set(const char* value) {
    if (value != nullptr)
      setenv(name_, value, 1);
    else
      unsetenv(name_);
  }

  const char* name_;
  std::optional<std::string> old_;
};

TEST(FindBest, AnswersForAGpuThatIsNotHere) {
  const DeviceIdentity gpu = invented_gpu();
  ASSERT_EQ(gpu.device_class.compute_units, 104);
  for (const std::int64_t count : {0, 1, 1000, 1 << 24}) {
    for (const DTypeInfo& in : all_dtypes()) {
      const Problem asked = make_problem(Op::sum, in.dtype, count);
      const Answer answer = find_best(asked, gpu, ResultsFile().options());
      EXPECT_EQ(answer.match, Match::fallback);
      EXPECT_EQ(answer.problem, asked);
      EXPECT_EQ(std::stoi(value_of(answer.settings, "block_size")) % 64, 0) << describe(asked);
      EXPECT_EQ(why_invalid(answer, gpu), "") << describe(asked);
    }
  }
}

TEST(FindBest, AnswersForADeviceOfNoKnownPlatform) {
  DeviceIdentity device = invented_gpu();
  device.device_class.platform = "abacus";
  device.device_class.isa = "";
  device.device_class.wave_size = 32;
  device.device_class.compute_units = 1;
  const Answer answer = find_best(problem, device, ResultsFile().options());
  EXPECT_EQ(answer.match, Match::fallback);
  EXPECT_EQ(why_invalid(answer, device), "");
}

TEST(FindBest, AnswersForAnArchitectureThatNoCompilerHereKnows) {
  DeviceIdentity device = invented_gpu();
  device.device_class.isa = "gfx9999";
  const Answer answer = find_best(problem, device, ResultsFile().options());
  EXPECT_EQ(answer.match, Match::fallback);
  EXPECT_EQ(std::stoi(value_of(answer.settings, "block_size")) % 64, 0);
}

TEST(FindBest, SaysHowToGetABetterAnswer) {
  const Answer answer = find_best(problem, invented_gpu(), ResultsFile().options());
  EXPECT_EQ(answer.source, "");
  EXPECT_FALSE(answer.time_us.has_value());
  EXPECT_NE(answer.explanation.find("redtune tune"), std::string::npos) << answer.explanation;
}

/// What find_best says about a device that differs from the tuned one.
Answer answer_for(const ResultsFile& results, void (*change)(DeviceIdentity&)) {
  DeviceIdentity device = invented_gpu();
  change(device);
  return find_best(problem, device, results.options());
}

/// Settings that run on the invented GPU and differ from its default.
Settings gpu_settings() {
  return parse_settings(
      "finish=second_pass block_size=512 items_per_thread=8 vector_width=2 blocks_per_unit=2 "
      "tile_order=chunked load=cached fence=full cluster_size=1 early_start=off "
      "slot_stride=8 slot_reader=wave slot_wait=all exact_tiles=off");
}

TEST(FindBest, GradesWhatItFinds) {
  ResultsFile results;
  results.publish(problem, invented_gpu(), gpu_settings());
  const Answer exact = answer_for(results, [](DeviceIdentity&) {});
  EXPECT_EQ(exact.match, Match::exact);
  EXPECT_EQ(to_string(exact.settings), to_string(gpu_settings()));
  EXPECT_EQ(exact.source, results.snapshot());
  EXPECT_TRUE(exact.time_us.has_value());
  EXPECT_TRUE(exact.gain.has_value());
  EXPECT_NE(exact.tuned_at, "");
  const Answer drift =
      answer_for(results, [](DeviceIdentity& device) { device.toolchain.compiler = "other"; });
  EXPECT_EQ(drift.match, Match::drift);
  EXPECT_NE(drift.explanation.find("other"), std::string::npos) << drift.explanation;
  const Answer sibling =
      answer_for(results, [](DeviceIdentity& device) { device.device_class.model = "1:2:3"; });
  EXPECT_EQ(sibling.match, Match::sibling);
  const Answer stranger =
      answer_for(results, [](DeviceIdentity& device) { device.device_class.compute_units = 110; });
  EXPECT_EQ(stranger.match, Match::fallback);
  EXPECT_NE(stranger.explanation.find("110"), std::string::npos) << stranger.explanation;
  EXPECT_NE(to_string(stranger.settings), to_string(gpu_settings()));
}

TEST(FindBest, IgnoresTheNameAndTheAddressOfADevice) {
  ResultsFile results;
  results.publish(problem, invented_gpu(), gpu_settings());
  const Answer answer = answer_for(results, [](DeviceIdentity& device) {
    device.name = "Another name";
    device.address = "0000:ff:00.0";
  });
  EXPECT_EQ(answer.match, Match::exact);
}

TEST(FindBest, TakesACountWithinAFactorOf16AndNoFarther) {
  ResultsFile results;
  results.publish(problem, invented_gpu(), gpu_settings());
  Problem other = problem;
  other.count = problem.count / 16;
  EXPECT_EQ(find_best(other, invented_gpu(), results.options()).match, Match::near);
  other.count = problem.count / 32;
  const Answer answer = find_best(other, invented_gpu(), results.options());
  EXPECT_EQ(answer.match, Match::fallback);
  EXPECT_NE(answer.explanation.find("too far"), std::string::npos) << answer.explanation;
}

/// What a tune finds where one block takes all: of 1,024 elements and no more.
Settings one_block() {
  return parse_settings(
      "finish=single_block block_size=128 items_per_thread=8 vector_width=2 blocks_per_unit=0");
}

Problem of_count(std::int64_t count) {
  return make_problem(Op::sum, DType::f32, count);
}

TEST(FindBest, SendsNoBlockAroundTwice) {
  ResultsFile results;
  results.publish(of_count(1000), invented_gpu(), one_block());
  const auto answer = [&](std::int64_t count) {
    return find_best(of_count(count), invented_gpu(), results.options());
  };
  for (const std::int64_t count : {900, 1000, 1024}) {
    EXPECT_EQ(value_of(answer(count).settings, "block_size"), "128") << count;
    EXPECT_NE(answer(count).match, Match::fallback) << count;
  }
  EXPECT_EQ(answer(1025).match, Match::fallback);
  EXPECT_EQ(answer(1025).settings,
            find_best(of_count(1025), invented_gpu(), ResultsFile().options()).settings);
  EXPECT_EQ(answer(1025).explanation,
            "the stored configuration has one block, which took all 1000 elements and would go "
            "around again for 1025");
  results.publish(of_count(4096), invented_gpu(), gpu_settings());
  EXPECT_EQ(answer(1024).match, Match::near);
  EXPECT_EQ(value_of(answer(1024).settings, "block_size"), "128");
  EXPECT_EQ(answer(1025).match, Match::near) << answer(1025).explanation;
  EXPECT_EQ(to_string(answer(1025).settings), to_string(gpu_settings()));
  EXPECT_NE(answer(1025).explanation.find("; a better match has one block"), std::string::npos)
      << answer(1025).explanation;
}

TEST(FindBest, SendsNoPredictedBlockAroundTwice) {
  ResultsFile results;
  results.publish(of_count(std::int64_t{1} << 20), invented_gpu(), gpu_settings());
  {
    cache::Store store = cache::Store::open(results.path());
    cache::StoredPrediction predicted{
        .question = store.bests().entries.front().question, .settings = one_block(), .trials = 100};
    predicted.question.problem = of_count(1024);
    (void)store.publish(std::vector{predicted});
  }
  const auto match = [&](std::int64_t count) {
    return find_best(of_count(count), invented_gpu(), results.options()).match;
  };
  EXPECT_EQ(match(1000), Match::predicted);
  EXPECT_EQ(match(1100), Match::fallback);
}

/// A processor's block may be one thread, which goes around all its life.
TEST(FindBest, SendsABlockOfAProcessorAround) {
  ResultsFile results;
  const DeviceIdentity host = identify_device("host");
  results.publish(of_count(64), host,
                  parse_settings("finish=single_block block_size=1 items_per_thread=64"));
  EXPECT_EQ(find_best(of_count(100), host, results.options()).match, Match::near);
}

TEST(FindBest, SendsABlockAroundThatWonSo) {
  ResultsFile results;
  results.publish(of_count(3000), invented_gpu(), one_block());
  EXPECT_EQ(find_best(of_count(3100), invented_gpu(), results.options()).match, Match::near);
}

TEST(FindBest, SendsABlockAroundWhereThatWasMeasured) {
  ResultsFile results;
  results.publish(of_count(1000), invented_gpu(), one_block());
  results.publish(of_count(1900), invented_gpu(), gpu_settings());
  const auto block_at = [&](std::int64_t count) {
    return value_of(find_best(of_count(count), invented_gpu(), results.options()).settings,
                    "block_size");
  };
  EXPECT_EQ(block_at(1200), value_of(gpu_settings(), "block_size"));
  {
    cache::Store store = cache::Store::open(results.path());
    const auto snapshot = store.bests();
    for (const auto& [below, above] : cache::neighbours_among(snapshot.entries)) {
      store.publish(below->question, {.above = above->question.problem.count,
                                      .below_config = cache::key_of(below->best.settings).hash,
                                      .above_config = cache::key_of(above->best.settings).hash,
                                      .first = 1300,
                                      .still_below = 1250,
                                      .first_above = 1350});
    }
  }
  EXPECT_EQ(block_at(1200), "128");
  EXPECT_EQ(block_at(1300), value_of(gpu_settings(), "block_size"));
}

class Fault35 : public testing::TestWithParam<const char*> {};

TEST_P(Fault35, AStoredConfigOutsideTheSpaceIsNotUsedWhateverItsChecksum) {
  ResultsFile results;
  results.publish(problem, invented_gpu(), parse_settings(GetParam()));
  const Answer answer = find_best(problem, invented_gpu(), results.options());
  const Answer untuned = find_best(problem, invented_gpu(), ResultsFile().options());
  EXPECT_EQ(answer.match, Match::fallback);
  EXPECT_EQ(to_string(answer.settings), to_string(untuned.settings));
  EXPECT_NE(answer.explanation.find("cannot run here"), std::string::npos) << answer.explanation;
  EXPECT_THROW((void)find_best(problem, invented_gpu(), results.options(Match::near)), UnmetMatch);
}

constexpr const char* poisons[] = {
    "block_size=3",                       // no value of the axis
    "block_size=32",                      // half a wave
    "block_size=99999999999999999999",    // no number of this machine
    "block_size=256;rm",                  // no number
    "items_per_thread=2 vector_width=4",  // against the rule
    "vector_width=16",                    // more than a load can bring
    "warp_speed=9 block_size=256",        // no tunable
    "finish=nothing",                     // no value of the axis
    "finish=counted",                     // of floats
    "block_size=",                        // no value at all
};

INSTANTIATE_TEST_SUITE_P(All, Fault35, testing::ValuesIn(poisons),
                         [](const auto& one) { return std::to_string(one.index); });

/// What an older version stored: slot_wait=pause was among its values (docs/decisions/0051).
Settings of_a_value_that_is_gone() {
  return parse_settings(
      "finish=slots block_size=256 items_per_thread=16 vector_width=4 blocks_per_unit=4 "
      "slot_stride=8 slot_reader=block slot_wait=pause");
}
const std::string why_gone = "slot_wait cannot be 'pause'; it is one of all, missing";

TEST(FindBest, AnswersWithTheDefaultWhereAValueIsGoneAndNothingElseFits) {
  ResultsFile results;
  results.publish_older(problem, invented_gpu(), of_a_value_that_is_gone());
  Problem far = problem;
  far.count = problem.count / 32;
  results.publish_older(far, invented_gpu(), gpu_settings());
  const Answer answer = find_best(problem, invented_gpu(), results.options());
  EXPECT_EQ(answer.match, Match::fallback);
  EXPECT_EQ(answer.explanation, "the stored configuration cannot run here: " + why_gone);
  EXPECT_EQ(why_invalid(answer, invented_gpu()), "");
  EXPECT_THROW((void)find_best(problem, invented_gpu(), results.options(Match::near)), UnmetMatch);
}

TEST(FindBest, PassesOverAResultWithAValueThatIsGoneForTheNextAnswer) {
  ResultsFile results;
  Problem near = problem;
  near.count = problem.count / 4;
  results.publish_older(near, invented_gpu(), gpu_settings());
  Problem nearer = problem;
  nearer.count = problem.count / 2;
  for (const Problem& gone : {problem, nearer}) {
    results.publish_older(gone, invented_gpu(), of_a_value_that_is_gone());
  }
  const auto expect_answer = [&](Match match, const std::string& beginning) {
    const Answer answer = find_best(problem, invented_gpu(), results.options());
    EXPECT_EQ(answer.match, match);
    EXPECT_EQ(to_string(answer.settings), to_string(gpu_settings()));
    EXPECT_TRUE(answer.time_us.has_value());
    EXPECT_EQ(answer.explanation.find(beginning), 0U) << answer.explanation;
    EXPECT_NE(answer.explanation.find("; a better match cannot run here: " + why_gone),
              std::string::npos)
        << answer.explanation;
  };
  expect_answer(Match::near, "tuned for another count (count: ");
  DeviceIdentity sibling = invented_gpu();
  sibling.device_class.model = "1:2:3";
  results.publish_older(problem, sibling, gpu_settings());
  expect_answer(Match::sibling, "tuned on a sibling of this device (");
  DeviceIdentity earlier = invented_gpu();
  earlier.toolchain.compiler = "another";
  results.publish_older(problem, earlier, gpu_settings());
  expect_answer(Match::drift, "tuned with another toolchain (");

  results.publish(problem, invented_gpu(), gpu_settings());
  const Answer tuned_anew = find_best(problem, invented_gpu(), results.options());
  EXPECT_EQ(tuned_anew.match, Match::exact);
  EXPECT_EQ(tuned_anew.explanation.find("cannot run"), std::string::npos);
}

TEST(FindBest, CompletesAResultFromBeforeATunableExisted) {
  ResultsFile results;
  results.publish(problem, invented_gpu(), parse_settings("block_size=512 load=streaming"));
  const Answer answer = find_best(problem, invented_gpu(), results.options());
  EXPECT_EQ(answer.match, Match::exact);
  EXPECT_EQ(value_of(answer.settings, "block_size"), "512");
  const kernels::Family& family = kernels::find_family(answer.family);
  EXPECT_EQ(answer.settings.size(), family.tunables().size());
  EXPECT_EQ(why_invalid(answer, invented_gpu()), "");
}

TEST(FindBest, ReadsTheFileThatTheEnvironmentNames) {
  ResultsFile results;
  results.publish(problem, invented_gpu(), gpu_settings());
  const Environment cache("REDTUNE_CACHE", results.path().c_str());
  EXPECT_EQ(find_best(problem, invented_gpu()).match, Match::exact);
  EXPECT_EQ(find_best(problem, invented_gpu(), ResultsFile().options()).match, Match::fallback)
      << "a named file comes before the environment";
}

TEST(FindBest, ReadsTheUsersResults) {
  const ResultsFile elsewhere;
  const std::filesystem::path home = std::filesystem::path(elsewhere.path()).parent_path();
  const Environment cache("REDTUNE_CACHE", nullptr);
  const Environment data("XDG_DATA_HOME", home.c_str());
  cache::make_private_folder(home / "redtune");
  ResultsFile results;
  results.publish(problem, invented_gpu(), gpu_settings());
  std::filesystem::copy_file(results.snapshot(), home / "redtune" / cache::snapshot_name);
  EXPECT_EQ(find_best(problem, invented_gpu()).match, Match::exact);
}

TEST(FindBest, AnswersWithoutAHome) {
  const Environment cache("REDTUNE_CACHE", nullptr);
  const Environment data("XDG_DATA_HOME", nullptr);
  const Environment home("HOME", nullptr);
  DeviceIdentity device = invented_gpu();
  device.device_class.model = "of nobody";  // whatever a site may have tuned
  device.device_class.isa = "of nobody";
  EXPECT_EQ(find_best(problem, device).match, Match::fallback);
}

TEST(ValueOf, ThrowsForANameThatIsNotThereAndListsTheOthers) {
  EXPECT_EQ(value_of(unusual_settings(), "block_size"), "8");
  EXPECT_THROW((void)value_of({}, "block_size"), UsageError);
  try {
    (void)value_of(unusual_settings(), "blocksize");
    ADD_FAILURE() << "found";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'block_size'"), std::string::npos)
        << error.what();
  }
}

TEST(IdentifyDevice, KnowsTheHostAndRefusesNames) {
  const DeviceIdentity host = identify_device("host");
  EXPECT_EQ(host.device_class.platform, "host");
  EXPECT_GE(host.device_class.compute_units, 1);
  EXPECT_EQ(identify_device("host:wave32").device_class.wave_size, 32);
  EXPECT_NO_THROW((void)identify_device());
  EXPECT_THROW((void)identify_device("hosst"), UsageError);
  EXPECT_THROW((void)identify_device("host:1"), UsageError);
}

}  // namespace
}  // namespace redtune
