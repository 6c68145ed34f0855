// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The completion scripts in the shells they are for: every command, option and name of the tables.
#include "cli/completions.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include "redtune/op.hpp"
#include "search/registry.hpp"
#include "tests/cli/made_store.hpp"

namespace redtune::cli {
namespace {

using testing::Contains;
using testing::Not;
using testing::UnorderedElementsAreArray;

/// A line up to the cursor, and what is to be offered there.
struct Line {
  std::string typed;
  Words offered;
};

Words lines_of_text(const std::string& text) {
  Words lines;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
  }
  return lines;
}

std::vector<Command> shown_commands() {
  std::vector<Command> shown;
  std::ranges::copy_if(commands(), std::back_inserter(shown),
                       [](const Command& command) { return !command.is_hidden; });
  return shown;
}

Words option_names(const Command& command) {
  Words names;
  for (const OptionRow& row : options_of(command)) {
    for (const std::string& name : spellings_of(row)) names.push_back(name);
  }
  return names;
}

/// Those that begin so.
Words among(const Words& names, const std::string& beginning) {
  Words found;
  std::ranges::copy_if(names, std::back_inserter(found),
                       [&](const std::string& name) { return name.starts_with(beginning); });
  return found;
}

/// A shell from this machine with a script of redtune's; the test is skipped where it is missing.
class Shell {
 public:
  Shell(std::string name, const std::string& script) : name_(std::move(name)) {
    std::ofstream(home_ / "script") << script;
  }
  [[nodiscard]] bool is_here() const {
    return device::host::run_program({"/bin/sh", "-c", "command -v " + name_}).succeeded();
  }
  /// What a program of the shell prints, a list for each word it is given; $1 is redtune's script.
  [[nodiscard]] std::vector<Words> answers(const std::string& program, const Words& words) const {
    Words command{"/usr/bin/env", "HOME=" + (home_ / "home").string(), name_};
    if (name_ == "zsh") command.emplace_back("-f");
    if (name_ == "bash") command.emplace_back("--norc");
    if (name_ == "fish") command.emplace_back("--no-config");
    command.insert(command.end(), {"-c", program});
    if (name_ != "fish") command.push_back(name_);
    command.push_back((home_ / "script").string());
    command.insert(command.end(), words.begin(), words.end());
    const auto done = device::host::run_program(
        command, {.deadline = std::chrono::minutes(2), .most_output = std::size_t{1} << 26});
    EXPECT_TRUE(done.succeeded()) << done.ending() << done.errors;
    EXPECT_EQ(done.errors, "");
    std::vector<Words> lists;
    for (const std::string& line : lines_of_text(done.output)) {
      if (line == "<answer>")
        lists.emplace_back();
      else if (!lists.empty())
        lists.back().push_back(line);
    }
    EXPECT_EQ(lists.size(), words.size());
    lists.resize(words.size());
    return lists;
  }

