// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The manual pages: whole, accepted by the programs that show them, and the same for everybody.
#include "cli/man_page.hpp"

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <regex>

#include "cli/doctor/examine.hpp"
#include "cli/manual_texts.hpp"
#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

using testing::HasSubstr;

/// The manual as the build writes it, in a folder of its own.
class Manual {
 public:
  explicit Manual(const Words& environment = {}) {
    Words command{"/usr/bin/env", "-uSOURCE_DATE_EPOCH"};
    command.insert(command.end(), environment.begin(), environment.end());
    command.insert(command.end(), {REDTUNE_WRITE_MANUAL, (home_ / "manual").string()});
    const auto done = device::host::run_program(command);
    EXPECT_TRUE(done.succeeded()) << done.errors;
  }
  [[nodiscard]] std::vector<std::filesystem::path> pages() const {
    std::vector<std::filesystem::path> pages;
    for (const auto& entry : std::filesystem::directory_iterator(home_ / "manual/man1")) {
      pages.push_back(entry.path());
    }
    return pages;
  }
  /// As a person reads it, every blank one space.
  [[nodiscard]] std::string shown(const std::string& page) const {
    const auto done =
        device::host::run_program({"/bin/sh", "-c", "MANWIDTH=200 LC_ALL=C man -l \"$1\" | col -b",
                                   "sh", (home_ / ("manual/man1/" + page + ".1")).string()});
    EXPECT_TRUE(done.succeeded()) << done.errors;
    return std::regex_replace(done.output, std::regex("\\s+"), " ");
  }

 private:
  Home home_;
};

bool is_here(const std::string& program) {
  return device::host::run_program({"/bin/sh", "-c", "command -v " + program}).succeeded();
}

/// Small systems have a program of that name that shows no pages.
bool has_man() {
  return device::host::run_program({"/bin/sh", "-c", "man --version 2>&1 | grep -q '^man '"})
      .succeeded();
}

TEST(PackageManPages, ThereIsOneForEachCommandAndOneForAll) {
  const Manual manual;
  Words names;
  for (const auto& page : manual.pages()) names.push_back(page.filename().string());
  Words expected{"redtune.1"};
  for (const Command& command : commands()) {
    if (!command.is_hidden) expected.push_back(page_name(command) + ".1");
  }
  EXPECT_THAT(names, testing::UnorderedElementsAreArray(expected));
}

TEST(PackageManPages, ShowWhatHelpShows) {
  if (!has_man() || !is_here("col")) GTEST_SKIP() << "man or col is not installed";
  const Manual manual;
  const std::string all = manual.shown("redtune");
  for (const Command& command : commands()) {
    if (command.is_hidden) continue;
    const std::string page = manual.shown(page_name(command));
    const std::string summary(command.summary);
    EXPECT_THAT(page, HasSubstr(page_name(command) + " - " + summary));
    EXPECT_THAT(page, HasSubstr(fmt::format("redtune {} {}", command.words, command.operand)));
    EXPECT_THAT(all, HasSubstr(fmt::format("{} {}", command.words, summary)));
    EXPECT_THAT(all, HasSubstr(page_name(command) + "(1)"));
    for (const OptionRow& row : options_of(command)) {
      const std::string argument = row.argument.empty() ? "" : ' ' + row.argument;
      const std::string fallback = row.fallback.empty() ? "" : fmt::format(" [{}]", row.fallback);
      const std::string names = fmt::format("{}", fmt::join(spellings_of(row), ", "));
      EXPECT_THAT(page, HasSubstr(fmt::format("{}{} {}{}", names, argument, explanation_of(row),
                                              fallback)));
    }
  }
  for (const Variable& variable : variables()) {
    EXPECT_THAT(all, HasSubstr(fmt::format("{} {}", variable.name, variable.effect)));
  }
}

