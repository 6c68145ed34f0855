// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where the values of a JSON text stand, which its parser does not tell; private to this folder.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "kernel_templates/description/place.hpp"

namespace redtune::kernels {

/// The place of a byte of a text.
[[nodiscard]] Place place_in(std::string_view text, std::size_t offset, const std::string& file);

class JsonPlaces {
 public:
  /// text: JSON, as a parser has found out before.
  JsonPlaces(std::string_view text, const std::string& file);

  /// Of the value that a pointer names, like "/Arguments/0/Type"; the text's begin where there is
  /// none.
  [[nodiscard]] Place of(const std::string& pointer) const;

 private:
  void read_value(const std::string& pointer);
  void read_members(const std::string& pointer, char end);
  std::string read_string();
  void skip_blanks();
  [[nodiscard]] bool take(char c);

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  std::map<std::string, std::size_t> offsets_;
};

}  // namespace redtune::kernels
