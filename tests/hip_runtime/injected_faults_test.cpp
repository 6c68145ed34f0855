// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every call of HIP that redtune makes fails once: the first, the third or a late one of its name,
// in every process or in one, with one error after the other. Whatever happens, a command ends as
// the reference says, what it publishes is right, and everything is given back.
// A full run tries all errors at all places: about an hour.
#include <algorithm>
#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <set>

#include "fictional_home.hpp"
#include "tests/support/samples.hpp"

namespace redtune::testing::hip {
namespace {

enum class Place { first, third, late };
enum class Where { in_each_process, in_one_process };

struct Injection {
  std::string_view call;
  std::string_view error;
  Place place = Place::first;
  Where where = Where::in_each_process;
};

void PrintTo(const Injection& injection, std::ostream* out) {
  *out << injection.call << " " << injection.error;
}

/// Those that say most: bad arguments, no memory, no device, a device that is lost.
std::vector<std::string_view> errors_of(Library library) {
  switch (library) {
    case Library::hip:
      return {"hipErrorOutOfMemory", "hipErrorInvalidValue", "hipErrorIllegalAddress",
              "hipErrorNoDevice", "hipErrorLaunchFailure"};
    case Library::hiprtc:
      return {"HIPRTC_ERROR_COMPILATION", "HIPRTC_ERROR_OUT_OF_MEMORY",
              "HIPRTC_ERROR_INTERNAL_ERROR"};
    case Library::comgr:
      return {"AMD_COMGR_STATUS_ERROR"};
  }
  return {};
}

Library library_of(std::string_view call) {
  return std::ranges::find(all_calls(), call, &CallRow::name)->library;
}

constexpr std::array places{Place::first, Place::third, Place::late};
constexpr std::array wheres{Where::in_each_process, Where::in_one_process};

/// What a command calls when all goes well.
std::vector<CallRow> calls_of_commands() {
  std::vector<CallRow> rows;
  std::ranges::copy_if(all_calls(), std::back_inserter(rows),
                       [](const CallRow& row) { return row.purpose != Purpose::after_failure; });
  return rows;
}

std::vector<Injection> all_injections() {
  std::vector<Injection> all;
  for (const CallRow& row : calls_of_commands()) {
    for (const std::string_view error : errors_of(row.library)) {
      for (const Place place : places) {
        for (const Where where : wheres) all.push_back({row.name, error, place, where});
      }
    }
  }
  return all;
}

/// One for each call; errors, places and processes take turns. Late places are few: which call is
/// late, another run has to tell first.
std::vector<Injection> some_injections() {
  std::vector<Injection> some;
  for (const CallRow& row : calls_of_commands()) {
    const std::size_t turn = some.size();
    const auto errors = errors_of(row.library);
    const Place place = turn % 6 == 2 ? Place::late : places[turn % 2];
    some.push_back(
        {row.name, errors[turn % errors.size()], place, wheres[turn / 2 % wheres.size()]});
  }
  return some;
}

/// The exit codes of the reference that a device can bring about.
const std::set<int> documented{0, 2, 3, 5, 6};

/// A command on a machine with these devices.
struct Use {
  std::string devices = "gfx90a";
  Words words = FictionalHome::small_tune();
  std::set<int> codes = documented;
};

/// What makes a call: a tune makes nearly all. It needs neither to change between devices nor to
/// say which architectures there are, and has no constants. What a device does to somebody's kernel
/// may be the kernel's doing: code 1.
Use use_of(std::string_view call) {
  if (call == "hipSetDevice") return {.devices = "gfx90a,gfx1100", .words = {"devices"}};
  if (call == "amd_comgr_get_isa_count" || call == "amd_comgr_get_isa_name") {
    return {.words = {"kernels", "compile", "--target", "hip:gfx1"}};
  }
  if (call == "hipModuleGetGlobal") {
    return {
        .words = {"kernels", "check", REDTUNE_SOURCE_DIR "/examples/own_kernels/stencil.hip.cpp",
                  "--device", "hip:0"},
        .codes = {0, 1, 6}};
  }
  return {};
}

/// The calls of a command that nothing disturbs.
const std::vector<TracedProcess>& undisturbed(const Use& use) {
  static std::map<Words, std::vector<TracedProcess>> known;
  auto& processes = known[use.words];
  if (processes.empty()) {
    const FictionalHome home(use.devices);
    (void)home.in_peace(use.words);
    processes = read_traces(home.trace());
  }
  return processes;
}

/// Of so many calls one that is sure to be made again: how many there are follows the clock.
long late_one(long calls) {
  return std::max(1L, calls / 2);
}

/// The call that is to fail.
long number_of(const Injection& injection) {
  if (injection.place == Place::first) return 1;
  if (injection.place == Place::third) return 3;
  return late_one(most_calls(undisturbed(use_of(injection.call)), injection.call));
}

/// What a person sees when it did not go well: one line that says why.
void expect_one_line(const Said& said) {
  EXPECT_EQ(cli::count_of("\n" + said.err, "\nredtune: error: "), said.code == 0 ? 0U : 1U)
      << said.err;
}

/// The next user finds a working program, and nothing wrong in the store.
void expect_right_afterwards(const FictionalHome& home) {
  const Said reduced = home.reduce_ones();
  ASSERT_EQ(reduced.code, 0) << reduced.err;
  EXPECT_EQ(reduced.document()["value"], std::to_string(few)) << reduced.out;
}

class InjectedError : public ::testing::TestWithParam<Injection> {};

/// Injects the error into one call and tells how many there were to choose from; nothing when that
/// call was made and had the error.
std::optional<long> calls_without(const Injection& injection, long number) {
  const std::string fault = fmt::format("fail:{}:{}:{}{}", injection.call, number, injection.error,
                                        injection.where == Where::in_one_process ? ":once" : "");
  SCOPED_TRACE(fault);
  const Use use = use_of(injection.call);
  const FictionalHome home(use.devices);
  const Said said = home.run_small(use.words, fault);
  EXPECT_THAT(use.codes, ::testing::Contains(said.code)) << said.err;
  expect_one_line(said);
  const auto processes = read_traces(home.trace());
  EXPECT_EQ(why_disorderly(processes), "");
  expect_right_afterwards(home);
  if (has_call(processes, injection.call, number, injection.error)) return std::nullopt;
  return most_calls(processes, injection.call);
}

TEST_P(InjectedError, EndsInADocumentedWayAndLeavesNothingBehind) {
  long number = number_of(GetParam());
  for (int attempt = 0; attempt < 5; ++attempt) {
    const std::optional<long> calls = calls_without(GetParam(), number);
    if (!calls) return;
    number = late_one(*calls);
  }
  FAIL() << "no call had the error";
}

std::string name_of(const ::testing::TestParamInfo<Injection>& test) {
  const Injection& injection = test.param;
  constexpr std::array place_names{"First", "Third", "Late"};
  return fmt::format("{}_{}_{}_{}", injection.call, injection.error,
                     place_names[static_cast<std::size_t>(injection.place)],
                     injection.where == Where::in_one_process ? "Once" : "Each");
}

checks::Axes axes_of(const Injection& one) {
  return {std::string(one.call), std::string(one.error),
          std::to_string(static_cast<int>(one.place)), std::to_string(static_cast<int>(one.where))};
}

INSTANTIATE_TEST_SUITE_P(Some, InjectedError, ::testing::ValuesIn(some_injections()), name_of);
INSTANTIATE_TEST_SUITE_P(Full, InjectedError,
                         ::testing::ValuesIn(checks::all_but(some_injections(), all_injections(),
                                                             axes_of)),
                         name_of);

TEST(InjectedErrors, OfEveryRunAreOfEveryKind) {
  const auto values = [](const std::vector<Injection>& injections) {
    std::set<std::pair<std::size_t, std::string>> found;
    for (const Injection& one : injections) {
      const checks::Axes axes = axes_of(one);
      for (std::size_t i = 0; i < axes.size(); ++i) found.insert({i, axes[i]});
    }
    return found;
  };
  EXPECT_EQ(values(some_injections()), values(all_injections()));
}

/// A reduction makes few calls, the same ones each time.
std::vector<TracedCall> calls_of_a_reduction() {
  const FictionalHome home("gfx90a");
  EXPECT_EQ(home.reduce_ones().code, 0);
  const auto processes = read_traces(home.trace());
  EXPECT_EQ(processes.size(), 1U);
  return processes.empty() ? std::vector<TracedCall>() : processes.front().calls;
}

TEST(InjectedErrors, AtAnyCallOfAReductionGiveNoWrongResultAndNoLeak) {
  for (const TracedCall& call : calls_of_a_reduction()) {
    const auto errors = errors_of(library_of(call.name));
    const std::string_view error = errors[static_cast<std::size_t>(call.number) % errors.size()];
    const FictionalHome home("gfx90a");
    const std::string fault = fmt::format("fail:{}:{}:{}", call.name, call.number, error);
    SCOPED_TRACE(fault);
    const Said said = home.reduce_ones(fault);
    EXPECT_THAT(documented, ::testing::Contains(said.code)) << said.err;
    expect_one_line(said);
    if (said.code == 0) {
      EXPECT_EQ(said.document()["value"], std::to_string(few)) << said.out;
    }
    const auto processes = read_traces(home.trace());
    EXPECT_TRUE(has_call(processes, call.name, call.number, error));
    EXPECT_EQ(why_disorderly(processes), "");
  }
}

TEST(InjectedErrors, AreToldByName) {
  const FictionalHome home("gfx90a");
  const Said said = home.tune("fail:hipMalloc:1:hipErrorOutOfMemory");
  EXPECT_NE(said.code, 0);
  EXPECT_TRUE(said.says("hipErrorOutOfMemory")) << said.err;
}

/// Half a minute of waiting; in samples Fault18 has a kernel that never ends.
TEST(FullInjectedHang, CostsTheTrialAndNoMore) {
  const FictionalHome home("gfx90a");
  // What is loaded last in the search is no default.
  const long last = most_calls(undisturbed({}), "hipModuleLoadData");
  const Said said = home.tune_in_peace(fmt::format("hang:hipModuleLoadData:{}:once", last));
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(has_call(read_traces(home.trace()), "hipModuleLoadData", last, "hangs"));
  expect_right_afterwards(home);
}

TEST(InjectedDelay, ChangesNothing) {
  const FictionalHome home("gfx90a");
  EXPECT_EQ(home.tune_in_peace("delay:hipModuleLaunchKernel:1:200ms").code, 0);
  EXPECT_TRUE(has_call(read_traces(home.trace()), "hipModuleLaunchKernel", 1, "late"));
  expect_right_afterwards(home);
}

class InjectedTimes : public ::testing::TestWithParam<const char*> {};

TEST_P(InjectedTimes, AreNotBelieved) {
  const FictionalHome home("gfx90a");
  const Said said = home.tune(fmt::format("times:{}", GetParam()));
  EXPECT_EQ(said.code, 5) << said.out << said.err;
  expect_one_line(said);
  EXPECT_EQ(why_disorderly(read_traces(home.trace())), "");
  const Said asked = home.run_small({"query", "--device", "hip:0", "--min-match", "exact"});
  EXPECT_EQ(asked.code, 4) << asked.out;  // nothing was published
}

INSTANTIATE_TEST_SUITE_P(All, InjectedTimes, ::testing::Values("zero", "negative", "doubled"),
                         [](const auto& test) { return std::string(test.param); });

TEST(InjectedPoverty, OfMemoryIsSaid) {
  const FictionalHome home("gfx90a");
  const Said said = home.run({"tune", "--device", "hip:0", "--count", "1000000", "--budget", "3"},
                             "memory:100000");
  EXPECT_THAT(documented, ::testing::Contains(said.code));
  EXPECT_NE(said.code, 0);
  expect_one_line(said);
  EXPECT_EQ(why_disorderly(read_traces(home.trace())), "");
}

}  // namespace
}  // namespace redtune::testing::hip
