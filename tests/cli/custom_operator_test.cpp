// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Operators from files, from the command line: used, tuned, remembered, and refused with the lines
// of the file.
#include <cmath>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tests/cli/custom_operators.hpp"
#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

class CustomOperatorCli : public ::testing::Test {
 protected:
  CustomOperatorCli() {
    for (const auto& [name, text] : operators_of_the_docs()) write(name, text);
  }
  std::string write(const std::string& name, const std::string& text) {
    cache::testing::write_text(home_ / name, text);
    return (home_ / name).string();
  }
  [[nodiscard]] std::string file(const std::string& name) const { return (home_ / name).string(); }
  /// abs_sum.hpp with a word replaced, as bad.hpp.
  std::string spoiled(const std::string& word, const std::string& other) {
    std::string text = cache::testing::read_text(home_ / "abs_sum.hpp");
    text.replace(text.find(word), word.size(), other);
    return write("bad.hpp", text);
  }
  [[nodiscard]] Said run(Words words, const std::string& source, const Words& more = {}) const {
    words.insert(words.end(), {"--device", "host", "--op-source", source});
    words.insert(words.end(), more.begin(), more.end());
    return home_.run(words);
  }
  /// Refused by tune before a run is begun; the first line, without the folder.
  [[nodiscard]] std::string refusal(const std::string& source, const Words& more = {}) const {
    const Said said =
        run({"tune", "--count", "1000", "--budget", "2", "--force-noisy"}, source, more);
    EXPECT_EQ(said.code, 2) << said.err;
    EXPECT_EQ(said.out, "");
    EXPECT_TRUE(home_.logs().empty()) << "a run was begun";
    const std::string prefix = "redtune: error: ";
    EXPECT_TRUE(said.err.starts_with(prefix)) << said.err;
    std::string line = said.err.substr(0, said.err.find('\n')).substr(prefix.size());
    const std::string folder = (home_ / "").string();
    if (const auto at = line.find(folder); at != std::string::npos) line.erase(at, folder.size());
    return line;
  }

  Home home_;
};

TEST_F(CustomOperatorCli, ReducesWithEveryOperatorOfTheDocs) {
  const std::vector<float> values{1, -2, 3, -4.5F};
  const std::string data =
      write("numbers.bin", {reinterpret_cast<const char*>(values.data()), 4 * sizeof(float)});
  double exponentials = 0;
  double fourths = 0;
  for (const float x : values) {
    exponentials += std::exp(x);
    fourths += std::pow(x, 4) / 4;
  }
  const std::map<std::string, double> right{{"abs_sum.hpp", 10.5},
                                            {"log_sum_exp.hpp", std::log(exponentials)},
                                            {"fourth_moment.hpp", fourths},
                                            {"largest.hpp", 4.5}};
  ASSERT_EQ(operators_of_the_docs().size(), right.size());
  for (const auto& [name, value] : right) {
    const Said said = run({"reduce", data, "--json"}, file(name));
    ASSERT_EQ(said.code, 0) << name << ": " << said.err;
    const json document = said.document();
    EXPECT_NEAR(std::stod(document.at("value").get<std::string>()), value, 1e-5 * value) << name;
    EXPECT_EQ(document.at("problem").at("op_name"), file(name));
    EXPECT_TRUE(run({"reduce", data}, file(name)).says(name + " of 4 f32 = "));
  }
}

TEST_F(CustomOperatorCli, ReducesGeneratedNumbersOfOtherTypes) {
  for (const std::string type : {"f16", "bf16", "f64", "i8", "u32"}) {
    for (const std::string name : {"abs_sum.hpp", "fourth_moment.hpp"}) {
      const Said said = run({"reduce", "--count", "3000", "--type", type}, file(name));
      EXPECT_EQ(said.code, 0) << type << " " << name << ": " << said.err;
    }
  }
  const Said chosen = run({"reduce", "--count", "3000", "--type", "i32", "--json"},
                          file("fourth_moment.hpp"), {"--acc", "f64", "--out", "f32"});
  ASSERT_EQ(chosen.code, 0) << chosen.err;
  EXPECT_EQ(chosen.document().at("problem").at("acc"), "f64");
  EXPECT_EQ(chosen.document().at("problem").at("out"), "f32");
}

TEST_F(CustomOperatorCli, TunesOnceAndRemembersByTheText) {
  const Words size{"--count", "1000"};
  const Said tuned =
      run({"tune", "--budget", "3", "--json", "--force-noisy"}, file("abs_sum.hpp"), size);
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  EXPECT_TRUE(run({"tune", "--budget", "3"}, file("abs_sum.hpp"), size).says("was tuned on"));

  const auto asked = [&](const std::string& source, const Words& more = {}) {
    Words words{"query", "--count", "1000", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words, source).document();
  };
  const json known = asked(file("abs_sum.hpp"));
  EXPECT_EQ(known.at("match"), "exact");
  EXPECT_EQ(known.at("settings"), tuned.document().at("winner"));

  const std::string text = cache::testing::read_text(home_ / "abs_sum.hpp");
  EXPECT_EQ(asked(write("other name.hpp", text)).at("match"), "exact");
  const json other = asked(write("abs_sum.hpp", text + "// more\n"));
  EXPECT_EQ(other.at("match"), "default") << "another text, the same name";
  ASSERT_EQ(other.at("differences").size(), 1u) << other.at("differences");
  const std::string stored = other.at("differences")[0].at("stored");
  EXPECT_EQ(other.at("differences")[0].at("name"), "op");
  EXPECT_TRUE(stored.find("abs_sum.hpp (") != std::string::npos && stored.size() < 300) << stored;
  EXPECT_EQ(asked(file("largest.hpp")).at("match"), "default");

  const json sum = home_.run({"query", "--device", "host", "--count", "1000", "--json"}).document();
  EXPECT_EQ(sum.at("match"), "default") << "a built-in operator";
  EXPECT_TRUE(home_.run({"log"}).says("abs_sum.hpp f32 1000 cold"));
  EXPECT_EQ(home_.run({"log", "1"}).code, 0);
}

