// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/registry.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <set>

#include "device/cuda/cuda_arch.hpp"
#include "device/hip/hip_facts.hpp"
#include "device/host/host_identity.hpp"
#include "device/host/host_platform.hpp"
#include "redtune/error.hpp"
#include "redtune/suggest.hpp"

namespace redtune::device {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view module_prefix = "libredtune_";

struct KnownPlatform {
  std::string_view name;
  std::optional<Limits> (*limits_of)(std::string_view arch);
};

/// The host, then vendors' platforms in the order in which "auto" looks for a usable GPU.
constexpr KnownPlatform known_platforms[] = {
    // Kernels for the host are compiled for the processor that runs them.
    {"host", [](std::string_view) -> std::optional<Limits> { return host::host_limits({}); }},
    {"hip", hip::architecture_limits},
    {"cuda", cuda::architecture_limits},
};

constexpr auto all_names = [] {
  std::array<std::string_view, std::size(known_platforms)> names;
  std::ranges::transform(known_platforms, names.begin(), &KnownPlatform::name);
  return names;
}();

/// The folder of the program or shared library that this code is part of.
fs::path folder_of_this_binary() {
  std::error_code ignored;
  Dl_info here{};
  const bool found = dladdr(reinterpret_cast<const void*>(&folder_of_this_binary), &here) != 0;
  const std::string_view name = found ? here.dli_fname : "";
  // A program reports the name it was called by, which may be without a folder.
  const bool is_path = name.find('/') != std::string_view::npos;
  return fs::weakly_canonical(is_path ? fs::path(name) : fs::path("/proc/self/exe"), ignored)
      .parent_path();
}

/// Folders where modules may lie: named by the user, else beside this program or library, as
/// built, installed or copied.
std::vector<fs::path> module_folders() {
  std::vector<fs::path> folders;
  if (const char* named = std::getenv("REDTUNE_MODULE_PATH"); named != nullptr) {
    std::string_view rest = named;
    while (!rest.empty()) {
      const auto end = std::min(rest.find(':'), rest.size());
      if (end > 0) folders.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return folders;
  }
  const fs::path folder = folder_of_this_binary();
  for (const char* place : {"redtune", "../lib/redtune", "../" REDTUNE_LIBDIR "/redtune"}) {
    folders.push_back((folder / place).lexically_normal());
  }
  return folders;
}

PlatformEntry open_module(std::string_view name, const fs::path& file) {
  PlatformEntry entry{std::string(name), nullptr, {}};
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    entry.problem = fmt::format("cannot open {}: {}", file.string(), dlerror());
    return entry;
  }
  const auto* module = static_cast<const ModuleEntry*>(dlsym(handle, "redtune_device_module"));
  if (module == nullptr || module->abi != module_abi) {
    entry.problem = fmt::format(
        "{} belongs to another version of redtune; install both from one "
        "build",
        file.string());
    dlclose(handle);
    return entry;
  }
  entry.platform = module->open();  // the library stays loaded: drivers do not survive unloading
  return entry;
}

PlatformEntry find_module(std::string_view name) {
  std::error_code ignored;
  for (const fs::path& folder : module_folders()) {
    const fs::path file = folder / fmt::format("{}{}.so", module_prefix, name);
    if (fs::exists(file, ignored)) return open_module(name, file);
  }
  return {std::string(name), nullptr,
          fmt::format("the module {}{}.so is not installed", module_prefix, name)};
}

int parse_ordinal(std::string_view text, std::string_view whole) {
  int ordinal = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ordinal);
  if (error != std::errc{} || end != text.data() + text.size() || ordinal < 0) {
    throw UsageError(fmt::format("'{}' is not a device; write auto, host, hip:0 or cuda:0", whole));
  }
  return ordinal;
}

}  // namespace

std::span<const std::string_view> platform_names() {
  return all_names;
}

