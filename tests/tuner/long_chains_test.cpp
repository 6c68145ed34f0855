// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// No operator is called wrong for what its own order of operations rounds: those of the program and
// of the how-to, with the longest chains that the space has. What leaves an element out still is.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "device/host/host_compiler.hpp"
#include "device/host/host_platform.hpp"
#include "redtune/find_best.hpp"
#include "tests/support/operators_of_the_docs.hpp"
#include "tests/support/samples.hpp"
#include "tests/tuner/broken_family.hpp"
#include "tuner/worker/device_bench.hpp"

namespace redtune::tuner {
namespace {

/// The config with the longest chain of each finish.
std::vector<Settings> longest_chains(const kernels::Family& family, const Problem& problem,
                                     const Limits& limits) {
  struct Longest {
    Settings settings;
    std::int64_t chain = 0;
  };
  std::map<std::string, Longest, std::less<>> longest;
  const search::Space space = family.space(problem, limits);
  for (const search::Point& point : space.points()) {
    Settings settings = family.settings_at(point);
    const auto chain = family.planner(settings, problem, limits)->longest_chain(problem);
    Longest& known = longest[std::string(value_of(settings, "finish"))];
    if (chain > known.chain) known = {std::move(settings), chain};
  }
  std::vector<Settings> found;
  for (auto& [finish, known] : longest) found.push_back(std::move(known.settings));
  return found;
}

class LongChains : public testing::Test {
 protected:
  [[nodiscard]] const Limits& limits() const { return device_->limits(); }

  /// What each config's result is said to be on the problem's inputs, or also on those that are
  /// made to find mistakes; without what is right.
  enum class On { inputs, all };
  [[nodiscard]] std::vector<std::string> complaints(const kernels::Family& family,
                                                    const Problem& problem,
                                                    const std::vector<Settings>& configs,
                                                    On on = On::inputs) const {
    const CompilePool pool({&compiler_, "host", "native", family.device_text(problem)}, {}, 1);
    DeviceBench bench({device_.get(), &family, problem, 1}, pool);
    std::vector<CompileUnit> units;
    for (const Settings& settings : configs) {
      units.push_back(family.name_expressions(settings, problem, limits().wave_size));
    }
    const auto compiled = pool.compile(units);
    std::vector<std::string> said;
    for (std::size_t i = 0; i < configs.size(); ++i) {
      const CandidateId id{i};
      bench.load(id, {configs[i], require_compiled(problem, compiled[i])});
      std::string why = bench.why_wrong(id);
      if (why.empty() && on == On::all) why = bench.why_wrong_when_challenged(id);
      if (!why.empty()) said.push_back(to_string(configs[i]) + ": " + why);
    }
    return said;
  }