 private:
  std::string name_;
  Home home_;
};

/// Outside of a completion `compopt` is an error, so here it tells what it was asked.
constexpr const char* bash_program = R"(
source "$1"; shift
compopt() { told=$2; }
for line in "$@"; do
  COMP_LINE=$line COMP_POINT=${#line} told='' COMPREPLY=()
  _redtune
  echo '<answer>'
  [[ -z $told ]] || echo "@$told"
  [[ ${#COMPREPLY[@]} = 0 ]] || printf '%s\n' "${COMPREPLY[@]}"
done)";

void expect_in_bash(const std::vector<Line>& lines, const std::string& set_up = "") {
  const Shell bash("bash", bash_completions(commands()));
  Words typed;
  for (const Line& line : lines) typed.push_back(line.typed);
  const auto answers = bash.answers(set_up + bash_program, typed);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_THAT(answers[i], UnorderedElementsAreArray(lines[i].offered)) << lines[i].typed;
  }
}

/// What bash is to offer for a value: names, or its own completion of files.
Words in_bash(const OptionRow& row) {
  switch (value_of(row)) {
    case Value::choice:
      return row.choices;
    case Value::file:
      return {"@default"};
    case Value::folder:
      return {"@dirnames"};
    default:
      return {};
  }
}

TEST(PackageCompletions, BashOffersEveryOptionAndName) {
  std::vector<Line> lines;
  for (const Command& command : shown_commands()) {
    const std::string typed = fmt::format("redtune {} ", command.words);
    const Words options = option_names(command);
    lines.push_back({typed + "-", options});
    const OptionRow operand = operand_of(command);
    if (value_of(operand) != Value::text) {
      lines.push_back({typed, value_of(operand) == Value::none ? options : in_bash(operand)});
    }
    for (const OptionRow& row : options_of(command)) {
      lines.push_back({fmt::format("{}--{}", typed, row.name), among(options, "--" + row.name)});
      const bool is_flag = value_of(row) == Value::none;
      if (is_flag) {
        lines.push_back({fmt::format("{}--{} --", typed, row.name), among(options, "--")});
      } else {
        lines.push_back({fmt::format("{}--{} ", typed, row.name), in_bash(row)});
        lines.push_back({fmt::format("{}--{}=", typed, row.name), in_bash(row)});
      }
    }
  }
  EXPECT_GT(lines.size(), 100U);
  expect_in_bash(lines);
}

TEST(PackageCompletions, BashOffersCommandsWordByWord) {
  Words first{"--help", "--version"};
  std::map<std::string, Words> second;
  for (const Command& command : shown_commands()) {
    const std::string words(command.words);
    const std::size_t space = words.find(' ');
    if (!std::ranges::count(first, words.substr(0, space))) first.push_back(words.substr(0, space));
    if (space != std::string::npos)
      second[words.substr(0, space)].push_back(words.substr(space + 1));
  }
  std::vector<Line> lines{{"redtune ", first}, {"redtune no-such-command ", {}}};
  for (const auto& [word, next] : second) lines.push_back({fmt::format("redtune {} ", word), next});
  EXPECT_GT(lines.size(), 2U);
  expect_in_bash(lines);
}

TEST(PackageCompletions, BashFindsItsWayThroughWhatItSplits) {
  expect_in_bash({{"redtune tune --device host:wave3", {"wave32"}},
                  {"redtune tune --device=host:wave3", {"wave32"}},
                  {"redtune tune --type f64 --device=hip:", {"0", "all"}},
                  {"redtune kernels compile --set finish=last_b", {"last_block"}},
                  {"redtune kernels compile --set=finish=last_b", {"last_block"}},
                  {"  /usr/bin/redtune   tune  --ty", {"--type"}},
                  {"redtune tune --count 5 --fre", {"--fresh"}}});
}

TEST(PackageCompletions, BashAnswersWholeWordsWhereItSplitsNone) {
  expect_in_bash({{"redtune tune --device host:wave3", {"host:wave32"}},
                  {"redtune tune --type=bf", {"--type=bf16"}}},
                 "COMP_WORDBREAKS=' \t\n'\n");
}

TEST(PackageCompletions, FishOffersEveryOptionAndName) {
  const Shell fish("fish", fish_completions(commands()));
  if (!fish.is_here()) GTEST_SKIP() << "fish is not installed";
  std::vector<Line> lines;
  for (const Command& command : shown_commands()) {
    const std::string typed = fmt::format("redtune {} ", command.words);
    lines.push_back({typed + "--", among(option_names(command), "--")});
    lines.push_back({typed + "-", option_names(command)});
    for (const OptionRow& row : options_of(command)) {
      if (value_of(row) == Value::choice) {
        lines.push_back({fmt::format("{}--{} ", typed, row.name), row.choices});
      }
    }
    const OptionRow operand = operand_of(command);
    if (value_of(operand) == Value::choice) lines.push_back({typed, operand.choices});
  }
  for (const Beginning& beginning : beginnings(commands())) {
    lines.push_back({fmt::format("redtune {} ", beginning.words), {}});
    for (const NextWord& next : beginning.next) lines.back().offered.push_back(next.word);
  }
  Words typed;
  for (const Line& line : lines) typed.push_back(line.typed);
  const auto answers = fish.answers(R"(
source $argv[1]
for line in $argv[2..]
  echo '<answer>'
  complete -C $line | string replace -r '\t.*' ''
end)",
                                    typed);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_THAT(answers[i], UnorderedElementsAreArray(lines[i].offered)) << lines[i].typed;
  }
}

TEST(PackageCompletions, ZshAsksForEveryOptionAndName) {
  const Shell zsh("zsh", zsh_completions(commands()));
  if (!zsh.is_here()) GTEST_SKIP() << "zsh is not installed";
  Words typed;
  for (const Command& command : shown_commands()) typed.emplace_back(command.words);
  for (const Beginning& beginning : beginnings(commands())) typed.push_back(beginning.words);
  // The functions of zsh's own completion say what they were given.
  const auto answers = zsh.answers(R"(
compdef() { : }
_arguments() { print -rl -- "words $words" "current $CURRENT" "$@" }
_describe() { print -rl -- "${(@P)4}" }
source "$1"; shift
for typed in "$@"; do
  words=(redtune ${=typed} '')
  CURRENT=$#words
  print '<answer>'
  _redtune
done)",
                                   typed);
  std::size_t i = 0;
  for (const Command& command : shown_commands()) {
    const Words& asked = answers[i++];
    EXPECT_THAT(asked, Contains("current 2")) << command.words;
    for (const OptionRow& row : options_of(command)) {
      for (const std::string& name : spellings_of(row)) {
        const std::string begin = fmt::format("{}{}{}[", row.repeated == Repeated::lists ? "*" : "",
                                              name, value_of(row) == Value::none ? "" : "=");
        EXPECT_THAT(asked, Contains(testing::StartsWith(begin))) << command.words;
      }
    }
  }
  for (const Beginning& beginning : beginnings(commands())) {
    for (const NextWord& next : beginning.next) {
      EXPECT_THAT(answers[i], Contains(testing::StartsWith(next.word + ":"))) << beginning.words;
    }
    ++i;
  }
}

