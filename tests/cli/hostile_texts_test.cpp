// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Texts of stores and exports that somebody else wrote move no cursor and forge no line, whichever
// command shows them. JSON has escapes of its own.
#include <algorithm>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "cli/log_text.hpp"
#include "tests/cli/custom_operators.hpp"
#include "tests/cli/made_store.hpp"
#include "tuner/text/printable.hpp"
#include "tuner/text/table.hpp"

namespace redtune::cli {
namespace {

/// A colour, a line, DEL, and the C1 form of ESC [.
const std::string hostile =
    "\x1b[31mred\nforged\x7f\xc2\x9b"
    "31m";
const std::string as_shown = R"(\x1b[31mred\nforged\x7f\u009b31m)";
/// And a byte that is no UTF-8, for texts that are part of no key.
const std::string broken = hostile + '\xff';

TEST(Printable, EscapesControlCharactersAndWhatIsNoUtf8) {
  EXPECT_EQ(tuner::printable(broken), as_shown + R"(\xff)");
  EXPECT_EQ(tuner::printable("\t\r\v" + std::string(1, '\0')), R"(\t\r\x0b\x00)");
  EXPECT_EQ(tuner::printable("\xc2\x85"), R"(\u0085)");
  EXPECT_EQ(tuner::printable("µs – Größe 日本 🙂 \\n"), "µs – Größe 日本 🙂 \\n");
  // Cut short, overlong, a surrogate, beyond Unicode, a continuation alone.
  EXPECT_EQ(tuner::printable("\xe6\x97"), R"(\xe6\x97)");
  EXPECT_EQ(tuner::printable("\xc0\x8a"), R"(\xc0\x8a)");
  EXPECT_EQ(tuner::printable("\xe0\x80\x8a"), R"(\xe0\x80\x8a)");
  EXPECT_EQ(tuner::printable("\xed\xa0\x80"), R"(\xed\xa0\x80)");
  EXPECT_EQ(tuner::printable("\xf4\x90\x80\x80"), R"(\xf4\x90\x80\x80)");
  EXPECT_EQ(tuner::printable("\x9b"
                             "31m"),
            R"(\x9b31m)");
}

TEST(Printable, LeavesLinesWhereTheyAreMeant) {
  EXPECT_EQ(tuner::printable_lines("a\n\tb\x1b[0m\r\n"), "a\n\tb\\x1b[0m\\r\n");
}

TEST(Table, ShowsCellsOnOneLineEach) {
  EXPECT_EQ(tuner::table({{"name", "n"}, {hostile, "1"}}),
            "name" + std::string(as_shown.size() - 4, ' ') + "  n\n" + as_shown + "  1\n");
}

/// Runs, results, trials and an exclusion with such texts wherever one may stand.
class HostileStore : public ::testing::Test {
 protected:
  HostileStore() {
    cache::Store store = cache::Store::open(file_);
    for (const bool is_custom : {false, true}) {
      cache::RunStart start = made_start(1 << 20);
      if (is_custom) {
        start.problem = make_problem(CustomOp{hostile, "text"}, DType::f32, 1 << 20);
      }
      start.strategy = start.budget = start.program_version = start.command_line = hostile;
      start.device.name = broken;
      start.device.device_class.isa = start.device.device_class.partition = hostile;
      start.device.toolchain = {hostile, hostile, hostile};
      const cache::RunId run = store.begin(start);
      cache::Trial trial = cache::testing::sample_trial(0);
      trial.settings = {{"block_size", hostile}, {hostile, "1"}};
      trial.status = "compile_failed";
      trial.time_us.reset();
      trial.detail = broken;
      store.record(run, trial);
      cache::Best best = cache::testing::sample_best();
      best.settings = trial.settings;
      best.reason = broken;
      store.publish(run, best);
      store.finish(run, cache::RunState::failed, broken);
      store.exclude(
          {question_of(start), trial.settings, cache::ExclusionScope::problem, hostile, hostile});
    }
    cache::RunStart unpublished = made_start(1 << 10);
    store.finish(store.begin(unpublished), cache::RunState::failed, broken);
    store.mark(1, cache::Word::revoked, broken);
    store.mark(1, cache::Word::restored, broken);
  }
  [[nodiscard]] Said run(Words words) const {
    words.insert(words.end(), {"--cache", file_});
    return home_.run(words);
  }

