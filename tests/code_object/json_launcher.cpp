// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tests/code_object/json_launcher.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

namespace redtune::code_object {
namespace {

void check(int status, const std::string& doing) {
  if (status == 0) return;
  throw std::runtime_error("cannot " + doing + ": error " + std::to_string(status));
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

std::vector<char> read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

/// Device memory with one owner. Behind what is asked for lies what nobody may write.
class JsonLauncher::Memory {
 public:
  Memory(const LauncherApi& api, std::size_t bytes) : api_(api), bytes_(bytes) {
    check(api.allocate(&data_, bytes + guard_bytes), "allocate");
    check(api.fill(guard(), guard_byte, guard_bytes, nullptr), "fill");
  }
  ~Memory() { (void)api_.release(data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  [[nodiscard]] void* get() const { return data_; }
  [[nodiscard]] bool is_guard_whole() const {
    std::vector<unsigned char> bytes(guard_bytes);
    check(api_.copy(bytes.data(), guard(), guard_bytes, copy_to_host, nullptr), "copy");
    check(api_.synchronize(nullptr), "wait");
    return std::ranges::all_of(bytes, [](unsigned char byte) { return byte == guard_byte; });
  }

 private:
  static constexpr std::size_t guard_bytes = 4096;
  static constexpr int guard_byte = 0xc7;
  [[nodiscard]] void* guard() const { return static_cast<std::byte*>(data_) + bytes_; }

  const LauncherApi& api_;
  std::size_t bytes_;
  void* data_ = nullptr;
};

Geometry geometry_of(const Document& rule, std::int64_t count, std::int64_t compute_units) {
  const std::int64_t most = rule.at("most_blocks");
  const std::int64_t per_unit = rule.at("blocks_per_unit");
  const std::int64_t multiple = rule.at("multiple_of");
  const std::int64_t tiles = ceil_div(count, rule.at("tile"));
  const std::int64_t largest =
      per_unit == 0 ? most : std::clamp<std::int64_t>(per_unit * compute_units, 1, most);
  const std::int64_t grid = tiles <= largest ? std::max<std::int64_t>(1, tiles)
                                             : ceil_div(tiles, ceil_div(tiles, largest));
  Geometry geometry;
  geometry.grid = ceil_div(grid, multiple) * multiple;
  if (rule.at("runs")) geometry.run = ceil_div(tiles, geometry.grid);
  return geometry;
}

std::vector<Geometry> own_geometries(const Document& rule, std::int64_t count) {
  const std::int64_t most = rule.at("most_blocks");
  const std::int64_t multiple = rule.at("multiple_of");
  const std::int64_t tiles = ceil_div(count, rule.at("tile"));
  std::vector<Geometry> all;
  // More than seven blocks would only have nothing to do.
  for (std::int64_t grid = multiple; grid <= std::min<std::int64_t>(most, 7); grid += multiple) {
    all.push_back({grid, 0});
    all.push_back({grid, ceil_div(tiles, grid)});
  }
  return all;
}

Names sizes_of(const Document& config, const Names& extents, std::int64_t compute_units,
               const Names& own) {
  Names names = extents;
  names["compute_units"] = compute_units;
  for (const Document& one : config.at("sizes")) {
    const std::string name = one.at("name");
    const auto found = own.find(name);
    names[name] =
        found == own.end() ? value_of(one.at("formula").get<std::string>(), names) : found->second;
  }
  return names;
}

Document read_document(const std::filesystem::path& file) {
  const std::vector<char> text = read_bytes(file);
  Document document = Document::parse(text.begin(), text.end());
  if (document.at("format") != "redtune code object 1") {
    throw std::runtime_error(file.string() + " has another format");
  }
  return document;
}

JsonLauncher::JsonLauncher(const LauncherApi& api, const std::filesystem::path& file)
    : api_(api),
      document_(read_document(file)),
      binary_(read_bytes(file.parent_path() / document_.at("file").get<std::string>())) {
  check(api_.load(&module_, binary_.data()), "load the binary");
}

JsonLauncher::~JsonLauncher() {
  if (module_ != nullptr) (void)api_.unload(module_);
}

void JsonLauncher::launch(const Document& launch, const Buffers& buffers,
                          const Names& names) const {
  void* function = nullptr;
  check(api_.find(&function, module_, launch.at("symbol").get<std::string>().c_str()), "find");
  // What lies between arguments is never read.
  std::vector<std::byte> packed(launch.at("argument_bytes"), std::byte{0xee});
  for (const Document& argument : launch.at("arguments")) {
    const std::string name = argument.at("name");
    const auto buffer = buffers.find(name);
    const std::int64_t value = buffer != buffers.end()
                                   ? reinterpret_cast<std::intptr_t>(buffer->second->get())
                                   : value_of(name, names);
    std::memcpy(packed.data() + argument.at("offset").get<std::size_t>(), &value,
                argument.at("bytes"));
  }
  std::size_t bytes = packed.size();
  void* extra[] = {extra_pointer, packed.data(), extra_size, &bytes, extra_end};
  const std::int64_t grid =
      launch.at("grid") == "grid" ? value_of("grid", names) : launch.at("grid").get<std::int64_t>();
  check(api_.launch(function, static_cast<unsigned>(grid), 1, 1, launch.at("block"), 1, 1,
                    launch.at("dynamic_shared_bytes"), nullptr, nullptr, extra),
        "launch");
}

std::size_t JsonLauncher::bytes_of(const std::string& buffer, const Names& names) const {
  const Document& about = document_.at("buffers").at(buffer);
  return static_cast<std::size_t>(value_of(about.at("elements").get<std::string>(), names)) *
         about.at("element_bytes").get<std::size_t>();
}

std::vector<std::vector<std::byte>> JsonLauncher::run(const Document& config, const Names& names,
                                                      const Contents& contents, int times) {
  Buffers buffers;
  for (const auto& [name, about] : document_.at("buffers").items()) {
    const std::size_t bytes = bytes_of(name, names);
    const auto& memory = buffers.emplace(name, std::make_unique<Memory>(api_, bytes)).first->second;
    const auto content = contents.find(name);
    if (content != contents.end()) {
      if (content->second.size() != bytes) throw std::runtime_error(name + " has another size");
      if (bytes == 0) continue;
      check(api_.copy(memory->get(), content->second.data(), bytes, copy_to_device, nullptr),
            "copy");
      continue;
    }
    // What the JSON calls "anything" is filled with what would be seen in a result.
    const bool is_zero = name == "slots" || name == "counter";
    check(api_.fill(memory->get(), is_zero ? 0 : 0xee, bytes, nullptr), "fill");
  }
  std::vector<std::vector<std::byte>> results;
  for (int i = 0; i < times; ++i) {
    for (const Document& one : config.at("launches")) launch(one, buffers, names);
    auto& result = results.emplace_back(bytes_of("out", names));
    if (!result.empty()) {
      check(
          api_.copy(result.data(), buffers.at("out")->get(), result.size(), copy_to_host, nullptr),
          "copy");
    }
    check(api_.synchronize(nullptr), "wait");
    for (const auto& [name, memory] : buffers) {
      if (!memory->is_guard_whole()) throw std::runtime_error("written beyond the end of " + name);
    }
  }
  return results;
}

}  // namespace redtune::code_object
