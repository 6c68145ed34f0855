// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/keys/key.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "cache/keys/sha256.hpp"
#include "redtune/error.hpp"

namespace redtune::cache {
namespace {

/// Of custom operators; for people, and no part of a key.
constexpr std::string_view operator_name = "op_name";

/// Reads fields by name and remembers whether every one was there and readable.
class FieldReader {
 public:
  explicit FieldReader(const Fields& fields) : fields_(fields) {}

  std::string text(std::string_view name) {
    ++read_;
    const auto field = std::ranges::find(fields_, name, &Field::name);
    if (field != fields_.end()) return field->value;
    good_ = false;
    return {};
  }

  template <class Integer>
  Integer integer(std::string_view name) {
    const std::string digits = text(name);
    Integer value = 0;
    const char* last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, value);
    good_ = good_ && error == std::errc{} && end == last;
    return value;
  }

  /// Likewise where there is such a field; else what is given.
  std::string text_or(std::string_view name, std::string otherwise) {
    const bool is_there = std::ranges::find(fields_, name, &Field::name) != fields_.end();
    return is_there ? text(name) : std::move(otherwise);
  }

  /// Everything read was there, and there was nothing else.
  [[nodiscard]] bool complete() const { return good_ && read_ == fields_.size(); }

 private:
  const Fields& fields_;
  std::size_t read_ = 0;
  bool good_ = true;
};

}  // namespace

Key make_key(std::string_view kind, Fields fields) {
  Fields sorted = fields;
  std::ranges::sort(sorted);
  std::string canonical = fmt::format("{}:{},", kind.size(), kind);
  for (const auto& [name, value] : sorted) {
    canonical += fmt::format("{}:{},{}:{},", name.size(), name, value.size(), value);
  }
  return {.hash = sha256_hex(canonical), .fields = std::move(fields)};
}

// The structured bindings name every member: a new member does not compile until it is in the key.

Fields fields_of(const Problem& problem) {
  const auto& [op, in, acc, out, count, cache_mode, order, custom] = problem;
  Fields fields{
      {"op", std::string(to_string(op))},   {"in", std::string(to_string(in))},
      {"acc", std::string(to_string(acc))}, {"out", std::string(to_string(out))},
      {"count", std::to_string(count)},     {"cache_mode", std::string(to_string(cache_mode))}};
  // Only where they say something: keys of problems without them stay what they were.
  if (order != Order::fixed) fields.push_back({"order", std::string(to_string(order))});
  if (op == Op::custom) {
    fields.push_back({std::string(operator_name), custom.name});
    fields.push_back({"op_source", custom.source});
  }
  return fields;
}

Fields fields_of(const DeviceClass& device_class) {
  const auto& [platform, isa, model, partition, compute_units, wave_size, last_level_cache_bytes,
               memory_bytes] = device_class;
  return {{"platform", platform},
          {"isa", isa},
          {"model", model},
          {"partition", partition},
          {"compute_units", std::to_string(compute_units)},
          {"wave_size", std::to_string(wave_size)},
          {"last_level_cache_bytes", std::to_string(last_level_cache_bytes)},
          {"memory_bytes", std::to_string(memory_bytes)}};
}

Fields fields_of(const Toolchain& toolchain) {
  const auto& [driver, runtime, compiler] = toolchain;
  return {{"driver", driver}, {"runtime", runtime}, {"compiler", compiler}};
}

Key key_of(const Problem& problem) {
  const Fields fields = fields_of(problem);
  Fields that_count = fields;
  std::erase_if(that_count, [](const Field& field) { return field.name == operator_name; });
  return {.hash = make_key("problem", std::move(that_count)).hash, .fields = fields};
}

Key key_of(const DeviceClass& device_class) {
  return make_key("device_class", fields_of(device_class));
}

Key key_of(const Toolchain& toolchain) {
  return make_key("toolchain", fields_of(toolchain));
}

Key key_of(const Settings& settings) {
  return make_key("config", settings);
}

std::optional<Problem> problem_from(const Fields& fields) {
  FieldReader reader(fields);
  try {
    const std::string op = reader.text("op");
    const bool is_custom = op == to_string(Op::custom);
    const Problem problem{.op = is_custom ? Op::custom : parse_op(op),
                          .in = parse_dtype(reader.text("in")),
                          .acc = parse_dtype(reader.text("acc")),
                          .out = parse_dtype(reader.text("out")),
                          .count = reader.integer<std::int64_t>("count"),
                          .cache_mode = parse_cache_mode(reader.text("cache_mode")),
                          .order = parse_order(reader.text_or("order", "fixed")),
                          .custom = {is_custom ? reader.text(operator_name) : "",
                                     is_custom ? reader.text("op_source") : ""}};
    if (!reader.complete() || problem.count < 0) return std::nullopt;
    return problem;
  } catch (const UsageError&) {
    return std::nullopt;  // a name that only another version knows
  }
}

std::optional<DeviceClass> device_class_from(const Fields& fields) {
  FieldReader reader(fields);
  DeviceClass device_class{
      .platform = reader.text("platform"),
      .isa = reader.text("isa"),
      .model = reader.text("model"),
      .partition = reader.text("partition"),
      .compute_units = reader.integer<int>("compute_units"),
      .wave_size = reader.integer<int>("wave_size"),
      .last_level_cache_bytes = reader.integer<std::int64_t>("last_level_cache_bytes"),
      .memory_bytes = reader.integer<std::int64_t>("memory_bytes")};
  if (!reader.complete()) return std::nullopt;
  return device_class;
}

std::optional<Toolchain> toolchain_from(const Fields& fields) {
  FieldReader reader(fields);
  Toolchain toolchain{.driver = reader.text("driver"),
                      .runtime = reader.text("runtime"),
                      .compiler = reader.text("compiler")};
  if (!reader.complete()) return std::nullopt;
  return toolchain;
}

}  // namespace redtune::cache