/// Runs and results of a store, asked for while something is typed.
class CompletedNumbers : public testing::Test {
 protected:
  CompletedNumbers() {
    std::filesystem::create_directory(home_.home() / "bin");
    const Words command = home_.home().command({}, {});
    std::ofstream script(home_ / "bin/redtune");
    script << "#!/bin/sh\nexec";
    for (const std::string& word : command) script << " '" << word << '\'';
    script << " \"$@\"\n";
    script.close();
    std::filesystem::permissions(home_ / "bin/redtune", std::filesystem::perms::owner_all);
  }
  /// That finds this redtune.
  [[nodiscard]] std::string path() const { return "PATH='" + (home_ / "bin") + "':$PATH\n"; }

  StoreHome home_;
};

TEST_F(CompletedNumbers, AreTheNewestFirstWithWhatTheyAreOf) {
  const Words runs = lines_of_text(home_.run({"completions", "runs"}).out);
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_THAT(runs[0], testing::StartsWith("3\tsum f32 2^20"));
  EXPECT_THAT(runs[2], testing::StartsWith("1\tmax f32 2^10"));
  EXPECT_EQ(lines_of_text(home_.run({"completions", "results"}).out).size(), 3U);
  const Said none = Home().run({"completions", "runs"});
  EXPECT_EQ(none.code, 0);
  EXPECT_EQ(none.out + none.err, "");
}

