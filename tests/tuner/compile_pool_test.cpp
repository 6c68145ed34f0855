// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A unit that the compiler refuses, or that takes the compiler down, costs itself only.
#include "tuner/compile/compile_pool.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

#include "redtune/error.hpp"
#include "tests/cache/samples.hpp"
#include "tests/tuner/any_arch_compiler.hpp"
#include "tuner/compile/compile_frame.hpp"

namespace redtune::tuner {
namespace {

using device::CompiledProgram;
using device::CompileFailure;
using device::CompileRequest;
using device::CompileResult;
using device::CompilerPlace;

/// Compiles every name to a symbol "of <name>", and refuses those that contain "bad".
class FakeCompiler final : public AnyArchCompiler {
 public:
  using AnyArchCompiler::AnyArchCompiler;
  [[nodiscard]] CompileResult compile(const CompileRequest& request) const override {
    ++calls;
    CompiledProgram program;
    for (const std::string& name : request.name_expressions) {
      if (name.find("throws") != std::string::npos) throw IoError("the disk is full");
      if (name.find("bad") != std::string::npos) return CompileFailure{"log of " + name};
      program.kernels.push_back({"of " + name, {}});
    }
    return program;
  }

  mutable std::atomic<int> calls = 0;
};

const std::string no_text = "text";

CompilePool pool_of(const device::Compiler& compiler, std::vector<std::string> worker = {},
                    int jobs = 1) {
  return CompilePool({&compiler, "fake", "arch", no_text, std::chrono::milliseconds(300)},
                     std::move(worker), jobs);
}

/// "k0" to "k<n-1>", one replaced.
std::vector<CompileUnit> units(std::size_t n, std::size_t odd_one = 1000,
                               const std::string& name = "") {
  std::vector<CompileUnit> all;
  for (std::size_t i = 0; i < n; ++i) {
    all.push_back({i == odd_one ? name : "k" + std::to_string(i)});
  }
  return all;
}

std::string symbol_of(const UnitResult& result, std::size_t kernel = 0) {
  const auto* unit = std::get_if<CompiledUnit>(&result);
  return unit == nullptr ? "none" : unit->kernels.at(kernel).symbol;
}

TEST(CompilePool, CompilesAllUnitsInOrderWhateverTheJobs) {
  const FakeCompiler compiler(CompilerPlace::own_process);
  for (const int jobs : {-1, 0, 1, 2, 7, 100}) {
    for (const std::size_t count : {0u, 1u, 2u, 64u, 65u, 200u}) {
      const auto all = units(count);
      const auto results = pool_of(compiler, {}, jobs).compile(all);
      ASSERT_EQ(results.size(), count);
      for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(symbol_of(results[i]), "of " + all[i][0]);
    }
  }
}

/// Sees how many are at work at a time.
class CountingCompiler final : public AnyArchCompiler {
 public:
  [[nodiscard]] CompileResult compile(const CompileRequest& request) const override {
    const int now = ++at_work_;
    for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) continue;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    --at_work_;
    CompiledProgram program;
    for (const std::string& name : request.name_expressions) program.kernels.push_back({name, {}});
    program.binary.resize(1);
    compiled += static_cast<int>(program.kernels.size());
    return program;
  }

  mutable std::atomic<int> most = 0;
  mutable std::atomic<int> compiled = 0;

