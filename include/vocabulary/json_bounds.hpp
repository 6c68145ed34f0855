// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How deep and wide JSON is, without a tree of it: for texts of strangers, before they are read. A
// callback of the library's parser could tell as much, but with one, each object that ends makes it
// look through all that stand beside it.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace redtune {

enum class JsonFit { fits, is_none, too_deep, too_wide };

/// Goes through one text; false from any of these ends the reading.
class JsonBounds : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonBounds(std::size_t most_levels, std::size_t most_members)
      : most_levels_(most_levels), most_members_(most_members) {}

  [[nodiscard]] JsonFit fit_of(std::string_view text, nlohmann::json::input_format_t format =
                                                          nlohmann::json::input_format_t::json) && {
    const bool is_whole = nlohmann::json::sax_parse(text, this, format);
    return fit_ == JsonFit::fits && !is_whole ? JsonFit::is_none : fit_;
  }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return open(); }
  bool start_array(std::size_t) override { return open(); }
  bool key(string_t&) override {
    return keep(++members_.back() <= most_members_, JsonFit::too_wide);
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }

 private:
  bool open() {
    members_.push_back(0);
    return keep(members_.size() <= most_levels_, JsonFit::too_deep);
  }
  bool close() {
    members_.pop_back();
    return true;
  }
  bool keep(bool fits, JsonFit otherwise) {
    if (!fits) fit_ = otherwise;
    return fits;
  }

  std::size_t most_levels_;
  std::size_t most_members_;
  std::vector<std::size_t> members_;  ///< so far, of what is open
  JsonFit fit_ = JsonFit::fits;
};

}  // namespace redtune
