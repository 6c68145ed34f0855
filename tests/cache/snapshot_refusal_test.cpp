// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Snapshots that are damaged, hostile or somebody else's are refused, or parts of them passed over.
#include <bit>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "cache/keys/limits.hpp"
#include "cache/snapshot/snapshot.hpp"
#include "snapshot_samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

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
  EXPECT_EQ(of_version(5), "newer");
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
  Snapshot of_shapes = snapshot_with_border();
  of_shapes.entries.push_back(sample_entry(5));
  of_shapes.entries[2].question.problem.outer = 5;
  of_shapes.entries[2].question.problem.batch = 3;
  const std::string text = to_bytes(of_shapes);
  const auto fault_with = [&](std::size_t at, std::uint32_t value) {
    return fault_of(
        parse_snapshot(resealed(text, [&](auto& file) { format::put(&file[at], value); }), "test"));
  };
  const auto more = format::get<std::uint32_t>(
      &text[format::at_sections + 8 * static_cast<std::size_t>(format::Section::more)]);
  for (std::size_t section = 0; section < format::section_count; ++section) {
    const std::size_t at = section < format::head_section_count
                               ? format::at_sections + 8 * section
                               : more + 8 * (section - format::head_section_count);
    for (const std::uint32_t value : {0U, 4U, 0x7fffffffU, 0xffffffffU}) {
      EXPECT_EQ(fault_with(at, value), "garbage") << section << " begins at " << value;
    }
    EXPECT_EQ(fault_with(at + 4, 0xffffffff), "garbage") << section;
  }
  // Every place of every text and row of the groups, leading anywhere.
  const auto groups = format::get<std::uint32_t>(
      &text[format::at_sections + 8 * static_cast<std::size_t>(format::Section::groups)]);
  for (std::size_t number = 0; number < 8; ++number) {
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

/// One custom operator with a program of so many bytes, tuned for so many counts.
Snapshot with_program(std::size_t bytes, std::int64_t counts) {
  Snapshot snapshot{.generation = counts};
  for (std::int64_t count = 1; count <= counts; ++count) {
    snapshot.entries.push_back(sample_entry(count));
    snapshot.entries.back().question.problem =
        make_problem(CustomOp{"mine", std::string(bytes, 'x')}, DType::f32, count);
  }
  return snapshot;
}

TEST(Snapshot, ThatIsSmallIsNotReadIntoMuchMemory) {
  const std::string bytes = to_bytes(with_program(200'000, 300));
  ASSERT_LT(bytes.size(), std::size_t{300'000}) << "the program is in it once";
  const auto result = parse_snapshot(bytes, "a.snap");
  ASSERT_EQ(fault_of(result), "too large");
  EXPECT_EQ(std::get<SnapshotRefusal>(result).detail,
            fmt::format("a.snap would take more than {} MiB of memory, as no snapshot of its size "
                        "does; use another",
                        max_loaded_bytes(bytes.size()) >> 20));
  // Single questions are answered all the same: each takes what one entry takes.
  EXPECT_TRUE(
      std::holds_alternative<std::shared_ptr<const SnapshotView>>(open_snapshot(bytes, "a.snap")));
}

TEST(Snapshot, OfManyCountsOfOneOperatorIsRead) {
  EXPECT_EQ(fault_of(parse_snapshot(to_bytes(with_program(4'000, 3'000)), "a.snap")), "accepted");
  Snapshot plain{.generation = 20'000};
  for (std::int64_t count = 1; count <= 20'000; ++count) {
    plain.entries.push_back(sample_entry(count));
    plain.entries.back().question.problem.count = count;
  }
  EXPECT_EQ(fault_of(parse_snapshot(to_bytes(plain), "a.snap")), "accepted");
}

TEST(Snapshot, IsReadIntoAGibibyteAtMost) {
  EXPECT_EQ(max_loaded_bytes(0), std::size_t{16} << 20);
  EXPECT_EQ(max_loaded_bytes(max_snapshot_bytes), std::size_t{1} << 30);
}

}  // namespace
}  // namespace redtune::cache