 private:
  mutable std::atomic<int> at_work_ = 0;
};

TEST(CompilePool, KeepsToItsJobsInSeveralCallsAtATime) {
  const CountingCompiler compiler;
  const CompilePool pool = pool_of(compiler, {}, 2);
  const CompilePool copy = pool.with_text("another");
  const auto all = units(8);
  {
    const std::jthread one([&] { (void)pool.compile(all); });
    const std::jthread another([&] { (void)copy.compile(all); });
    (void)pool.compile(all);
  }
  EXPECT_LE(compiler.most.load(), 2);
}

/// Of pools that share compilers, as those of several devices do.
TEST(CompilePool, WaitsForWhatAnotherIsAtAndTakesIt) {
  const cache::testing::ScratchFolder folder;
  const cache::Binaries binaries(folder / "binaries");
  const CountingCompiler compiler;
  const auto compilers = std::make_shared<Compilers>(4);
  CompileTarget target{&compiler, "fake", "arch", no_text};
  target.binaries = &binaries;
  const auto all = units(8);
  {
    std::vector<std::jthread> devices;
    for (int i = 0; i < 4; ++i) {
      devices.emplace_back([&] {
        for (const UnitResult& unit : CompilePool(target, {}, compilers).compile(all)) {
          EXPECT_TRUE(std::holds_alternative<CompiledUnit>(unit));
        }
      });
    }
  }
  EXPECT_EQ(compiler.compiled.load(), 8);
  EXPECT_LE(compiler.most.load(), 4);

  // Where nothing can be kept each compiles for itself, and nobody waits for ever.
  const cache::Binaries nowhere(std::nullopt);
  target.binaries = &nowhere;
  {
    const std::jthread other([&] { (void)CompilePool(target, {}, compilers).compile(all); });
    const auto own = CompilePool(target, {}, compilers).compile(all);
    for (std::size_t i = 0; i < own.size(); ++i) EXPECT_EQ(symbol_of(own[i]), all[i][0]);
  }
  EXPECT_EQ(compiler.compiled.load(), 24);
}

TEST(CompilePool, CompilesSharedInstantiationsOnceAndHandsThemToEachUnit) {
  const FakeCompiler compiler(CompilerPlace::own_process);
  const std::vector<CompileUnit> all{{"z", "shared"}, {"a", "shared"}, {"shared", "z"}};
  const auto results = pool_of(compiler).compile(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(symbol_of(results[i], 0), "of " + all[i][0]);
    EXPECT_EQ(symbol_of(results[i], 1), "of " + all[i][1]);
  }
  EXPECT_EQ(compiler.calls, 1);
}

TEST(CompilePool, FindsTheOneThatDoesNotCompileByHalvingAndKeepsTheOthers) {
  for (std::size_t culprit = 0; culprit < 8; ++culprit) {
    const FakeCompiler compiler(CompilerPlace::own_process);
    const auto results = pool_of(compiler).compile(units(8, culprit, "bad"));
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_EQ(symbol_of(results[i]), i == culprit ? "none" : "of k" + std::to_string(i));
    }
    ASSERT_TRUE(std::holds_alternative<CompileFailure>(results[culprit])) << culprit;
    EXPECT_EQ(std::get<CompileFailure>(results[culprit]).log, "log of bad");
    EXPECT_EQ(compiler.calls, 7) << "8, 4+4, 2+2, 1+1 units";
  }
}

TEST(CompilePool, TellsItsProgressUpToTheLastUnit) {
  const FakeCompiler compiler(CompilerPlace::own_process);
  std::vector<std::size_t> steps;
  (void)pool_of(compiler, {}, 3).compile(units(50), [&](std::size_t done) {
    steps.push_back(done);
  });
  EXPECT_TRUE(std::ranges::is_sorted(steps));
  EXPECT_EQ(steps.back(), 50u);
}

TEST(CompilePool, PassesABrokenEnvironmentOnToItsCaller) {
  const FakeCompiler compiler(CompilerPlace::own_process);
  EXPECT_THROW((void)pool_of(compiler, {}, 4).compile(units(30, 7, "throws")), IoError);
}

/// Why the one unit of a pool with this worker crashed; empty when it did not.
std::string crash_of(const std::string& script) {
  const FakeCompiler compiler(CompilerPlace::this_process);
  const auto results = pool_of(compiler, {"/bin/sh", "-c", script}).compile(units(1));
  EXPECT_EQ(compiler.calls, 0) << "compiled in this process";
  const auto* crash = std::get_if<CompileCrash>(&results[0]);
  return crash == nullptr ? "" : crash->why;
}

TEST(CompilePoolWorker, ThatAbortsCostsItsUnit) {
  EXPECT_NE(crash_of("echo last words >&2; kill -ABRT $$").find("signal 6"), std::string::npos);
  EXPECT_NE(crash_of("echo last words >&2; kill -ABRT $$").find("last words"), std::string::npos);
}

TEST(CompilePoolWorker, ThatExitsWithAnErrorCostsItsUnit) {
  EXPECT_NE(crash_of("exit 1").find("exit status 1"), std::string::npos);
}