TEST_F(CustomOperatorCli, TellsErrorsWithTheLinesOfTheFile) {
  const std::string source = spoiled("x < 0", "y < 0");
  const std::string line = refusal(source);
  EXPECT_EQ(line.substr(0, 10), "bad.hpp:5:") << line;
  EXPECT_NE(line.find('y'), std::string::npos) << line;
  const Said said = run({"tune"}, source);
  EXPECT_TRUE(said.says("     5 |   static accumulator transform(element x) { return y < 0"))
      << said.err;
  EXPECT_FALSE(said.says("custom_operator")) << "our own noise: " << said.err;
  EXPECT_LE(count_of(said.err, "\n"), 4u) << said.err;
}

TEST_F(CustomOperatorCli, RefusesWhatIsNoOperator) {
  EXPECT_EQ(refusal(spoiled("static accumulator identity() { return 0; }", "")),
            "bad.hpp: custom has no function identity()");
  EXPECT_EQ(refusal(spoiled("static accumulator identity", "accumulator identity")),
            "bad.hpp:3: it must be: static accumulator identity()");
  EXPECT_EQ(refusal(spoiled("accumulator combine", "int combine")),
            "bad.hpp:4: it must be: static accumulator combine(accumulator, accumulator)");
  EXPECT_EQ(refusal(spoiled("combine", "join")),
            "bad.hpp: custom has no function combine(accumulator, accumulator)");
  EXPECT_EQ(refusal(spoiled("element x", "element x, int z")),
            "bad.hpp:5: it must be: static accumulator transform(element)");
  EXPECT_EQ(refusal(spoiled("};", "  static result finish(accumulator a) { return a; }\n};")),
            "bad.hpp:6: it must be: static result finish(accumulator, i64)");
  EXPECT_EQ(refusal(spoiled("struct custom", "struct mine")),
            "bad.hpp: there is no struct 'custom' in it");
  EXPECT_EQ(refusal(spoiled("return 0; }", "return 0; }}")), "bad.hpp:6: this '}' closes nothing");
  EXPECT_EQ(refusal(spoiled("};", "")), "bad.hpp:2: this '{' is never closed");
  EXPECT_EQ(refusal(spoiled("};", "};\n}\nnamespace {")), "bad.hpp:7: this '}' closes nothing");
}

TEST_F(CustomOperatorCli, RefusesFilesThatCannotBeRead) {
  EXPECT_EQ(refusal(file("nothing.hpp")), "cannot read nothing.hpp: No such file or directory");
  EXPECT_EQ(refusal(file("")), " is not a regular file");
  EXPECT_EQ(refusal(write("empty.hpp", "")).substr(0, 22), "empty.hpp: it is empty");
  EXPECT_EQ(refusal(write("large.hpp", std::string(2 << 20, ' '))),
            "large.hpp is larger than 1 MiB; is it the file you mean?");
  EXPECT_EQ(refusal(file("abs_sum.hpp"), {"--op", "min"}),
            "name an operator by --op or its text by --op-source, and not both");
  EXPECT_EQ(refusal(file("abs_sum.hpp"), {"--acc", "f16"}),
            "nothing is computed in f16; accumulate in f32 or f64");
}

TEST_F(CustomOperatorCli, RefusesOperatorsThatBreakTheirPromises) {
  EXPECT_EQ(refusal(spoiled("return 0", "return 1")),
            "bad.hpp: identity() is not neutral: combine(identity(), identity()) is 2, not 1");
  EXPECT_EQ(
      refusal(spoiled("a + b", "a > b ? a - b : b - a")),
      "bad.hpp: not associative: combine(combine(1, 1), 2) is 2, combine(1, combine(1, 2)) is 0");
  EXPECT_EQ(refusal(spoiled("a + b", "a == 0 ? b : a")),
            "bad.hpp: not commutative: combine(1, 2) is 1, combine(2, 1) is 2");
  const Said reduced = run({"reduce", "--count", "10"}, spoiled("a + b", "a"));
  EXPECT_EQ(reduced.code, 2);
  EXPECT_TRUE(reduced.says("identity() is not neutral")) << reduced.err;
}

TEST_F(CustomOperatorCli, ShowsItsProgramAndSpaceWithoutCompiling) {
  const Said text = run({"kernels", "show", "--text"}, file("abs_sum.hpp"));
  EXPECT_TRUE(text.says("static accumulator transform(element x)"));
  const Said shown = run({"kernels", "show"}, file("abs_sum.hpp"));
  EXPECT_TRUE(shown.says("abs_sum.hpp f32 2^24 cold")) << shown.err;
  EXPECT_TRUE(shown.says("redtune::custom_operator, float, float, float")) << shown.out;
  EXPECT_EQ(run({"kernels", "show"}, spoiled("};", "")).code, 2);
}

}  // namespace
}  // namespace redtune::cli