  device::host::HostCompiler compiler_;
  std::unique_ptr<device::Device> device_ = device::host::make_host_device({.threads = 2});
};

std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

class LongChainsOfOperators : public LongChains, public testing::WithParamInterface<Op> {};

/// Each with f32, where it has it, and in a full run all that round with the other floats.
TEST_P(LongChainsOfOperators, AreRight) {
  const std::int64_t count = std::int64_t{1} << (checks::is_full_run() ? 20 : 17);
  const kernels::Family& family = kernels::find_family("reduce");
  bool is_first = true;
  for (const DType type : {DType::f32, DType::f64, DType::f16, DType::bf16, DType::u32}) {
    std::optional<Problem> problem;
    try {
      problem = make_problem(GetParam(), type, count, {.cache_mode = CacheMode::warm});
    } catch (const UsageError&) {
      continue;  // the operator does not take it
    }
    if (!is_first && !(checks::is_full_run() && rounds(*problem))) continue;
    is_first = false;
    const auto configs = longest_chains(family, *problem, limits());
    EXPECT_EQ(text_of(complaints(family, *problem, configs)), "") << describe(*problem);
  }
  EXPECT_FALSE(is_first) << "takes none of the types";
}

std::vector<Op> operators() {
  std::vector<Op> all;
  for (const OpInfo& info : all_ops()) all.push_back(info.op);
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, LongChainsOfOperators, testing::ValuesIn(operators()),
                         [](const auto& one) { return std::string(to_string(one.param)); });

class LongChainsOfTheDocs : public LongChains, public testing::WithParamInterface<std::string> {
 protected:
  [[nodiscard]] static Problem problem(std::int64_t count, DType type = DType::f32) {
    const std::string text = checks::operators_of_the_docs().at(GetParam());
    return make_problem(CustomOp{GetParam(), text}, type, count, {.cache_mode = CacheMode::warm});
  }
};

/// In a full run at the largest count of the how-to.
TEST_P(LongChainsOfTheDocs, AreRight) {
  const kernels::Family& family = kernels::find_family("reduce");
  const Problem asked = problem(std::int64_t{1} << (checks::is_full_run() ? 24 : 21));
  const auto configs = longest_chains(family, asked, limits());
  EXPECT_GE(configs.size(), 3U);
  EXPECT_EQ(text_of(complaints(family, asked, configs)), "");
}

TEST_P(LongChainsOfTheDocs, AreRightWithOtherFloats) {
  const kernels::Family& family = kernels::find_family("reduce");
  for (const DType type : {DType::f16, DType::f64, DType::bf16}) {
    if (type != DType::f16 && !checks::is_full_run()) break;
    const Problem asked = problem(300'007, type);
    const auto configs = longest_chains(family, asked, limits());
    EXPECT_EQ(text_of(complaints(family, asked, configs)), "") << describe(asked);
  }
}

/// A whole tile of many that is left out is no rounding.
TEST_P(LongChainsOfTheDocs, OfAShortChainAreKnownWell) {
  const Problem asked = problem(std::int64_t{1} << (checks::is_full_run() ? 24 : 20));
  const CompilePool pool(
      {&compiler_, "host", "native", kernels::find_family("reduce").device_text(asked)}, {}, 1);
  const auto program = OperatorProgram(*device_, kernels::find_family("reduce"), asked, pool);
  const auto input = make_input(asked, 1);
  const device::Buffer in = device_->allocate(input.size());
  device_->copy_to_device(in.data(), input.data(), input.size());
  const CustomReference reference = custom_reference(program, in.data(), asked.count);
  const ValueReference& value = reference.values.front();
  const auto right = static_cast<float>((value.low + value.high) / 2);
  constexpr std::int64_t chain = 100;
  EXPECT_EQ(why_wrong(asked, reference, chain, &right), "");
  for (const float factor : {1 - 1.0F / 8192, 1 + 1.0F / 8192}) {
    const float wrong = right * factor;
    EXPECT_NE(why_wrong(asked, reference, chain, &wrong), "") << wrong;
  }
}

/// One thread folds everything, in the longest chain there can be.
constexpr const char* careless_kernels = R"(
namespace redtune {
inline void fold_but(i64 left_out, const float* in, i64 count, float* out) {
  if (block_index() != 0 || thread_index() != 0) return;
  typedef custom_operator Op;
  float value = Op::template identity<float>();
  for (i64 i = 0; i < count; ++i) {
    if (i == left_out) continue;
    value = Op::template combine<float>(value, Op::template enter<float>(in[i]));
  }
  *out = Op::template leave<float>(value, count);
}
#define REDTUNE_CARELESS(name, left_out) \
  inline void name(const float* in, i64 count, float* out, float*, u32*, i64) { \
    fold_but(left_out, in, count, out); \
  }
REDTUNE_CARELESS(without_the_first, 0)
REDTUNE_CARELESS(without_one_inside, count / 2)
REDTUNE_CARELESS(without_the_last, count - 1)
}
)";

TEST_P(LongChainsOfTheDocs, WithoutAnElementAreFoundOut) {
  std::string kernel;
  const BrokenFamily family([&](const Settings&) { return kernel; }, careless_kernels,
                            BrokenFamily::Text::alone);
  const Problem asked = problem(10000);
  const std::vector<Settings> any{family.default_settings(asked, limits())};
  for (const std::string wrong : {"without_the_first", "without_one_inside", "without_the_last"}) {
    kernel = wrong;
    EXPECT_EQ(complaints(family, asked, any, On::all).size(), 1U) << kernel;
  }
  kernel = "";
  EXPECT_EQ(text_of(complaints(family, asked, any, On::all)), "") << "the right one";
}

INSTANTIATE_TEST_SUITE_P(All, LongChainsOfTheDocs,
                         testing::Values("abs_sum.hpp", "fourth_moment.hpp", "largest.hpp",
                                         "log_sum_exp.hpp"),
                         [](const auto& one) { return one.param.substr(0, one.param.find('.')); });

class LongChainsOfMembers : public LongChains {};

/// A mean and a deviation of f32 in the longest chains, which round as one who looks at the result
/// alone would call wrong; and of elements with fewer digits.
TEST_F(LongChainsOfMembers, AreRight) {
  const kernels::Family& family = kernels::find_family("reduce");
  const std::string name = "mean_and_deviation.hpp";
  const CustomOp op{name, checks::operators_of_the_docs().at(name)};
  const std::int64_t count = std::int64_t{1} << (checks::is_full_run() ? 22 : 18);
  for (const DType type : {DType::f32, DType::f16}) {
    const Problem asked = make_problem(op, type, count, {.cache_mode = CacheMode::warm});
    const auto configs = longest_chains(family, asked, limits());
    EXPECT_GE(configs.size(), 3U);
    EXPECT_EQ(text_of(complaints(family, asked, configs)), "") << describe(asked);
  }
}

/// A new one in the how-to is tried as well.
TEST(OperatorsOfTheDocs, AreThoseThatAreTriedHere) {
  EXPECT_EQ(checks::operators_of_the_docs().size(), 6U);
}

}  // namespace
}  // namespace redtune::tuner
