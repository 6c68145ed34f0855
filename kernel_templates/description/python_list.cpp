// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/description/python_list.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "kernel_templates/description/formula.hpp"
#include "kernel_templates/description/statement.hpp"

namespace redtune::kernels {
namespace {

constexpr std::size_t most_list_values = 4096;
constexpr int most_list_depth = 8;

/// A name of a comprehension, and what it is at the moment.
struct Bound {
  std::string name;
  Value value;
};

std::string text_of(const Value& value, const Place& place) {
  if (value.is_truth() || value.is_whole()) return to_string(value);
  refuse_at(place, fmt::format("{} is no value; values that are calculated are whole numbers",
                               to_string(value)));
}

/// A piece of a list's text that stands outside of brackets and quotation marks.
std::size_t find_outside(std::string_view text, std::string_view piece) {
  int depth = 0;
  char quotation = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quotation != 0) {
      if (c == quotation) quotation = 0;
    } else if (depth == 0 && text.substr(at).starts_with(piece)) {
      return at;
    } else if (c == '"' || c == '\'') {
      quotation = c;
    } else if (c == '(' || c == '[') {
      ++depth;
    } else if (c == ')' || c == ']') {
      --depth;
    }
  }
  return std::string_view::npos;
}

std::vector<std::string_view> split_outside(std::string_view text, std::string_view at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = find_outside(text, at);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + at.size());
  }
}

class PythonList {
 public:
  PythonList(std::string_view text, const Place& place) : text_(text), place_(place) {}

  std::vector<std::string> read() { return list(trimmed(text_), std::nullopt); }

 private:
  [[noreturn]] void refuse(std::string_view part) const {
    refuse_at(place_,
              fmt::format("'{}' is no list of values; write [1, 2, 4], list(range(1, 9)) or "
                          "[2 ** i for i in range(5)]",
                          part.substr(0, 60)));
  }

  void add(std::vector<std::string>& values, std::string value) const {
    if (values.size() == most_list_values) {
      refuse_at(place_, fmt::format("there are more than {} values", most_list_values));
    }
    values.push_back(std::move(value));
  }

  std::vector<std::string> list(std::string_view text, const std::optional<Bound>& bound) {
    if (++depth_ > most_list_depth) {
      refuse_at(place_, fmt::format("more than {} lists are in each other", most_list_depth));
    }
    std::vector<std::string> values;
    for (const std::string_view part : split_outside(text, "+")) {
      for (std::string& value : term(part, bound)) add(values, std::move(value));
    }
    --depth_;
    return values;
  }

  /// What is between the brackets behind a word; nothing where the text is not that.
  static std::optional<std::string_view> inside(std::string_view text, std::string_view word,
                                                char open, char close) {
    if (!text.starts_with(word)) return std::nullopt;
    text = trimmed(text.substr(word.size()));
    if (text.size() < 2 || text.front() != open || text.back() != close) return std::nullopt;
    const std::string_view inner = text.substr(1, text.size() - 2);
    // One pair of brackets, and not the first of one and the last of another.
    if (find_outside(inner, std::string_view(&close, 1)) != std::string_view::npos) {
      return std::nullopt;
    }
    return trimmed(inner);
  }

  std::vector<std::string> term(std::string_view text, const std::optional<Bound>& bound) {
    if (const auto inner = inside(text, "list", '(', ')')) return list(*inner, bound);
    if (const auto inner = inside(text, "range", '(', ')')) return range(*inner, bound);
    if (const auto inner = inside(text, "", '[', ']')) return items(*inner, bound);
    if (const auto inner = inside(text, "", '(', ')')) {
      return find_outside(*inner, ",") == std::string_view::npos ? list(*inner, bound)
                                                                 : items(*inner, bound);
    }
    refuse(text);
  }

  [[nodiscard]] Value value_of(std::string_view text, const std::optional<Bound>& bound) const {
    const Formula formula = Formula::parse(text, place_);
    std::vector<std::string_view> known;
    if (bound) known.push_back(bound->name);
    formula.require_known(known);
    return formula.value([&](std::string_view) { return bound->value; });
  }

  std::vector<std::string> range(std::string_view text, const std::optional<Bound>& bound) const {
    std::vector<std::int64_t> numbers;
    for (const std::string_view part : split_outside(text, ",")) {
      const Value value = value_of(part, bound);
      if (!value.is_whole()) refuse(text);
      numbers.push_back(value.numerator());
    }
    if (numbers.size() > 3) refuse(text);
    const std::int64_t step = numbers.size() == 3 ? numbers[2] : 1;
    const std::int64_t first = numbers.size() == 1 ? 0 : numbers[0];
    const std::int64_t end = numbers.size() == 1 ? numbers[0] : numbers[1];
    if (step == 0) refuse(text);
    std::vector<std::string> values;
    for (WideInteger at = first; step > 0 ? at < end : at > end; at += step) {
      add(values, fmt::format("{}", static_cast<std::int64_t>(at)));
    }
    return values;
  }

  std::vector<std::string> items(std::string_view text, const std::optional<Bound>& bound) {
    if (text.empty()) refuse(text_);
    const std::size_t loop = find_outside(text, " for ");
    if (loop != std::string_view::npos) return comprehension(text, loop, bound);
    std::vector<std::string> values;
    for (const std::string_view part : split_outside(text, ",")) {
      if (part.empty()) continue;  // behind the last comma
      add(values, item(part, bound));
    }
    return values;
  }

  [[nodiscard]] std::string item(std::string_view text, const std::optional<Bound>& bound) const {
    const char first = text.front();
    if (text.size() > 1 && (first == '\'' || first == '"') && text.back() == first) {
      return quoted_value(text.substr(1, text.size() - 2), place_);
    }
    const bool is_decimal = text.find('.') != std::string_view::npos &&
                            text.find_first_not_of("-.0123456789") == std::string_view::npos;
    return is_decimal ? std::string(text) : text_of(value_of(text, bound), place_);
  }

  std::vector<std::string> comprehension(std::string_view text, std::size_t loop,
                                         const std::optional<Bound>& outer) {
    if (outer) refuse(text_);
    const std::string_view made = trimmed(text.substr(0, loop));
    const std::string_view behind = text.substr(loop + 5);
    const std::size_t in = find_outside(behind, " in ");
    if (in == std::string_view::npos) refuse(text);
    const std::string_view name = trimmed(behind.substr(0, in));
    if (!is_name(name)) refuse(text);
    const std::string_view source = behind.substr(in + 4);
    const std::size_t condition = find_outside(source, " if ");
    std::vector<std::string> values;
    for (const std::string& one : list(trimmed(source.substr(0, condition)), std::nullopt)) {
      const std::optional<Bound> bound = Bound{std::string(name), value_of(one, std::nullopt)};
      if (condition != std::string_view::npos &&
          !value_of(source.substr(condition + 4), bound).is_true()) {
        continue;
      }
      add(values, item(made, bound));
    }
    if (values.empty()) refuse(text_);
    return values;
  }

  std::string_view text_;
  const Place& place_;
  int depth_ = 0;
};

}  // namespace

std::string quoted_value(std::string_view text, const Place& place) {
  if (text.empty() || text.find('"') != std::string_view::npos) {
    refuse_at(place, fmt::format("'{}' is no value; a text is not empty and has no quotation marks",
                                 text.substr(0, 60)));
  }
  return fmt::format("\"{}\"", text);
}

std::vector<std::string> values_of_python_list(std::string_view text, const Place& place) {
  return PythonList(text, place).read();
}

}  // namespace redtune::kernels
