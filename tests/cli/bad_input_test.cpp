// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What cannot be meant is refused in one line, with exit code 2, before anything is done.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "cache/store/store.hpp"
#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

class BadInput : public ::testing::Test {
 protected:
  BadInput() {
    cache::testing::write_text(home_ / "odd.bin", "abc");
    cache::testing::write_text(home_ / "secret.bin", "abcd");
    cache::testing::write_text(home_ / "whole.bin", "abcd");
    std::filesystem::permissions(home_ / "secret.bin", std::filesystem::perms::none);
  }
  /// hint: what the line must name.
  void expect_refused(const Words& words, const std::string& hint) {
    const Said said = home_.run(words);
    const std::string line = fmt::format("{}", fmt::join(words, " "));
    EXPECT_EQ(said.code, 2) << line << ": " << said.err;
    EXPECT_EQ(said.out, "") << line;
    EXPECT_EQ(count_of(said.err, "\n"), 1u) << line << ": " << said.err;
    EXPECT_TRUE(said.err.starts_with("redtune: error: ")) << line << ": " << said.err;
    EXPECT_NE(said.err.find(hint), std::string::npos) << line << ": " << said.err;
    EXPECT_TRUE(home_.logs().empty()) << line << ": a run was begun";
  }
  /// tune on the host with one bad option.
  void expect_tune_refuses(const std::string& option, const std::string& value,
                           const std::string& hint) {
    expect_refused({"tune", "--device", "host", option, value}, hint);
  }
  [[nodiscard]] std::string file(const std::string& name) const { return (home_ / name).string(); }

  Home home_;
};

TEST_F(BadInput, UnknownCommandsAndOptions) {
  expect_refused({"tnue"}, "did you mean 'tune'");
  expect_refused({"frobnicate"}, "'frobnicate'");
  expect_refused({"-x"}, "'-x'");
  expect_refused({"kernels", "lst"}, "did you mean 'kernels list'");
  expect_refused(
      {"cache", "shw"},
      "unknown command 'cache shw' (did you mean 'cache show'?); see: redtune help cache");
  expect_refused({"cache", "frobnicate"}, "unknown command 'cache frobnicate'; see: redtune help");
  expect_refused({"cahce"}, "did you mean 'cache'");
  expect_refused({"cahce", "list"}, "did you mean 'cache list'");
  expect_refused({"help", "tnue"}, "did you mean 'tune'");
  expect_refused({"help", "cache", "shw"}, "did you mean 'cache show'");
  expect_refused({"help", "tune", "sum"}, "'sum' is not expected after 'tune'");
  expect_refused({"version", "2"}, "'2' is not expected");
  expect_refused({"tune", "-x"}, "'-x'; see");
  expect_refused({"tune", "--conut", "5"}, "did you mean '--count'");
  expect_refused({"tune", "--coun", "5"}, "'--coun'");
  expect_refused({"tune", "--count"}, "--count");
  expect_refused({"tune", "--json=1"}, "--json");
  expect_refused({"tune", "word"}, "cannot read word: No such file");
  expect_refused({"doctor", "word"}, "'word'");
  expect_refused({"reduce", "a", "b"}, "'b'");
}

TEST_F(BadInput, ValuesThatHideEachOther) {
  expect_refused({"tune", "--op", "sum", "--op=min"}, "--op is given twice, 'sum' and 'min'");
  expect_refused({"tune", "--device", "host", "--device", "host"}, "--device is given twice");
  expect_refused({"log", "--cache", file("a.db"), "--cache", file("b.db")},
                 "--cache is given twice");
}

TEST_F(BadInput, UnknownNames) {
  expect_tune_refuses("--op", "summ", "did you mean 'sum'");
  expect_tune_refuses("--type", "f16x", "known: f32");
  expect_tune_refuses("--strategy", "gird", "did you mean 'grid'");
  expect_tune_refuses("--cache-mode", "lukewarm", "known: cold, warm");
  for (const char* device : {"hots", "host:wave7", "host:5", "", "host:random=x"}) {
    expect_refused({"tune", "--device", device}, "host");
  }
  expect_refused({"query", "--device", "host", "--min-match", "exactly"}, "did you mean 'exact'");
  expect_refused({"kernels", "show", "--family", "reducer"}, "known: reduce");
}

TEST_F(BadInput, ImpossibleCounts) {
  for (const char* count :
       {"-5", "x", "", "1.5M", "2^63", "99999999999999999999", "0x10", "1e6", " 5", "5 ", "M"}) {
    expect_tune_refuses("--count", count, count);
  }
  expect_tune_refuses("--count", "2^62", "more bytes than 64 bits can index");
  expect_tune_refuses("--count", "2^40", "GiB of memory");
  expect_refused({"reduce", "--device", "host", "--count", "2^50"}, "GiB free");
}

