// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Just enough JSON to write a report with nothing but the standard library.
#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace redtune::compare {

/// A value as its text.
class Json {
 public:
  using Member = std::pair<std::string_view, Json>;

  Json(std::string_view text);
  Json(const std::string& text) : Json(std::string_view(text)) {}
  Json(const char* text) : Json(std::string_view(text)) {}
  Json(bool value) : text_(value ? "true" : "false") {}
  Json(double value);  ///< null when it is not finite
  template <std::integral Integer>
  Json(Integer value) : text_(std::to_string(value)) {}

  [[nodiscard]] static Json object(std::initializer_list<Member> members);
  [[nodiscard]] static Json array();

  void add(std::string_view name, const Json& value);  ///< to an object
  void add(const Json& value);                         ///< to an array

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  Json() = default;
  void insert(std::string_view text);

  std::string text_;
};

}  // namespace redtune::compare