TEST_F(CompletedNumbers, AreOfferedByBash) {
  expect_in_bash({{"redtune log ", {"3", "2", "1"}},
                  {"redtune report 2", {"2"}},
                  {"redtune report --compare 2 ", {"3", "2", "1"}},
                  {"redtune cache export --run ", {"3", "2", "1"}},
                  {"redtune cache show ", {"3", "2", "1"}},
                  {"redtune cache revoke ", {"3", "2", "1"}}},
                 path());
}

TEST_F(CompletedNumbers, AreOfferedByFish) {
  const Shell fish("fish", fish_completions(commands()));
  if (!fish.is_here()) GTEST_SKIP() << "fish is not installed";
  const Words typed{"redtune log ", "redtune cache show ", "redtune cache export --run "};
  const auto answers = fish.answers("set -x PATH '" + (home_ / "bin") + "' $PATH\n" + R"(
source $argv[1]
for line in $argv[2..]
  echo '<answer>'
  complete -C $line | string replace -r '\t.*' ''
end)",
                                    typed);
  for (std::size_t i = 0; i < typed.size(); ++i) {
    EXPECT_THAT(answers[i], testing::IsSupersetOf({"1", "2", "3"})) << typed[i];
  }
}

TEST_F(CompletedNumbers, AreOfferedByZsh) {
  const Shell zsh("zsh", zsh_completions(commands()));
  if (!zsh.is_here()) GTEST_SKIP() << "zsh is not installed";
  const auto answers = zsh.answers(path() + R"(
compdef() { : }
_describe() { print -rl -- "${(@P)3}" }
source "$1"; shift
for kind in "$@"; do
  print '<answer>'
  _redtune_numbers $kind
done)",
                                   {"runs", "results"});
  EXPECT_THAT(answers[0], Contains(testing::StartsWith("3:sum f32 2^20")));
  EXPECT_EQ(answers[1].size(), 3U);
  for (const char* option : {"'1:RUN:_redtune_numbers runs'", "'1:ID:_redtune_numbers results'",
                             "--run=", "RUN:_redtune_numbers runs"}) {
    EXPECT_THAT(zsh_completions(commands()), testing::HasSubstr(option));
  }
}

TEST(PackageCompletions, KnowWhatRegistriesKnow) {
  const auto tune = std::ranges::find(commands(), "tune", &Command::words);
  const auto choices_of = [&](std::string_view name) {
    return std::ranges::find(tune->options, name, &OptionRow::name)->choices;
  };
  for (const OpInfo& op : all_ops()) EXPECT_THAT(choices_of("op"), Contains(op.name));
  for (const DTypeInfo& type : all_dtypes()) EXPECT_THAT(choices_of("type"), Contains(type.name));
  for (const auto& row : search::strategies()) {
    EXPECT_THAT(choices_of("strategy"), Contains(row.name));
  }
}

TEST(PackageCompletions, ArePrintedForEveryShell) {
  const Home home;
  for (const std::string& shell : completion_shells()) {
    const Said said = home.run({"completions", shell});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_TRUE(said.says("--cache-mode") || said.says("-l cache-mode")) << shell;
    for (const Command& command : commands()) {
      EXPECT_TRUE(!command.is_hidden || !said.says(std::string(command.words))) << command.words;
    }
    const json document = home.run({"completions", shell, "--json"}).document();
    EXPECT_EQ(document.at("shell"), shell);
    EXPECT_EQ(document.at("script"), said.out);
  }
}

TEST(PackageCompletions, AskForAShellTheyKnow) {
  const Home home;
  const Said unknown = home.run({"completions", "zhs"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(unknown.says("unknown shell 'zhs' (did you mean 'zsh'?); known: bash, zsh, fish"))
      << unknown.err;
  const Said none = home.run({"completions"});
  EXPECT_EQ(none.code, 2);
  for (const std::string& shell : completion_shells()) EXPECT_TRUE(none.says(shell)) << none.err;
}

}  // namespace
}  // namespace redtune::cli
