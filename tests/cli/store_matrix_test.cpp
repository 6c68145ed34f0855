// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every state of a store, with every state of its snapshot, under every command: as the table in
// docs/explanation/reliability.md says.
#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <map>

#include "tests/cli/store_places.hpp"
#include "tests/cli/stranger.hpp"
#include "tests/faults/failing_io.hpp"
#include "tests/support/preload.hpp"
#include "tests/support/samples.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;

/// The columns of the table behind store and snapshot, but for the last, which is what tune says.
const std::vector<std::string> columns{"library", "query", "log",    "list",
                                       "verify",  "tune",  "import", "gc"};

bool writes(const std::string& command) {
  return command == "tune" || command == "import" || command == "gc";
}

/// Everything below a folder, by its path.
std::map<std::string, std::string> content_of(const fs::path& folder) {
  std::map<std::string, std::string> all;
  for (const auto& one : fs::recursive_directory_iterator(folder)) {
    all[one.path().string()] =
        one.is_regular_file() ? cache::testing::read_text(one.path()) : std::string();
  }
  return all;
}

std::string names_of(const std::map<std::string, std::string>& files) {
  std::string names;
  for (const auto& [name, content] : files) names += name + '\n';
  return names;
}

std::string letters_of(const json& rows, const char* path) {
  std::string letters;
  for (const auto& [letter, count] : asked) {
    const bool is_there = std::ranges::any_of(
        rows, [&, n = count](const json& row) { return row.at(json::json_pointer(path)) == n; });
    if (is_there) letters += letter;
  }
  return letters;
}

std::string or_dash(const std::string& letters) {
  return letters.empty() ? "–" : letters;
}

/// Root may write everywhere: what may not be written is tried by somebody else.
bool is_strangers(const std::string& store) {
  return store == "read-only" || store == "another user's";
}

/// What all cells share: files to begin with, compiled kernels, and somebody else.
class Shared {
 public:
  Shared() {
    for (const char* owner : {"mine", "strangers"}) fs::create_directory(kernels_ / owner);
    if (is_root()) give(kernels_ / "strangers", stranger_id);
    fs::permissions(kernels_ / "", fs::perms(0755));
  }
  [[nodiscard]] static const Shared& get() {
    static const Shared shared;
    return shared;
  }
  [[nodiscard]] static bool is_root() { return getuid() == 0; }
  static void give(const fs::path& path, unsigned user) {
    EXPECT_EQ(lchown(path.c_str(), user, user), 0) << path;
  }
  [[nodiscard]] const PublishedFiles& files() const { return files_; }
  [[nodiscard]] const Stranger& stranger() const { return stranger_; }
  [[nodiscard]] std::string kernels(bool of_stranger) const {
    return kernels_ / (of_stranger ? "strangers" : "mine");
  }

 private:
  PublishedFiles files_;
  Stranger stranger_;
  cache::testing::ScratchFolder kernels_{"/tmp"};
};

/// One command on one place.
class Trial {
 public:
  Trial(std::string store, const std::string& snapshot)
      : store_(std::move(store)), place_(Shared::get().files()) {
    copy_file(Shared::get().files().exported(), place_.home() / "exported.json");
    find(store_states(), store_).make(place_);
    find(snapshot_states(), snapshot).make(place_);
    // As if it had lain there for a while.
    std::error_code none;
    fs::last_write_time(place_.store(), fs::file_time_type::clock::now() - std::chrono::hours(1),
                        none);
    if (is_strangers(store_)) hand_over();
  }
  ~Trial() { fs::permissions(place_.folder(), fs::perms::owner_all); }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  /// What a command returns and what is answered or shown then, as the table has it.
  [[nodiscard]] std::string outcome(const std::string& command) {
    const std::string before = answers();
    const auto files = content_of(place_.folder());
    if (command == "library") return "0 " + or_dash(before);
    said_ = run(words_of(command));
    std::string text = std::to_string(said_.code);
    if (writes(command)) {
      const std::string now = answers();
      for (const char letter : before) {
        EXPECT_NE(now.find(letter), std::string::npos) << letter << " does not answer any more";
      }
      text += " " + or_dash(now);
      const Said list = run(words_of("list"));
      const std::string kept = shown(list, "list");
      if (list.code == 0 && kept != now) text += "/" + or_dash(kept);
    } else {
      EXPECT_EQ(names_of(content_of(place_.folder())), names_of(files)) << command;
      EXPECT_TRUE(content_of(place_.folder()) == files) << command << " changed something";
      if (command != "verify" && said_.code == 0) text += " " + or_dash(shown(said_, command));
    }
    expect_strangers_files_as_they_were(files);
    return text;
  }
  [[nodiscard]] const Said& said() const { return said_; }

