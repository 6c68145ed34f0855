// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every command of the table: its help, its JSON, and what a person sees first.
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <set>

#include "cli/command.hpp"
#include "redtune/error.hpp"
#include "redtune/version.hpp"
#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

Words words_of(const Command& command) {
  Words words;
  std::string rest(command.words);
  for (std::size_t space = rest.find(' '); space != std::string::npos; space = rest.find(' ')) {
    words.push_back(rest.substr(0, space));
    rest.erase(0, space + 1);
  }
  words.push_back(rest);
  return words;
}

TEST(Commands, EachHasAHelpThatNamesAllItsOptions) {
  const Home home;
  for (const Command& command : commands()) {
    const Words words = words_of(command);
    const Said said = home.run(with(words, {"--help"}));
    EXPECT_EQ(said.code, 0) << command.words;
    EXPECT_EQ(said.err, "") << command.words;
    EXPECT_TRUE(said.says(std::string(command.summary))) << command.words;
    EXPECT_TRUE(said.says("usage: redtune " + std::string(command.words))) << command.words;
    for (const OptionRow& row : command.options) {
      EXPECT_TRUE(said.says("--" + std::string(row.name))) << command.words << " " << row.name;
      EXPECT_TRUE(said.says(std::string(row.fallback))) << command.words << " " << row.name;
    }
    EXPECT_TRUE(said.says("--json"));
    EXPECT_EQ(home.run(with(words, {"-h"})).out, said.out) << command.words;
    for (const char* asked : {"help", "-h", "--help"}) {
      EXPECT_EQ(home.run(with({asked}, words)).out, said.out) << asked << command.words;
    }
  }
}

TEST(Commands, ThatBeginAlikeAreListedByTheirFirstWord) {
  const Home home;
  std::set<std::string> groups;
  for (const Command& command : commands()) {
    const Words words = words_of(command);
    if (words.size() > 1) groups.insert(words[0]);
  }
  EXPECT_GE(groups.size(), 2U);
  for (const std::string& group : groups) {
    const Said alone = home.run({group});
    EXPECT_EQ(alone.code, 2) << group;
    EXPECT_EQ(alone.err, "") << group;
    for (const Command& command : commands()) {
      const bool is_listed = alone.says("  " + std::string(command.words) + " ");
      EXPECT_EQ(is_listed, command.words.starts_with(group + " ")) << group << command.words;
      EXPECT_EQ(is_listed, alone.says(std::string(command.summary))) << command.words;
    }
    for (const Words& asked : {Words{"help", group}, Words{group, "--help"}, Words{group, "-h"},
                               Words{group, "help"}, Words{"--help", group}}) {
      const Said said = home.run(asked);
      EXPECT_EQ(said.code, 0) << fmt::format("{}", fmt::join(asked, " "));
      EXPECT_EQ(said.err, "");
      EXPECT_EQ(said.out, alone.out);
    }
  }
}

TEST(Commands, AreListedByHelp) {
  const Home home;
  for (const Words& words : {Words{"--help"}, Words{"help"}, Words{"-h"}}) {
    const Said said = home.run(words);
    EXPECT_EQ(said.code, 0);
    for (const Command& command : commands()) {
      const std::string row = "  " + std::string(command.words) + " ";
      EXPECT_EQ(said.says(row), !command.is_hidden) << command.words;
    }
  }
}

TEST(Commands, AreShownWhenNoneIsGiven) {
  const Said said = Home().run({});
  EXPECT_EQ(said.code, 2);
  EXPECT_TRUE(said.says("usage: redtune COMMAND"));
}

TEST(Commands, KnowTheirVersion) {
  for (const char* asked : {"--version", "-V", "version"}) {
    const Said said = Home().run({asked});
    EXPECT_EQ(said.code, 0) << asked;
    EXPECT_EQ(said.out, fmt::format("redtune {}\n", version)) << asked;
    EXPECT_EQ(said.err, "") << asked;
  }
  EXPECT_EQ(Home().run({"version", "--json"}).document().at("version"), version);
}

