// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Snapshots come back as they went, or not at all.
#include "cache/snapshot.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <sys/stat.h>

#include "cache/limits.hpp"
#include "cache/lookup.hpp"
#include "cache/snapshot_format.hpp"
#include "redtune/error.hpp"
#include "samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

Snapshot sample_snapshot() {
  Snapshot snapshot{.generation = 9};
  snapshot.entries = {sample_entry(4), sample_entry(9)};
  snapshot.entries[1].question.problem.count = 1000;
  return snapshot;
}

/// A change of a file by somebody who then makes its hashes right.
template <class Change>
std::string resealed(std::string file, const Change& change) {
  change(file);
  format::seal(file);
  return file;
}

std::string fault_of(const SnapshotResult& result) {
  const auto* refusal = std::get_if<SnapshotRefusal>(&result);
  return refusal == nullptr ? "accepted" : std::string(to_string(refusal->fault));
}

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

TEST(Snapshot, SkipsEntriesWithMoreTextThanAnyResultHas) {
  const std::string name(most_name_bytes, 'x');
  using Change = std::function<void(StoredBest&, const std::string& more)>;
  const std::vector<std::pair<std::string, Change>> texts{
      {name, [](auto& e, auto& text) { e.question.family = text; }},
      {name, [](auto& e, auto& text) { e.question.space_key = text; }},
      {name, [](auto& e, auto& text) { e.question.device_class.isa = text; }},
      {name, [](auto& e, auto& text) { e.question.device_class.partition = text; }},
      {name, [](auto& e, auto& text) { e.question.toolchain.compiler = text; }},
      {name, [](auto& e, auto& text) { e.device_name = text; }},
      {name, [](auto& e, auto& text) { e.at = text; }},
      {name, [](auto& e, auto& text) { e.best.reason = text; }},
      {name,
       [](auto& e, auto& text) {
         e.best.settings = {{text, "1"}};
       }},
      {name,
       [](auto& e, auto& text) {
         e.best.settings = {{"a", text}};
       }},
      {std::string(most_settings, 'x'),
       [](auto& e, auto& text) {
         e.best.settings = Settings(text.size(), {"a", "1"});
       }},
      {name,
       [](auto& e, auto& text) {
         e.question.problem = make_problem(CustomOp{text, "text"}, DType::f32, 5);
       }},
      {std::string(most_text_bytes, 'x'),
       [](auto& e, auto& text) {
         e.question.problem = make_problem(CustomOp{"mine", text}, DType::f32, 5);
       }},
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto& [text, change] = texts[i];
    StoredBest fits = sample_entry();
    change(fits, text);
    StoredBest does_not = fits;
    change(does_not, text + 'x');
    const auto entries = [](const StoredBest& entry) {
      return std::get<Snapshot>(parse_snapshot(to_bytes({.entries = {entry}}), "test")).entries;
    };
    EXPECT_EQ(entries(fits), std::vector{fits}) << i;
    EXPECT_TRUE(entries(does_not).empty()) << i;
  }
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
    const Answer answer = look_up(std::span(&layer, 1), query);
    EXPECT_EQ(answer.match, Match::exact) << describe(question.problem);
    EXPECT_EQ(answer.entry, entry) << describe(question.problem);
  }
}

TEST(Snapshot, IsNeverAcceptedWithAnyBitFlipped) {
  const std::string text = to_bytes(sample_snapshot());
  for (std::size_t bit = 0; bit < text.size() * 8; bit += bit < 8 * 512 ? 1 : 31) {
    std::string flipped = text;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    EXPECT_NE(fault_of(parse_snapshot(flipped, "test")), "accepted") << "bit " << bit;
  }
}

