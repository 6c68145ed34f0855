// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare/json.hpp"

#include <cmath>
#include <iomanip>
#include <sstream>

namespace redtune::compare {
namespace {

/// Between quotes. Bytes from 0x80 are taken for UTF-8 and kept.
std::string quoted(std::string_view text) {
  std::ostringstream out;
  out << '"';
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out << '\\' << c;
    } else if (code < 0x20) {
      out << "\\u" << std::hex << std::setw(4) << std::setfill('0') << static_cast<int>(code);
    } else {
      out << c;
    }
  }
  out << '"';
  return out.str();
}

}  // namespace

Json::Json(std::string_view text) : text_(quoted(text)) {}

Json::Json(double value) : text_("null") {
  if (!std::isfinite(value)) return;
  std::ostringstream out;
  out << std::setprecision(8) << value;
  text_ = out.str();
}

Json Json::object(std::initializer_list<Member> members) {
  Json json;
  json.text_ = "{}";
  for (const auto& [name, value] : members) json.add(name, value);
  return json;
}

Json Json::array() {
  Json json;
  json.text_ = "[]";
  return json;
}

void Json::insert(std::string_view text) {
  text_.pop_back();
  const char open = text_.front();
  if (text_.size() > 1) text_ += ",";
  text_ += text;
  text_ += open == '{' ? '}' : ']';
}

void Json::add(std::string_view name, const Json& value) {
  insert(quoted(name) + ": " + value.text_);
}

void Json::add(const Json& value) {
  insert(value.text_);
}

}  // namespace redtune::compare
