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

/// Device memory with one owner.
class JsonLauncher::Memory {
 public:
  Memory(const LauncherApi& api, std::size_t bytes) : api_(api) {
    check(api.allocate(&data_, std::max<std::size_t>(bytes, 1)), "allocate");
  }
  ~Memory() { (void)api_.release(data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  [[nodiscard]] void* get() const { return data_; }

 private:
  const LauncherApi& api_;
  void* data_ = nullptr;
};

struct JsonLauncher::Buffers {
  Memory in;
  Memory out;
  Memory partials;
  Memory slots;
  Memory counter;
  std::int64_t count;
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
                          const Geometry& geometry) const {
  void* function = nullptr;
  check(api_.find(&function, module_, launch.at("symbol").get<std::string>().c_str()), "find");
  const std::pair<const char*, std::int64_t> values[] = {
      {"in", reinterpret_cast<std::intptr_t>(buffers.in.get())},
      {"out", reinterpret_cast<std::intptr_t>(buffers.out.get())},
      {"partials", reinterpret_cast<std::intptr_t>(buffers.partials.get())},
      {"slots", reinterpret_cast<std::intptr_t>(buffers.slots.get())},
      {"counter", reinterpret_cast<std::intptr_t>(buffers.counter.get())},
      {"count", buffers.count},
      {"run", geometry.run},
      {"partial_count", geometry.grid}};
  // What lies between arguments is never read.
  std::vector<std::byte> packed(launch.at("argument_bytes"), std::byte{0xee});
  for (const Document& argument : launch.at("arguments")) {
    const auto* value = std::ranges::find(values, argument.at("name").get<std::string>(),
                                          [](const auto& row) { return std::string(row.first); });
    if (value == std::end(values)) throw std::runtime_error("an argument is unknown");
    std::memcpy(packed.data() + argument.at("offset").get<std::size_t>(), &value->second,
                argument.at("bytes"));
  }
  std::size_t bytes = packed.size();
  void* extra[] = {extra_pointer, packed.data(), extra_size, &bytes, extra_end};
  const std::int64_t grid =
      launch.at("grid") == "grid" ? geometry.grid : launch.at("grid").get<std::int64_t>();
  check(api_.launch(function, static_cast<unsigned>(grid), 1, 1, launch.at("block"), 1, 1,
                    launch.at("dynamic_shared_bytes"), nullptr, nullptr, extra),
        "launch");
}

std::int64_t JsonLauncher::count_of(std::span<const std::byte> input) const {
  const std::size_t bytes = document_.at("buffers").at("in").at("element_bytes");
  return static_cast<std::int64_t>(input.size() / bytes);
}

std::vector<std::vector<std::byte>> JsonLauncher::run(const Document& config,
                                                      std::span<const std::byte> input,
                                                      const Geometry& geometry, int times) {
  const Document& about = document_.at("buffers");
  const auto bytes_of = [&](const char* name) {
    return about.at(name).at("element_bytes").get<std::size_t>();
  };
  const std::int64_t count = count_of(input);
  const auto partials = static_cast<std::size_t>(geometry.grid) * bytes_of("partials");
  const Document& slot_rule = config.at("slots");
  const auto slots =
      slot_rule.at("bytes").get<std::size_t>() +
      slot_rule.at("bytes_per_block").get<std::size_t>() * static_cast<std::size_t>(geometry.grid);
  const Buffers buffers{
      Memory(api_, input.size()), Memory(api_, bytes_of("out")),     Memory(api_, partials),
      Memory(api_, slots),        Memory(api_, bytes_of("counter")), count};
  // What the JSON calls "anything" is filled with what would be seen in a result.
  check(api_.fill(buffers.out.get(), 0xee, bytes_of("out"), nullptr), "fill");
  check(api_.fill(buffers.partials.get(), 0xee, partials, nullptr), "fill");
  check(api_.fill(buffers.slots.get(), 0, slots, nullptr), "fill");
  check(api_.fill(buffers.counter.get(), 0, bytes_of("counter"), nullptr), "fill");
  if (!input.empty()) {
    check(api_.copy(buffers.in.get(), input.data(), input.size(), copy_to_device, nullptr), "copy");
  }
  std::vector<std::vector<std::byte>> results;
  for (int i = 0; i < times; ++i) {
    for (const Document& one : config.at("launches")) launch(one, buffers, geometry);
    auto& result = results.emplace_back(bytes_of("out"));
    check(api_.copy(result.data(), buffers.out.get(), result.size(), copy_to_host, nullptr),
          "copy");
    check(api_.synchronize(nullptr), "wait");
  }
  return results;
}

}  // namespace redtune::code_object
