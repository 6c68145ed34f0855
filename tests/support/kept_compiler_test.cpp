// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The compiler that keeps what it compiles is the compiler: nothing that was kept is taken for
// something else.
#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <utility>

#include "tests/cache/samples.hpp"

namespace redtune::checks {
namespace {

using namespace std::string_literals;

class KeptCompiler : public ::testing::Test {
 protected:
  /// How a compilation of this text ends; the program that it makes is replaced.
  [[nodiscard]] int compile(const std::string& text, const std::string& flags = "",
                            const std::string& program = "'" REDTUNE_KEPT_PROGRAM "'") const {
    cache::testing::write_text(folder_ / "main.cpp", text);
    return run(fmt::format("{} {} -o '{}' '{}' 2>'{}'", program, flags, (folder_ / "main").string(),
                           (folder_ / "main.cpp").string(), (folder_ / "said").string()));
  }
  /// What the program returns.
  [[nodiscard]] int result() const { return run("'" + (folder_ / "main").string() + "'"); }

  [[nodiscard]] static int run(const std::string& command) {
    return WEXITSTATUS(std::system(command.c_str()));
  }

  cache::testing::ScratchFolder folder_;
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

TEST_F(KeptCompiler, OptimisesAndInlinesLessWhereItIsToBeQuickButInAFullRun) {
  // The level, and whether what is always to be inlined is so.
  const auto kind_of = [&](const std::string& program) {
    EXPECT_EQ(compile("int main() {\n#ifdef always_inline\n  return 1;\n#endif\n}",
                      "-O3 -frecord-gcc-switches", program),
              0);
    const std::string bytes = cache::testing::read_text(folder_ / "main");
    const char* const level = bytes.find("-Og") != std::string::npos   ? "-Og"
                              : bytes.find("-O3") != std::string::npos ? "-O3"
                                                                       : "";
    return std::pair(std::string(level), result() == 0);
  };
  EXPECT_EQ(kind_of("REDTUNE_TEST_FULL= '" REDTUNE_QUICK_PROGRAM "'"), std::pair("-Og"s, false));
  EXPECT_EQ(kind_of("REDTUNE_TEST_FULL=1 '" REDTUNE_QUICK_PROGRAM "'"), std::pair("-O3"s, true));
  EXPECT_EQ(kind_of("REDTUNE_TEST_FULL= '" REDTUNE_KEPT_PROGRAM "'"), std::pair("-O3"s, true));
}

TEST_F(KeptCompiler, SaysItsVersionAndWhetherItIsQuick) {
  const auto said_by = [&](const std::string& program) {
    EXPECT_EQ(run(fmt::format("{} --version >'{}'", program, (folder_ / "said").string())), 0);
    return cache::testing::read_text(folder_ / "said");
  };
  const std::string itself = said_by("'" REDTUNE_KEPT_COMPILER "'");
  std::string quick = itself;
  quick.insert(itself.find('\n'), " -Og");
  for (int time = 0; time < 2; ++time) {
    EXPECT_EQ(said_by("'" REDTUNE_KEPT_PROGRAM "'"), itself);
    EXPECT_EQ(said_by("REDTUNE_TEST_FULL=1 '" REDTUNE_QUICK_PROGRAM "'"), itself);
    EXPECT_EQ(said_by("REDTUNE_TEST_FULL= '" REDTUNE_QUICK_PROGRAM "'"), quick);
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
