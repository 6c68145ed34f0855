// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is compiled first where fewer compilers are free than are wanted.
#include <chrono>
#include <condition_variable>
#include <functional>
#include <gtest/gtest.h>
#include <mutex>
#include <thread>

#include "tests/cache/samples.hpp"
#include "tests/tuner/any_arch_compiler.hpp"
#include "tuner/compile/compile_pool.hpp"

namespace redtune::tuner {
namespace {

/// Notes what it compiles; the first has to wait until it is let go on.
class NotingCompiler final : public AnyArchCompiler {
 public:
  [[nodiscard]] device::CompileResult compile(
      const device::CompileRequest& request) const override {
    device::CompiledProgram program;
    std::unique_lock lock(mutex_);
    for (const std::string& name : request.name_expressions) {
      noted_.push_back(name);
      program.kernels.push_back({"of " + name, {}});
    }
    changed_.notify_all();
    changed_.wait(lock, [&] { return goes_on_; });
    return program;
  }
  void await_first() const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !noted_.empty(); });
  }
  void let_go_on() const {
    const std::lock_guard lock(mutex_);
    goes_on_ = true;
    changed_.notify_all();
  }
  [[nodiscard]] std::vector<std::string> noted() const { return noted_; }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable bool goes_on_ = false;
  mutable std::vector<std::string> noted_;
};

/// One compiler, at work with "first" while others are wanted, for later or now.
class CompileLater : public testing::Test {
 protected:
  CompileLater() { target_.binaries = &binaries_; }
  ~CompileLater() override { compiler_.let_go_on(); }

  void want(const CompilePool& pool, const std::string& name) {
    const std::size_t wanted = waiting();
    wanting_.emplace_back([this, pool, name] {
      const std::vector<CompileUnit> units{{name}};
      const std::vector<UnitResult> results = pool.compile(units);
      EXPECT_TRUE(std::holds_alternative<CompiledUnit>(results[0]));
    });
    if (name == "first") return compiler_.await_first();
    await([&] { return waiting() != wanted; });
  }
  static void await(const std::function<bool()>& what) {
    const auto soon = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!what() && std::chrono::steady_clock::now() < soon) std::this_thread::yield();
    EXPECT_TRUE(what());
  }
  [[nodiscard]] std::size_t waiting() const {
    return compilers_->waiting().now + compilers_->waiting().later;
  }
  [[nodiscard]] std::vector<std::string> order() {
    compiler_.let_go_on();
    wanting_.clear();
    return compiler_.noted();
  }

  cache::testing::ScratchFolder folder_;
  cache::Binaries binaries_{folder_ / "binaries"};
  NotingCompiler compiler_;
  std::shared_ptr<Compilers> compilers_ = std::make_shared<Compilers>(1);
  CompileTarget target_{&compiler_, "fake", "arch", "text"};
  std::shared_ptr<Compilers::Later> later_ = std::make_shared<Compilers::Later>(compilers_);
  std::vector<std::jthread> wanting_;
};

using Names = std::vector<std::string>;

TEST_F(CompileLater, LetsWhatIsWantedNowGoBefore) {
  const CompilePool pool(target_, {}, compilers_);
  want(pool, "first");
  want(pool.for_later(later_), "x");
  want(pool.for_later(later_).with_text("another"), "y");
  want(pool, "z");
  EXPECT_EQ(order(), (Names{"first", "z", "x", "y"}));
}

TEST_F(CompileLater, GoesByWhenItCameOnceItIsNow) {
  const CompilePool pool(target_, {}, compilers_);
  want(pool, "first");
  want(pool.for_later(later_), "x");
  want(pool, "z");
  later_->is_now();
  EXPECT_EQ(order(), (Names{"first", "x", "z"}));
}

/// Else who wants it now would wait for what is wanted later.
TEST_F(CompileLater, IsNowWhereAnotherWantsTheSame) {
  const CompilePool pool(target_, {}, compilers_);
  want(pool, "first");
  want(pool.for_later(later_), "w");
  want(pool.for_later(later_), "x");
  std::jthread same([&] { (void)pool.compile(std::vector<CompileUnit>{{"x"}}); });
  await([&] { return compilers_->waiting().now == 1; });
  want(pool, "z");
  EXPECT_EQ(order(), (Names{"first", "x", "z", "w"}));
}

/// Of two devices: the first's turn comes while it waits for what the second wants later.
TEST_F(CompileLater, IsNowWhereWhoWaitsForItIsNow) {
  const CompilePool pool(target_, {}, compilers_);
  const auto of_another = std::make_shared<Compilers::Later>(compilers_);
  want(pool, "first");
  want(pool.for_later(of_another), "w");
  want(pool.for_later(of_another), "x");
  std::jthread same(
      [this, pool] { (void)pool.for_later(later_).compile(std::vector<CompileUnit>{{"x"}}); });
  await([&] { return compilers_->waiting().for_others == 1; });
  later_->is_now();
  await([&] { return compilers_->waiting().now == 1; });
  want(pool, "z");
  EXPECT_EQ(order(), (Names{"first", "x", "z", "w"}));
}

}  // namespace
}  // namespace redtune::tuner
