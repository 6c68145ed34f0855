// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune doctor --bundle from the outside: what is in the file, what is not, and what goes wrong.
#include <pwd.h>
#include <set>
#include <unistd.h>

#include "cache/store/store.hpp"
#include "tests/cli/run_redtune.hpp"
#include "tests/tuner/lease_holder.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;

/// The files of a bundle by name, unpacked into the home; its folder is called "report".
std::map<std::string, std::string> unpacked(const Home& home, const fs::path& bundle) {
  fs::create_directory(home / "unpacked");
  const auto done =
      device::host::run_program({"tar", "--extract", "--gzip", "--file", bundle.string(),
                                 "--directory", (home / "unpacked").string()});
  EXPECT_TRUE(done.succeeded()) << done.errors;
  std::map<std::string, std::string> files;
  const fs::path folder = home / "unpacked/report";
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    files[entry.path().lexically_relative(folder).string()] =
        cache::testing::read_text(entry.path());
  }
  return files;
}

std::string host_name() {
  char name[256] = {};
  EXPECT_EQ(gethostname(name, sizeof name - 1), 0);
  return name;
}

/// What is left in a folder beside these names.
std::set<std::string> others_in(const fs::path& folder, const std::set<std::string>& names) {
  std::set<std::string> others;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!names.contains(name)) others.insert(name);
  }
  return others;
}

/// A name that nobody has here: of users, a bundle leaves out their homes as well.
std::string nobody_called(std::string name) {
  while (getpwnam(name.c_str()) != nullptr) name += "a";
  return name;
}

class Bundle : public ::testing::Test {
 protected:
  Bundle() { fs::create_directories(folder_); }
  [[nodiscard]] Said write(const fs::path& file, const Words& more = {}) const {
    Words words{"doctor", "--device", "host", "--bundle", file.string()};
    words.insert(words.end(), more.begin(), more.end());
    // Folders that tell who works here.
    return home_.run(words, {"XDG_STATE_HOME=" + (home_ / "home/state").string()});
  }

  Home home_;
  fs::path folder_ = home_ / "to_send";
  fs::path file_ = folder_ / "report.tar.gz";
};

TEST_F(Bundle, HoldsReportDevicesResultsRunsAndLogs) {
  const Said tuned = home_.run(quick_tune(), {"XDG_STATE_HOME=" + (home_ / "home/state").string()});
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  const Said said = write(file_);
  ASSERT_EQ(said.code, 0) << said.err;
  const auto files = unpacked(home_, file_);
  for (const char* name : {"README.txt", "doctor.txt", "doctor.json", "devices.txt", "devices.json",
                           "results.json", "runs.json", "runs/1.json"}) {
    ASSERT_TRUE(files.contains(name)) << name;
    EXPECT_TRUE(said.says(name)) << said.out;
    if (!std::string(name).ends_with(".json")) continue;
    EXPECT_FALSE(json::parse(files.at(name), nullptr, false).is_discarded()) << files.at(name);
  }
  EXPECT_TRUE(files.contains(
      "logs/" + fs::directory_iterator(home_ / "home/state/redtune")->path().filename().string()));
  EXPECT_TRUE(said.says("report.tar.gz: ")) << said.out;
  EXPECT_TRUE(others_in(folder_, {"report.tar.gz"}).empty());
}

TEST_F(Bundle, TellsNobodysNameAndFolders) {
  ASSERT_EQ(write(file_).code, 0);
  const std::string home = (home_ / "home").string();
  const auto files = unpacked(home_, file_);
  EXPECT_NE(files.at("doctor.txt").find("~/state"), std::string::npos) << files.at("doctor.txt");
  for (const auto& [name, text] : files) {
    EXPECT_EQ(text.find(home), std::string::npos) << name;
    const std::string host = host_name();
    for (auto at = text.find(host); at != std::string::npos; at = text.find(host, at + 1)) {
      const char before = at == 0 ? ' ' : text[at - 1];
      EXPECT_TRUE(std::isalnum(static_cast<unsigned char>(before)) != 0) << name << ": " << text;
    }
  }
  const auto listing = device::host::run_program({"tar", "-tvzf", file_.string()});
  std::istringstream lines(listing.output);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_NE(line.find(" 0/0 "), std::string::npos) << line;
  }
}

TEST_F(Bundle, TellsNothingOfOthers) {
  const std::string berta = nobody_called("berta");
  const std::string clara = nobody_called("clara");
  const tuner::LeaseNote note{.user = berta,
                              .command = "redtune tune --cache /home/" + berta + "/x.db"};
  const tuner::testing::LeaseHolder holder("", note, {{home_ / "run/redtune"}});
  ASSERT_TRUE(holder.is_holding());
  const Said said = home_.run(
      {"doctor", "--device", "host", "--bundle", file_.string()},
      {"SUDO_USER=" + clara, "HOME=/nowhere/dora/", "PATH=/home/" + clara + "/bin:/usr/bin:/bin"});
  ASSERT_EQ(said.code, 0) << said.err;
  const auto files = unpacked(home_, file_);
  EXPECT_NE(files.at("doctor.txt").find("--cache /home/USER/x.db"), std::string::npos)
      << files.at("doctor.txt");
  for (const auto& [name, text] : files) {
    for (const std::string& somebody : {berta, clara, std::string("/dora")}) {
      EXPECT_EQ(text.find(somebody), std::string::npos) << name << ": " << text;
    }
  }
}

