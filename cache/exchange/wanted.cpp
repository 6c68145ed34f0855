// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/exchange/wanted.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <variant>

#include "cache/exchange/json.hpp"
#include "cache/exchange/parts.hpp"
#include "cache/files/files.hpp"
#include "cache/files/paths.hpp"
#include "cache/files/trust.hpp"
#include "redtune/error.hpp"

namespace redtune::cache {
namespace {

namespace fs = std::filesystem;

/// Raised when a reader of older files would misread newer ones.
constexpr std::string_view wanted_format = "redtune wanted 1";
constexpr std::string_view wanted_suffix = ".wanted.json";
/// Of one process: some ten thousand questions.
constexpr std::size_t max_wanted_bytes = std::size_t{16} << 20;

std::optional<Match> match_from(const Json& json) {
  if (!json.is_string()) return std::nullopt;
  const auto name = json.get<std::string>();
  const auto* const found = std::ranges::find_if(
      all_matches, [&](const Match match) { return to_string(match) == name; });
  return found == all_matches.end() ? std::nullopt : std::optional(*found);
}

/// Such devices there are; kernels are never planned for others.
bool may_be_a_device(const DeviceClass& what) {
  constexpr int most_units = 1 << 20;
  constexpr int most_lanes = 1024;
  return what.compute_units >= 1 && what.compute_units <= most_units && what.wave_size >= 1 &&
         what.wave_size <= most_lanes && (what.wave_size & (what.wave_size - 1)) == 0;
}

std::optional<Asked> asked_from(const Json& json) {
  auto question = question_from(json);
  const auto match = match_from(member_of(json, "match"));
  const auto launches = integer_from(member_of(json, "launches"));
  const Json& device = member_of(json, "device");
  if (!question || !match || !launches || *launches < 0 || !device.is_string()) return std::nullopt;
  if (!may_be_a_device(question->device_class)) return std::nullopt;
  return Asked{std::move(*question), device.get<std::string>(), *match,
               static_cast<std::uint64_t>(*launches)};
}

bool is_wanted_file(const fs::path& file) {
  return file.filename().string().ends_with(wanted_suffix);
}

/// Of a process that was killed while it wrote.
bool is_left_over(const fs::path& file) {
  return file.filename().string().find(std::string(wanted_suffix) + ".tmp-") != std::string::npos;
}

std::vector<fs::path> files_in(const fs::path& folder, bool (*is_meant)(const fs::path&)) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    if (is_meant(file->path())) files.push_back(file->path());
  }
  return files;
}

/// Folders that nobody trusts are not made: those of another user, whose HOME this one has.
void require_trusted(const fs::path& folder) {
  fs::path there = folder;
  std::error_code none;
  while (!fs::exists(there, none) && there.has_relative_path()) there = there.parent_path();
  const std::string why = why_untrusted(there);
  if (!why.empty()) throw IoError(fmt::format("{} {}", there.string(), why));
}

void add_file(const fs::path& file, std::map<Question, Wanted>& all) {
  if (!why_untrusted(file).empty()) return;
  const auto content = read_whole(file, max_wanted_bytes);
  if (!std::holds_alternative<std::string>(content)) return;
  for (const Asked& asked : asked_in(std::get<std::string>(content))) {
    Wanted& wanted = all[asked.question];
    wanted.question = asked.question;
    wanted.device = asked.device;
    wanted.match = wanted.processes == 0 ? asked.match : std::max(wanted.match, asked.match);
    ++wanted.processes;
    wanted.launches += asked.launches;
  }
}

}  // namespace

std::optional<fs::path> wanted_folder() {
  const auto results = results_folder();
  return results ? std::optional(*results / "wanted-v1") : std::nullopt;
}

bool is_full_of_wanted(const fs::path& folder) {
  return files_in(folder, is_wanted_file).size() >= most_wanted_files;
}

std::string wanted_text(std::span<const Asked> questions) {
  Json rows = Json::array();
  for (const Asked& one : questions) {
    Json row = question_json({.family = one.question.family,
                              .space_key = one.question.space_key,
                              .problem = one.question.problem,
                              .device = {.device_class = one.question.device_class,
                                         .toolchain = one.question.toolchain,
                                         .name = one.device}});
    row["match"] = to_string(one.match);
    row["launches"] = static_cast<std::int64_t>(one.launches);
    rows.push_back(std::move(row));
  }
  return dump({{"format", wanted_format}, {"questions", std::move(rows)}}) + '\n';
}

std::vector<Asked> asked_in(std::string_view text) {
  std::vector<Asked> all;
  const auto document = parse_json(text);
  if (!document || member_of(*document, "format") != wanted_format) return all;
  for (const Json& one : member_of(*document, "questions")) {
    if (auto asked = asked_from(one)) all.push_back(std::move(*asked));
  }
  return all;
}

void write_wanted(const fs::path& file, std::span<const Asked> questions) {
  const fs::path folder = file.parent_path();
  require_trusted(folder);
  make_private_folder(folder);
  require_trusted(folder);
  const std::string name = file.string() + std::string(wanted_suffix);
  replace_file(name, wanted_text(questions), Durability::unsynced);
}

std::vector<Wanted> read_wanted(const fs::path& folder) {
  std::map<Question, Wanted> all;
  for (const fs::path& file : files_in(folder, is_wanted_file)) add_file(file, all);
  std::vector<Wanted> wanted;
  for (auto& [question, one] : all) wanted.push_back(std::move(one));
  return wanted;
}

std::size_t forget_wanted(const fs::path& folder) {
  std::size_t removed = 0;
  for (const fs::path& file : files_in(folder, is_left_over)) {
    std::error_code ignored;
    fs::remove(file, ignored);
  }
  for (const fs::path& file : files_in(folder, is_wanted_file)) {
    std::error_code error;
    if (fs::remove(file, error)) ++removed;
    if (error) {
      throw IoError(fmt::format("cannot remove {}: {}", file.string(), error.message()));
    }
  }
  return removed;
}

}  // namespace redtune::cache
