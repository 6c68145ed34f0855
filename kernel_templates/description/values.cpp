// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The values of tunables and sizes: numbers, ranges, words.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "kernel_templates/description/parts.hpp"
#include "redtune/error.hpp"
#include "redtune/problem.hpp"
#include "search/point.hpp"

namespace redtune::kernels {
namespace {

constexpr std::size_t most_values = 4096;
constexpr std::string_view tune_usage = "tune NAME = 64, 128, 256 default 128";
constexpr std::string_view size_usage = "size NAME = 2^20, 2^24";

/// "64", "-1", "2^24", "16M".
std::optional<std::int64_t> count_in(std::string_view text) {
  const bool is_below = text.starts_with("-");
  try {
    const std::int64_t count = parse_count(is_below ? text.substr(1) : text);
    return is_below ? -count : count;
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

/// "0.25" as the quotient that it is; nothing for what is no such number, or has too many digits.
std::optional<Value> fraction_in(std::string_view text) {
  const bool is_below = text.starts_with("-");
  if (is_below) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos || text.size() > 17 || text.size() < 2) return std::nullopt;
  std::string digits(text);
  digits.erase(point, 1);
  std::int64_t numerator = 0;
  const char* const end = digits.data() + digits.size();
  if (std::from_chars(digits.data(), end, numerator).ptr != end) return std::nullopt;
  std::int64_t denominator = 1;
  for (std::size_t i = point + 1; i < text.size(); ++i) denominator *= 10;
  return Value::quotient(is_below ? -numerator : numerator, denominator);
}

/// One value behind blanks; word_of: whether words are values, too.
class ValueReader {
 public:
  enum class Takes { counts, words_too };
  ValueReader(StatementReader& reader, Takes takes, std::string_view usage)
      : reader_(reader), takes_(takes), usage_(usage) {}

  /// All up to the end, or the word 'default'.
  std::vector<TunableValue> read_all() {
    do {
      read_item();
    } while (reader_.take(","));
    return std::move(values_);
  }

  TunableValue read_one() {
    reader_.skip_blanks();
    const std::size_t begin = reader_.offset();
    if (reader_.rest().starts_with("\"")) return quoted(begin);
    const std::string_view text = atom();
    if (text == "true" || text == "True") return {"true", Value::truth(true)};
    if (text == "false" || text == "False") return {"false", Value::truth(false)};
    if (const auto count = count_in(text)) return of_number(*count);
    if (takes_ == Takes::words_too) {
      if (const auto fraction = fraction_in(text)) return {std::string(text), *fraction};
      if (is_name(text) && text != "default") return {std::string(text), std::nullopt};
    }
    reader_.refuse_from(begin, text.empty() || text == "default"
                                   ? fmt::format("here a value is missing; write {}", usage_)
                                   : fmt::format("'{}' is no value; write {}", text, usage_));
  }

 private:
  static TunableValue of_number(std::int64_t number) {
    return {fmt::format("{}", number), Value(number)};
  }

  TunableValue quoted(std::size_t begin) {
    (void)reader_.take("\"");
    const std::string_view rest = reader_.rest();
    const std::size_t end = rest.find('"');
    if (takes_ == Takes::counts) reader_.refuse_from(begin, "a size is a whole number, not a text");
    if (end == std::string_view::npos) reader_.refuse_from(begin, "this quotation is not closed");
    const std::string text(rest.substr(0, end));
    if (text.empty()) reader_.refuse_from(begin, "this text is empty; leave it out");
    (void)reader_.take(text);
    (void)reader_.take("\"");
    return {text, std::nullopt};
  }

  /// Up to a blank, a comma or the two points of a range.
  std::string_view atom() {
    const std::string_view rest = reader_.rest();
    const std::size_t end = std::min({rest.find_first_of(" \t,"), rest.find(".."), rest.size()});
    (void)reader_.take(rest.substr(0, end));
    return rest.substr(0, end);
  }

  void add(TunableValue value, std::size_t begin) {
    const auto is_same = [&](const TunableValue& one) {
      return one.text == value.text || (one.number && one.number == value.number);
    };
    if (std::ranges::any_of(values_, is_same)) {
      reader_.refuse_from(begin, fmt::format("{} is listed twice; leave one out", value.text));
    }
    if (values_.size() == most_values) {
      reader_.refuse_from(begin, fmt::format("there are more than {} values", most_values));
    }
    values_.push_back(std::move(value));
  }

  void read_item() {
    reader_.skip_blanks();
    const std::size_t begin = reader_.offset();
    TunableValue first = read_one();
    if (!reader_.take("..")) return add(std::move(first), begin);
    const TunableValue last = read_one();
    const auto is_whole = [](const TunableValue& value) {
      return value.number && value.number->is_whole();
    };
    if (!is_whole(first) || !is_whole(last) || *last.number < *first.number) {
      reader_.refuse_from(begin,
                          fmt::format("{}..{} is no range; it goes from a whole number to a larger "
                                      "one",
                                      first.text, last.text));
    }
    read_range(first.number->numerator(), last.number->numerator(), begin);
  }

  void read_range(std::int64_t first, std::int64_t last, std::size_t begin) {
    if (reader_.take_word("pow2")) {
      if (first < 1) reader_.refuse_from(begin, "powers of two begin at 1");
      std::int64_t power = 1;
      while (power < first) power *= 2;
      if (power > last) {
        reader_.refuse_from(begin, fmt::format("no power of two is in {}..{}", first, last));
      }
      for (;; power *= 2) {
        add(of_number(power), begin);
        if (power > last / 2) return;
      }
    }
    std::int64_t step = 1;
    if (reader_.take_word("step")) {
      const std::size_t at = reader_.offset();
      const TunableValue told = read_one();
      step = told.number && told.number->is_whole() ? told.number->numerator() : 0;
      if (step < 1) reader_.refuse_from(at, "a step is a whole number from 1");
    }
    for (std::int64_t value = first;; value += step) {
      add(of_number(value), begin);
      if (WideInteger{last} - value < step) return;
    }
  }

  StatementReader& reader_;
  Takes takes_;
  std::string_view usage_;
  std::vector<TunableValue> values_;
};

}  // namespace

Tunable read_tunable(const Statement& statement) {
  StatementReader reader(statement);
  Tunable tunable;
  tunable.name = reader.require_word("a tunable's name", tune_usage);
  reader.require("=", tune_usage);
  ValueReader values(reader, ValueReader::Takes::words_too, tune_usage);
  tunable.values = values.read_all();
  if (reader.take_word("default")) {
    reader.skip_blanks();
    const std::size_t begin = reader.offset();
    const TunableValue wanted = values.read_one();
    const auto found = std::ranges::find_if(tunable.values, [&](const TunableValue& one) {
      return one == wanted || (one.number && one.number == wanted.number);
    });
    if (found == tunable.values.end()) {
      reader.refuse_from(begin, fmt::format("the default {} is none of the values of {}",
                                            wanted.text, tunable.name));
    }
    tunable.default_index = static_cast<std::size_t>(found - tunable.values.begin());
  }
  reader.require_done(tune_usage);
  return tunable;
}

NamedSize read_size(const Statement& statement) {
  StatementReader reader(statement);
  NamedSize size;
  size.name = reader.require_word("a size's name", size_usage);
  reader.require("=", size_usage);
  reader.skip_blanks();
  const std::size_t begin = reader.offset();
  for (const TunableValue& value :
       ValueReader(reader, ValueReader::Takes::counts, size_usage).read_all()) {
    if (value.number->is_truth() || *value.number < Value(0)) {
      reader.refuse_from(begin,
                         fmt::format("{} is no size; sizes are whole numbers from 0", value.text));
    }
    size.values.push_back(value.number->numerator());
  }
  reader.require_done(size_usage);
  return size;
}

}  // namespace redtune::kernels
