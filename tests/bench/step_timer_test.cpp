// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How in_context times the steps of a pattern, on a device that only writes down what it is asked.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "bench/in_context/program.hpp"

namespace redtune::bench {
namespace {

using device::Launch;

/// A launch is a letter, which stands in its grid.
std::string letters_of(std::span<const Launch> launches) {
  std::string letters;
  for (const Launch& launch : launches) letters += static_cast<char>(launch.grid);
  return letters;
}

std::vector<Launch> launches_of(std::string_view letters) {
  std::vector<Launch> launches;
  for (const char letter : letters) launches.push_back({.grid = letter});
  return launches;
}

/// Every launch takes a microsecond.
class WritingDevice final : public device::Device {
 public:
  explicit WritingDevice(device::Batching batching) : batching_(batching) {}

  std::string log;

  [[nodiscard]] const DeviceIdentity& identity() const override { return identity_; }
  [[nodiscard]] const Limits& limits() const override { return limits_; }
  [[nodiscard]] std::size_t free_memory() const override { return 0; }
  [[nodiscard]] device::Buffer allocate(std::size_t) override { return {}; }
  void copy_to_device(void*, const void*, std::size_t) override {}
  void copy_to_host(void*, const void*, std::size_t) override {}
  void copy_within(void*, const void*, std::size_t) override {}
  void fill(void*, std::byte, std::size_t) override {}
  [[nodiscard]] std::unique_ptr<device::Module> load(std::span<const std::byte>) override {
    return nullptr;
  }
  void launch(std::span<const Launch> launches, device::Stream) override {
    log += letters_of(launches);
  }
  void synchronize(device::Stream) override {}
  [[nodiscard]] device::BatchTime time(std::span<const Launch> launches) override {
    log += "time(" + letters_of(launches) + ")";
    return {.device_us = static_cast<double>(launches.size())};
  }
  [[nodiscard]] device::Batching batching() const override { return batching_; }
  [[nodiscard]] std::unique_ptr<device::Batch> prepare(std::span<const Launch> launches) override {
    log += "graph(" + letters_of(launches) + ")";
    return std::make_unique<Graph>(*this, static_cast<double>(launches.size()));
  }

 private:
  class Graph final : public device::Batch {
   public:
    Graph(WritingDevice& device, double us) : device_(device), us_(us) {}
    [[nodiscard]] device::BatchTime time() override {
      device_.log += "replay";
      return {.device_us = us_};
    }

   private:
    WritingDevice& device_;
    double us_;
  };

  void release(void*, std::size_t) noexcept override {}

  device::Batching batching_;
  DeviceIdentity identity_;
  Limits limits_;
};

Pattern pattern_of(Queueing queueing) {
  return {"training", queueing, launches_of("ab"), launches_of("c")};
}

TEST(StepTimer, TimesTheSecondOfTwoReplaysOfAGraphOfAllSteps) {
  WritingDevice device(device::Batching::graph);
  const Pattern pattern = pattern_of(Queueing::graph);
  StepTimer timer(device, pattern, {launches_of("xy")}, 2);
  EXPECT_EQ(device.log, "graph(abxycabxyc)");
  const StepTime time = timer.time();
  EXPECT_EQ(device.log, "graph(abxycabxyc)replayreplay");
  EXPECT_DOUBLE_EQ(time.step_us, 5);
  EXPECT_FALSE(time.own_us.has_value());
}

TEST(StepTimer, QueuesAllStepsOneByOneInAStream) {
  WritingDevice device(device::Batching::graph);
  const Pattern pattern = pattern_of(Queueing::by_host);
  StepTimer timer(device, pattern, {launches_of("x")}, 2);
  EXPECT_EQ(device.log, "");
  EXPECT_DOUBLE_EQ(timer.time().step_us, 4);
  EXPECT_EQ(device.log, "time(abxcabxc)time(abxcabxc)") << "the second is told";
}

TEST(StepTimer, TimesThePatternWithoutAReduction) {
  WritingDevice device(device::Batching::graph);
  const Pattern pattern = pattern_of(Queueing::graph);
  EXPECT_DOUBLE_EQ(StepTimer(device, pattern, {}, 3).time().step_us, 3);
  EXPECT_TRUE(device.log.starts_with("graph(abcabcabc)"));
}

TEST(StepTimer, TimesTheReductionByItselfWhereLaunchesEndWhenTheyReturn) {
  WritingDevice device(device::Batching::queued);
  const Pattern pattern = pattern_of(Queueing::graph);
  const StepTime time = StepTimer(device, pattern, {launches_of("xy")}, 2).time();
  EXPECT_EQ(device.log, "abtime(xy)cabtime(xy)c");
  EXPECT_DOUBLE_EQ(time.own_us.value_or(0), 2);
}

}  // namespace
}  // namespace redtune::bench