TEST(CompilePoolWorker, ThatSaysNothingOrNonsenseCostsItsUnit) {
  EXPECT_NE(crash_of("exit 0"), "");
  EXPECT_NE(crash_of("echo garbage; exec sleep 100").find("not a message"), std::string::npos);
  EXPECT_NE(crash_of("printf redtune:; printf '%8s' ' '; exec sleep 100").find("announced"),
            std::string::npos);
  EXPECT_NE(crash_of("printf red").find("exit status 0"), std::string::npos) << "half a message";
}

TEST(Fault13, ACompilerThatNeverReturnsIsKilledAtItsDeadlineAndAskedOnceMore) {
  const cache::testing::ScratchFolder folder;
  const std::string asked = (folder / "asked").string();
  EXPECT_NE(crash_of("echo . >> " + asked + "; exec sleep 100").find("no answer"),
            std::string::npos);
  EXPECT_EQ(cache::testing::read_text(asked), ".\n.\n");
}

/// In the reliability tests a lower limit comes first: this is the one that every worker has.
TEST(Fault14, ACompilerThatAsksForMoreMemoryThanItMayHaveCostsItsUnit) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer needs more memory than that";
#endif
  const cache::testing::ScratchFolder folder;
  const std::string limit = (folder / "limit").string();
  const std::string crash = crash_of("head -c 1 > /dev/null; ulimit -d > " + limit +
                                     "; test $(ulimit -d) = 8388608 &&"
                                     " exec dd if=/dev/zero of=/dev/null bs=9G count=1");
  EXPECT_EQ(cache::testing::read_text(limit), "8388608\n") << "8 GiB, in KiB";
  EXPECT_NE(crash.find("the compiler ended with exit status 1: dd: memory exhausted"),
            std::string::npos)
      << crash;
}

/// A worker that answers each request with a prepared frame of so many kernels, refuses those that
/// name "bad", and aborts when a request names "evil". Notes when it begins.
class ScriptedWorker {
 public:
  ScriptedWorker() {
    for (int kernels = 0; kernels <= 8; ++kernels) {
      CompiledProgram program;
      for (int k = 0; k < kernels; ++k) program.kernels.push_back({"k" + std::to_string(k), {}});
      write(std::to_string(kernels), CompileResult(program));
    }
    write("refusal", CompileResult(CompileFailure{"the log"}));
  }
  /// most: answers with so many kernels at most. then: done after each answer. The platform's name
  /// comes behind it, as $0.
  [[nodiscard]] std::vector<std::string> command(int most, const std::string& then = ":") const {
    const std::string script = fmt::format(
        "cd {0}; test $0 = fake || exit 9; echo . >> begun; echo $$ > number; "
        "while dd bs=64k count=1 of=request.$$ 2>/dev/null; test -s request.$$; do "
        "echo . >> asked; grep -aq evil request.$$ && kill -SEGV $$; "
        "asked=$(grep -ao 'k[0-9]' request.$$ | wc -l); answer=$((asked < {1} ? asked : {1})); "
        "grep -aq bad request.$$ && answer=refusal; cat $answer; {2}; done",
        (folder_ / "").string(), most, then);
    return {"/bin/sh", "-c", script};
  }
  [[nodiscard]] std::size_t begun() const { return lines("begun"); }
  [[nodiscard]] std::size_t asked() const { return lines("asked"); }
  /// The one that began last.
  [[nodiscard]] bool is_alive() const {
    const int number = std::stoi(cache::testing::read_text(folder_ / "number"));
    return kill(number, 0) == 0;
  }

 private:
  void write(const std::string& name, const CompileResult& result) {
    const std::string frame = encode(result);
    cache::testing::write_text(folder_ / name, message_header(frame.size()) + frame);
  }
  [[nodiscard]] std::size_t lines(const std::string& name) const {
    return cache::testing::read_text(folder_ / name).size() / 2;
  }

  cache::testing::ScratchFolder folder_;
};

TEST(CompilePoolWorker, StaysForWhatIsAskedNext) {
  const FakeCompiler compiler(CompilerPlace::this_process);
  const ScriptedWorker worker;
  const CompilePool pool = pool_of(compiler, worker.command(8));
  const CompilePool other = pool.with_text("another");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(symbol_of(pool.compile(units(1))[0]), "k0");
    EXPECT_EQ(symbol_of(other.compile(units(1))[0]), "k0");
  }
  EXPECT_EQ(worker.begun(), 1U);
  EXPECT_EQ(worker.asked(), 6U);
}

