// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Users' kernels from the first tune to the answer: what is kept, what goes on after a kill, what
// makes results foreign, and that kernels which are wrong for some configs cost trials only.
#include <gtest/gtest.h>

#include "cli/exit_code.hpp"
#include "search/replay/gzip.hpp"
#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

class OwnKernelTune : public ::testing::Test {
 protected:
  /// Twice of each of 1000 floats, in this way, with these lines of annotations among the others.
  void write(const std::string& tunables, const std::string& body = "out[i] = 2 * in[i];",
             const std::string& traffic = "// redtune: traffic 8 * n\n") const {
    std::ofstream(file()) << "// redtune: kernel twice\n"
                             "// redtune: size n = 1000\n"
                             "// redtune: launch block = BLOCK grid = ceil(n / BLOCK)\n"
                             "// redtune: arg float out[n] out\n"
                             "// redtune: arg const float in[n] uniform(1, 2)\n"
                             "// redtune: arg int n\n"
                             "// redtune: check out exact\n" +
                                 tunables + traffic +
                                 "__global__ void twice(float* out, float* in, int n) {\n"
                                 "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                 "  if (i >= n) return;\n  " +
                                 body + "\n}\n";
  }
  [[nodiscard]] std::string file() const { return (home_ / "twice.hip.cpp").string(); }

  [[nodiscard]] Words tune_words(const Words& more = {}) const {
    return with({"tune", file(), "--device", "host", "--force-noisy", "--budget", "6"}, more);
  }
  [[nodiscard]] Said tune(const Words& more = {}) const { return home_.run(tune_words(more)); }
  [[nodiscard]] Said query() const {
    return home_.run({"query", file(), "--size", "n=1000", "--device", "host", "--min-match",
                      "exact", "--json"});
  }
  [[nodiscard]] std::string match() const { return query().document().at("match"); }
  [[nodiscard]] json runs() const { return home_.run({"log", "--json"}).document().at("runs"); }

  Home home_;
};

const std::string six_configs =
    "// redtune: tune BLOCK = 32, 64, 128 default 64\n// redtune: tune STEP = 1, 2\n";

TEST_F(OwnKernelTune, IsKeptAndLoggedUntilTheCodeIsAnother) {
  write(six_configs);
  const Said tuned = tune({"--json"});
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  EXPECT_EQ(tuned.document().at("trials"), 6);
  EXPECT_EQ(tuned.document().at("space_size"), 6);

  const Said answer = query();
  ASSERT_EQ(answer.code, 0) << answer.err << answer.out;
  EXPECT_EQ(answer.document().at("settings"), tuned.document().at("winner"));
  EXPECT_TRUE(home_.run({"log"}).says("twice n=1000 cold"));
  EXPECT_EQ(runs()[0].at("state"), "done");
  EXPECT_TRUE(tune().says("was tuned on ")) << "it was tuned again";

  // Comments, blanks, sizes that are tuned, and requirements say nothing of what a config does.
  write("// redtune: require BLOCK * STEP < 1000 + n\n/* New. */\n\n" + six_configs,
        "out[i] =   2 *\n in[i]; // twice");
  EXPECT_EQ(match(), "exact");
  write(six_configs, "out[i] = in[i] + in[i];");
  EXPECT_EQ(match(), "default");
  EXPECT_EQ(query().code, static_cast<int>(ExitCode::missed));
  write(six_configs);
  EXPECT_EQ(match(), "exact");
}

/// From its trials of other sizes, where what is near is too far away.
TEST_F(OwnKernelTune, IsPredictedForSizesThatNobodyTuned) {
  write(
      "// redtune: tune BLOCK = 32, 64, 128, 256 default 64\n// redtune: tune STEP = 1, 2, 3\n"
      "// redtune: require n < 2**25\n");
  const Said tuned = tune({"--size", "n=1000,2000", "--budget", "12"});
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  const auto answer = [&](const std::string& size) {
    return home_.run({"query", file(), "--size", size, "--device", "host", "--json"}).document();
  };
  EXPECT_EQ(answer("n=1000").at("match"), "exact");
  EXPECT_EQ(answer("n=3000").at("match"), "near");
  const json predicted = answer("n=16384");
  EXPECT_EQ(predicted.at("match"), "predicted");
  EXPECT_TRUE(predicted.at("settings").contains("BLOCK")) << predicted;
  EXPECT_EQ(answer("n=2^25").at("match"), "default") << "it may not run there";
}

