// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Snapshots come back as they went, or not at all.
#include "cache/snapshot.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "cache/files.hpp"
#include "cache/sha256.hpp"
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

/// A file around a payload, with the right checksum: what somebody could write on purpose.
std::string around(const std::string& payload, const std::string& version = "1") {
  return R"({"format":"redtune-best","version":)" + version + R"(,"sha256":")" +
         sha256_hex(payload) + "\",\n\"payload\":" + payload + "}\n";
}

std::string fault_of(const SnapshotResult& result) {
  const auto* refusal = std::get_if<SnapshotRefusal>(&result);
  return refusal == nullptr ? "accepted" : std::string(to_string(refusal->fault));
}

TEST(Snapshot, ComesBackAsItWasPublished) {
  const ScratchFolder folder;
  publish_snapshot(folder / "best-v1.json", sample_snapshot());
  EXPECT_EQ(std::get<Snapshot>(load_snapshot(folder / "best-v1.json")), sample_snapshot());
  publish_snapshot(folder / "best-v1.json", Snapshot{});
  EXPECT_EQ(std::get<Snapshot>(load_snapshot(folder / "best-v1.json")), Snapshot{});
}

TEST(Snapshot, IsPrivateAndLeavesNoTemporaryFile) {
  const ScratchFolder folder;
  publish_snapshot(folder / "best-v1.json", sample_snapshot());
  struct stat status {};
  ASSERT_EQ(stat((folder / "best-v1.json").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  const std::filesystem::directory_iterator files(folder / "");
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(Snapshot, ThatCannotBePublishedLeavesTheOldOne) {
  const ScratchFolder folder;
  std::filesystem::create_directories(folder / "best-v1.json/inside");  // no file can replace it
  EXPECT_THROW(publish_snapshot(folder / "best-v1.json", {}), IoError);
  const std::filesystem::directory_iterator files(folder / "");
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
  EXPECT_THROW(publish_snapshot(folder / "missing/best-v1.json", {}), IoError);
}

TEST(Snapshot, KeepsTextsThatAreNoUtf8Readable) {
  Snapshot snapshot = sample_snapshot();
  snapshot.entries[0].device_name = "\xff\xfe";
  const auto result = parse_snapshot(to_text(snapshot), "test");
  EXPECT_EQ(std::get<Snapshot>(result).entries.size(), 2U);
}

TEST(Snapshot, IsNeverAcceptedWithAnyBitOfItsFrameFlipped) {
  const std::string text = to_text(sample_snapshot());
  const std::size_t frame = text.find("\"payload\":") + 11;
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    if (bit == frame * 8) bit = (text.size() - 3) * 8;
    std::string flipped = text;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    EXPECT_NE(fault_of(parse_snapshot(flipped, "test")), "accepted") << "bit " << bit;
  }
}

TEST(Snapshot, IsTruncatedWhereverItIsCut) {
  const std::string text = to_text(sample_snapshot());
  for (std::size_t size = 0; size < text.size(); size += size < 256 ? 1 : 64) {
    EXPECT_EQ(fault_of(parse_snapshot(text.substr(0, size), "test")), "truncated") << size;
  }
  EXPECT_EQ(fault_of(parse_snapshot(text.substr(0, text.size() - 1), "test")), "truncated");
}

TEST(Snapshot, SaysWhatIsWrongWithAFile) {
  const ScratchFolder folder;
  const auto file = folder / "best-v1.json";
  EXPECT_EQ(fault_of(load_snapshot(file)), "missing");
  EXPECT_EQ(fault_of(load_snapshot(file / "below")), "missing");
  EXPECT_EQ(fault_of(load_snapshot(folder / "")), "unreadable");
  write_text(file, "# notes of somebody\n");
  EXPECT_EQ(fault_of(load_snapshot(file)), "garbage");
  write_text(file, std::string(100, '\0'));
  EXPECT_EQ(fault_of(load_snapshot(file)), "garbage");
  std::string text = to_text(sample_snapshot());
  text[text.find("winner")] = 'W';
  write_text(file, text);
  EXPECT_EQ(fault_of(load_snapshot(file)), "wrong checksum");
  const auto refusal = std::get<SnapshotRefusal>(load_snapshot(file));
  EXPECT_EQ(refusal.detail, file.string() + " is damaged: its checksum is wrong");
}

TEST(Snapshot, OfANewerVersionIsLeftAlone) {
  EXPECT_EQ(fault_of(parse_snapshot(around("{}", "2"), "test")), "newer");
  EXPECT_EQ(fault_of(parse_snapshot(around("{}", "99999999999999999999"), "test")), "newer");
  EXPECT_EQ(fault_of(parse_snapshot(around("{}", "0"), "test")), "garbage");
  EXPECT_EQ(fault_of(parse_snapshot(around("{}", "-1"), "test")), "garbage");
  EXPECT_EQ(fault_of(parse_snapshot(around("{}", "01"), "test")), "garbage");
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

TEST(Snapshot, WithARightChecksumIsStillNotTrusted) {
  for (const char* payload :
       {"", "null", "[]", "{}", R"({"generation":1})", R"({"generation":1,"entries":{}})",
        R"({"generation":"1","entries":[]})", R"({"generation":1.5,"entries":[]})",
        R"({"generation":1,"entries":[)", R"({"generation":1,"entries":[]}})"}) {
    EXPECT_EQ(fault_of(parse_snapshot(around(payload), "test")), "garbage") << payload;
  }
  EXPECT_EQ(fault_of(parse_snapshot(around(R"({"generation":1,"entries":[]})"), "test")),
            "accepted");
}

TEST(Snapshot, RefusesNestingBeforeItIsParsed) {
  std::string payload = R"({"generation":1,"entries":[)";
  payload += std::string(5'000'000, '[') + std::string(5'000'000, ']') + "]}";
  EXPECT_EQ(fault_of(parse_snapshot(around(payload), "test")), "garbage");
}

/// The entries that survive when a piece of one entry's text is replaced, checksum corrected.
std::string survivors(const std::string& piece, const std::string& replacement) {
  const std::string text = to_text({.generation = 1, .entries = {sample_entry()}});
  const std::size_t begin = text.find("\"payload\":") + 10;
  std::string payload = text.substr(begin, text.size() - begin - 2);
  const std::size_t at = payload.find(piece);
  if (at == std::string::npos) return "no such piece";
  payload.replace(at, piece.size(), replacement);
  const auto result = parse_snapshot(around(payload), "test");
  const auto* snapshot = std::get_if<Snapshot>(&result);
  if (snapshot == nullptr) return "none";
  return fmt::format("{} kept, {} skipped", snapshot->entries.size(), snapshot->skipped);
}

TEST(Snapshot, SkipsEntriesThatMakeNoSense) {
  EXPECT_EQ(survivors("winner", "winner"), "1 kept, 0 skipped");
  EXPECT_EQ(survivors("\"op\":\"sum\"", "\"op\":\"median\""), "0 kept, 1 skipped");
  EXPECT_EQ(survivors("[10.25,10.5", "[10.75,10.5"), "0 kept, 1 skipped");
  EXPECT_EQ(survivors("[10.25,", "[-10.25,"), "0 kept, 1 skipped");
  EXPECT_EQ(survivors("[10.25,", "[null,"), "0 kept, 1 skipped");
  EXPECT_EQ(survivors("[10.25,10.5,11.125]", "[10.25,10.5]"), "0 kept, 1 skipped");
  EXPECT_EQ(survivors("\"wave_size\":\"64\"", "\"wave_size\":64"), "0 kept, 1 skipped");
  EXPECT_EQ(survivors("\"wave_size\":\"64\"", "\"wave_size\":\"64x\""), "0 kept, 1 skipped");
  EXPECT_EQ(survivors("\"family\":\"reduce\",", ""), "0 kept, 1 skipped");
  EXPECT_EQ(survivors("12.6", "1e400"), "none");
}

}  // namespace
}  // namespace redtune::cache