TEST_F(Bundle, HoldsTheNewestOfManyRuns) {
  constexpr int count = 33;
  fs::create_directories(home_ / "data/redtune");
  {
    auto store = cache::Store::open(home_ / "data/redtune/results-v1.db");
    for (int i = 0; i < count; ++i) {
      store.finish(store.begin(cache::testing::sample_start()), cache::RunState::done);
    }
  }
  ASSERT_EQ(write(file_).code, 0);
  const auto files = unpacked(home_, file_);
  EXPECT_EQ(json::parse(files.at("runs.json")).at("runs").size(), count);
  for (int run = 1; run <= count; ++run) {
    EXPECT_EQ(files.contains(fmt::format("runs/{}.json", run)), run > count - 30) << run;
  }
}

TEST_F(Bundle, IsAlsoThereWhenNothingWasTuned) {
  const Said said = write(file_, {"--json"});
  ASSERT_EQ(said.code, 0) << said.err;
  const json document = said.document();
  EXPECT_EQ(document.at("bytes"), fs::file_size(file_));
  EXPECT_GE(document.at("files").size(), 6u);
  EXPECT_EQ(count_of(said.out, "runs.json.err.txt"), 1u) << "there is no list to keep";
}

TEST_F(Bundle, SaysWhichCommandItWaitsFor) {
  const Said said = write(file_);
  for (const char* command : {"doctor --device host", "doctor --device host --json", "devices",
                              "devices --json", "log --json"}) {
    const std::string line = fmt::format("running redtune {}\n", command);
    EXPECT_EQ(count_of(said.err, line), 1u) << line << " in " << said.err;
  }
}

/// What GNU tar would take for another machine, and for an option.
TEST_F(Bundle, TakesNamesThatTarReadsOtherwise) {
  for (const char* name : {"a:b.tar.gz", "-x.tar.gz", "--x.tar.gz"}) {
    const Said said = write(folder_ / name);
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_TRUE(fs::exists(folder_ / name));
  }
}

TEST_F(Bundle, NeverReplacesAFile) {
  cache::testing::write_text(file_, "mine");
  const Said said = write(file_);
  EXPECT_EQ(said.code, 2);
  EXPECT_TRUE(said.says("already exists")) << said.err;
  EXPECT_EQ(cache::testing::read_text(file_), "mine");
}

TEST_F(Bundle, RefusesOtherNames) {
  for (const char* name : {"report.zip", "report", ".tar.gz"}) {
    const Said said = write(folder_ / name);
    EXPECT_EQ(said.code, 2) << name;
    EXPECT_EQ(count_of(said.err, "\n"), 1u) << said.err;
    EXPECT_FALSE(fs::exists(folder_ / name));
  }
}

TEST_F(Bundle, SaysInOneLineThatItCannotBeWritten) {
  const Said said = write(home_ / "nowhere/report.tar.gz");
  EXPECT_EQ(said.code, 74);
  EXPECT_EQ(count_of(said.err, "\n"), 1u) << said.err;
  EXPECT_TRUE(said.says("cannot write")) << said.err;
}

TEST_F(Bundle, MissesTarBeforeAnybodyWaits) {
  fs::create_directory(home_ / "bin");
  const Said said = home_.run({"doctor", "--device", "host", "--bundle", file_.string()},
                              {"PATH=" + (home_ / "bin").string()});
  EXPECT_EQ(said.code, 74);
  EXPECT_EQ(count_of(said.err, "\n"), 1u) << said.err;
  EXPECT_TRUE(said.says("tar, which is not on the PATH")) << said.err;
}

TEST_F(Bundle, LeavesNothingBehindWhenTarFails) {
  fs::create_directory(home_ / "bin");
  cache::testing::write_text(home_ / "bin/tar",
                             "#!/bin/sh\necho 'tar: No space left on device' >&2\nexit 2\n");
  fs::permissions(home_ / "bin/tar", fs::perms::owner_all);
  const Said said = home_.run({"doctor", "--device", "host", "--bundle", file_.string()},
                              {"PATH=" + (home_ / "bin").string() + ":/usr/bin:/bin"});
  EXPECT_EQ(said.code, 74);
  EXPECT_TRUE(said.says("No space left on device")) << said.err;
  EXPECT_EQ(others_in(folder_, {}), std::set<std::string>{});
}

}  // namespace
}  // namespace redtune::cli