/// A finished run goes on with what it has tried, and with the values that its file has got since.
TEST_F(OwnKernelTune, GoesOnWithValuesThatAreAddedToAFinishedRun) {
  write(six_configs);
  ASSERT_EQ(tune().code, 0);
  write("// redtune: tune BLOCK = 32, 64, 128, 256 default 64\n// redtune: tune STEP = 1, 2, 3\n");
  EXPECT_EQ(match(), "exact") << "what was found answers meanwhile";
  EXPECT_TRUE(home_.run(tune_words({"--list"})).says("run 1"));
  const Said later = tune();
  ASSERT_EQ(later.code, 0) << later.err;
  EXPECT_TRUE(later.says("values were added since it was tuned: BLOCK=256 STEP=3\n")) << later.err;
  EXPECT_TRUE(later.says("continuing run 1: 6 trials are known\n")) << later.err;
  std::map<std::string, std::size_t> tried;
  for (const json& line : lines_of(home_.logs().back())) {
    if (line.at("kind") != "trial") continue;
    const json& settings = line.at("settings");
    const bool is_new = settings.at("BLOCK") == "256" || settings.at("STEP") == "3";
    const bool is_replayed = line.value("replayed", false);
    EXPECT_FALSE(is_new && is_replayed) << line;
    // One that was given up may be timed again, against who is faster now.
    if (is_new || is_replayed) ++tried[is_new ? "new" : "known"];
  }
  EXPECT_GE(tried["new"], 2U);
  EXPECT_GE(tried["known"], 1U);
  ASSERT_EQ(runs().size(), 1U);
  EXPECT_EQ(runs()[0].at("state"), "done");
  EXPECT_TRUE(tune().says("was tuned on ")) << "it was tuned again";
}

const std::string many_steps = "// redtune: tune STEP = 1..500\n";

class KilledOwnKernelTune : public OwnKernelTune {
 protected:
  /// Begins a run of a thousand configs, and kills it when it has tried some.
  void begin_and_kill() const {
    write("// redtune: tune BLOCK = 32, 64 default 64\n" + many_steps);
    Running running(home_, tune_words({"--budget", "1000", "--jobs", "1"}));
    ASSERT_TRUE(await_trials(home_, 5));
    EXPECT_EQ(running.end_with(SIGKILL).code, -SIGKILL);
    EXPECT_EQ(runs()[0].at("state"), "interrupted");
  }
  /// What was tried before is known. Tells how many trials of the second session were of these.
  [[nodiscard]] std::size_t go_on() const {
    const Said later = tune({"--budget", "10"});
    EXPECT_EQ(later.code, 0) << later.err;
    const std::string note = "continuing run 1: ";
    const std::size_t at = later.err.find(note);
    EXPECT_NE(at, std::string::npos) << later.err;
    if (at == std::string::npos) return 0;
    // The log is written before the store: the last trials may be lost.
    EXPECT_GE(std::stoul(later.err.substr(at + note.size())), 2U) << later.err;
    EXPECT_EQ(runs().size(), 1U);
    EXPECT_EQ(runs()[0].at("state"), "done");
    std::size_t replayed = 0;
    for (const json& line : lines_of(home_.logs().back())) {
      replayed += line.value("replayed", false) ? 1 : 0;
    }
    return replayed;
  }
};

TEST_F(KilledOwnKernelTune, GoesOnWithTheSameCommand) {
  begin_and_kill();
  EXPECT_GE(go_on(), 2U);
}

/// Another space is searched in another order, but the default comes first in both.
TEST_F(KilledOwnKernelTune, GoesOnWithMoreValuesThanBefore) {
  begin_and_kill();
  write("// redtune: tune BLOCK = 32, 64, 128 default 64\n" + many_steps);
  EXPECT_GE(go_on(), 1U);
}

TEST_F(OwnKernelTune, HasNoSpeedWhereNobodySaysWhatIsMoved) {
  write("// redtune: tune BLOCK = 32, 64 default 64\n", "out[i] = 2 * in[i];", "");
  const Said tuned = tune();
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  EXPECT_FALSE(tuned.says("0.00 GB/s")) << tuned.out;
  EXPECT_FALSE(tuned.says(" 0 % of the ")) << tuned.out;
  EXPECT_TRUE(home_.run({"log", "1"}).says(" us, - GB/s, "));
}

