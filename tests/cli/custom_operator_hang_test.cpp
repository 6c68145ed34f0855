// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Operators that never return: one line and exit code 2 after a time limit, an end by Ctrl-C at any
// time, and no process that stays.
#include <gtest/gtest.h>

#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;

/// A loop that no compiler may take for finite.
const std::string loop = "for (volatile int i = 1; i != 0;) {} ";
const Words short_limit{"REDTUNE_OPERATOR_SECONDS=1"};

/// Whether a process lives that was started with something in its environment.
bool is_in_a_process(const std::string& text) {
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "environ", std::ios::binary);
    const std::string environment{std::istreambuf_iterator<char>(file), {}};
    if (environment.find(text) != std::string::npos) return true;
  }
  return false;
}

class CustomOperatorHang : public ::testing::TestWithParam<std::string> {
 protected:
  /// A sum with something in front of what combine and transform do.
  [[nodiscard]] std::string sum(const std::string& combine, const std::string& transform = "") {
    cache::testing::write_text(
        home_ / "sum.hpp",
        "struct custom {\n  static accumulator identity() { return 0; }\n"
        "  static accumulator combine(accumulator a, accumulator b) {\n    " +
            combine +
            "return a + b;\n  }\n"
            "  static accumulator transform(element x) { " +
            transform + "return x; }\n};\n");
    return (home_ / "sum.hpp").string();
  }
  /// The command that is tried, on an input of these numbers or on so many generated ones.
  [[nodiscard]] Words words(const std::string& source, const std::string& count) const {
    Words words{GetParam(), "--device", "host", "--op-source", source, "--count", count};
    if (GetParam() == "tune") words.insert(words.end(), {"--budget", "3", "--force-noisy"});
    return words;
  }
  /// Ended by its limit, not by that of this test.
  void expect_hang(const Words& words, const std::string& doing) const {
    const Said said = home_.run_in_shell("exec timeout -s KILL 240 \"$@\"", words, short_limit);
    EXPECT_EQ(said.code, 2) << said.err;
    EXPECT_EQ(said.out, "");
    EXPECT_TRUE(said.says("sum.hpp: the operator did not return within 1 s, " + doing)) << said.err;
    EXPECT_TRUE(said.says("must return for every value")) << said.err;
    EXPECT_EQ(count_of(said.err, "\n"), 1U) << said.err;
    EXPECT_TRUE(home_.logs().empty()) << "a run was begun";
    expect_nothing_left();
  }
  void expect_nothing_left() const {
    // What was killed may take a moment to be gone.
    bool is_left = true;
    for (int turn = 0; turn < 100 && is_left; ++turn) {
      is_left = is_in_a_process((home_ / "data").string());
      if (is_left) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    EXPECT_FALSE(is_left) << "a process is left";
  }

  Home home_;
};

TEST_P(CustomOperatorHang, InEveryCaseIsOneLineAndExitCode2) {
  expect_hang(words(sum(loop), "1000"), "while it was tried on samples");
}

TEST_P(CustomOperatorHang, InTheTransformationIsOneLineToo) {
  expect_hang(words(sum("", loop), "1000"), "while it was tried on samples");
}

/// 30000 positive numbers come to what no three samples come to.
TEST_P(CustomOperatorHang, OfSomeValuesIsFoundByTheInput) {
  const std::string source =
      sum("if (a > 5 && b > 5 && a + b > 8000 && a + b < 1e6f) " + loop, "if (x < 0) return -x; ");
  const std::string doing =
      GetParam() == "reduce" ? "while 30000 elements" : "while the reference of 30000 elements";
  expect_hang(words(source, "30000"), doing);
}

/// Two equal sums of more than 4 ones: neither samples nor the reference come to that. A trial has
/// a limit of its own, which is told as well: 30 s.
class CustomOperatorHangInAKernel : public CustomOperatorHang {};

TEST_P(CustomOperatorHangInAKernel, IsTheOperatorsFaultToo) {
  const std::string source =
      sum("if (a == b && a > 4 && a < 200) " + loop, "if (x == x) return 1; ");
  const Said said =
      home_.run_in_shell("exec timeout -s KILL 240 \"$@\"", words(source, "50000"), short_limit);
  EXPECT_EQ(said.code, 2) << said.err;
  EXPECT_EQ(said.out, "");
  EXPECT_TRUE(said.says("sum.hpp: the operator did not return ")) << said.err;
  EXPECT_EQ(count_of(said.err, "error: "), 1U) << said.err;
  expect_nothing_left();
}

TEST_P(CustomOperatorHang, EndsAtOnceByCtrlC) {
  const std::string source = sum(loop);
  Running running(home_, words(source, "1000"), {"REDTUNE_OPERATOR_SECONDS=100000"});
  // Something is compiled before samples are tried, so that both are interrupted now and then.
  std::this_thread::sleep_for(std::chrono::seconds(2));
  const Said said = running.end_with(SIGINT);
  EXPECT_TRUE(said.code == 130 || said.code == -SIGINT) << said.code << said.err;
  EXPECT_LE(count_of(said.err, "\n"), 1U) << said.err;
  expect_nothing_left();
}

TEST_P(CustomOperatorHang, RefusesALimitThatIsNone) {
  const std::string source = sum("");
  for (const std::string limit : {"0", "-1", "soon", "1.5", "99999999999999999999"}) {
    const Said said = home_.run(words(source, "1000"), {"REDTUNE_OPERATOR_SECONDS=" + limit});
    EXPECT_EQ(said.code, 2) << said.err;
    EXPECT_TRUE(said.says("REDTUNE_OPERATOR_SECONDS is '" + limit + "'")) << said.err;
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, CustomOperatorHang, testing::Values("reduce", "tune"),
                         [](const auto& one) { return one.param; });
INSTANTIATE_TEST_SUITE_P(Some, CustomOperatorHangInAKernel, testing::Values("reduce"),
                         [](const auto& one) { return one.param; });
INSTANTIATE_TEST_SUITE_P(Full, CustomOperatorHangInAKernel, testing::Values("tune"),
                         [](const auto& one) { return one.param; });

/// For a count that only finalists meet.
TEST(CustomOperatorHangInAChallenge, IsTheOperatorsFaultAndNotThatOfAConfig) {
  const Home home;
  cache::testing::write_text(
      home / "sum.hpp",
      "struct custom {\n  static accumulator identity() { return 0; }\n"
      "  static accumulator combine(accumulator a, accumulator b) { return a + b; }\n"
      "  static result finish(accumulator a, i64 count) { if (count == 0) " +
          loop + "return a; }\n};\n");
  const Said said = home.run_in_shell(
      "exec timeout -s KILL 240 \"$@\"",
      quick_tune({"--op-source", (home / "sum.hpp").string(), "--budget", "2"}), short_limit);
  EXPECT_EQ(said.code, 2) << said.err;
  EXPECT_TRUE(said.says("sum.hpp: the operator did not return within 1 s, while the reference"))
      << said.err;
  EXPECT_EQ(count_of(said.err, "error: "), 1U) << said.err;
}

}  // namespace
}  // namespace redtune::cli