 private:
  [[nodiscard]] static const FileState& find(const std::vector<FileState>& states,
                                             const std::string& name) {
    return *std::ranges::find(states, name, &FileState::name);
  }

  /// From now on the place cannot be written: it is read-only, or somebody else's.
  void hand_over() const {
    const bool is_anothers = store_ == "another user's";
    std::error_code none;
    for (const auto& file : {place_.store(), place_.snapshot()}) {
      fs::permissions(file, fs::perms(is_anothers ? 0644 : 0444), none);
    }
    fs::permissions(place_.folder(), fs::perms(is_anothers ? 0755 : 0555));
    Shared::give(place_.home() / "", stranger_id);
    for (const auto& one : fs::recursive_directory_iterator(place_.home() / "")) {
      Shared::give(one.path(), stranger_id);
    }
    if (!is_anothers) return;
    Shared::give(place_.folder(), stranger_id + 1);
    for (const auto& one : fs::recursive_directory_iterator(place_.folder())) {
      Shared::give(one.path(), stranger_id + 1);
    }
  }

  [[nodiscard]] Words words_of(const std::string& command) const {
    const std::map<std::string, Words> all{
        {"query", {"query", "--device", "host", "--count", "1000", "--json"}},
        {"log", {"log", "--json"}},
        {"list", {"cache", "list", "--json"}},
        {"verify", {"cache", "verify"}},
        {"tune", {"tune", "--device", "host", "--count", "2000", "--budget", "2", "--force-noisy"}},
        {"import", {"cache", "import", place_.home() / "exported.json"}},
        {"gc", {"cache", "gc"}}};
    Words words = all.at(command);
    words.insert(words.end(), {"--cache", place_.store()});
    return words;
  }

  [[nodiscard]] Said run(const Words& words) const {
    const bool by_stranger = is_strangers(store_);
    const Words environment{"XDG_CACHE_HOME=" + Shared::get().kernels(by_stranger)};
    if (store_ == "on a full disk") return on_full_disk(words, environment);
    const Words all = place_.home().command(words, environment);
    return run_command(by_stranger ? Shared::get().stranger().command(all) : all);
  }
  [[nodiscard]] Said on_full_disk(const Words& words, Words environment) const {
    environment.insert(
        environment.end(),
        {checks::preloading(REDTUNE_FAILING_IO), "ASAN_OPTIONS=verify_asan_link_order=0",
         fmt::format("{}={}", testing_faults::folder_variable, place_.folder().string()),
         fmt::format("{}=write", testing_faults::calls_variable),
         fmt::format("{}={}", testing_faults::error_variable, ENOSPC),
         fmt::format("{}=1", testing_faults::at_variable),
         fmt::format("{}=1", testing_faults::lasting_variable)});
    return place_.home().run(words, environment);
  }

  [[nodiscard]] std::string answers() const { return answers_of(place_.store()); }
  [[nodiscard]] static std::string shown(const Said& said, const std::string& command) {
    if (said.code != 0) return "";
    const json document = said.document();
    if (command == "query") return document.at("match") == "exact" ? "A" : "";
    return letters_of(document.at(command == "log" ? "runs" : "results"), "/problem/count");
  }

  void expect_strangers_files_as_they_were(const std::map<std::string, std::string>& before) const {
    const auto now = content_of(place_.folder());
    for (const auto& [file, content] : before) {
      const bool is_letter = content.find("Dear") != std::string::npos;
      EXPECT_TRUE(!is_letter || (now.contains(file) && now.at(file) == content)) << file;
    }
  }

  std::string store_;
  Place place_;
  Said said_;
};

std::vector<std::string> split(const std::string& text, const std::string& by) {
  std::vector<std::string> parts;
  for (std::size_t at = 0;;) {
    const auto end = text.find(by, at);
    std::string part = text.substr(at, end - at);
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
    parts.push_back(part);
    if (end == std::string::npos) return parts;
    at = end + by.size();
  }
}

/// The table's rows by store and snapshot: a cell for each column, and what tune says.
using Table = std::map<std::pair<std::string, std::string>, std::vector<std::string>>;