TEST(Commands, PrintOneJsonDocumentWhenAsked) {
  const Home home;
  const std::vector<Words> quick{
      {"help"},
      {"help", "tune"},
      {"version"},
      {"devices"},
      {"doctor"},
      {"query", "--device", "host"},
      {"query", "--device", "host", "--explain"},
      {"reduce", "--device", "host", "--count", "100"},
      {"kernels", "list"},
      {"kernels", "show", "--device", "host"},
      {"kernels", "compile", "--target", "host:native", "--count", "100", "--set", "block_size=4",
       "--set", "items_per_thread=4", "--set", "vector_width=4", "--set", "finish=single_block"},
  };
  for (Words words : quick) {
    words.emplace_back("--json");
    const Said said = home.run(words);
    EXPECT_EQ(said.code, 0) << words[0] << said.err;
    EXPECT_TRUE(said.document().is_object()) << words[0];
    words.pop_back();
    EXPECT_TRUE(json::parse(home.run(words).out, nullptr, false).is_discarded())
        << words[0] << " prints JSON unasked";
  }
}

TEST(Commands, ListTheHostAmongTheDevices) {
  const json devices = Home().run({"devices", "--json"}).document().at("devices");
  std::size_t hosts = 0;
  for (const json& row : devices) {
    if (row.at("platform") == "host") ++hosts;
    EXPECT_TRUE(row.at("usable").get<bool>() || row.at("problem") != "") << "no reason is given";
  }
  EXPECT_EQ(hosts, 1u);
}

TEST(Commands, MeasureWhatADeviceCanDo) {
  const json found = Home().run({"probe", "--device", "host", "--json"}).document();
  EXPECT_EQ(found.at("device").at("platform"), "host");
  for (const char* figure : {"read", "copy"}) {
    const json& row = found.at(figure);
    EXPECT_GT(row.at("gigabytes_per_second"), 0.01) << figure;
    EXPECT_GE(row.at("fastest"), row.at("gigabytes_per_second")) << figure;
    EXPECT_NE(row.at("shape"), "") << figure;
  }
  EXPECT_GT(found.at("launch_us").at("graph"), 0);
  EXPECT_GT(found.at("launch_us").at("stream"), 0);
  EXPECT_EQ(found.at("has_own_clock"), false);
}

TEST(Commands, ShowADeviceProgramThatIsWhole) {
  const Said said = Home().run({"kernels", "show", "--text"});
  EXPECT_EQ(said.code, 0);
  EXPECT_TRUE(said.says("namespace redtune"));
  EXPECT_FALSE(said.says("#include \"device_code"));
}

TEST(Parse, TakesAllOfRepeatedValues) {
  const Command command{
      "try", "[FILE]", "", {{"set", "X", "", {}, {}, Repeated::lists}, {"flag", "", ""}}, nullptr};
  const Options options = parse(command, {"--set", "a=1", "word", "--set=b=2", "--flag"});
  EXPECT_EQ(options.all("set"), (Words{"a=1", "b=2"}));
  EXPECT_EQ(options.words(), Words{"word"});
  EXPECT_TRUE(options.has("flag"));
  EXPECT_FALSE(options.has("json"));
}

/// How a command refuses these words; empty: it does not.
std::string refusal(const Command& command, const Words& words) {
  try {
    (void)parse(command, words);
    return {};
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(Parse, ListsARepeatedOptionOrRefusesItAsItsRowSays) {
  std::size_t lists = 0;
  for (const Command& command : commands()) {
    for (const OptionRow& row : options_of(command)) {
      const std::string option = "--" + row.name;
      if (row.argument.empty()) {
        EXPECT_NE(refusal(command, {option, option}), "") << command.words << option;
        continue;
      }
      const Words twice{option, "1", option + "=2"};
      if (row.repeated == Repeated::lists) {
        ++lists;
        EXPECT_EQ(parse(command, twice).all(row.name), (Words{"1", "2"}))
            << command.words << option;
        EXPECT_NE(help(command).find(row.help + "; may be repeated"), std::string::npos) << option;
        continue;
      }
      EXPECT_EQ(refusal(command, twice),
                fmt::format("{} is given twice, '1' and '2'; give it once; see: redtune {} --help",
                            option, command.words));
      EXPECT_EQ(help(command).find(row.help + "; may be repeated"), std::string::npos) << option;
    }
  }
  EXPECT_GE(lists, 5U);
}

TEST(Parse, CountsWhatIsGivenMoreOftenThanTwice) {
  const Command command{"try", "", "", {{"op", "NAME", ""}}, nullptr};
  EXPECT_EQ(refusal(command, {"--op", "a", "--op", "b", "--op", "a"}),
            "--op is given 3 times, 'a', 'b' and 'a'; give it once; see: redtune try --help");
}

}  // namespace
}  // namespace redtune::cli