TEST_F(OwnKernelTune, IsRecordedAndExportedWithItsTunables) {
  write(six_configs);
  const Said tuned = tune({"--record", "--json"});
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  const std::string recording = tuned.document().at("recording");
  const Said exported = home_.run({"cache", "export", "--format", "t4", "--run", "1"});
  ASSERT_EQ(exported.code, 0) << exported.err;
  for (const std::string& text :
       {exported.out,
        search::unpacked(cache::testing::read_text(recording), std::size_t{1} << 24)}) {
    const json document = json::parse(text);
    ASSERT_EQ(document.at("results").size(), 6U);
    for (const json& one : document.at("results")) {
      EXPECT_TRUE(one.at("configuration").contains("BLOCK")) << one;
      EXPECT_TRUE(one.at("configuration").contains("STEP")) << one;
    }
  }
  const Words simulate{"simulate", "--space", recording, "--runs", "2"};
  const Said replayed = home_.run(simulate);
  EXPECT_EQ(replayed.code, 0) << replayed.err;
  const Said unknown = home_.run(with(simulate, {"--start", "winners"}));
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(unknown.says("name that file by --kernel, or leave --start out\n")) << unknown.err;
  for (const char* start : {"shapes", "winners"}) {
    const Said begun = home_.run(with(simulate, {"--start", start, "--kernel", file()}));
    EXPECT_EQ(begun.code, 0) << begun.err;
  }
  EXPECT_EQ(home_.run(with(simulate, {"--kernel", file()})).code, 2);
}

/// Two ways are right, and the default is the slow one; the others are all wrong in another way.
TEST_F(OwnKernelTune, EndsWithARightWinnerWhateverOtherConfigsDo) {
  write("// redtune: tune WAY = 0..11 default 1\n// redtune: tune BLOCK = 32\n",
        R"(
#define WAY_IS(way) if (WAY == way)
  WAY_IS(0) for (volatile int k = 1; k != 0;) {}
  WAY_IS(1) for (volatile int k = 0; k < 2000; k = k + 1) {}
  WAY_IS(3) __builtin_trap();
  WAY_IS(4) { volatile int none = 0; out[i] = float(i / none); return; }
  WAY_IS(5) out[i + (long(1) << 40)] = 1;
  WAY_IS(6) out[n] = 1;
  WAY_IS(7) { out[i] = 3 * in[i]; return; }
  WAY_IS(8) return;
  WAY_IS(9) { out[i] = 2 * in[i]; in[i] = 1; return; }
  WAY_IS(10) if (i % 2 == 0) __syncthreads();
#if WAY == 11
  no code;
#endif
  out[i] = 2 * in[i];)");
  const Said tuned = tune({"--budget", "100", "--strategy", "grid", "--json"});
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  const json document = tuned.document();
  EXPECT_EQ(document.at("winner"), (json{{"WAY", "2"}, {"BLOCK", "32"}})) << tuned.out;
  EXPECT_EQ(document.at("trials"), 12);
  std::map<std::string, std::string> statuses;
  for (const json& line : lines_of(home_.logs().back())) {
    if (line.at("kind") != "trial") continue;
    const std::string way = line.at("settings").at("WAY");
    EXPECT_TRUE(statuses.emplace(way, line.at("status")).second) << way << " was tried again";
    // As long as a step may take of which nobody knows how long the default's takes.
    EXPECT_EQ(line.value("detail", "").find("within 30 s"), std::string::npos) << line;
  }
  EXPECT_EQ(statuses, (std::map<std::string, std::string>{{"0", "timed_out"},
                                                          {"1", "ok"},
                                                          {"2", "ok"},
                                                          {"3", "crashed"},
                                                          {"4", "crashed"},
                                                          {"5", "crashed"},
                                                          {"6", "wrong_result"},
                                                          {"7", "wrong_result"},
                                                          {"8", "wrong_result"},
                                                          {"9", "wrong_result"},
                                                          {"10", "launch_failed"},
                                                          {"11", "compile_failed"}}));
}

/// More shared memory than every device gives is no config at all.
TEST_F(OwnKernelTune, TriesNoConfigThatNeedsMoreSharedMemoryThanThereIs) {
  write("// redtune: tune BLOCK = 32, 64 default 64\n// redtune: tune BYTES = 0, 49152, 49153\n");
  std::ifstream written(file());
  std::string text{std::istreambuf_iterator<char>(written), {}};
  const std::string launch = "grid = ceil(n / BLOCK)";
  text.insert(text.find(launch) + launch.size(), " shared = BYTES");
  std::ofstream(file()) << text;
  const Said tuned = tune();
  EXPECT_EQ(tuned.code, 0) << tuned.err;
  EXPECT_TRUE(tuned.says("tried 4 of 4 configs (")) << tuned.out;
}

}  // namespace
}  // namespace redtune::cli