const Table& table() {
  static const Table rows = [] {
    Table found;
    std::ifstream page(REDTUNE_SOURCE_DIR "/docs/explanation/reliability.md");
    bool is_inside = false;
    for (std::string line; std::getline(page, line);) {
      const auto cells = split(line, "|");
      if (cells.size() == columns.size() + 5 && cells[1] == "store" && cells[2] == "snapshot") {
        EXPECT_TRUE(std::equal(columns.begin(), columns.end(), cells.begin() + 3)) << line;
        is_inside = true;
      } else if (is_inside && cells.size() == columns.size() + 5 && !cells[1].starts_with("-")) {
        for (const std::string& store : split(cells[1], ", ")) {
          for (const std::string& snapshot : split(cells[2], ", ")) {
            const bool is_new =
                found.try_emplace({store, snapshot}, cells.begin() + 3, cells.end() - 1).second;
            EXPECT_TRUE(is_new) << "twice in the table: " << store << ", " << snapshot;
          }
        }
      } else if (cells.size() < 3) {
        is_inside = false;
      }
    }
    return found;
  }();
  return rows;
}

TEST(StoreTable, HasARowForEveryStoreAndSnapshot) {
  for (const FileState& store : store_states()) {
    for (const FileState& snapshot : snapshot_states()) {
      EXPECT_TRUE(table().contains({store.name, snapshot.name})) << store.name << snapshot.name;
    }
  }
  EXPECT_EQ(table().size(), store_states().size() * snapshot_states().size());
}

/// Store, snapshot and command.
using Cell = std::array<std::string, 3>;

/// All cells of a full run; else each pair of store, snapshot and command in one at least.
const std::vector<Cell>& tried() {
  static const std::vector<Cell> cells = [] {
    std::vector<Cell> all;
    for (const FileState& store : store_states()) {
      for (const FileState& snapshot : snapshot_states()) {
        for (const std::string& command : columns)
          all.push_back({store.name, snapshot.name, command});
      }
    }
    return checks::sampled(all,
                           [](const Cell& cell) { return checks::Axes(cell.begin(), cell.end()); });
  }();
  return cells;
}

void expect_as_the_table_says(bool of_strangers) {
  for (const auto& [store, snapshot, command] : tried()) {
    if (is_strangers(store) != of_strangers) continue;
    const auto row = table().find({store, snapshot});
    ASSERT_NE(row, table().end()) << store << ", " << snapshot;
    const auto column =
        static_cast<std::size_t>(std::ranges::find(columns, command) - columns.begin());
    Trial trial(store, snapshot);
    EXPECT_EQ(trial.outcome(command), row->second[column])
        << store << ", " << snapshot << ", " << command << '\n'
        << trial.said().out << trial.said().err;
    if (command != "tune") continue;
    const std::string& says = row->second.back();
    if (says == "–") {
      EXPECT_EQ(warnings_in(trial.said().err), 0U) << trial.said().err;
    } else {
      EXPECT_TRUE(trial.said().says(says)) << says << '\n' << trial.said().err;
    }
  }
}

TEST(StoreMatrix, IsAsTheTableSays) {
  expect_as_the_table_says(false);
}

TEST(StoreMatrix, IsAsTheTableSaysOfPlacesThatOthersMayWrite) {
  if (const std::string why = Shared::get().stranger().why_not(); !why.empty()) {
    GTEST_SKIP() << why;
  }
  expect_as_the_table_says(true);
}

TEST(UnreadablePlaces, AreSaidToBeSoByEveryCommand) {
  const Stranger& stranger = Shared::get().stranger();
  if (!stranger.why_not().empty()) GTEST_SKIP() << stranger.why_not();
  const Home home;
  fs::permissions(home / "", fs::perms(0755));
  fs::create_directory(home / "locked");
  cache::testing::write_text(home / "locked/x.db", "");
  fs::permissions(home / "locked", fs::perms(0700));
  for (const Words& command : std::vector<Words>{{"query", "--device", "host"},
                                                 {"tune", "--device", "host", "--op", "sum"},
                                                 {"log"},
                                                 {"cache", "list"},
                                                 {"cache", "verify"},
                                                 {"cache", "gc"}}) {
    Words words = command;
    words.insert(words.end(), {"--cache", home / "locked/x.db"});
    const Said said = run_command(stranger.command(home.command(words, {})));
    EXPECT_EQ(said.code, 74) << command.back() << said.out << said.err;
    EXPECT_TRUE(said.says("x.db cannot be read: Permission denied")) << said.err;
  }
}

}  // namespace
}  // namespace redtune::cli