TEST(Snapshot, IsTruncatedWhereverItIsCut) {
  const std::string text = to_bytes(sample_snapshot());
  for (std::size_t size = 0; size < text.size(); size += size < 256 ? 1 : 64) {
    EXPECT_EQ(fault_of(parse_snapshot(text.substr(0, size), "test")), "truncated") << size;
  }
  EXPECT_EQ(fault_of(parse_snapshot(text.substr(0, text.size() - 1), "test")), "truncated");
  EXPECT_EQ(fault_of(parse_snapshot(text + '\0', "test")), "wrong checksum");
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

TEST(Snapshot, SaysWhatIsWrongWithAFile) {
  const ScratchFolder folder;
  const auto file = folder / "best-v1.snap";
  EXPECT_EQ(fault_of(load_snapshot(file)), "missing");
  EXPECT_EQ(fault_of(load_snapshot(file / "below")), "missing");
  EXPECT_EQ(fault_of(load_snapshot(folder / "")), "unreadable");
  write_text(file, "# notes of somebody\n");
  EXPECT_EQ(fault_of(load_snapshot(file)), "garbage");
  write_text(file, std::string(100, '\0'));
  EXPECT_EQ(fault_of(load_snapshot(file)), "garbage");
  std::string text = to_bytes(sample_snapshot());
  text[text.find("winner")] = 'W';
  write_text(file, text);
  EXPECT_EQ(fault_of(load_snapshot(file)), "wrong checksum");
  const auto refusal = std::get<SnapshotRefusal>(load_snapshot(file));
  EXPECT_EQ(refusal.detail, file.string() + " is damaged: its checksum is wrong");
}

TEST(Snapshot, OfANewerVersionIsLeftAlone) {
  const std::string text = to_bytes(sample_snapshot());
  const auto of_version = [&](std::uint32_t version) {
    return fault_of(parse_snapshot(
        resealed(text, [&](auto& file) { format::put(&file[format::at_version], version); }),
        "test"));
  };
  EXPECT_EQ(of_version(1), "accepted");
  EXPECT_EQ(of_version(2), "newer");
  EXPECT_EQ(of_version(0xffffffff), "newer");
  EXPECT_EQ(of_version(0), "garbage");
}

TEST(Snapshot, IsReadUpTo64MebibytesOnly) {
  const ScratchFolder folder;
  write_text(folder / "huge", "");
  std::filesystem::resize_file(folder / "huge", max_snapshot_bytes + 1);  // a hole, no bytes
  EXPECT_EQ(fault_of(load_snapshot(folder / "huge")), "too large");
}

TEST(Snapshot, DoesNotWaitForAPipe) {
  const ScratchFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(fault_of(load_snapshot(folder / "pipe")), "unreadable");
}

TEST(Snapshot, WithRightHashesIsStillNotTrusted) {
  const std::string text = to_bytes(sample_snapshot());
  const auto fault_with = [&](std::size_t at, std::uint32_t value) {
    return fault_of(
        parse_snapshot(resealed(text, [&](auto& file) { format::put(&file[at], value); }), "test"));
  };
  for (std::size_t section = 0; section < format::section_count; ++section) {
    const std::size_t at = format::at_sections + 8 * section;
    for (const std::uint32_t value : {0U, 4U, 0x7fffffffU, 0xffffffffU}) {
      EXPECT_EQ(fault_with(at, value), "garbage") << section << " begins at " << value;
    }
    EXPECT_EQ(fault_with(at + 4, 0xffffffff), "garbage") << section;
  }
  // Every place of every text and row of the groups, leading anywhere.
  const auto groups = format::get<std::uint32_t>(
      &text[format::at_sections + 8 * static_cast<std::size_t>(format::Section::groups)]);
  for (std::size_t number = 0; number < 7; ++number) {
    EXPECT_EQ(fault_with(groups + 4 * number, 0x7fffffff), "garbage") << number;
  }
}

/// The entries that survive when a piece of the file is replaced by another as long, hashes made
/// right.
std::string survivors(std::string_view piece, std::string_view replacement) {
  const std::string text = to_bytes({.generation = 1, .entries = {sample_entry()}});
  const std::size_t at = text.find(piece);
  if (at == std::string::npos || piece.size() != replacement.size()) return "no such piece";
  const auto result = parse_snapshot(
      resealed(text, [&](auto& file) { file.replace(at, piece.size(), replacement); }), "test");
  const auto* snapshot = std::get_if<Snapshot>(&result);
  if (snapshot == nullptr) return "none";
  return fmt::format("{} kept, {} skipped", snapshot->entries.size(), snapshot->skipped);
}

std::string bytes_of(double number) {
  std::string bytes(sizeof number, '\0');
  format::put(bytes.data(), std::bit_cast<std::uint64_t>(number));
  return bytes;
}

TEST(Snapshot, SkipsEntriesThatMakeNoSense) {
  EXPECT_EQ(survivors("winner", "winner"), "1 kept, 0 skipped");
  EXPECT_EQ(survivors("sum", "mus"), "0 kept, 1 skipped");
  EXPECT_EQ(survivors("f32", "f33"), "0 kept, 1 skipped");
  EXPECT_EQ(survivors("cold", "mild"), "0 kept, 1 skipped");
  EXPECT_EQ(survivors("fixed", "moved"), "0 kept, 1 skipped");
  for (const double bad : {10.75, -10.25, 0.0, std::nan(""), -HUGE_VAL, HUGE_VAL}) {
    EXPECT_EQ(survivors(bytes_of(10.25), bytes_of(bad)), "0 kept, 1 skipped") << bad;
  }
  EXPECT_EQ(survivors(bytes_of(12.6), bytes_of(HUGE_VAL)), "0 kept, 1 skipped");
}

TEST(Snapshot, IsNotPublishedWhenItIsMoreThanAFileHolds) {
  Snapshot snapshot{.generation = 1, .entries = {sample_entry()}};
  snapshot.entries[0].device_name = std::string(max_snapshot_bytes, 'x');
  EXPECT_THROW((void)to_bytes(snapshot), UsageError);
}

}  // namespace
}  // namespace redtune::cache
