// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A process opens a snapshot once, and sees every publication at once.
#include "cache/lookup/shared_layers.hpp"

#include <atomic>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>

#include "samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

/// What is under a name now, as an application would ask.
LookupResult ask(const std::filesystem::path& file, Trust trust = Trust::named) {
  const Layer layer{"user", file, trust};
  return look_up(load_shared(std::span(&layer, 1)), sample_query());
}

std::int64_t generation_of(const LookupResult& answer) {
  return answer.entry ? answer.entry->generation : -1;
}

const void* view_of(const Layer& layer) {
  const auto loaded = load_shared(std::span(&layer, 1));
  return std::get<std::shared_ptr<const SnapshotView>>(loaded.at(0).content).get();
}

void publish(const std::filesystem::path& file, std::int64_t generation) {
  publish_snapshot(file, {.generation = generation, .entries = {sample_entry(generation)}});
}

TEST(SharedLayers, AreOpenedOnce) {
  const ScratchFolder folder;
  const Layer layer{"user", folder / "best-v1.snap"};
  publish(layer.snapshot, 1);
  EXPECT_EQ(view_of(layer), view_of(layer));
}

/// Bytes that this process has read so far, of files and what else there is.
std::size_t bytes_read() {
  std::ifstream rows("/proc/self/io");
  std::string word;
  std::size_t value = 0;
  rows >> word >> value;
  EXPECT_EQ(word, "rchar:");
  return value;
}

std::ptrdiff_t open_files() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

TEST(SharedLayers, AreReadInPartForTheFirstQuestionAndWholeForTheSecond) {
  const ScratchFolder folder;
  const Layer layer{"user", folder / "best-v1.snap"};
  Snapshot snapshot{.generation = 5000};
  for (std::int64_t i = 1; i <= 5000; ++i) {
    snapshot.entries.push_back(sample_entry(i));
    snapshot.entries.back().question.problem.count += i;
  }
  publish_snapshot(layer.snapshot, snapshot);
  const auto size = std::filesystem::file_size(layer.snapshot);
  Query query = sample_query();
  query.problem.count += 1234;
  const auto files = open_files();
  std::vector<std::size_t> read;
  std::size_t before = bytes_read();
  for (int question = 0; question < 3; ++question) {
    const LookupResult answer = look_up(load_for_one_question(std::span(&layer, 1)), query);
    EXPECT_EQ(answer.match, Match::exact);
    EXPECT_EQ(generation_of(answer), 1234);
    EXPECT_EQ(open_files(), files);
    const std::size_t now = bytes_read();
    read.push_back(now - before);
    before = now;
  }
  EXPECT_LT(read[0], size / 4);
  EXPECT_GE(read[1], size);
  EXPECT_LT(read[2], size / 4);
}

