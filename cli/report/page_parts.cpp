// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/page_parts.hpp"

#include <cstdint>
#include <fmt/format.h>

#include "cache/keys/sha256.hpp"
#include "cli/plot/drawing.hpp"
#include "cli/report/page_assets.hpp"

namespace redtune::cli {
namespace {

constexpr std::size_t most_of_first_line = 160;

/// For a policy: the hash of what stands between two tags.
std::string policy_hash(std::string_view text) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const cache::Digest digest = cache::sha256(text);
  std::string base64;
  for (std::size_t i = 0; i < digest.size(); i += 3) {
    const auto byte = [&](std::size_t at) {
      return at < digest.size() ? std::uint32_t{digest[at]} : 0U;
    };
    const std::uint32_t bits = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (std::size_t part = 0; part < 4; ++part) {
      const bool is_padding = i + part > digest.size();
      base64 += is_padding ? '=' : digits[bits >> (18 - 6 * part) & 63];
    }
  }
  return "'sha256-" + base64 + "'";
}

}  // namespace

std::string first_line(std::string_view text) {
  return shortened(text.substr(0, text.find('\n')), most_of_first_line);
}

std::string figure_text(double value) {
  return value >= 1e4 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string ratio_text(double ratio) {
  return fmt::format("{:.{}f}×", ratio, ratio < 10 ? 2 : ratio < 100 ? 1 : 0);
}

std::string card(const std::string& heading, const std::string& content) {
  return fmt::format("<div class=\"card\">\n<h3>{}</h3>\n{}</div>\n", markup(heading), content);
}

std::string cards(const std::string& content) {
  return "<div class=\"cards\">\n" + content + "</div>\n";
}

std::string paragraph(std::string_view text, std::string_view kind) {
  return fmt::format("<p class=\"{}\">{}</p>\n", kind, markup(text));
}

std::string page_section(std::string_view id, std::string_view heading,
                         const std::string& content) {
  return fmt::format(
      "<section aria-labelledby=\"{0}-heading\">\n<h2 id=\"{0}-heading\">{1}</h2>\n{2}"
      "</section>\n",
      id, heading, content);
}

std::string scrolling(const std::string& name, const std::string& content) {
  return fmt::format(
      "<div class=\"scroll\" role=\"region\" aria-label=\"{}\" tabindex=\"0\">\n{}</div>\n",
      markup(name), content);
}

std::string filtered_table(const std::string& name, std::string_view choice,
                           const std::string& table) {
  std::string controls =
      "<div class=\"controls\" id=\"controls\" hidden>\n"
      "<label for=\"filter\">Show rows with all these words"
      "<input id=\"filter\" type=\"search\" placeholder=\"f32, or column=value\"></label>\n";
  if (!choice.empty()) {
    controls += fmt::format(
        "<label for=\"choice\">{0}<select id=\"choice\" data-column=\"{0}\">"
        "<option value=\"\">all</option></select></label>\n",
        markup(choice));
  }
  controls += "<p class=\"quiet\" id=\"shown\" role=\"status\"></p>\n</div>\n";
  return controls + scrolling(name, table);
}

void FactList::add(std::string_view what, std::string_view text) {
  if (text.empty()) return;
  rows_ += fmt::format("<dt>{}</dt><dd>{}</dd>\n", markup(what), markup(text));
}

std::string document_of(std::string_view title, const std::string& content) {
  const std::string style = std::string(page_style()) + std::string(chart_style());
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}; "
      "script-src {}; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n<title>{}</title>\n<style>{}</style>\n"
      "</head>\n<body>\n",
      policy_hash(style), policy_hash(page_script()), markup(title), style);
  text += content;
  text += fmt::format("<script>{}</script>\n</body>\n</html>\n", page_script());
  return text;
}

}  // namespace redtune::cli
