// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/agreement/kept_file.hpp"

#include <fmt/format.h>
#include <fstream>
#include <system_error>

#include "redtune/error.hpp"

namespace redtune::bench {

namespace fs = std::filesystem;

void write_text(const fs::path& file, std::string_view text) {
  const fs::path fresh = file.string() + ".new";
  std::ofstream stream(fresh, std::ios::binary);
  stream << text << std::flush;
  std::error_code error;
  if (stream) fs::rename(fresh, file, error);
  if (!stream || error) throw IoError(fmt::format("cannot write {}", file.string()));
}

std::optional<nlohmann::json> read_json(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::nullopt;
  auto document = nlohmann::json::parse(stream, nullptr, false);
  if (document.is_discarded()) throw IoError(fmt::format("{} is no JSON", file.string()));
  return document;
}

nlohmann::json json_of(const Interval& interval) {
  return {{"low", interval.low}, {"median", interval.median}, {"high", interval.high}};
}

Interval interval_of(const nlohmann::json& document) {
  return {document.at("low").get<double>(), document.at("median").get<double>(),
          document.at("high").get<double>()};
}

}  // namespace redtune::bench