std::optional<Limits> architecture_limits(std::string_view platform, std::string_view arch) {
  const auto known = std::ranges::find(known_platforms, platform, &KnownPlatform::name);
  return known == std::end(known_platforms) ? std::nullopt : known->limits_of(arch);
}

std::string Selection::text() const {
  if (!variant.empty()) return fmt::format("{}:{}", platform->name(), variant);
  if (platform->name() == "host") return "host";
  return fmt::format("{}:{}", platform->name(), ordinal);
}

Registry::Registry() : once_(std::make_unique<std::once_flag[]>(std::size(all_names))) {
  for (const std::string_view name : all_names) platforms_.push_back({std::string(name), {}, {}});
}

const PlatformEntry& Registry::opened(std::size_t index) const {
  PlatformEntry& entry = platforms_[index];
  std::call_once(once_[index], [&] {
    entry = index == 0 ? PlatformEntry{entry.name, host::make_host_platform(), {}}
                       : find_module(entry.name);
  });
  return entry;
}

const std::vector<PlatformEntry>& Registry::platforms() const {
  for (std::size_t i = 0; i < platforms_.size(); ++i) (void)opened(i);
  return platforms_;
}

Platform* Registry::find(std::string_view name) const {
  const auto known = std::ranges::find(all_names, name);
  if (known == all_names.end()) return nullptr;
  return opened(static_cast<std::size_t>(known - all_names.begin())).platform.get();
}

Platform& Registry::platform(std::string_view name) const {
  if (Platform* const found = find(name)) return *found;
  std::vector<std::string_view> names{"auto"};
  for (std::size_t i = 0; i < platforms_.size(); ++i) {
    names.push_back(all_names[i]);
    if (all_names[i] != name) continue;
    throw NoSuchDevice(fmt::format("{} cannot be used: {}", name, opened(i).problem));
  }
  throw UsageError(
      fmt::format("unknown device '{}'{}; known: {}", name, suggest(name, names), join(names)));
}

Selection Registry::select(std::string_view text) const {
  if (text == "auto") {
    for (const PlatformEntry& entry : platforms()) {
      if (entry.name != "host" && entry.platform && entry.platform->device_count() > 0) {
        return {entry.platform.get(), 0, {}};
      }
    }
    return {&platform("host"), 0, {}};
  }
  const auto colon = std::min(text.find(':'), text.size());
  Selection selection{&platform(text.substr(0, colon)), 0, {}};
  const std::string_view rest = text.substr(std::min(colon + 1, text.size()));
  if (rest.empty()) return selection;
  const bool is_number = rest.find_first_not_of("0123456789") == std::string_view::npos;
  if (is_number || selection.platform->name() != "host")
    selection.ordinal = parse_ordinal(rest, text);
  else
    selection.variant = rest;
  return selection;
}

std::vector<Selection> Registry::select_all(std::string_view text) const {
  std::vector<Selection> all;
  const auto add = [&](const Selection& one) {
    const bool is_there = std::ranges::any_of(
        all, [&](const Selection& other) { return other.text() == one.text(); });
    if (is_there) throw UsageError(fmt::format("{} stands twice in '{}'", one.text(), text));
    all.push_back(one);
  };
  for (std::string_view rest = text; all.empty() || !rest.empty();) {
    const auto end = std::min(rest.find(','), rest.size());
    const std::string_view name = rest.substr(0, end);
    if (name.empty() || end + 1 == rest.size()) {
      throw UsageError(fmt::format("'{}' is not a list of devices; write hip:0,hip:1", text));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (name != "all" && !name.ends_with(":all")) {
      add(select(name));
      continue;
    }
    Selection first = select(name == "all" ? "auto" : name.substr(0, name.find(':')));
    const int count = std::max(first.platform->device_count(), 1);  // none is told by opening it
    for (first.ordinal = 0; first.ordinal < count; ++first.ordinal) add(first);
  }
  return all;
}

std::unique_ptr<Device> open(const Selection& selection) {
  return selection.platform->open(selection.ordinal, selection.variant);
}

}  // namespace redtune::device