TEST_F(BadInput, ImpossibleWorkloads) {
  expect_tune_refuses("--op", "sum,", "an entry with nothing in it");
  expect_tune_refuses("--type", "f32,f61", "did you mean 'f64'");
  expect_tune_refuses("--count", "2^30..2^8", "write 2^8..2^30");
  expect_tune_refuses("--count", "2^8..2^30:1", "a whole number from 2");
  expect_tune_refuses("--workload", file("missing.toml"), "cannot read");
  expect_tune_refuses("--shape", "4x5,", "an entry with nothing in it");
  expect_tune_refuses("--shape", "4x9..2", "write 2..9");
  expect_tune_refuses("--shape", "2^40x2^40", "more than 64 bits can index");
  expect_tune_refuses("--row-lengths", "9..2", "write 2..9");
  expect_tune_refuses("--row-lengths", "2^29", "a row of 2^29 is more than the total of 2^28");
  expect_tune_refuses("--total", "8", "name their lengths by --row-lengths");
  expect_tune_refuses("--acc", "f64",
                      "name them by --op, --type, --count, --shape or --row-lengths");
  cache::testing::write_text(home_ / "bad.toml", "[[problem]]\nop = 'smu'\n");
  expect_tune_refuses("--workload", file("bad.toml"), "bad.toml:2:6: unknown operator 'smu'");
  expect_refused({"tune", "--workload", file("bad.toml"), "--count", "5"}, "leave one of them out");
}

TEST_F(BadInput, ImpossibleNumbersAndBudgets) {
  for (const char* budget : {"nonsense", "0", "-1", "5x", "1,2", "", ",", "10s,10s", "0s"}) {
    expect_tune_refuses("--budget", budget, "budget");
  }
  for (const char* number : {"-1", "x", "1.5", "", "99999999999999999999"}) {
    expect_tune_refuses("--seed", number, "--seed");
    expect_tune_refuses("--jobs", number, "--jobs");
  }
}

TEST_F(BadInput, FilesThatCannotBeReduced) {
  const Words on_host{"reduce", "--device", "host"};
  const auto refuse = [&](const Words& more, const std::string& hint) {
    Words words = on_host;
    words.insert(words.end(), more.begin(), more.end());
    expect_refused(words, hint);
  };
  refuse({}, "FILE");
  refuse({file("whole.bin"), "--count", "5"}, "FILE");
  refuse({file("missing.bin")}, "missing.bin");
  refuse({file("")}, "neither a file nor a pipe");
  refuse({"/dev/zero"}, "neither a file nor a pipe");
  refuse({file("odd.bin")}, "3 bytes");
  refuse({file("whole.bin"), "--type", "f64"}, "4 bytes");
  if (access((home_ / "secret.bin").c_str(), R_OK) != 0) {  // root may read everything
    refuse({file("secret.bin")}, "secret.bin");
  }
}

TEST_F(BadInput, TargetsAndSettings) {
  const auto refuse = [&](const Words& more, const std::string& hint) {
    Words words{"kernels", "compile"};
    words.insert(words.end(), more.begin(), more.end());
    expect_refused(words, hint);
  };
  refuse({}, "--target");
  for (const char* target : {"nonsense", "host:", ":native", "", "host:sparc", "amd:gfx90a"}) {
    refuse({"--target", target}, "'");
  }
  refuse({"--target", "host:native", "--set", "block=5"}, "known: ");
  refuse({"--target", "host:native", "--set", "block_size=7"}, "one of ");
  refuse({"--target", "host:native", "--set", "block_size"}, "name=value");
#ifdef REDTUNE_WITH_HIP
  refuse({"--target", "hip:gfx9999"}, "gfx9999");
  refuse({"--target", "hip:gfx90a", "--set", "vector_width=16"}, "no config");
  // In one line: nothing is compiled for the first, which has some.
  refuse({"--target", "hip:gfx90a", "--target", "hip:gfx1030", "--op", "product", "--type", "i16",
          "--set", "block_size=1024", "--set", "items_per_thread=64"},
         "no config of the space for hip:gfx1030");
#endif
}

TEST_F(BadInput, RunsThatDoNotExist) {
  expect_refused({"log"}, "redtune tune");
  expect_refused({"log", "1"}, "redtune tune");
  expect_refused({"log", "--cache", file("none.db")}, "none.db");
  { const auto store = cache::Store::open(home_ / "empty.db"); }
  for (const char* run : {"1", "x", "", "99999999999999999999"}) {
    expect_refused({"log", run, "--cache", file("empty.db")}, "no run");
  }
}

TEST_F(BadInput, DevicesThatAreNotHere) {
  expect_refused({"tune", "--device", "cuda:99"}, "");
  expect_refused({"tune", "--device", "hip:99"}, "");
  expect_refused({"probe", "--device", "hip:99"}, "");
  expect_refused({"probe", "--device", "hots"}, "did you mean 'host'");
}

}  // namespace
}  // namespace redtune::cli
