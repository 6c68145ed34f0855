// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every command of the table: its help, its JSON, and what a person sees first.
#include <gtest/gtest.h>

#include "redtune/version.hpp"
#include "tests/cli/run_redtune.hpp"
#include "tuner/cli/command.hpp"

namespace redtune::tuner::cli {
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
    Words words = words_of(command);
    words.emplace_back("--help");
    const Said said = home.run(words);
    EXPECT_EQ(said.code, 0) << command.words;
    EXPECT_EQ(said.err, "") << command.words;
    EXPECT_TRUE(said.says(std::string(command.summary))) << command.words;
    EXPECT_TRUE(said.says("usage: redtune " + std::string(command.words))) << command.words;
    for (const OptionRow& row : command.options) {
      EXPECT_TRUE(said.says("--" + std::string(row.name))) << command.words << " " << row.name;
      EXPECT_TRUE(said.says(std::string(row.fallback))) << command.words << " " << row.name;
    }
    EXPECT_TRUE(said.says("--json"));
  }
}

TEST(Commands, AreListedByHelp) {
  const Home home;
  for (const Words& words : {Words{"--help"}, Words{"help"}}) {
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
  const Said said = Home().run({"--version"});
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.out, fmt::format("redtune {}\n", version));
}

TEST(Commands, PrintOneJsonDocumentWhenAsked) {
  const Home home;
  const std::vector<Words> quick{
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

TEST(Parse, TakesTheLastOfRepeatedValuesAndAllOfThem) {
  const Command command{"try", "[FILE]", "", {{"set", "X", ""}, {"flag", "", ""}}, nullptr};
  const Options options = parse(command, {"--set", "a=1", "word", "--set=b=2", "--flag"});
  EXPECT_EQ(options.text("set"), "b=2");
  EXPECT_EQ(options.all("set"), (Words{"a=1", "b=2"}));
  EXPECT_EQ(options.words(), Words{"word"});
  EXPECT_TRUE(options.has("flag"));
  EXPECT_FALSE(options.has("json"));
}

}  // namespace
}  // namespace redtune::tuner::cli
