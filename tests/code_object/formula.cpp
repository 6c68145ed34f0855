// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A parser by descent, one function for each level of Python's grammar that formulas use. What is
// not chosen is read and not computed: it may divide by zero.
#include "tests/code_object/formula.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace redtune::code_object {
namespace {

/// A number that is computed when it is asked for.
using Lazy = std::function<std::int64_t()>;

class Reader {
 public:
  Reader(std::string_view text, const Names& names) : rest_(text), names_(names) {}

  [[nodiscard]] std::int64_t all() {
    const Lazy value = choice();
    skip_blanks();
    if (!rest_.empty()) fail("what is '" + std::string(rest_) + "'?");
    return value();
  }

 private:
  [[noreturn]] static void fail(const std::string& why) {
    throw std::runtime_error("cannot read a formula: " + why);
  }
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }
  [[nodiscard]] static bool is_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  }
  [[nodiscard]] bool takes(std::string_view token) {
    skip_blanks();
    if (!rest_.starts_with(token)) return false;
    const std::string_view behind = rest_.substr(token.size());
    if (is_of_word(token.back()) && !behind.empty() && is_of_word(behind.front())) return false;
    rest_ = behind;
    return true;
  }
  void expect(std::string_view token) {
    if (!takes(token)) fail("no '" + std::string(token) + "' before '" + std::string(rest_) + "'");
  }

  // value if condition else other
  Lazy choice() {
    Lazy value = any();
    if (!takes("if")) return value;
    const Lazy condition = any();
    expect("else");
    const Lazy other = choice();
    return [=] { return condition() != 0 ? value() : other(); };
  }
  Lazy any() {
    Lazy left = every();
    while (takes("or")) left = [=, right = every()] { return left() != 0 ? 1 : right(); };
    return left;
  }
  Lazy every() {
    Lazy left = comparison();
    while (takes("and")) left = [=, right = comparison()] { return left() == 0 ? 0 : right(); };
    return left;
  }
  Lazy comparison() {
    const Lazy left = sum();
    if (takes("==")) return [=, right = sum()] { return left() == right() ? 1 : 0; };
    if (takes("<=")) return [=, right = sum()] { return left() <= right() ? 1 : 0; };
    if (takes(">=")) return [=, right = sum()] { return left() >= right() ? 1 : 0; };
    if (takes("<")) return [=, right = sum()] { return left() < right() ? 1 : 0; };
    if (takes(">")) return [=, right = sum()] { return left() > right() ? 1 : 0; };
    return left;
  }
  Lazy sum() {
    Lazy left = product();
    while (true) {
      if (takes("+")) {
        left = [=, right = product()] { return left() + right(); };
      } else if (takes("-")) {
        left = [=, right = product()] { return not_negative(left() - right()); };
      } else {
        return left;
      }
    }
  }
  Lazy product() {
    Lazy left = atom();
    while (true) {
      if (takes("*")) {
        left = [=, right = atom()] { return left() * right(); };
      } else if (takes("//")) {
        left = [=, right = atom()] { return left() / divisor(right()); };
      } else {
        return left;
      }
    }
  }
  Lazy atom() {
    if (takes("(")) {
      Lazy value = choice();
      expect(")");
      return value;
    }
    skip_blanks();
    const auto length =
        std::ranges::find_if_not(rest_, [](char c) { return is_of_word(c); }) - rest_.begin();
    const std::string word(rest_.substr(0, static_cast<std::size_t>(length)));
    rest_.remove_prefix(word.size());
    if (word.empty()) fail("nothing before '" + std::string(rest_) + "'");
    if (std::isdigit(static_cast<unsigned char>(word.front())) != 0) {
      return [number = std::stoll(word)] { return number; };
    }
    if (takes("(")) return call(word);
    const auto found = names_.find(word);
    if (found == names_.end()) fail("'" + word + "' is unknown");
    return [number = found->second] { return number; };
  }
  Lazy call(const std::string& function) {
    std::vector<Lazy> given{choice()};
    while (takes(",")) given.push_back(choice());
    expect(")");
    return [=] {
      std::vector<std::int64_t> values;
      for (const Lazy& one : given) values.push_back(one());
      return result_of(function, values);
    };
  }

  static std::int64_t not_negative(std::int64_t value) {
    if (value < 0) fail("a number is negative");
    return value;
  }
  static std::int64_t divisor(std::int64_t value) {
    if (value == 0) fail("a division by zero");
    return value;
  }
  static std::int64_t result_of(const std::string& function,
                                const std::vector<std::int64_t>& values) {
    const auto bits = static_cast<std::uint64_t>(values[0]);
    if (values.size() >= 2 && function == "min") return std::ranges::min(values);
    if (values.size() >= 2 && function == "max") return std::ranges::max(values);
    if (values.size() == 2 && function == "ceil_div") {
      return (values[0] + divisor(values[1]) - 1) / values[1];
    }
    if (values.size() == 2 && function == "gcd") return std::gcd(values[0], values[1]);
    if (values.size() == 1 && function == "power_up") {
      return static_cast<std::int64_t>(std::bit_ceil(bits));
    }
    if (values.size() == 1 && function == "power_down") {
      return static_cast<std::int64_t>(std::bit_floor(bits));
    }
    fail("'" + function + "' is unknown, or takes other arguments");
  }

  std::string_view rest_;
  const Names& names_;
};

}  // namespace

std::int64_t value_of(std::string_view formula, const Names& names) {
  return Reader(formula, names).all();
}

}  // namespace redtune::code_object
