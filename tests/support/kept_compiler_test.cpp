// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The compiler that keeps what it compiles is the compiler: nothing that was kept is taken for
// something else.
#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tests/cache/samples.hpp"

namespace redtune::checks {
namespace {

class KeptCompiler : public ::testing::Test {
 protected:
  /// How a compilation of this text ends; the program that it makes is replaced.
  [[nodiscard]] int compile(const std::string& text, const std::string& flags = "") const {
    cache::testing::write_text(folder_ / "main.cpp", text);
    return run(fmt::format("'" REDTUNE_KEPT_PROGRAM "' {} -o '{}' '{}' 2>'{}'", flags,
                           (folder_ / "main").string(), (folder_ / "main.cpp").string(),
                           (folder_ / "said").string()));
  }
  /// What the program returns.
  [[nodiscard]] int result() const { return run("'" + (folder_ / "main").string() + "'"); }

  cache::testing::ScratchFolder folder_;

 private:
  [[nodiscard]] static int run(const std::string& command) {
    return WEXITSTATUS(std::system(command.c_str()));
  }
};

TEST_F(KeptCompiler, TellsTextsAndFlagsApart) {
  for (int time = 0; time < 2; ++time) {
    for (const int value : {3, 4}) {
      ASSERT_EQ(compile(fmt::format("int main() {{ return {}; }}", value)), 0);
      EXPECT_EQ(result(), value);
      ASSERT_EQ(compile("int main() { return VALUE; }", fmt::format("-DVALUE={}", value)), 0);
      EXPECT_EQ(result(), value);
    }
  }
}

TEST_F(KeptCompiler, LooksAgainAtWhatATextIncludes) {
  for (const int value : {5, 6}) {
    cache::testing::write_text(folder_ / "value.hpp", fmt::format("#define VALUE {}\n", value));
    ASSERT_EQ(compile("#include \"value.hpp\"\nint main() { return VALUE; }\n"), 0);
    EXPECT_EQ(result(), value);
  }
}

TEST_F(KeptCompiler, FailsAsOftenAsItIsAskedAndSaysWhy) {
  for (int time = 0; time < 2; ++time) {
    EXPECT_NE(compile("int main() { return not_there; }"), 0);
    EXPECT_NE(cache::testing::read_text(folder_ / "said").find("not_there"), std::string::npos);
  }
}

}  // namespace
}  // namespace redtune::checks
