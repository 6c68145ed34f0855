// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A place with a store and its snapshot in every state that they can be in: what was published, and
// then what became of the files.
#pragma once

#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "cache/files/paths.hpp"
#include "cache/store/sqlite.hpp"
#include "cache/store/store.hpp"
#include "redtune/find_best.hpp"
#include "tests/cache/spoilt_files.hpp"
#include "tests/cli/run_redtune.hpp"
#include "tests/runtime/published.hpp"

namespace redtune::cli {

using cache::testing::overwrite;
using cache::testing::write_older;

/// What an answer is for, by its letter in the table: A and B were published before, A first; C is
/// tuned now, D imported now.
struct Asked {
  char letter;
  std::int64_t count;
};
inline constexpr std::array asked{Asked{'A', 1000}, Asked{'B', 100'000}, Asked{'C', 2000},
                                  Asked{'D', 300'000}};

/// Two results as files, made once.
class PublishedFiles {
 public:
  PublishedFiles() {
    const auto device = identify_device("host");
    const auto publish = [&](const std::filesystem::path& store, char letter) {
      testing_runtime::publish_result(store, make_problem(Op::sum, DType::f32, count_of(letter)),
                                      device, testing_runtime::unusual_settings());
    };
    publish(store(), 'A');
    copy_file(cache::snapshot_of(store()), older_snapshot());
    publish(store(), 'B');
    publish(folder_ / "other.db", 'D');
    EXPECT_EQ(
        Home()
            .run({"cache", "export", "--cache", folder_ / "other.db", "--out", exported().string()})
            .code,
        0);
  }
  [[nodiscard]] static std::int64_t count_of(char letter) {
    return std::ranges::find(asked, letter, &Asked::letter)->count;
  }
  [[nodiscard]] std::filesystem::path store() const { return folder_ / "results.db"; }
  [[nodiscard]] std::filesystem::path snapshot() const { return cache::snapshot_of(store()); }
  [[nodiscard]] std::filesystem::path older_snapshot() const { return folder_ / "older.snap"; }
  [[nodiscard]] std::filesystem::path exported() const { return folder_ / "exported.json"; }

 private:
  cache::testing::ScratchFolder folder_;
};

/// Which of the questions a file's snapshot answers exactly, as an application asks.
inline std::string answers_of(const std::filesystem::path& store) {
  std::string letters;
  const auto device = identify_device("host");
  for (const auto& [letter, count] : asked) {
    const Answer answer =
        find_best(make_problem(Op::sum, DType::f32, count), device, {.cache_file = store.string()});
    if (answer.match == Match::exact) letters += letter;
  }
  return letters;
}

/// A home with a store named by --cache.
class Place {
 public:
  explicit Place(const PublishedFiles& files) : files_(files) {
    std::filesystem::create_directory(folder());
  }
  [[nodiscard]] std::filesystem::path folder() const { return home_ / "place"; }
  [[nodiscard]] std::filesystem::path store() const { return folder() / "results.db"; }
  [[nodiscard]] std::filesystem::path snapshot() const { return cache::snapshot_of(store()); }
  [[nodiscard]] const PublishedFiles& files() const { return files_; }
  [[nodiscard]] const Home& home() const { return home_; }

 private:
  const PublishedFiles& files_;
  Home home_;
};

struct FileState {
  std::string name;
  std::function<void(const Place&)> make;
};

/// The store's, by the names in the table. They come before the snapshot is put in its place.
inline const std::vector<FileState>& store_states() {
  const auto whole = [](const Place& place) { copy_file(place.files().store(), place.store()); };
  static const std::vector<FileState> states{
      {"intact", whole},
      {"empty file", [](const Place& place) { cache::testing::write_text(place.store(), ""); }},
      {"absent", [](const Place&) {}},
      {"damaged header",
       [=](const Place& place) {
         whole(place);
         overwrite(place.store(), 0, std::string(100, 'x'));
       }},
      {"damaged page",  // of the results
       [=](const Place& place) {
         whole(place);
         const auto page = static_cast<std::size_t>(
             cache::Database(place.store())
                 .integer("SELECT rootpage FROM sqlite_schema WHERE name = 'best'"));
         overwrite(place.store(), (page - 1) * 4096, std::string(4096, 'x'));
       }},
      {"older schema",
       [](const Place& place) { write_older(place.store(), place.files().store(), 1); }},
      {"newer schema",
       [=](const Place& place) {
         whole(place);
         cache::Database database(place.store());
         database.execute(fmt::format("PRAGMA user_version = {}", cache::schema_major + 1).c_str());
         database.trust();
       }},
      {"foreign database",
       [](const Place& place) {
         cache::testing::write_text(place.store(), "");
         cache::Database(place.store())
             .execute("CREATE TABLE letters (text); INSERT INTO letters VALUES ('Dear')");
       }},
      {"text file",
       [](const Place& place) { cache::testing::write_text(place.store(), "Dear Ada,\n"); }},
      {"directory",
       [](const Place& place) {
         std::filesystem::create_directory(place.store());
         cache::testing::write_text(place.store() / "letter", "Dear Ada,\n");
       }},
      {"read-only", whole},
      {"on a full disk", whole},
      {"symbolic link",
       [](const Place& place) {
         std::filesystem::create_directory(place.folder() / "real");
         copy_file(place.files().store(), place.folder() / "real/kept.db");
         std::filesystem::create_symlink("real/kept.db", place.store());
       }},
      {"another user's", whole},
  };
  return states;
}

/// The snapshot's.
inline const std::vector<FileState>& snapshot_states() {
  static const std::vector<FileState> states{
      {"intact", [](const Place& place) { copy_file(place.files().snapshot(), place.snapshot()); }},
      {"absent", [](const Place&) {}},
      {"damaged",
       [](const Place& place) {
         copy_file(place.files().snapshot(), place.snapshot());
         overwrite(place.snapshot(), 200, "damage");
       }},
      {"older",
       [](const Place& place) { copy_file(place.files().older_snapshot(), place.snapshot()); }},
      {"foreign",
       [](const Place& place) { cache::testing::write_text(place.snapshot(), "Dear Bob,\n"); }},
  };
  return states;
}

}  // namespace redtune::cli
