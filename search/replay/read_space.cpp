// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "search/replay/read_space.hpp"

#include <array>
#include <fmt/format.h>
#include <fstream>
#include <system_error>

#include "redtune/error.hpp"
#include "search/replay/gzip.hpp"
#include "search/replay/space_formats.hpp"
#include "vocabulary/json_bounds.hpp"

namespace redtune::search {
namespace {

/// A tree takes memory for each; real files have 5 levels.
constexpr std::size_t most_levels = 32;

SpaceJson parsed(const std::string& text) {
  // An object may have as many members as its text has room for: configurations are members.
  const JsonFit fit = JsonBounds(most_levels, text.size()).fit_of(text);
  if (fit == JsonFit::too_deep) {
    throw UsageError("its JSON is nested too deeply for a search space");
  }
  SpaceJson document;
  if (fit == JsonFit::fits) document = SpaceJson::parse(text);
  if (document.is_object()) return document;
  throw UsageError("it is not a JSON object, or is cut short; copy it again");
}

struct Format {
  bool (*is)(const SpaceJson& document);
  RawSpace (*read)(const SpaceJson& document);
};

constexpr std::array formats{Format{is_t4_space, read_t4_space},
                             Format{is_kernel_tuner_space, read_kernel_tuner_space},
                             Format{is_results_export, refuse_results_export}};

/// Without the endings that say how it is written.
std::string name_of(const std::filesystem::path& file) {
  std::filesystem::path name = file.filename();
  for (const char* ending : {".gz", ".json"}) {
    if (name.extension() == ending && name.has_stem()) name = name.stem();
  }
  return name.string();
}

/// Up to one byte more than a space may have, so that no device without an end is read for ever.
std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string bytes;
  std::error_code unknown;
  if (stream && !std::filesystem::is_directory(file, unknown)) {
    std::string piece(std::size_t{1} << 20, '\0');
    while (bytes.size() <= most_space_bytes) {
      stream.read(piece.data(), static_cast<std::streamsize>(piece.size()));
      bytes.append(piece, 0, static_cast<std::size_t>(stream.gcount()));
      if (stream.eof()) return bytes;
      if (!stream) break;
    }
    if (stream) return bytes;
  }
  throw IoError(fmt::format("cannot read {}; does it exist, and is it a file?", file.string()));
}

}  // namespace

std::string read_space_text(const std::filesystem::path& file) {
  return unpacked(bytes_of(file), most_space_bytes);
}

RecordedSpace read_space(std::string bytes) {
  const SpaceJson document = parsed(unpacked(std::move(bytes), most_space_bytes));
  for (const Format& format : formats) {
    if (format.is(document)) return make_recorded_space(format.read(document));
  }
  throw UsageError(
      "it is not a recorded space: neither T4 ('results') nor a cache file of Kernel Tuner "
      "('tune_params' and 'cache')");
}

RecordedSpace read_space_file(const std::filesystem::path& file) {
  std::string bytes = bytes_of(file);
  try {
    RecordedSpace space = read_space(std::move(bytes));
    space.name = name_of(file);
    return space;
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", file.string(), error.what()));
  }
}

}  // namespace redtune::search
