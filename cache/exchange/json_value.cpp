// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/exchange/json_value.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace redtune::cache {
namespace {

/// Snapshots have 4 levels; a tree is destroyed level by level on the stack.
constexpr std::size_t most_levels = 64;
/// Ours have 25 members at most; each new one is compared with all before it.
constexpr std::size_t most_members = 1024;

/// Builds a tree from the parser's events; false from any of them ends the parsing.
class Builder {
 public:
  bool null() { return put({}); }
  bool boolean(bool) { return put({}); }
  bool number_integer(std::int64_t number) { return put({number}); }
  bool number_unsigned(std::uint64_t number) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (number > most) return put({static_cast<double>(number)});
    return put({static_cast<std::int64_t>(number)});
  }
  bool number_float(double number, const std::string&) { return put({number}); }
  bool string(std::string& text) { return put({std::move(text)}); }
  bool binary(nlohmann::json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open({JsonValue::Object{}}); }
  bool start_array(std::size_t) { return open({JsonValue::Array{}}); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    auto& members = std::get<JsonValue::Object>(open_.back()->value);
    const auto same = std::ranges::find(members, name, &JsonMember::name);
    if (same != members.end()) {
      same->value = {};
      slot_ = &same->value;
    } else if (members.size() == most_members) {
      return false;
    } else {
      slot_ = &members.emplace_back(JsonMember{std::move(name), {}}).value;
    }
    return true;
  }
  static bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) {
    return false;
  }

  [[nodiscard]] JsonValue take() { return std::move(root_); }

 private:
  /// Where the next value goes: the member just named, the end of the open list, or the root.
  JsonValue& next() {
    if (open_.empty()) return root_;
    if (auto* list = std::get_if<JsonValue::Array>(&open_.back()->value)) {
      return list->emplace_back();
    }
    return *slot_;
  }
  bool put(JsonValue value) {
    next() = std::move(value);
    return true;
  }
  bool open(JsonValue value) {
    if (open_.size() == most_levels) return false;
    JsonValue& place = next();
    place = std::move(value);
    open_.push_back(&place);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  JsonValue root_;
  std::vector<JsonValue*> open_;  ///< outermost first; only the innermost one grows
  JsonValue* slot_ = nullptr;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view name) const {
  if (object() == nullptr) return nullptr;
  const auto member = std::ranges::find(*object(), name, &JsonMember::name);
  return member == object()->end() ? nullptr : &member->value;
}

std::optional<JsonValue> parse_json(std::string_view text) {
  Builder builder;
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return std::nullopt;
  return builder.take();
}

std::optional<double> number_of(const JsonValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value.value)) {
    return static_cast<double>(*integer);
  }
  const auto* number = std::get_if<double>(&value.value);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

const JsonValue& MemberReader::any(std::string_view name) {
  static const JsonValue null;
  const JsonValue* member = object_.find(name);
  good_ = good_ && member != nullptr;
  return member == nullptr ? null : *member;
}

std::string MemberReader::text(std::string_view name) {
  const auto* text = std::get_if<std::string>(&any(name).value);
  good_ = good_ && text != nullptr;
  return text == nullptr ? std::string() : *text;
}

std::int64_t MemberReader::integer(std::string_view name) {
  const auto* integer = std::get_if<std::int64_t>(&any(name).value);
  good_ = good_ && integer != nullptr;
  return integer == nullptr ? 0 : *integer;
}

double MemberReader::number(std::string_view name) {
  const auto number = number_of(any(name));
  good_ = good_ && number.has_value();
  return number.value_or(0);
}

double MemberReader::number_or_zero(std::string_view name) {
  return object_.find(name) == nullptr ? 0 : number(name);
}

}  // namespace redtune::cache
