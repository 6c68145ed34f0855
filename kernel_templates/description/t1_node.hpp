// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A value of a T1 file with its place, so that what is wrong with it can be told there; private to
// this folder.
#pragma once

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel_templates/description/formula.hpp"
#include "kernel_templates/description/json_places.hpp"

namespace redtune::kernels {

using T1Json = nlohmann::ordered_json;

/// A value with its place. One that is not there is null.
class T1Node {
 public:
  T1Node(const T1Json& value, const JsonPlaces& places, std::string pointer)
      : value_(&value), places_(&places), pointer_(std::move(pointer)) {}

  [[nodiscard]] const T1Json& value() const { return *value_; }
  [[nodiscard]] Place place() const { return places_->of(pointer_); }
  [[nodiscard]] bool is_there() const { return !value_->is_null(); }

  [[nodiscard]] T1Node member(const std::string& name) const {
    static const T1Json nothing;
    const auto found = value_->is_object() ? value_->find(name) : value_->end();
    const bool is_found = value_->is_object() && found != value_->end();
    return {is_found ? *found : nothing, *places_, is_found ? pointer_ + "/" + name : pointer_};
  }
  /// Throws UsageError where it is missing.
  [[nodiscard]] T1Node required(const std::string& name) const {
    T1Node found = member(name);
    if (!found.is_there()) refuse(fmt::format("here '{}' is missing", name));
    return found;
  }
  /// The elements of an array; of anything else that is there itself.
  [[nodiscard]] std::vector<T1Node> elements() const {
    if (!is_there()) return {};
    if (!value_->is_array()) return {*this};
    std::vector<T1Node> all;
    for (std::size_t i = 0; i < value_->size(); ++i) {
      all.push_back({(*value_)[i], *places_, fmt::format("{}/{}", pointer_, i)});
    }
    return all;
  }
  /// name: of the member, for errors.
  [[nodiscard]] std::string text(std::string_view name) const {
    if (value_->is_string()) return value_->get<std::string>();
    refuse(fmt::format("{} is {}; it must be a string", name, value_->type_name()));
  }
  /// An expression, whether it is a string or a number.
  [[nodiscard]] std::string expression(std::string_view name) const {
    std::string written;
    if (value_->is_string()) {
      written = value_->get<std::string>();
    } else if (value_->is_number_integer()) {
      written = value_->dump();
    } else {
      refuse(fmt::format("{} is {}; it must be an expression or a whole number", name,
                         value_->is_number() ? value_->dump() : value_->type_name()));
    }
    (void)Formula::parse(written, place());  // here its place is known
    return written;
  }
  [[noreturn]] void refuse(std::string_view why) const { refuse_at(place(), why); }

 private:
  const T1Json* value_;
  const JsonPlaces* places_;
  std::string pointer_;
};

}  // namespace redtune::kernels
