// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Snapshots come back as they went.
#include "cache/snapshot/snapshot.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <sys/stat.h>

#include "cache/lookup/lookup.hpp"
#include "redtune/error.hpp"
#include "snapshot_samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

TEST(Snapshot, ComesBackAsItWasPublished) {
  const ScratchFolder folder;
  publish_snapshot(folder / "best-v1.snap", sample_snapshot());
  EXPECT_EQ(std::get<Snapshot>(load_snapshot(folder / "best-v1.snap")), sample_snapshot());
  publish_snapshot(folder / "best-v1.snap", Snapshot{});
  EXPECT_EQ(std::get<Snapshot>(load_snapshot(folder / "best-v1.snap")), Snapshot{});
}

TEST(Snapshot, IsPrivateAndLeavesNoTemporaryFile) {
  const ScratchFolder folder;
  publish_snapshot(folder / "best-v1.snap", sample_snapshot());
  struct stat status {};
  ASSERT_EQ(stat((folder / "best-v1.snap").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  std::set<std::string> names;
  for (const auto& one : std::filesystem::directory_iterator(folder / "")) {
    names.insert(one.path().filename().string());
  }
  EXPECT_EQ(names, (std::set<std::string>{"best-v1.snap", "best-v1.9.snap"}));
}

TEST(Snapshot, ThatCannotBePublishedLeavesTheOldOne) {
  const ScratchFolder folder;
  std::filesystem::create_directories(folder / "best-v1.snap/inside");  // no file can replace it
  EXPECT_THROW(publish_snapshot(folder / "best-v1.snap", {}), IoError);
  const std::filesystem::directory_iterator files(folder / "");
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
  EXPECT_THROW(publish_snapshot(folder / "missing/best-v1.snap", {}), IoError);
}

TEST(Snapshot, KeepsWhateverBytesATextHas) {
  Snapshot snapshot = sample_snapshot();
  snapshot.entries[0].device_name = std::string("\xff\0\xfe", 3);
  snapshot.entries[1].best.settings = {{"", ""}, {"a=b", "c d"}};
  EXPECT_EQ(std::get<Snapshot>(parse_snapshot(to_bytes(snapshot), "test")), snapshot);
}

/// Questions of all kinds: every operator and type, a text of one's own, orders and devices.
Snapshot many_entries() {
  Snapshot snapshot{.generation = 1000};
  const auto add = [&](const auto& change) {
    snapshot.entries.push_back(sample_entry(std::ssize(snapshot.entries)));
    change(snapshot.entries.back());
  };
  for (const OpInfo& op : all_ops()) {
    for (const DTypeInfo& type : all_dtypes()) {
      if (!why_not_taken(op.op, type.dtype).empty()) continue;
      add([&](auto& e) { e.question.problem = make_problem(op.op, type.dtype, 1 << 20); });
    }
  }
  for (std::int64_t count : {std::int64_t{0}, std::numeric_limits<std::int64_t>::max()}) {
    add([&](auto& e) { e.question.problem.count = count; });
    add([&](auto& e) {
      e.question.problem = make_problem(CustomOp{"mine", "struct custom {};"}, DType::f32, 5);
      e.question.problem.count = count;
    });
  }
  add([](auto& e) { e.question.problem.order = Order::any; });
  add([](auto& e) { e.question.problem.cache_mode = CacheMode::warm; });
  add([](auto& e) { e.question.device_class.partition = "CPX"; });
  add([](auto& e) { e.question.toolchain.driver = "7"; });
  add([](auto& e) { e.question.space_key = "space-2"; });
  add([](auto& e) { e.question.family = "reduce_rows"; });
  for (const Shape& shape : {Shape{1000, 4096, 1}, Shape{1001, 4096, 1}, Shape{1000, 1, 4096},
                             Shape{1000, 7, std::int64_t{1} << 33}, Shape::channels(32, 7, 1000)}) {
    add([&](auto& e) { static_cast<Shape&>(e.question.problem) = shape; });
  }
  add([](auto& e) {
    e.best.samples = 7;
    e.best.batch_us = 0.1;
    e.best.noise_floor = 1e-300;
    e.best.protocol = 3;
    e.best.stream_us = 1.5;
    e.question.problem.count = 77;
  });
  return snapshot;
}

TEST(Snapshot, ComesBackWithEveryKindOfQuestion) {
  const Snapshot snapshot = many_entries();
  EXPECT_EQ(std::get<Snapshot>(parse_snapshot(to_bytes(snapshot), "test")), snapshot);
}

/// Programs that know counts alone would take rows for a whole array.
TEST(Snapshot, IsOfALaterVersionWhereAShapeHasMoreThanACount) {
  Snapshot snapshot = sample_snapshot();
  const auto version = [&] {
    const std::string bytes = to_bytes(snapshot);
    return format::get<std::uint32_t>(&bytes[format::at_version]);
  };
  EXPECT_EQ(version(), 1U);
  snapshot.entries[1].question.problem.outer = 2;
  EXPECT_EQ(version(), 2U);
  snapshot.entries[1].question.problem.batch = 2;
  EXPECT_EQ(version(), 3U);
  static_cast<Shape&>(snapshot.entries[1].question.problem) = Shape::segments(77, 9);
  EXPECT_EQ(version(), 4U);
}

TEST(Snapshot, KeepsExtentsAndPitchesApart) {
  Snapshot snapshot = sample_snapshot();
  Problem& problem = snapshot.entries[1].question.problem;
  std::set<std::string> files;
  for (const Shape& shape :
       {Shape{77}, Shape::rows(9, 77), Shape::rows(9, 77, 80), Shape::columns(77, 9),
        Shape::columns(77, 9, 80), Shape{77, 9, 5, 500, 6}, Shape::channels(9, 5, 77),
        Shape::channels(9, 6, 77), Shape{.count = 77, .outer = 5, .outer_pitch = 80, .batch = 9},
        Shape{.count = 77, .outer = 5, .batch = 9, .batch_pitch = 400}, Shape::segments(77, 9),
        Shape::segments(77, 10), Shape::segments(77, 0), Shape::segments(77, 9, 64),
        Shape::segments(77, 9, 64, Skew::giant), Shape::segments(77, 9, 64, Skew::zipf)}) {
    static_cast<Shape&>(problem) = shape;
    const std::string bytes = to_bytes(snapshot);
    EXPECT_EQ(std::get<Snapshot>(parse_snapshot(bytes, "test")), snapshot);
    EXPECT_TRUE(files.insert(bytes).second) << describe_shape(shape);
  }
}

TEST(Snapshot, PassesOverExtentsThatCannotBe) {
  Snapshot snapshot = sample_snapshot();
  snapshot.entries[1].question.problem.outer = 2;
  const std::string good = to_bytes(snapshot);
  const auto shapes = format::get<std::uint32_t>(
      &good[format::at_sections + 8 * static_cast<std::size_t>(format::Section::shapes)]);
  for (const std::int64_t outer :
       {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::max()}) {
    const auto read = parse_snapshot(
        resealed(good, [&](auto& file) { format::put(&file[shapes], outer); }), "test");
    const auto& found = std::get<Snapshot>(read);
    EXPECT_EQ(found.entries.size(), 1U) << outer;
    EXPECT_EQ(found.skipped, 1U) << outer;
  }
}

TEST(Snapshot, PassesOverBatchesThatCannotBe) {
  Snapshot snapshot = sample_snapshot();
  static_cast<Shape&>(snapshot.entries[1].question.problem) = Shape::channels(32, 256, 3136);
  const std::string good = to_bytes(snapshot);
  const auto more = format::get<std::uint32_t>(
      &good[format::at_sections + 8 * static_cast<std::size_t>(format::Section::more)]);
  const std::size_t section =
      static_cast<std::size_t>(format::Section::batches) - format::head_section_count;
  const auto batches = format::get<std::uint32_t>(&good[more + 8 * section]);
  ASSERT_EQ(format::get<std::int64_t>(&good[batches]), 32);
  for (const std::int64_t batch :
       {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::max()}) {
    const auto read = parse_snapshot(
        resealed(good, [&](auto& file) { format::put(&file[batches], batch); }), "test");
    const auto& found = std::get<Snapshot>(read);
    EXPECT_EQ(found.entries.size(), 1U) << batch;
    EXPECT_EQ(found.skipped, 1U) << batch;
  }
}

/// A later version may know more ways in which lengths are spread: none is like even ones.
TEST(Snapshot, PassesOverSpreadsThatOnlyAnotherVersionKnows) {
  Snapshot snapshot = sample_snapshot();
  Problem& segments = snapshot.entries[1].question.problem;
  static_cast<Shape&>(segments) = Shape::segments(1 << 20, 77);
  const std::string good = to_bytes(snapshot);
  const auto more = format::get<std::uint32_t>(
      &good[format::at_sections + 8 * static_cast<std::size_t>(format::Section::more)]);
  const std::size_t section =
      static_cast<std::size_t>(format::Section::segments) - format::head_section_count;
  const std::size_t row = format::get<std::uint32_t>(&good[more + 8 * section]);
  ASSERT_EQ(format::get<std::int64_t>(&good[row]), 77);
  constexpr auto last = static_cast<std::int64_t>(Skew::giant);
  for (const std::int64_t skew : {std::int64_t{0}, last, last + 1, std::int64_t{-1},
                                  std::numeric_limits<std::int64_t>::max()}) {
    const std::string file =
        resealed(good, [&](auto& bytes) { format::put(&bytes[row + 16], skew); });
    const bool is_known = skew >= 0 && skew <= last;
    const auto read = parse_snapshot(file, "test");
    const auto& found = std::get<Snapshot>(read);
    EXPECT_EQ(found.entries.size(), is_known ? 2U : 1U) << skew;
    EXPECT_EQ(found.skipped, is_known ? 0U : 1U) << skew;
    EXPECT_EQ(found.entries[0].question.problem, sample_snapshot().entries[0].question.problem);
  }
}

TEST(Snapshot, IsTheSameBytesForTheSameEntriesInAnyOrder) {
  Snapshot snapshot = many_entries();
  const std::string bytes = to_bytes(snapshot);
  std::ranges::reverse(snapshot.entries);
  EXPECT_EQ(to_bytes(snapshot), bytes);
}

TEST(Snapshot, FindsEveryEntryThatItHolds) {
  const Snapshot snapshot = many_entries();
  const LoadedLayer layer{{"user", "test"}, open_snapshot(to_bytes(snapshot), "test")};
  for (const StoredBest& entry : snapshot.entries) {
    const Question& question = entry.question;
    const Query query{question.family, question.space_key, question.problem,
                      DeviceIdentity{question.device_class, question.toolchain}};
    const LookupResult answer = look_up(std::span(&layer, 1), query);
    EXPECT_EQ(answer.match, Match::exact) << describe(question.problem);
    EXPECT_EQ(answer.entry, entry) << describe(question.problem);
  }
}

TEST(Snapshot, ThatIsCutWhileItIsOpenStaysWhatItWas) {
  const ScratchFolder folder;
  const auto file = folder / "best-v1.snap";
  write_text(file, to_bytes(sample_snapshot()));
  const LoadedLayer layer = load(Layer{"user", file});
  std::filesystem::resize_file(file, 4096);
  EXPECT_EQ(look_up(std::span(&layer, 1), sample_query()).entry, sample_entry(4));
}

TEST(Snapshot, ThatIsReplacedWhileItIsOpenStaysWhatItWas) {
  const ScratchFolder folder;
  const auto file = folder / "best-v1.snap";
  publish_snapshot(file, sample_snapshot());
  const LoadedLayer layer = load(Layer{"user", file});
  publish_snapshot(file, Snapshot{.generation = 10});
  std::filesystem::remove_all(folder / "");
  EXPECT_EQ(look_up(std::span(&layer, 1), sample_query()).entry, sample_entry(4));
}

TEST(Snapshot, IsNotPublishedWhenItIsMoreThanAFileHolds) {
  Snapshot snapshot{.generation = 1, .entries = {sample_entry()}};
  snapshot.entries[0].device_name = std::string(max_snapshot_bytes, 'x');
  EXPECT_THROW((void)to_bytes(snapshot), UsageError);
}

}  // namespace
}  // namespace redtune::cache