TEST(SharedLayers, RefuseAFileThatIsCutWhileItsFirstQuestionIsAnswered) {
  const ScratchFolder folder;
  const Layer layer{"user", folder / "best-v1.snap"};
  Snapshot snapshot{.generation = 5000};
  for (std::int64_t i = 1; i <= 5000; ++i) snapshot.entries.push_back(sample_entry(i));
  for (auto& entry : snapshot.entries) entry.question.problem.count += entry.generation;
  publish_snapshot(layer.snapshot, snapshot);
  const auto loaded = load_for_one_question(std::span(&layer, 1));
  std::filesystem::resize_file(layer.snapshot, 100'000);
  const LookupResult answer = look_up(loaded, sample_query());
  EXPECT_EQ(answer.match, Match::fallback);
  EXPECT_EQ(answer.layers.at(0).skipped, layer.snapshot.string() + " ends too early");
}

TEST(SharedLayers, ShowWhatWasPublishedAtOnce) {
  const ScratchFolder folder(memory_folder());
  const auto file = folder / "best-v1.snap";
  EXPECT_EQ(generation_of(ask(file)), -1);
  for (std::int64_t generation = 1; generation <= 200; ++generation) {
    publish(file, generation);
    EXPECT_EQ(generation_of(ask(file)), generation);
  }
  std::filesystem::remove(file);
  EXPECT_EQ(generation_of(ask(file)), -1);
}

TEST(SharedLayers, NoticeAFileThatWasWrittenInPlace) {
  const ScratchFolder folder;
  const auto file = folder / "best-v1.snap";
  publish(file, 1);
  EXPECT_EQ(generation_of(ask(file)), 1);
  write_text(file, "garbage");
  EXPECT_EQ(ask(file).layers.at(0).skipped, file.string() + " is not a snapshot of redtune");
  publish(file, 2);
  EXPECT_EQ(generation_of(ask(file)), 2);
}

TEST(SharedLayers, AreNotTrustedBecauseSomebodyNamedThem) {
  const ScratchFolder folder;
  const auto file = folder / "best-v1.snap";
  publish(file, 1);
  ASSERT_EQ(chmod(file.c_str(), 0666), 0);
  EXPECT_EQ(generation_of(ask(file, Trust::named)), 1);
  EXPECT_EQ(generation_of(ask(file, Trust::owner)), -1);
}

/// Eight files are kept.
TEST(SharedLayers, KeepTheFilesThatWereAskedForLast) {
  const ScratchFolder folder;
  const auto layer_of = [&](int i) {
    const Layer layer{"user", folder / fmt::format("{}.snap", i)};
    if (!std::filesystem::exists(layer.snapshot)) publish(layer.snapshot, i + 1);
    return layer;
  };
  const auto load_one = [&](int i) {
    const Layer layer = layer_of(i);
    return std::get<std::shared_ptr<const SnapshotView>>(
        load_shared(std::span(&layer, 1)).at(0).content);
  };
  std::vector<std::weak_ptr<const SnapshotView>> views;
  for (int i = 0; i < 8; ++i) views.push_back(load_one(i));
  (void)load_one(0);
  (void)load_one(8);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(views.at(i).expired(), i == 1) << i;
}

TEST(SharedLayers, AreTheSameWhenTheyHadToBeOpenedAgain) {
  const ScratchFolder folder;
  const Layer layer{"user", folder / "best-v1.snap"};
  publish(layer.snapshot, 1);
  const auto before = load_shared(std::span(&layer, 1));
  for (int i = 0; i < 9; ++i) {
    const auto other = folder / fmt::format("{}.snap", i);
    publish(other, i + 1);
    (void)ask(other);
  }
  EXPECT_EQ(load_shared(std::span(&layer, 1)), before);
  publish(layer.snapshot, 2);
  EXPECT_NE(load_shared(std::span(&layer, 1)), before);
  std::filesystem::remove(layer.snapshot);
  const auto missing = load_shared(std::span(&layer, 1));
  EXPECT_NE(missing, before);
  EXPECT_EQ(load_shared(std::span(&layer, 1)), missing);
}

/// A service closes every descriptor when it starts, and uses their numbers anew.
TEST(SharedLayers, NeedNoDescriptorOnceTheyAreOpened) {
  const ScratchFolder folder;
  const auto file = folder / "best-v1.snap";
  const auto of_application = folder / "application.txt";
  publish(file, 1);
  write_text(of_application, std::string(std::filesystem::file_size(file), 'x'));
  constexpr int first = 3;
  constexpr int last = 64;
  const int end = in_child([&] {
    const Layer layer{"user", file};
    {
      const LoadedLayer loaded = load(layer);
      for (int i = first; i < last; ++i) close(i);
      for (int i = first; i < last; ++i) {
        if (open(of_application.c_str(), O_RDONLY) != i) return 1;
      }
      if (look_up(std::span(&loaded, 1), sample_query()).match != Match::exact) return 2;
    }
    for (int i = first; i < last; ++i) {
      if (fcntl(i, F_GETFD) < 0) return 3;
    }
    return 0;
  });
  EXPECT_EQ(end, 0);
}

TEST(SharedLayers, ServeManyThreadsDuringPublications) {
  const ScratchFolder folder(memory_folder());
  const auto file = folder / "best-v1.snap";
  publish(file, 1);
  constexpr std::int64_t last = 300;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (std::int64_t newest = 0; newest < last;) {
        const std::int64_t generation = generation_of(ask(file));
        if (generation < newest) ++wrong;
        newest = std::max(newest, generation);
      }
    });
  }
  for (std::int64_t generation = 2; generation <= last; ++generation) publish(file, generation);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace redtune::cache
