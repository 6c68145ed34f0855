// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is expected of problems that were not tuned, on made-up devices and on one that was
// recorded.
#include "tuner/session/predict.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "search/rng.hpp"
#include "tests/tuner/neighbours.hpp"
#include "tuner/session/sources.hpp"
#include "tuner/session/warm_start.hpp"
#include "tuner/shipped/shipped_trials.hpp"

namespace redtune::tuner {
namespace {

double number_of(const Settings& settings, std::string_view name) {
  const auto found = std::ranges::find(settings, name, &Setting::name);
  return std::stod(found->value);
}

/// A made-up GPU: launches cost, memory wants bytes on their way, and whoever has too few elements
/// for its blocks leaves units idle.
double made_up_us(const Problem& problem, const Settings& settings) {
  const double elements = static_cast<double>(problem.count);
  const double bytes = static_cast<double>(input_bytes(problem));
  const double block = number_of(settings, "block_size");
  const double items = number_of(settings, "items_per_thread");
  const double vector_bytes =
      number_of(settings, "vector_width") * static_cast<double>(size_of(problem.in));
  const double blocks_per_unit = number_of(settings, "blocks_per_unit");
  constexpr double units = 104;
  const double tiles = std::ceil(elements / (block * items));
  const double busy = std::min(1.0, tiles / units);
  const double on_their_way = block * items * static_cast<double>(size_of(problem.in)) *
                              std::min(blocks_per_unit == 0 ? 8.0 : blocks_per_unit, 8.0);
  const double share = busy * (1 - std::exp(-on_their_way / 60'000)) *
                       (vector_bytes >= 16 ? 1.0 : 0.5 + vector_bytes / 32);
  const double hand_over = 0.002 * std::min(tiles, units * std::max(1.0, blocks_per_unit));
  return 1.5 + hand_over + 0.0005 * block + bytes / (1.6e6 * std::max(share, 1e-3));
}

class PredictedOnAMadeUpGpu : public WarmStart {
 protected:
  /// A search of some configs at random, the default among them.
  [[nodiscard]] ToldProblem tuned(const Problem& problem, std::uint64_t seed) const {
    const search::Space valid = request.family->space(problem, request.limits);
    search::Rng random(seed);
    ToldProblem told{problem, {}};
    const auto add = [&](const Settings& settings) {
      const double us = made_up_us(problem, settings) * (1 + 0.01 * random.uniform());
      cache::Trial& trial = told.trials.emplace_back();
      trial.sequence = std::ssize(told.trials);
      trial.settings = settings;
      trial.phase = "search";
      trial.status = "ok";
      trial.time_us = Interval{us, us, us};
    };
    add(request.family->default_settings(problem, request.limits));
    constexpr int tried = 300;  // enough of a space with a tunable more, too
    for (int i = 0; i < tried; ++i)
      add(request.family->settings_at(valid[random.below(valid.size())]));
    return told;
  }
  [[nodiscard]] std::vector<ToldProblem> sums_of_f32() const {
    std::vector<ToldProblem> told;
    for (int log2 = 12; log2 <= 26; log2 += 2) {
      told.push_back(tuned(make_problem(Op::sum, DType::f32, std::int64_t{1} << log2),
                           static_cast<std::uint64_t>(log2)));
    }
    return told;
  }
  [[nodiscard]] double gain(Predictor& predictor, const Problem& problem) const {
    const auto found = predictor.predict(problem);
    EXPECT_TRUE(found.has_value()) << describe(problem);
    if (!found) return 0;
    EXPECT_EQ(request.family->why_invalid(found->settings, problem, request.limits), "")
        << describe(problem);
    EXPECT_GT(found->trials, 0);
    EXPECT_EQ(found->question.problem, problem);
    const Settings usual = request.family->default_settings(problem, request.limits);
    return made_up_us(problem, usual) / made_up_us(problem, found->settings);
  }
};

TEST_F(PredictedOnAMadeUpGpu, ConfigsBeatTheDefaultOverManyProblems) {
  Predictor predictor(asked_question(), request.limits, sums_of_f32());
  double log_gain = 0;
  int problems = 0;
  int slower = 0;
  for (const Op op : {Op::sum, Op::max, Op::mean, Op::l2_norm, Op::argmax}) {
    for (const DType type : {DType::f32, DType::f64, DType::f16}) {
      if (!why_not_taken(op, type).empty()) continue;
      for (int log2 = 8; log2 <= 30; log2 += 2) {
        if (op == Op::sum && type == DType::f32 && log2 >= 12 && log2 <= 26) continue;
        const double found = gain(predictor, make_problem(op, type, std::int64_t{1} << log2));
        log_gain += std::log(found);
        slower += found < 0.99 ? 1 : 0;
        ++problems;
      }
    }
  }
  RecordProperty("gain", std::to_string(std::exp(log_gain / problems)));
  EXPECT_GT(problems, 100);
  EXPECT_GT(std::exp(log_gain / problems), 1.1) << "of " << problems;
  EXPECT_LE(slower, problems / 8) << "of " << problems;
}

TEST_F(PredictedOnAMadeUpGpu, NothingIsKnownFarFromEverything) {
  const auto at = [](int log2) {
    return make_problem(Op::sum, DType::f32, std::int64_t{1} << log2);
  };
  const std::vector<ToldProblem> told{tuned(at(20), 1)};
  Predictor predictor(asked_question(), request.limits, told);
  EXPECT_TRUE(predictor.predict(at(24)).has_value());
  EXPECT_FALSE(predictor.predict(at(25)).has_value());
  EXPECT_FALSE(predictor.predict(at(15)).has_value());
  EXPECT_FALSE(Predictor(asked_question(), request.limits, {}).predict(at(20)).has_value());
}

TEST_F(PredictedOnAMadeUpGpu, NothingIsSaidFromFewTrials) {
  std::vector<ToldProblem> told{tuned(asked_question().problem, 1)};
  told[0].trials.resize(7);
  EXPECT_FALSE(Predictor(asked_question(), request.limits, told)
                   .predict(asked_question().problem)
                   .has_value());
}

TEST_F(PredictedOnAMadeUpGpu, OnlyConfigsThatRanAndWereNotExcludedAreExpected) {
  const auto told = sums_of_f32();
  const Problem asked = make_problem(Op::max, DType::f32, 1 << 21);
  std::set<Settings> excluded;
  for (int i = 0; i < 5; ++i) {
    const auto found = Predictor(asked_question(), request.limits, told, excluded).predict(asked);
    ASSERT_TRUE(found.has_value());
    EXPECT_FALSE(excluded.contains(found->settings));
    const bool has_run = std::ranges::any_of(told, [&](const ToldProblem& one) {
      return std::ranges::any_of(
          one.trials, [&](const cache::Trial& trial) { return trial.settings == found->settings; });
    });
    EXPECT_TRUE(has_run ||
                found->settings == request.family->default_settings(asked, request.limits));
    excluded.insert(found->settings);
  }
}

/// Problems of which it is told what some configs took.
class PredictedFromTrials : public WarmStart {
 protected:
  struct Tried {
    std::string finish;
    int block_size = 256;
    int items_per_thread = 16;
    int vector_width = 4;
    int blocks_per_unit = 0;
    double us = 1;
  };
  [[nodiscard]] Settings settings_of(const Tried& tried) const {
    Settings settings = request.family->default_settings(asked_question().problem, request.limits);
    const std::map<std::string_view, std::string> values{
        {"finish", tried.finish},
        {"block_size", std::to_string(tried.block_size)},
        {"items_per_thread", std::to_string(tried.items_per_thread)},
        {"vector_width", std::to_string(tried.vector_width)},
        {"blocks_per_unit", std::to_string(tried.blocks_per_unit)}};
    for (Setting& setting : settings) {
      if (const auto found = values.find(setting.name); found != values.end())
        setting.value = found->second;
    }
    return settings;
  }
  [[nodiscard]] ToldProblem told(const Problem& problem, const std::vector<Tried>& all) const {
    ToldProblem one{problem, {}};
    for (const Tried& tried : all) {
      cache::Trial& trial = one.trials.emplace_back();
      trial.sequence = std::ssize(one.trials);
      trial.settings = settings_of(tried);
      trial.phase = "search";
      trial.status = "ok";
      trial.time_us = Interval{tried.us, tried.us, tried.us};
    }
    return one;
  }
  [[nodiscard]] std::string finish_for(const Problem& asked, std::vector<ToldProblem> all) const {
    const auto found = Predictor(asked_question(), request.limits, std::move(all)).predict(asked);
    if (!found) return "nothing";
    return std::ranges::find(found->settings, "finish", &Setting::name)->value;
  }
  /// As a search of a large count leaves it: all by slots, within few percent of each other.
  [[nodiscard]] static std::vector<Tried> by_few_blocks() {
    std::vector<Tried> all{{"last_block", 256, 16, 4, 4, 103}};
    for (const int vector : {2, 4}) {
      for (const int per_unit : {2, 4, 8}) {
        const double us = 100 + per_unit / 4.0 + vector / 4.0;
        all.push_back({"slots", 256, 32, vector, per_unit, us});
        all.push_back({"slots", 512, 64, vector, per_unit, us + 0.5});
        all.push_back({"slots", 512, 32, vector, per_unit, us + 1});
      }
    }
    return all;
  }
};

/// On an H200 a finish that had won at 2^20 alone, with a tile for each block, took 1.6 times as
/// long as the usual at 2^24, where nobody had tried it.
TEST_F(PredictedFromTrials, WhatWonAtFarFewerBytesAloneIsNotChosen) {
  const auto of = [](Op op, int log2) {
    return make_problem(op, DType::f32, std::int64_t{1} << log2);
  };
  std::vector<Tried> few{{"second_pass", 128, 32, 4, 0, 10}, {"second_pass", 128, 8, 1, 0, 10.1}};
  for (const int block : {128, 256, 512}) {
    for (const int items : {16, 32}) {
      for (const int vector : {1, 2, 4}) few.push_back({"slots", block, items, vector, 0, 11.5});
    }
  }
  const std::vector<ToldProblem> all{
      told(of(Op::sum, 20), few), told(of(Op::sum, 28), by_few_blocks()),
      told(of(Op::max, 24), by_few_blocks()), told(of(Op::min, 24), by_few_blocks()),
      told(of(Op::mean, 24), by_few_blocks())};
  EXPECT_EQ(finish_for(of(Op::sum, 20), all), "second_pass");
  EXPECT_EQ(finish_for(of(Op::sum, 24), all), "slots");
}

/// What won the final, whatever the search had said of it.
TEST_F(PredictedFromTrials, TheWinnerOfAnOperatorThatIsAlikeIsTaken) {
  const auto of = [](Op op, int log2) {
    return make_problem(op, DType::f32, std::int64_t{1} << log2);
  };
  ToldProblem of_max = told(of(Op::max, 24), by_few_blocks());
  of_max.winner = of_max.trials.front().settings;
  ASSERT_EQ(finish_for(of(Op::max, 23), {of_max}), "slots");
  EXPECT_EQ(finish_for(of(Op::min, 24), {of_max}), "last_block");
  EXPECT_EQ(finish_for(of(Op::min, 23), {of_max}), "slots") << "of another count";
  EXPECT_EQ(finish_for(of(Op::sum, 24), {of_max}), "slots") << "which is not alike";
  Problem warm = of(Op::min, 24);
  warm.cache_mode = CacheMode::warm;
  EXPECT_EQ(finish_for(warm, {of_max}), "slots");
  Predictor without(asked_question(), request.limits, {of_max}, {*of_max.winner});
  const auto found = without.predict(of(Op::min, 24));
  ASSERT_TRUE(found);
  EXPECT_NE(found->settings, *of_max.winner) << "it failed on the device";
  const auto gain = [&] {
    return Predictor(asked_question(), request.limits, {of_max}).gain(of(Op::min, 24)).value();
  };
  const double of_winner = gain();
  of_max.winner = std::nullopt;
  EXPECT_EQ(finish_for(of(Op::min, 24), {of_max}), "slots");
  EXPECT_LT(of_winner, gain()) << "told of the config that is predicted";
}

TEST_F(PredictedFromTrials, BehindOneBlockTheWinnerForTwiceAsManyIsTaken) {
  const auto of = [](Op op, int log2) {
    return make_problem(op, DType::f32, std::int64_t{1} << log2);
  };
  ToldProblem less = told(of(Op::max, 13), by_few_blocks());
  ToldProblem more = told(of(Op::max, 14), by_few_blocks());
  less.winner = settings_of({"single_block", 256, 32, 4, 0, 5});  // 8,192 elements at once
  more.winner = settings_of({"second_pass", 256, 16, 4, 0, 5});
  Predictor predictor(asked_question(), request.limits, {less, more});
  const auto found = predictor.predict(of(Op::min, 13));
  ASSERT_TRUE(found);
  EXPECT_EQ(to_string(found->settings), to_string(*less.winner));
  const auto behind = predictor.predict_behind(*found);
  ASSERT_TRUE(behind);
  EXPECT_EQ(behind->question.problem.count, (1 << 13) + 1);
  EXPECT_EQ(to_string(behind->settings), to_string(*more.winner));
}

TEST(AlikeOperators, HaveResultsAndTypesAlike) {
  const auto types_agree = [](Op one, Op other, DType type) {
    return why_not_taken(one, type).empty() == why_not_taken(other, type).empty();
  };
  int pairs = 0;
  for (const OpInfo& one : all_ops()) {
    EXPECT_FALSE(are_alike(one.op, one.op)) << one.name;
    for (const OpInfo& other : all_ops()) {
      EXPECT_EQ(are_alike(one.op, other.op), are_alike(other.op, one.op));
      if (!are_alike(one.op, other.op)) continue;
      ++pairs;
      EXPECT_EQ(one.shape, other.shape) << one.name << ' ' << other.name;
      bool is_used = false;
      for (const DTypeInfo& type : all_dtypes()) {
        EXPECT_TRUE(types_agree(one.op, other.op, type.dtype)) << one.name << ' ' << other.name;
        if (!why_not_taken(one.op, type.dtype).empty()) continue;
        is_used |=
            make_problem(one.op, type.dtype, 1).acc == make_problem(other.op, type.dtype, 1).acc;
      }
      EXPECT_TRUE(is_used) << one.name << ' ' << other.name << " accumulate in no type alike";
    }
  }
  EXPECT_EQ(pairs, 16) << "of eight, either way";
}

TEST_F(PredictedFromTrials, WhatTheSpaceDoesNotHaveIsNotChosen) {
  std::vector<Tried> all{{"slots", 512, 64, 4, 0, 5}, {"second_pass", 256, 16, 4, 0, 8}};
  for (const int items : {8, 16, 32}) {
    for (const int vector : {1, 2, 4}) all.push_back({"last_block", 256, items, vector, 0, 10});
  }
  const auto at = [](int log2) {
    return make_problem(Op::sum, DType::f32, std::int64_t{1} << log2);
  };
  EXPECT_EQ(finish_for(at(16), {told(at(17), all)}), "slots");
  EXPECT_EQ(finish_for(at(15), {told(at(17), all)}), "second_pass") << "no second tile for slots";
}

TEST_F(PredictedFromTrials, OneBlockIsNotSentAroundTwice) {
  std::vector<Tried> all{{"single_block", 256, 32, 4, 0, 5}, {"second_pass", 256, 16, 4, 0, 8}};
  for (const int items : {8, 16, 32}) {
    for (const int vector : {1, 2, 4}) all.push_back({"slots", 256, items, vector, 0, 10});
  }
  const auto of = [](std::int64_t count) { return make_problem(Op::sum, DType::f32, count); };
  EXPECT_EQ(finish_for(of(1 << 13), {told(of(1 << 14), all)}), "single_block");
  EXPECT_EQ(finish_for(of((1 << 13) + 1), {told(of(1 << 14), all)}), "second_pass");
}

/// On an H200 one block that had to go around again, for 23,000 elements of f16 instead of 16,384,
/// took 1.26 times as long as what is fastest for twice as many.
TEST_F(PredictedFromTrials, BehindTheLastElementOfOneBlockTwiceAsManyTell) {
  const auto tried = [](double us_of_128, double us_of_256) {
    std::vector<Tried> all{{"single_block", 128, 32, 4, 0, us_of_128},
                           {"single_block", 256, 32, 4, 0, us_of_256}};
    for (const int items : {8, 16}) {
      for (const int vector : {1, 2, 4}) all.push_back({"slots", 128, items, vector, 0, 4});
    }
    return all;
  };
  Predictor predictor(asked_question(), request.limits,
                      {told(make_problem(Op::max, DType::f32, 1 << 12), tried(1.5, 2.2)),
                       told(make_problem(Op::max, DType::f32, 1 << 13), tried(1.9, 1.7))});
  const auto found = predictor.predict(make_problem(Op::min, DType::f32, 1 << 12));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(number_of(found->settings, "block_size"), 128);
  const auto behind = predictor.predict_behind(*found);
  ASSERT_TRUE(behind.has_value());
  const Problem& first = behind->question.problem;
  EXPECT_EQ(first, make_problem(Op::min, DType::f32, (1 << 12) + 1));
  EXPECT_EQ(number_of(behind->settings, "block_size"), 256);
  EXPECT_EQ(request.family->why_invalid(behind->settings, first, request.limits), "");
  // A block of twice as much takes all, and one that is too small never goes around.
  auto other = *found;
  other.settings = settings_of({"single_block", 256, 32, 4, 0, 2.2});
  EXPECT_FALSE(predictor.predict_behind(other).has_value());
  other.settings = settings_of({"single_block", 64, 32, 4, 0, 2.2});
  EXPECT_FALSE(predictor.predict_behind(other).has_value());
  auto slots = *found;
  slots.settings = settings_of({"slots", 128, 8, 4, 0, 4});
  EXPECT_FALSE(predictor.predict_behind(slots).has_value()) << "more blocks take more elements";
}

/// A processor's block may be one thread.
TEST_F(PredictedFromTrials, OneThreadGoesAroundAsOftenAsItHasTo) {
  Limits limits = request.limits;
  limits.wave_size = 1;
  limits.min_block_size = 1;
  std::vector<Tried> all{{"single_block", 1, 64, 4, 0, 1}};
  for (const int items : {8, 16, 32}) {
    for (const int vector : {1, 2, 4}) all.push_back({"single_block", 256, items, vector, 0, 5});
  }
  const Problem tuned = make_problem(Op::sum, DType::f32, 1 << 12);
  Predictor predictor(asked_question(), limits, {told(tuned, all)});
  const auto found = predictor.predict(make_problem(Op::max, DType::f32, 1 << 12));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(number_of(found->settings, "block_size"), 1);
  EXPECT_FALSE(predictor.predict_behind(*found).has_value());
}

TEST_F(PredictedFromTrials, OfOtherElementsTheSameBytesTell) {
  std::vector<Tried> one_block;
  std::vector<Tried> many;
  for (const int items : {8, 16, 32}) {
    for (const int vector : {1, 2, 4}) {
      one_block.push_back({"single_block", 256, items, vector, 0, 2});
      one_block.push_back({"slots", 128, items, vector, 0, 2.3});
      many.push_back({"single_block", 256, items, vector, 0, 2.6});
      many.push_back({"slots", 128, items, vector, 0, 2.3});
    }
  }
  const std::vector<ToldProblem> all{told(make_problem(Op::min, DType::f32, 1 << 13), one_block),
                                     told(make_problem(Op::min, DType::f32, 1 << 14), many)};
  EXPECT_EQ(finish_for(make_problem(Op::min, DType::f16, 1 << 14), all), "single_block");
  EXPECT_EQ(finish_for(make_problem(Op::min, DType::f16, 1 << 15), all), "slots");
}

/// `counted` is for sums of integers alone: what sums of floats would say of it is no more than
/// their average, and there are more of them.
TEST_F(PredictedFromTrials, WhatAProblemCannotHaveItSaysNothingOf) {
  const auto of = [](DType type, int log2) {
    return make_problem(Op::sum, type, std::int64_t{1} << log2);
  };
  std::vector<Tried> of_floats;
  std::vector<Tried> of_integers;
  for (const int block : {128, 256, 512}) {
    for (const int vector : {1, 2, 4}) {
      of_floats.push_back({"slots", block, 16, vector, 0, 10});
      of_floats.push_back({"last_block", block, 32, vector, 0, 15});
      of_integers.push_back({"slots", block, 16, vector, 0, 12});
      of_integers.push_back({"counted", block, 32, vector, 0, 9});
    }
  }
  std::vector<ToldProblem> all{told(of(DType::i32, 16), of_integers)};
  for (const int log2 : {18, 19, 20, 21, 22}) all.push_back(told(of(DType::f32, log2), of_floats));
  EXPECT_EQ(finish_for(of(DType::i32, 20), all), "counted");
}

/// Another operator tells more of as many bytes than the same of far more or fewer.
TEST_F(PredictedFromTrials, BytesTellMoreThanTheOperator) {
  const auto of = [](Op op, int log2) {
    return make_problem(op, DType::f32, std::int64_t{1} << log2);
  };
  std::vector<Tried> by_slots;
  std::vector<Tried> by_tickets;
  for (const int block : {128, 256, 512}) {
    for (const int items : {8, 16, 32}) {
      by_slots.push_back({"slots", block, items, 2, 0, 10});
      by_slots.push_back({"last_block", block, items, 2, 0, 11});
      by_tickets.push_back({"slots", block, items, 2, 0, 11});
      by_tickets.push_back({"last_block", block, items, 2, 0, 10});
    }
  }
  EXPECT_EQ(finish_for(of(Op::sum, 20),
                       {told(of(Op::sum, 24), by_slots), told(of(Op::max, 20), by_tickets)}),
            "last_block");
}

/// What won for a quarter of the bytes, in so many hundredths of the next best time, where some of
/// as many bytes never tried it: they take it for less than the average of what they did try, but
/// what they say of it counts for less than what somebody saw.
TEST_F(PredictedFromTrials, WhatTheNearestNeverTriedHasToWinByMore) {
  const auto of = [](Op op, int log2) {
    return make_problem(op, DType::f32, std::int64_t{1} << log2);
  };
  const auto all_with = [&](double us) {
    std::vector<Tried> with = by_few_blocks();
    with.push_back({"second_pass", 256, 32, 4, 2, us});
    with.push_back({"second_pass", 512, 32, 4, 2, us});
    return std::vector<ToldProblem>{told(of(Op::sum, 22), with),
                                    told(of(Op::max, 24), by_few_blocks()),
                                    told(of(Op::min, 24), by_few_blocks())};
  };
  EXPECT_EQ(finish_for(of(Op::sum, 24), all_with(95)), "slots");
  std::vector<ToldProblem> all = all_with(90);
  all.push_back(told(of(Op::l2_norm, 24), by_few_blocks()));
  EXPECT_EQ(finish_for(of(Op::sum, 24), all), "second_pass");
}

/// Each problem from all others. Few of its configs were tried there, so it is judged by a model of
/// what was.
TEST(PredictedOnARecordedGpu, ConfigsBeatTheDefault) {
  const auto& shipped = shipped_trials();
  Limits limits;
  limits.compute_units = shipped.front().question.device_class.compute_units;
  limits.wave_size = shipped.front().question.device_class.wave_size;
  double log_gain = 0;
  for (const ShippedTrials& asked : shipped) {
    const Problem& problem = asked.question.problem;
    std::vector<ToldProblem> told;
    for (const ShippedTrials& other : shipped) {
      if (other.question != asked.question) told.push_back({other.question.problem, other.trials});
    }
    const auto found = Predictor(asked.question, limits, told).predict(problem);
    ASSERT_TRUE(found.has_value()) << describe(problem);
    const kernels::Family& family = kernels::find_family(asked.question.family);
    cache::Question another = asked.question;
    another.space_key = "another";
    const auto seen = source_of(another, asked.question, asked.trials, family);
    const search::SourceModel model(family.space(problem, limits), seen->observations);
    const std::vector<search::Point> both{family.point_of(family.default_settings(problem, limits)),
                                          family.point_of(found->settings)};
    const auto log_costs = model.of(both);
    log_gain += log_costs[0] - log_costs[1];
  }
  EXPECT_GT(std::exp(log_gain / static_cast<double>(shipped.size())), 1.1);
}

TEST(LeftBehind, AreCountsBehindABlockThatIsAnotherNow) {
  const auto predicted = [](Op op, std::int64_t count) {
    cache::StoredPrediction one;
    one.question.problem = make_problem(op, DType::f32, count);
    return one;
  };
  const std::vector before{predicted(Op::max, 4096), predicted(Op::max, 4097),
                           predicted(Op::max, 8193), predicted(Op::min, 4097)};
  const std::vector now{predicted(Op::max, 8192), predicted(Op::max, 8193)};
  EXPECT_EQ(left_behind(before, now), std::vector{make_problem(Op::max, DType::f32, 4097)});
  EXPECT_TRUE(left_behind(before, {}).empty());
}

TEST(ProblemsToPredict, LieWhereNoTunedCountOfTheirKindTells) {
  const std::vector<Problem> kinds{make_problem(Op::sum, DType::f32, 1),
                                   make_problem(Op::max, DType::f32, 1)};
  const std::vector<Problem> tuned{make_problem(Op::sum, DType::f32, 1 << 12),
                                   make_problem(Op::sum, DType::f32, 1 << 20)};
  std::map<Op, std::vector<int>> found;
  for (const Problem& problem :
       problems_to_predict(kinds, tuned, {.memory_bytes = std::int64_t{1} << 28})) {
    found[problem.op].push_back(static_cast<int>(std::log2(static_cast<double>(problem.count))));
  }
  for (auto& [op, counts] : found) std::ranges::sort(counts);
  std::vector<int> all(17);
  std::iota(all.begin(), all.end(), 8);
  EXPECT_EQ(found[Op::max], all) << "no more than a quarter of the memory";
  std::erase_if(all, [](int log2) { return log2 == 12 || log2 == 20; });
  EXPECT_EQ(found[Op::sum], all);
}

TEST(ProblemsToPredict, AreNoneWhereWinnersReachEverywhere) {
  const std::vector<Problem> kinds{make_problem(Op::sum, DType::f32, 1)};
  std::vector<Problem> tuned;
  for (const std::int64_t count : {256, 3000, 6000, 12000, 1 << 20, 1 << 21}) {
    tuned.push_back(make_problem(Op::sum, DType::f32, count));
  }
  std::set<std::int64_t> found;
  for (const Problem& problem :
       problems_to_predict(kinds, tuned, {.memory_bytes = std::int64_t{1} << 26})) {
    found.insert(problem.count);
  }
  EXPECT_EQ(found, (std::set<std::int64_t>{512, 1024, 2048, 1 << 15, 1 << 16, 1 << 17, 1 << 18,
                                           1 << 19, 1 << 22}))
      << "2^12 and 2^13 lie between counts that are twice apart, and 12,000 is nearly 2^14";
}

TEST(PredictedBetween, AreCountsMoreThanTwiceApartOnceEnoughWasTuned) {
  const auto at = [](std::int64_t count) { return make_problem(Op::sum, DType::f32, count); };
  std::vector<Problem> tuned(fewest_for_all_kinds, at(1));
  constexpr std::int64_t memory = std::int64_t{1} << 40;
  const auto is_between = [&](const Problem& below, const Problem& above) {
    return is_predicted_between(below, above, tuned, {.memory_bytes = memory});
  };
  EXPECT_TRUE(is_between(at(1000), at(3000)));
  EXPECT_FALSE(is_between(at(1000), at(2000)));
  EXPECT_FALSE(is_between(at(1000), at(2100))) << "2^10 and 2^11 are beside one each";
  EXPECT_TRUE(is_between(at(3), at(1000)));
  EXPECT_FALSE(is_between(at(3), at(256))) << "nothing is predicted below 2^8";
  EXPECT_FALSE(is_between(at(1 << 30), at(std::int64_t{1} << 32))) << "nor beyond 2^30";
  EXPECT_TRUE(is_predicted_between(at(1 << 20), at(1 << 22), tuned, {.memory_bytes = 1 << 25}));
  EXPECT_FALSE(
      is_predicted_between(at(1 << 20), at(1 << 22), tuned, {.memory_bytes = (1 << 25) - 1}))
      << "nor what takes more than a quarter of the memory";
  const Problem rows = make_problem(Op::sum, DType::f32, Shape::rows(100, 1000));
  Problem longer = rows;
  longer.count = 9000;
  EXPECT_FALSE(is_between(rows, longer)) << "of whole arrays alone";
  const ProblemChoices by_rows{.order = Order::rows};
  EXPECT_FALSE(is_between(make_problem(Op::sum, DType::f32, 1000, by_rows),
                          make_problem(Op::sum, DType::f32, 9000, by_rows)))
      << "whose bits must not depend on what was tuned";
  tuned.back() = rows;
  EXPECT_FALSE(is_between(at(1000), at(9000))) << "one too few";
}

}  // namespace
}  // namespace redtune::tuner
