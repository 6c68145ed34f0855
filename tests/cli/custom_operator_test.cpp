// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Operators from files, from the command line: used, tuned, remembered, and refused with the lines
// of the file.
#include <cmath>
#include <cstring>
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
  ASSERT_EQ(operators_of_the_docs().size(), right.size() + 2) << "and two of several members";
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

TEST_F(CustomOperatorCli, ReducesToSeveralMembers) {
  const std::vector<float> points{1, 9, -2, 8, 3, -7.5F};  // x, y
  const std::string data =
      write("points.bin", {reinterpret_cast<const char*>(points.data()), 6 * sizeof(float)});
  const Said said = run({"reduce", data, "--type", "u64"}, file("bounding_box.hpp"));
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.says("bounding_box.hpp of 3 u64 = low_x -2 high_x 3 low_y -7.5 high_y 9\n"))
      << said.out;
  const json document =
      run({"reduce", data, "--type", "f32", "--json"}, file("mean_and_deviation.hpp")).document();
  EXPECT_NEAR(std::stod(document.at("value").at("mean").get<std::string>()), 11.5 / 6, 1e-6);
  EXPECT_NEAR(std::stod(document.at("value").at("deviation").get<std::string>()), 5.6746268, 1e-5);

  // Several results, beside each other in a file as in a program.
  const std::string results = file("results.bin");
  const Said rows = run({"reduce", data, "--type", "f32", "--shape", "3x2", "--axis", "1", "--json",
                         "--results", results},
                        file("mean_and_deviation.hpp"));
  ASSERT_EQ(rows.code, 0) << rows.err;
  EXPECT_EQ(rows.document().at("values").size(), 3U);
  const std::string bytes = cache::testing::read_text(results);
  ASSERT_EQ(bytes.size(), 3 * 2 * sizeof(float));
  EXPECT_EQ(std::memcmp(bytes.data() + 8, "\0\0\x40\x40\0\0\xa0\x40", 8), 0) << "3, 5";

  const Said none = run({"reduce", "--count", "0", "--type", "u64"}, file("bounding_box.hpp"));
  EXPECT_TRUE(none.says("low_x inf high_x -inf low_y inf high_y -inf")) << none.out;
  for (const Words& more : {Words{"--shape", "500x300", "--axis", "0"},
                            Words{"--count", "100000", "--segments", "300", "--skew", "zipf"}}) {
    const Said one = run({"reduce", "--type", "f32"}, file("mean_and_deviation.hpp"), more);
    EXPECT_EQ(one.code, 0) << one.err;
  }
}

TEST_F(CustomOperatorCli, TunesWithSeveralMembers) {
  const Words words{"tune", "--budget", "3", "--json", "--force-noisy"};
  const Words size{"--count", "5000"};
  const Said tuned = run(words, file("mean_and_deviation.hpp"), size);
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  const json known = run({"query", "--json"}, file("mean_and_deviation.hpp"), size).document();
  EXPECT_EQ(known.at("match"), "exact");
  EXPECT_EQ(known.at("settings"), tuned.document().at("winner"));
  EXPECT_TRUE(home_.run({"log"}).says("mean_and_deviation.hpp f32 5000 cold"));
}

TEST_F(CustomOperatorCli, RefusesStructsThatCannotBe) {
  const auto with = [&](const std::string& word, const std::string& other) {
    std::string text = cache::testing::read_text(file("mean_and_deviation.hpp"));
    text.replace(text.find(word), word.size(), other);
    return write("bad.hpp", text);
  };
  EXPECT_EQ(
      refusal(with("float mean, squares;", "float means[7];")),
      "bad.hpp:3: struct accumulator takes 9 words of 32 bits, of which each member has whole "
      "ones; kernels hand over 8 at most");
  EXPECT_EQ(refusal(with("i64 count;", "long count;")).substr(0, 49),
            "bad.hpp:3: struct accumulator has numbers as memb");
  EXPECT_EQ(refusal(with("static accumulator transform", "static accumulator enters")),
            "bad.hpp: custom has no function transform(element), which makes an accumulator of an "
            "element");
  EXPECT_EQ(refusal(with("static result finish", "static result finishes")),
            "bad.hpp: custom has no function finish(accumulator, i64), which makes a result of an "
            "accumulator");
  EXPECT_EQ(refusal(with("static accumulator transform(element x) { return {float(x), 0, 1}; }",
                         "static float transform(element x) { return x; }")),
            "bad.hpp:15: it must be: static accumulator transform(element)");
  EXPECT_EQ(refusal(with("static result finish(accumulator a, i64 count) { return {a.mean, "
                         "sqrt(a.squares / count)}; }",
                         "static float finish(accumulator a, i64 count) { return a.mean; }")),
            "bad.hpp:16: it must be: static result finish(accumulator, i64)");
  EXPECT_EQ(
      refusal(with("struct custom {", "#define mean mean[3], more\nstruct custom {")).substr(0, 8),
      "bad.hpp:");
  EXPECT_EQ(
      refusal(file("mean_and_deviation.hpp"), {"--acc", "f64"}),
      "mean_and_deviation.hpp has an accumulator of its own members, and no other type can be "
      "chosen: f64");
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
