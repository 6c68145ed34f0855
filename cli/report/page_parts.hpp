// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Parts that every page of redtune report is made of. Texts that are given become text of the page,
// whatever they hold; what is called content is markup already.
#pragma once

#include <string>
#include <string_view>

namespace redtune::cli {

/// At most 160 characters of the first line.
[[nodiscard]] std::string first_line(std::string_view text);
/// Four significant digits.
[[nodiscard]] std::string figure_text(double value);
/// "1.23×", with fewer places the larger it is.
[[nodiscard]] std::string ratio_text(double ratio);

[[nodiscard]] std::string card(const std::string& heading, const std::string& content);
[[nodiscard]] std::string cards(const std::string& content);
/// kind: a class of the style sheet.
[[nodiscard]] std::string paragraph(std::string_view text, std::string_view kind = "quiet");
/// heading: markup; id: a word.
[[nodiscard]] std::string page_section(std::string_view id, std::string_view heading,
                                       const std::string& content);
/// A wide thing that scrolls by itself, also by the keyboard.
[[nodiscard]] std::string scrolling(const std::string& name, const std::string& content);

/// A table with the id "rows" that sorts and filters where scripts run. choice: the column whose
/// values a list offers; empty: no list.
[[nodiscard]] std::string filtered_table(const std::string& name, std::string_view choice,
                                         const std::string& table);

/// Names and what they are, one below the other; empty texts are left out.
class FactList {
 public:
  void add(std::string_view what, std::string_view text);
  [[nodiscard]] bool is_empty() const { return rows_.empty(); }
  [[nodiscard]] std::string whole() const { return "<dl class=\"facts\">\n" + rows_ + "</dl>\n"; }

 private:
  std::string rows_;
};

/// The whole document. It lets nothing load and nothing run but its own style sheet and script.
[[nodiscard]] std::string document_of(std::string_view title, const std::string& content);

}  // namespace redtune::cli