/// What is typed at a shell, without quotes.
Words words_of(std::string_view line) {
  Words words;
  std::istringstream stream{std::string(line)};
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

TEST(PackageManPages, DescribeEveryCommandAndShowExamplesThatCanBeTyped) {
  for (const Command& command : commands()) {
    if (command.is_hidden) continue;
    ASSERT_NE(manual_text_of(command), nullptr) << command.words;
    const ManualText& text = *manual_text_of(command);
    EXPECT_GT(text.description.size(), 60U) << command.words;
    EXPECT_TRUE(text.description.ends_with('.')) << command.words;
    EXPECT_FALSE(text.examples.empty()) << command.words;
    for (const Example& example : text.examples) {
      Words words = words_of(example.line);
      ASSERT_EQ(words.front(), "redtune") << example.line;
      words.erase(words.begin());
      EXPECT_EQ(find_command(words).words, command.words) << example.line;
      EXPECT_NO_THROW((void)parse(command, words)) << example.line;
      EXPECT_LE(example.line.size(), 88U) << example.line;
    }
    const std::string page = man_page(command, "");
    EXPECT_LT(page.find(".SH DESCRIPTION"), page.find(".SH OPTIONS"));
    EXPECT_LT(page.find(".SH OPTIONS"), page.find(".SH EXAMPLES"));
  }
}

TEST(PackageManPages, TellTheExitCodesOfTheReference) {
  const std::string reference = cache::testing::read_text(
      std::filesystem::path(REDTUNE_SOURCE_DIR) / "docs/reference/cli.md");
  const std::string table = reference.substr(reference.find("## Exit codes"));
  const std::string page = man_page_of_all(commands(), "");
  const std::regex row(R"(\| (\d+) \| ([^|]+) \|)");
  std::size_t codes = 0;
  for (auto at = std::sregex_iterator(table.begin(), table.end(), row);
       at != std::sregex_iterator(); ++at, ++codes) {
    const std::string meaning = std::regex_replace((*at)[2].str(), std::regex("-"), "\\-");
    EXPECT_THAT(page, HasSubstr(fmt::format(".TP\n\\fB{}\\fR\n{}", (*at)[1].str(), meaning)));
  }
  EXPECT_EQ(codes, count_of(page.substr(page.find("EXIT STATUS"),
                                        page.find("ENVIRONMENT") - page.find("EXIT STATUS")),
                            ".TP"));
}

TEST(PackageManPages, AreAcceptedByTheProgramsThatShowThem) {
  if (!is_here("mandoc") && !has_man()) GTEST_SKIP() << "neither mandoc nor man is installed";
  const Manual manual({"SOURCE_DATE_EPOCH=1700000000"});
  for (const auto& page : manual.pages()) {
    if (is_here("mandoc")) {
      const auto linted =
          device::host::run_program({"/usr/bin/env", "mandoc", "-Tlint", "-W", "warning", page});
      EXPECT_EQ(linted.output + linted.errors, "") << page;
    }
    if (has_man()) {
      const auto shown = device::host::run_program(
          {"/usr/bin/env", "LC_ALL=C", "man", "--warnings", "-l", "-Tascii", page});
      EXPECT_EQ(shown.errors, "") << page;
    }
  }
}

TEST(PackageManPages, KnowNoDateButTheOneTheyAreGiven) {
  for (const Command& command : commands()) {
    EXPECT_THAT(man_page(command, ""), HasSubstr(" 1 \"\" \"redtune "));
  }
  const Manual dated({"SOURCE_DATE_EPOCH=1700000000", "TZ=Pacific/Kiritimati"});
  for (const auto& file : dated.pages()) {
    EXPECT_THAT(cache::testing::read_text(file), HasSubstr("\"2023-11-14\""));
  }
}

TEST(PackageManPages, TakeTextForText) {
  const Command odd{
      "odd", "", ".request 'quoted' C:\\new 2^24 ~", {{"x-y", "N", "'begins"}}, nullptr};
  const std::string page = man_page(odd, "");
  EXPECT_THAT(page, HasSubstr("\\- \\&.request \\(aqquoted\\(aq C:\\enew 2\\(ha24 \\(ti"));
  EXPECT_THAT(page, HasSubstr("\n\\(aqbegins\n"));
  EXPECT_THAT(page, HasSubstr("\\fB\\-\\-x\\-y\\fR \\fIN\\fR"));
}

}  // namespace
}  // namespace redtune::cli
