// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/gpu/sysfs.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <system_error>

namespace redtune::device::gpu {
namespace {

namespace fs = std::filesystem;

/// A PCI id without its "0x".
std::string pci_id(const fs::path& file) {
  const std::string word = word_of(file);
  return word.starts_with("0x") ? word.substr(2) : word;
}

}  // namespace

fs::path sysfs_folder() {
  const char* named = std::getenv("REDTUNE_SYSFS");
  return named != nullptr && *named != '\0' ? named : "/sys";
}

std::string word_of(const fs::path& file) {
  std::ifstream stream(file);
  std::string word;
  stream >> word;
  return word;
}

fs::path pci_folder(const std::string& address, const fs::path& sysfs) {
  const fs::path devices = sysfs / "bus/pci/devices";
  std::error_code ignored;
  const auto dot = address.rfind('.');
  if (fs::exists(devices / address, ignored) || dot == std::string::npos) return devices / address;
  return devices / (address.substr(0, dot) + ".0");
}

std::string model_of(const fs::path& pci_folder) {
  const std::string vendor = pci_id(pci_folder / "vendor");
  if (vendor.empty()) return {};
  return fmt::format("{}:{}:{}:{}", vendor, pci_id(pci_folder / "device"),
                     pci_id(pci_folder / "subsystem_vendor"),
                     pci_id(pci_folder / "subsystem_device"));
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace redtune::device::gpu
