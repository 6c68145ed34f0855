// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// JSON that was read, as a tree. The library's own tree takes memory when it is destroyed, and ends
// the program when there is none left; this one does not. Private to this folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace redtune::cache {

struct JsonMember;

struct JsonValue {
  using Array = std::vector<JsonValue>;
  using Object = std::vector<JsonMember>;  ///< in the order of the text

  /// Nothing but these is needed; null stands for all that is none of them.
  std::variant<std::nullptr_t, std::int64_t, double, std::string, Array, Object> value;

  /// The member of an object, or nothing.
  [[nodiscard]] const JsonValue* find(std::string_view name) const;
  [[nodiscard]] const Array* array() const { return std::get_if<Array>(&value); }
  [[nodiscard]] const Object* object() const { return std::get_if<Object>(&value); }
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

/// Nothing when the text is no JSON, or deeper or wider than anything of ours. Of members with the
/// same name the last one counts.
[[nodiscard]] std::optional<JsonValue> parse_json(std::string_view text);

/// Reads members of an object and remembers whether each was there and of its type.
class MemberReader {
 public:
  explicit MemberReader(const JsonValue& object) : object_(object) {}

  /// Whatever it is; null when it is missing.
  const JsonValue& any(std::string_view name);
  std::string text(std::string_view name);
  std::int64_t integer(std::string_view name);
  double number(std::string_view name);
  /// 0 where there is no such member; it must be a number where there is one.
  double number_or_zero(std::string_view name);

  [[nodiscard]] bool good() const { return good_; }

 private:
  const JsonValue& object_;
  bool good_ = true;
};

/// Of an integer too.
[[nodiscard]] std::optional<double> number_of(const JsonValue& value);

}  // namespace redtune::cache
