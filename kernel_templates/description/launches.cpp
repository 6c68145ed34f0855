// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Launches: a kernel, and NAME = VALUE for each part of its geometry.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

#include "kernel_templates/description/parts.hpp"
#include "redtune/suggest.hpp"

namespace redtune::kernels {
namespace {

constexpr std::string_view launch_usage =
    "launch block = BLOCK grid = ceil(n / BLOCK) shared = BLOCK * 4";
constexpr std::array<std::string_view, 4> launch_parts{"block", "grid", "shared", "args"};

/// Where "NAME =" stands in a launch, and where its value begins.
struct Part {
  std::string_view name;
  std::size_t at = 0;
  std::size_t value = 0;
};

/// All of them, in their order. A word before a single '=' is a part's name, or a mistake.
std::vector<Part> parts_in(const StatementReader& reader, std::string_view text) {
  std::vector<Part> parts;
  const auto is_of_word = [](char c) {
    return is_name(std::string_view(&c, 1)) || (c >= '0' && c <= '9');
  };
  for (std::size_t at = text.find('='); at != std::string_view::npos; at = text.find('=', at + 1)) {
    if (text.substr(at + 1).starts_with("=")) {
      ++at;
      continue;
    }
    if (at > 0 && std::string_view("<>!").find(text[at - 1]) != std::string_view::npos) continue;
    std::size_t end = at;
    while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '\t')) --end;
    std::size_t begin = end;
    while (begin > 0 && is_of_word(text[begin - 1])) --begin;
    const std::string_view name = text.substr(begin, end - begin);
    if (std::ranges::find(launch_parts, name) == launch_parts.end()) {
      reader.refuse_from(begin, fmt::format("a launch has no '{}'{}; known: {}", name,
                                            suggest(name, launch_parts), join(launch_parts)));
    }
    if (std::ranges::find(parts, name, &Part::name) != parts.end()) {
      reader.refuse_from(begin, fmt::format("{} is given twice; leave one out", name));
    }
    parts.push_back({name, begin, at + 1});
  }
  return parts;
}

/// One to three numbers with commas between them; those that are left out are 1.
std::array<Formula, 3> extents_of(const Statement& statement, std::string_view name) {
  StatementReader reader(statement);
  std::array<Formula, 3> extents;
  extents.fill({Expression::parse("1"), statement.place});
  std::size_t axis = 0;
  do {
    if (axis == extents.size()) {
      reader.refuse(fmt::format("{} has at most three extents, x, y and z", name));
    }
    extents[axis++] = reader.formula_until(",");
  } while (reader.take(","));
  return extents;
}

std::vector<WrittenName> names_of(const Statement& statement) {
  StatementReader reader(statement);
  std::vector<WrittenName> names;
  do {
    reader.skip_blanks();
    const Place place = reader.place();
    names.push_back(
        {std::string(reader.require_word("an argument's name", "args = out, in, n")), place});
  } while (reader.take(","));
  reader.require_done("args = out, in, n");
  return names;
}

}  // namespace

std::string plain_name_of(std::string_view kernel, const Place& place) {
  const std::size_t open = std::min(kernel.find('<'), kernel.size());
  const std::string_view name = trimmed(kernel.substr(0, open));
  std::string_view left = name;
  while (left.find("::") != std::string_view::npos) {
    if (!is_name(left.substr(0, left.find("::")))) break;
    left.remove_prefix(left.find("::") + 2);
  }
  if (!is_name(left)) {
    refuse_at(place, fmt::format("'{}' is no kernel's name; write it as in the kernel's text, like "
                                 "row_sum or row_sum<float, BLOCK>",
                                 name.substr(0, 60)));
  }
  if (open < kernel.size() && !trimmed(kernel).ends_with(">")) {
    refuse_at(place.behind(open), "this '<' is not closed");
  }
  return std::string(name);
}

WrittenLaunch read_launch(const Statement& statement) {
  const StatementReader reader(statement);
  const std::string_view text = statement.text;
  const std::vector<Part> parts = parts_in(reader, text);
  WrittenLaunch written;
  written.launch.place = statement.place;
  const std::size_t kernel_end = parts.empty() ? text.size() : parts.front().at;
  written.launch.kernel = trimmed(text.substr(0, kernel_end));
  if (!written.launch.kernel.empty()) {
    (void)plain_name_of(written.launch.kernel, statement.place);
  }
  written.launch.shared = {Expression(), statement.place};
  std::array<bool, 2> has_extents{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t end = i + 1 < parts.size() ? parts[i + 1].at : text.size();
    std::size_t begin = parts[i].value;
    while (begin < end && (text[begin] == ' ' || text[begin] == '\t')) ++begin;
    const Statement value{std::string(parts[i].name),
                          std::string(trimmed(text.substr(begin, end - begin))),
                          statement.place.behind(begin)};
    if (value.key == "block") {
      written.launch.block = extents_of(value, value.key);
      has_extents[0] = true;
    } else if (value.key == "grid") {
      written.launch.grid = extents_of(value, value.key);
      has_extents[1] = true;
    } else if (value.key == "shared") {
      written.launch.shared = StatementReader(value).formula_of(value.text, 0);
    } else {
      written.arguments = names_of(value);
    }
  }
  for (std::size_t i = 0; i < has_extents.size(); ++i) {
    if (has_extents[i]) continue;
    refuse_at(statement.place,
              fmt::format("this launch has no {}; write {}", launch_parts[i], launch_usage));
  }
  return written;
}

}  // namespace redtune::kernels
