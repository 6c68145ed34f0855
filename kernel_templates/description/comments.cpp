// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Descriptions in the kernel's own file: lines "// redtune: KEY TEXT".
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <vector>

#include "kernel_templates/description/describe.hpp"
#include "kernel_templates/description/read_description.hpp"
#include "redtune/error.hpp"

namespace redtune::kernels {
namespace {

constexpr std::string_view mark = "redtune:";

/// Where the text behind the mark begins in a line; npos: the line is no annotation.
std::size_t annotation_begin(std::string_view line) {
  const std::size_t comment = line.find_first_not_of(" \t");
  if (comment == std::string_view::npos || !line.substr(comment).starts_with("//")) {
    return std::string_view::npos;
  }
  const std::size_t word = line.find_first_not_of("/ \t", comment);
  if (word == std::string_view::npos || !line.substr(word).starts_with(mark)) {
    return std::string_view::npos;
  }
  return word + mark.size();
}

template <class Use>
void for_each_line(std::string_view text, const Use& use) {
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    use(number, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

Statement statement_in(std::string_view line, std::size_t begin, Place place) {
  begin = line.find_first_not_of(" \t", begin);
  if (begin == std::string_view::npos) begin = line.size();
  const std::size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
  const std::string_view key = line.substr(begin, end - begin);
  require_key(key, place.behind(begin));
  const std::size_t text = std::min(line.find_first_not_of(" \t", end), line.size());
  place.column = 1 + static_cast<int>(text);
  return {std::string(key), std::string(trimmed(line.substr(text))), place};
}

bool is_continuation(std::string_view annotation) {
  return trimmed(annotation).starts_with("+");
}

/// Adds what stands behind the '+' of a line to the statement before.
void go_on(Statement& statement, std::string_view line, const Place& place) {
  const std::size_t text = std::min(line.find_first_not_of(" \t", line.find('+') + 1), line.size());
  auto further = statement.place.further
                     ? std::make_shared<std::vector<FurtherLine>>(*statement.place.further)
                     : std::make_shared<std::vector<FurtherLine>>();
  statement.text += ' ';
  further->push_back({statement.text.size(), place.line, static_cast<int>(text) + 1});
  statement.text += trimmed(line.substr(text));
  statement.place.further = std::move(further);
}

}  // namespace

bool has_annotations(std::string_view text) {
  bool any = false;
  for_each_line(text, [&](int, std::string_view line) {
    any = any || annotation_begin(line) != std::string_view::npos;
  });
  return any;
}

KernelDescription description_in_comments(std::string_view text, const std::string& file) {
  std::vector<Statement> statements;
  for_each_line(text, [&](int number, std::string_view line) {
    const std::size_t begin = annotation_begin(line);
    if (begin == std::string_view::npos) return;
    if (is_continuation(line.substr(begin)) && !statements.empty())
      go_on(statements.back(), line, {file, number, 1});
    else
      statements.push_back(statement_in(line, begin, {file, number, 1}));
  });
  if (statements.empty()) {
    throw UsageError(
        fmt::format("{0}: it has no line '// redtune: kernel NAME', and there is no "
                    "{0}.toml that describes it",
                    file));
  }
  return describe({file, std::filesystem::path(file).lexically_normal().generic_string()},
                  statements);
}

}  // namespace redtune::kernels
