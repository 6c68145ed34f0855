// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Places that cannot be written, disks that are full, streams that are closed, terminals that are
// none.
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>

#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

constexpr const char* escape = "\x1b";

TEST(Environment, ACachePlaceThatCannotBeWrittenCostsTheRecordNotTheResult) {
  const Home home;
  const Said said = home.run(quick_tune({"--cache", "/proc/nope/x.db"}));
  EXPECT_EQ(said.code, 74) << said.err;
  EXPECT_NE(said.out.find("tried 6 of"), std::string::npos) << said.err;
  EXPECT_EQ(count_of(said.err, "error: "), 1u) << said.err;
  EXPECT_NE(said.err.find("/proc/nope"), std::string::npos);
  EXPECT_TRUE(said.says("info: a run that is not kept: sum f32 1000 ")) << said.err;
  EXPECT_FALSE(said.says("run 0") || said.says("run 1")) << said.err;
}

TEST(Environment, ALogThatCannotBeWrittenIsAWarning) {
  const Home home;
  const Said said = home.run(quick_tune({"--budget", "1"}), {"XDG_STATE_HOME=/proc/nope"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(count_of(said.err, "warning: cannot"), 1u) << said.err;
  EXPECT_EQ(home.run({"query", "--device", "host", "--count", "1000", "--min-match", "exact"}).code,
            0);
}

TEST(Environment, AProbeWithoutACompilerSaysSo) {
  const Said said = Home().run({"probe", "--device", "host"}, {"REDTUNE_HOST_CXX=/nowhere/c++"});
  EXPECT_EQ(said.code, 6) << said.err;
  EXPECT_EQ(said.out, "");
  EXPECT_NE(said.err.find("/nowhere/c++"), std::string::npos) << said.err;
}

/// Runs with a compiler that is not bound by the limit on files, which is the program's alone.
Said run_on_full_disk(const Home& home, const Words& words, int kibibytes) {
  const auto compiler = home / "c++.sh";
  cache::testing::write_text(compiler, "#!/bin/sh\nulimit -S -f unlimited\nexec c++ \"$@\"\n");
  std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
  return home.run_in_shell(fmt::format("export REDTUNE_HOST_CXX={}; ulimit -S -f {}; exec \"$@\"",
                                       compiler.string(), kibibytes * 2),
                           words);
}

TEST(Fault26, AFullDiskCostsTuneTheRecordNotTheResult) {
  const Home home;
  const Words words = quick_tune({"--budget", "24", "--jobs", "8"});
  const Said said = run_on_full_disk(home, words, 192);
  EXPECT_EQ(said.code, 74) << said.err;
  EXPECT_NE(said.out.find("tried 24 of"), std::string::npos) << said.out << said.err;
  EXPECT_EQ(count_of(said.err, "error: "), 1u) << said.err;
  EXPECT_NE(said.err.find("not stored"), std::string::npos) << said.err;
  EXPECT_EQ(home.run({"log"}).code, 0) << "the store is damaged";
}

TEST(Fault39, AClosedOutputIsAnErrorAndHarmsNoFile) {
  const Home home;
  const Said said = home.run_in_shell("exec \"$@\" >&-", quick_tune());
  EXPECT_GT(said.code, 0) << said.err;
  EXPECT_LT(said.code, 128) << said.err;
  EXPECT_NE(said.err.find("error: "), std::string::npos) << said.err;
  for (const json& line : lines_of(home.logs().at(0))) EXPECT_FALSE(line.is_discarded());
  EXPECT_EQ(home.run({"query", "--device", "host", "--count", "1000", "--min-match", "exact"}).code,
            0)
      << "what was found is lost";
  // Also what is more than the program gathers before it writes.
  const std::vector<Words> outputs{{"devices"},
                                   {"kernels", "show", "--text"},
                                   {"kernels", "list", "--json"},
                                   {"completions", "bash"},
                                   {"log", "1", "--json"}};
  for (const Words& words : outputs) {
    EXPECT_EQ(home.run_in_shell("exec \"$@\" > /dev/full", words).code, 74) << words[0];
  }
}

TEST(Fault39, ARunThatIsStoredIsDoneWhoeverReadsOfIt) {
  for (const char* script : {"exec \"$@\" > /dev/full", "\"$@\" | true"}) {
    const Home home;
    const Said said = home.run_in_shell(script, quick_tune({"--budget", "40", "--json"}));
    if (std::string(script).starts_with("exec")) {
      EXPECT_EQ(said.code, 74) << said.err;
    }
    const json run = home.run({"log", "--json"}).document().at("runs").at(0);
    EXPECT_EQ(run.at("state"), "done") << script << said.err;
    EXPECT_TRUE(home.run(quick_tune()).says("was tuned on")) << script;
  }
}

TEST(Fault39, ClosedStreamsAndBrokenPipesDoNotKill) {
  const Home home;
  for (const char* script : {"exec \"$@\" >&- 2>&- <&-", "exec \"$@\" 2>&-", "exec \"$@\" <&-"}) {
    const Said said = home.run_in_shell(script, {"devices"});
    EXPECT_GE(said.code, 0) << script;
    EXPECT_LT(said.code, 128) << script;
  }
  // The code of what writes, not of what reads.
  const std::string script = "{ \"$@\"; echo $? > " + (home / "code").string() + "; } | true";
  for (const Words& words :
       {Words{"kernels", "show", "--text"}, Words{"kernels", "list", "--json"}}) {
    EXPECT_EQ(home.run_in_shell(script, words).err, "");
    EXPECT_EQ(cache::testing::read_text(home / "code"), "0\n") << words[1];
  }
}

/// What a program prints on a terminal of its own.
std::string on_terminal(const Home& home, const Words& words, const Words& environment) {
  const int ours = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  EXPECT_TRUE(ours >= 0 && grantpt(ours) == 0 && unlockpt(ours) == 0);
  const std::string name = ptsname(ours);
  const int kept = open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  std::string seen;
  std::thread reader([&] {
    char part[4096];
    for (ssize_t got = 0; (got = read(ours, part, sizeof(part))) > 0;) {
      seen.append(part, static_cast<std::size_t>(got));
    }
  });
  Words shell{"/bin/sh", "-c", fmt::format("exec \"$@\" > {0} 2>&1", name), "sh"};
  const Words redtune = home.command(words, environment);
  shell.insert(shell.end(), redtune.begin(), redtune.end());
  (void)device::host::run_program(shell);
  close(kept);
  reader.join();
  close(ours);
  return seen;
}

TEST(Fault39, ColoursAreForTerminalsThatShowThemAndPeopleWhoWantThem) {
  const Home home;
  const Words wrong{"frobnicate"};
  EXPECT_NE(on_terminal(home, wrong, {"TERM=xterm"}).find(escape), std::string::npos)
      << "no colour where one is wanted";
  for (const Words& environment :
       {Words{"TERM=xterm", "NO_COLOR=1"}, Words{"TERM=dumb"}, Words{"-uTERM"}}) {
    const std::string seen = on_terminal(home, wrong, environment);
    EXPECT_NE(seen.find("frobnicate"), std::string::npos) << environment[0];
    EXPECT_EQ(seen.find(escape), std::string::npos) << environment[0];
  }
}

TEST(Fault39, APipeGetsNoProgressAndADumbTerminalPlainLines) {
  const Home home;
  const Said piped = home.run(quick_tune({"--budget", "1"}), {"TERM=xterm"});
  EXPECT_EQ((piped.out + piped.err).find(escape), std::string::npos);
  EXPECT_EQ((piped.out + piped.err).find('\r'), std::string::npos);
  EXPECT_FALSE(piped.says(" trials, ") || piped.says("opening the device")) << piped.err;
  const Words fresh = quick_tune({"--budget", "1", "--fresh"});
  EXPECT_EQ(on_terminal(home, fresh, {"TERM=dumb"}).find(escape), std::string::npos);
  EXPECT_NE(on_terminal(home, fresh, {"TERM=xterm"}).find(escape), std::string::npos)
      << "no bar where one can be drawn";
}

TEST(Environment, ACompilerThatIsNotThereIsSaid) {
  const Home home;
  const Said said = home.run(quick_tune(), {"REDTUNE_HOST_CXX=/nowhere/c++"});
  EXPECT_NE(said.code, 0);
  EXPECT_EQ(said.out, "");
  EXPECT_NE(said.err.find("error: "), std::string::npos) << said.err;
}

}  // namespace
}  // namespace redtune::cli
