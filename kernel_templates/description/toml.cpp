// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Descriptions in TOML: the keys of annotations, whose values are their texts, or arrays of those.
#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "kernel_templates/description/describe.hpp"
#include "kernel_templates/description/parts.hpp"
#include "kernel_templates/description/read_description.hpp"
#include "redtune/error.hpp"
#include "vocabulary/toml_parser.hpp"

namespace redtune::kernels {
namespace {

class TomlDescription {
 public:
  TomlDescription(std::string_view text, const std::string& file) : text_(text), file_(file) {
    try {
      root_ = toml::parse(text);
    } catch (const toml::parse_error& error) {
      refuse_at(place_of(error.source()), error.description());
    } catch (const TomlParserIsLost&) {
      throw UsageError(fmt::format("{}: this is no TOML; see https://toml.io", file_));
    }
  }

  KernelDescription read() {
    std::string text_file;
    std::vector<Statement> statements;
    for (const auto& [key, value] : root_) {
      if (key.str() == "file") {
        text_file = string_at(value, "file");
        continue;
      }
      require_key(key.str(), place_of(key.source()));
      add(statements, std::string(key.str()), value);
    }
    if (text_file.empty()) {
      throw UsageError(fmt::format(
          "{}: it does not say where the kernel is; write file = \"row_sum.hip.cpp\"", file_));
    }
    // As they stand in the file: what is refused first is what stands first.
    std::ranges::stable_sort(statements, [](const Statement& one, const Statement& other) {
      return std::pair(one.place.line, one.place.column) <
             std::pair(other.place.line, other.place.column);
    });
    const DescribedFile from{file_, {}};
    return describe({file_, path_beside(from.folder(), text_file)}, statements);
  }

 private:
  [[nodiscard]] Place place_of(const toml::source_region& region) const {
    return {file_, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column),
            true};
  }

  [[nodiscard]] const std::string& string_at(const toml::node& node, std::string_view key) const {
    if (const auto* string = node.as_string()) return string->get();
    refuse_at(place_of(node.source()),
              fmt::format("{} is {}; write a string, as behind '// redtune: {}'", key,
                          kind_of_toml(node.type()), key));
  }

  void add(std::vector<Statement>& statements, const std::string& key,
           const toml::node& value) const {
    const toml::array* array = value.as_array();
    if (array == nullptr) {
      statements.push_back(statement_of(key, value));
      return;
    }
    for (const toml::node& entry : *array) statements.push_back(statement_of(key, entry));
  }

  [[nodiscard]] Statement statement_of(const std::string& key, const toml::node& value) const {
    const std::string& text = string_at(value, key);
    const std::string_view inner = trimmed(text);
    Place place = place_of(value.source());
    // Between simple quotation marks the text stands as it is, and its parts have places.
    if (literal_at(place).starts_with(text) && text.find('\n') == std::string::npos) {
      place.is_fixed = false;
      place = place.behind(1 + static_cast<std::size_t>(inner.data() - text.data()));
    }
    return {key, std::string(inner), place};
  }

  /// What stands behind one quotation mark at a place; empty: there is none.
  [[nodiscard]] std::string_view literal_at(const Place& place) const {
    std::string_view left = text_;
    for (int line = 1; line < place.line; ++line) {
      const std::size_t end = left.find('\n');
      if (end == std::string_view::npos) return {};
      left.remove_prefix(end + 1);
    }
    left = left.substr(std::min(static_cast<std::size_t>(place.column - 1), left.size()));
    const bool is_quoted = left.starts_with("\"") || left.starts_with("'");
    return is_quoted ? left.substr(1) : std::string_view();
  }

  std::string_view text_;
  const std::string& file_;
  toml::table root_;
};

}  // namespace

KernelDescription description_from_toml(std::string_view text, const std::string& file) {
  return TomlDescription(text, file).read();
}

}  // namespace redtune::kernels
