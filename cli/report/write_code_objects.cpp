// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/write_code_objects.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <system_error>

#include "redtune/error.hpp"

namespace redtune::cli {
namespace {

void write_beside(const std::filesystem::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (file) return;
  throw IoError(
      fmt::format("cannot write {}; is the folder writable and the disk not full?", path.string()));
}

std::string stem_of(const CodeObject& object, std::size_t number) {
  std::string stem = fmt::format("{}:{}-{:03}", object.platform, object.arch, number);
  std::ranges::replace(stem, ':', '_');
  return stem;
}

}  // namespace

void write_code_objects(const std::filesystem::path& folder, CodeObject object,
                        std::span<const BinaryConfig> configs) {
  std::error_code ignored;  // writing into it tells
  std::filesystem::create_directories(folder, ignored);
  std::vector<const std::vector<std::byte>*> binaries;  // in the order of their first config
  std::map<const void*, std::vector<CompiledConfig>> of_binary;
  for (const BinaryConfig& one : configs) {
    auto& list = of_binary[one.binary.get()];
    if (list.empty()) binaries.push_back(one.binary.get());
    list.push_back(one.config);
  }
  for (std::size_t i = 0; i < binaries.size(); ++i) {
    const std::string stem = stem_of(object, i);
    object.file = stem + ".co";
    object.binary = *binaries[i];
    write_beside(folder / object.file,
                 {reinterpret_cast<const char*>(object.binary.data()), object.binary.size()});
    const Json document = json_of(object, of_binary.at(binaries[i]));
    write_beside(folder / (stem + ".json"),
                 document.dump(1, ' ', false, Json::error_handler_t::replace) + '\n');
  }
}

}  // namespace redtune::cli