  Home home_;
  std::string file_ = (home_ / "hostile.db").string();
};

void expect_tame(const std::string& text, const std::string& what) {
  for (const char* piece : {"\x1b", "\x7f", "\xc2\x9b", "\xff", "\nforged", "\r"}) {
    EXPECT_EQ(text.find(piece), std::string::npos) << what << ": " << text;
  }
}

TEST_F(HostileStore, IsShownWithoutHarmByEveryCommand) {
  for (const Words& words : {Words{"cache", "list"}, Words{"cache", "list", "--all"},
                             Words{"cache", "list", "--excluded"}, Words{"cache", "show", "1"},
                             Words{"cache", "show", "2"}, Words{"cache", "verify"}, Words{"log"},
                             Words{"log", "1"}, Words{"report", "1", "--out", "-"},
                             Words{"cache", "explain", "--device", "host", "--count", "1M"},
                             Words{"query", "--explain", "--device", "host", "--count", "1M"},
                             Words{"cache", "revoke", "1", "--reason", hostile}}) {
    const Said said = run(words);
    const std::string what = words[0] + ' ' + words.back();
    expect_tame(said.out, what);
    expect_tame(said.err, what);
    const bool tells = std::ranges::find(words, "revoke") == words.end();
    EXPECT_EQ(said.says(R"(\x1b[31mred\nforged)"), tells) << what << said.out << said.err;
  }
  for (const Words& words : {Words{"doctor"}, Words{"cache", "path"}, Words{"cache", "gc"}}) {
    const Said said = run(words);
    expect_tame(said.out + said.err, words.back());
  }
}

TEST_F(HostileStore, IsLeftOutOfAnotherWithoutHarm) {
  const std::string exported = (home_ / "exported.json").string();
  ASSERT_EQ(run({"cache", "export", "--out", exported}).code, 0);
  // An account of the refusal names what was refused.
  std::string text = cache::testing::read_text(exported);
  const std::string mine = R"("family": "reduce")";
  text.replace(text.find(mine), mine.size(), R"("family": "\u001b[31mred\nforged")");
  cache::testing::write_text(exported, text);
  for (const Words& words : {Words{"cache", "import", exported}, Words{"cache", "merge", file_}}) {
    Words all = words;
    all.insert(all.end(), {"--cache", (home_ / "mine.db").string()});
    const Said said = home_.run(all);
    EXPECT_TRUE(said.says("left out")) << said.out << said.err;
    expect_tame(said.out + said.err, words[1]);
  }
}

TEST_F(HostileStore, IsTheSameInJson) {
  const json rows = run({"cache", "list", "--json"}).document().at("results");
  ASSERT_FALSE(rows.empty());
  const std::string name = rows[0].at("device").at("name");
  EXPECT_TRUE(name.starts_with("\x1b[31mred\nforged\x7f\xc2\x9b")) << name;
}

TEST(HostileNames, StayOnTheirLine) {
  const Home home;
  const std::string name = "a\nredtune: error: forged";
  const std::string folder = (home / name).string();
  std::filesystem::create_directory(folder);
  cache::testing::write_text(folder + "/bad.hpp", "struct custom {");
  for (const Words& words :
       std::vector<Words>{{name},
                          {"tune", name},
                          {"tune", "--" + name},
                          {"tune", "--op", name},
                          {"tune", "--device", name},
                          {"tune", "--device=" + name},
                          {"tune", "--device", "host", "--op-source", folder + "/none.hpp"},
                          {"tune", "--device", "host", "--op-source", folder + "/bad.hpp"},
                          {"tune", "--device", "host", "--count", name},
                          {"reduce", "--device", "host", folder + "/none.bin"},
                          {"reduce", "--device", "host", folder},
                          {"log", "--cache", folder + "/none/x.db"},
                          {"kernels", "compile", "--target", name},
                          {"simulate", "--space", folder + "/none.t4.json"},
                          {"completions", name}}) {
    const Said said = home.run(words);
    const std::string line = fmt::format("{}", fmt::join(words, " "));
    EXPECT_NE(said.code, 0) << line;
    EXPECT_EQ(said.err.find("\nredtune: error: forged"), std::string::npos) << said.err;
    EXPECT_EQ(said.out.find("\nredtune: error: forged"), std::string::npos) << said.out;
    EXPECT_TRUE(said.says(R"(a\nredtune)")) << line << ": " << said.err << said.out;
  }
}

TEST(HostileNames, OfOperatorsAreShownOnOneLine) {
  const Home home;
  const std::string source = (home / "a\nforged.hpp").string();
  cache::testing::write_text(source, operators_of_the_docs().at("abs_sum.hpp"));
  const Words asked{"--op-source", source, "--device", "host", "--count", "1000"};
  for (const Words& words : {Words{"query"}, Words{"kernels", "show"}, Words{"reduce"},
                             Words{"tune", "--budget", "1", "--force-noisy"}, Words{"tune"},
                             Words{"log"}, Words{"cache", "list"}}) {
    const bool asks = words[0] != "log" && words[0] != "cache";
    const Said said = home.run(asks ? with(words, asked) : words);
    EXPECT_EQ(said.code, 0) << words[0] << said.err;
    EXPECT_TRUE(said.says("a\\nforged")) << words[0] << said.out << said.err;
    EXPECT_FALSE(said.says("\nforged")) << words[0] << said.out << said.err;
  }
}

TEST(LogText, KeepsWhatWasGivenOnItsLineAndIndentsLogs) {
  const Words given{"/tmp/a\nb/x.db", "--device=c\nd"};
  const LogText text(given);
  EXPECT_EQ(text.lines("cannot read /tmp/a\nb"), "cannot read /tmp/a\\nb");
  EXPECT_EQ(text.lines("'c\nd' does not compile:\nline 1\nline 2\n"),
            "'c\\nd' does not compile:\n  line 1\n  line 2");
  EXPECT_EQ(LogText::line("run on a\nGPU"), "run on a\\nGPU");
}

TEST(HostileNames, OfFilesAreShownWithoutHarm) {
  const Home home;
  const std::string file = (home / "\x1b[31mred\nforged.db").string();
  for (const Words& words :
       {Words{"cache", "list", "--cache", file}, Words{"cache", "path", "--cache", file},
        Words{"doctor", "--cache", file}, Words{"query", "--device", file}}) {
    const Said said = home.run(words);
    EXPECT_EQ((said.out + said.err).find('\x1b'), std::string::npos) << said.out << said.err;
    EXPECT_TRUE(said.says("x1b[31mred")) << words[0] << said.out << said.err;
  }
}

}  // namespace
}  // namespace redtune::cli
