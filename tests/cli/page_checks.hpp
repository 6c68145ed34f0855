// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What holds of every page: it is well formed, described, and nothing on it is of anybody else's
// making.
#pragma once

#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace redtune::cli {

inline const std::string hostile =
    "</script></style></title><script>alert(1)</script><img src=x onerror='alert(1)'>\" & "
    "\n\x1b[31m";

inline std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// What stands between the first two of these.
inline std::string between(const std::string& text, const std::string& begin,
                           const std::string& end) {
  const auto first = text.find(begin);
  if (first == text.npos) return {};
  const auto after = first + begin.size();
  return text.substr(after, text.find(end, after) - after);
}

/// The page without its style sheet and script, which are redtune's own.
inline std::string content_of(std::string page) {
  for (const std::string name : {"style", "script"}) {
    const auto begin = page.find("<" + name + ">");
    const auto end = page.find("</" + name + ">");
    EXPECT_NE(begin, page.npos);
    EXPECT_LT(begin, end);
    page.erase(begin, end + name.size() + 3 - begin);
  }
  return page;
}

/// Every tag closes what is open, is known, and has attributes that are known.
inline void expect_well_formed(const std::string& page) {
  static const std::set<std::string> known{
      "html",    "head",    "meta", "title",   "body",  "header", "main",   "section",
      "h1",      "h2",      "h3",   "p",       "dl",    "dt",     "dd",     "div",
      "svg",     "desc",    "text", "tspan",   "line",  "rect",   "path",   "circle",
      "details", "summary", "ol",   "li",      "pre",   "table",  "thead",  "tbody",
      "tr",      "th",      "td",   "caption", "label", "input",  "select", "option"};
  const std::string content = content_of(page);
  ASSERT_TRUE(content.starts_with("<!DOCTYPE html>\n"));
  std::vector<std::string> open;
  const std::regex attributes(R"re((\s+[a-zA-Z0-9-]+(="[^"<]*")?)*\s*/?)re");
  for (auto at = content.find('<', 1); at != content.npos; at = content.find('<', at + 1)) {
    const auto end = content.find('>', at);
    ASSERT_NE(end, content.npos);
    std::string tag = content.substr(at + 1, end - at - 1);
    const bool closes = tag.starts_with("/");
    if (closes) tag.erase(0, 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /"));
    ASSERT_TRUE(known.contains(name)) << tag;
    ASSERT_TRUE(std::regex_match(tag.substr(name.size()), attributes)) << tag;
    for (const char* attribute : {" src=", " href=", " style=", " on"}) {
      ASSERT_EQ(tag.find(attribute), tag.npos) << tag;
    }
    if (tag.ends_with("/") || name == "meta" || name == "input") continue;
    if (!closes) {
      open.push_back(name);
      continue;
    }
    ASSERT_FALSE(open.empty()) << tag;
    ASSERT_EQ(open.back(), name);
    open.pop_back();
  }
  EXPECT_TRUE(open.empty());
}

/// Every drawing has a title and a description, and no name is given twice.
inline void expect_described_drawings(const std::string& page) {
  const std::regex drawing(R"re(<svg [^>]*aria-labelledby="([^ "]+)-title ([^ "]+)-desc">\s*)re"
                           R"re(<title id="([^"]+)-title">[^<]+</title>\s*)re"
                           R"re(<desc id="([^"]+)-desc">[^<]+</desc>)re");
  std::set<std::string> ids;
  for (auto at = std::sregex_iterator(page.begin(), page.end(), drawing);
       at != std::sregex_iterator(); ++at) {
    for (const int part : {2, 3, 4}) EXPECT_EQ((*at)[1], (*at)[part]);
    ids.insert((*at)[1]);
  }
  EXPECT_EQ(ids.size(), occurrences(page, "<svg "));
}

inline void expect_sound(const std::string& page) {
  expect_well_formed(page);
  expect_described_drawings(page);
  const std::regex no_number(R"re([ ">:(]-?(nan|inf)[ ,;)×%<"])re");
  std::smatch found;
  EXPECT_FALSE(std::regex_search(page, found, no_number)) << found.prefix().str().substr(
      found.prefix().str().size() > 200 ? found.prefix().str().size() - 200 : 0);
  // The name of a namespace is no address.
  EXPECT_EQ(occurrences(page, "://"), occurrences(page, "xmlns=\"http://www.w3.org/2000/svg\""));
}

}  // namespace redtune::cli