TEST(CompilePoolWorker, EndsAfterSoManyRequests) {
  const FakeCompiler compiler(CompilerPlace::this_process);
  const ScriptedWorker worker;
  const CompilePool pool = pool_of(compiler, worker.command(8));
  for (int i = 0; i < 65; ++i) EXPECT_EQ(symbol_of(pool.compile(units(1))[0]), "k0");
  EXPECT_EQ(worker.begun(), 3U) << "32 requests each";
}

TEST(CompilePoolWorker, ThatEndedMeanwhileIsReplaced) {
  const FakeCompiler compiler(CompilerPlace::this_process);
  const ScriptedWorker worker;
  const CompilePool pool = pool_of(compiler, worker.command(8, "exit 1"));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(symbol_of(pool.compile(units(1))[0]), "k0");
}

/// Perhaps what was compiled before has broken it.
TEST(CompilePoolWorker, ThatHasCompiledBeforeIsNotBelievedWhatItRefuses) {
  const FakeCompiler compiler(CompilerPlace::this_process);
  const ScriptedWorker worker;
  const CompilePool pool = pool_of(compiler, worker.command(8));
  (void)pool.compile(units(1));
  const auto refused = pool.compile(units(1, 0, "bad"));
  ASSERT_TRUE(std::holds_alternative<CompileFailure>(refused[0]));
  EXPECT_EQ(std::get<CompileFailure>(refused[0]).log, "the log");
  EXPECT_EQ(worker.begun(), 2U);
  EXPECT_EQ(worker.asked(), 3U);
  (void)pool.compile(units(1, 0, "bad"));
  EXPECT_EQ(worker.asked(), 4U) << "a fresh one is believed, and does not stay";
  EXPECT_EQ(worker.begun(), 3U);
}

TEST(CompilePoolWorker, ThatHasCompiledBeforeAndDiesCostsNobody) {
  const FakeCompiler compiler(CompilerPlace::this_process);
  const ScriptedWorker worker;
  // Dies of the second request, whatever it is.
  const CompilePool pool = pool_of(
      compiler, worker.command(8, "dd bs=64k count=1 of=second 2>/dev/null; kill -ABRT $$"));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(symbol_of(pool.compile(units(1))[0]), "k0") << i;
}

TEST(CompilePoolWorker, EndsWithThoseWhoShareIt) {
  const FakeCompiler compiler(CompilerPlace::this_process);
  const ScriptedWorker worker;
  {
    const CompilePool pool = pool_of(compiler, worker.command(8));
    (void)pool.compile(units(1));
    EXPECT_TRUE(worker.is_alive());
  }
  EXPECT_FALSE(worker.is_alive());
}

TEST(CompilePoolWorker, ThatDiesOfOneUnitStillCompilesTheOthers) {
  const FakeCompiler compiler(CompilerPlace::this_process);
  const ScriptedWorker worker;
  const auto results = pool_of(compiler, worker.command(8)).compile(units(8, 5, "evil"));
  for (std::size_t i = 0; i < 8; ++i) {
    const auto* crash = std::get_if<CompileCrash>(&results[i]);
    EXPECT_EQ(crash != nullptr, i == 5) << i << " " << (crash != nullptr ? crash->why : "");
  }
}

TEST(CompilePoolWorker, ThatSendsTooFewKernelsIsNotBelieved) {
  const FakeCompiler compiler(CompilerPlace::this_process);
  const ScriptedWorker worker;
  const auto results = pool_of(compiler, worker.command(0)).compile(units(1));
  ASSERT_TRUE(std::holds_alternative<CompileCrash>(results[0]));
}

TEST(CompilePoolWorker, ThatCannotBeStartedEndsTheRun) {
  const FakeCompiler compiler(CompilerPlace::this_process);
  EXPECT_THROW((void)pool_of(compiler, {"/nowhere/redtune"}).compile(units(1)), IoError);
}

}  // namespace
}  // namespace redtune::tuner
