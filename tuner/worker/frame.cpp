// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/worker/frame.hpp"

#include <array>
#include <cstring>
#include <fmt/format.h>

namespace redtune::tuner {
namespace {

constexpr std::array<char, 4> magic{'r', 't', 'f', 'r'};

struct Header {
  std::array<char, 4> magic;
  std::uint32_t version;
  std::uint64_t bytes;
};
static_assert(sizeof(Header) == 16);

}  // namespace

std::string frame_of(const nlohmann::json& document) {
  std::string bytes(sizeof(Header), '\0');
  nlohmann::json::to_cbor(document, bytes);
  const Header header{magic, frame_version, bytes.size() - sizeof(Header)};
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

nlohmann::json read_frame(const ReadBytes& read) {
  std::array<char, sizeof(Header)> raw;
  read(raw.data(), raw.size());
  Header header;
  std::memcpy(&header, raw.data(), sizeof header);
  if (header.magic != magic) throw BadFrame("what it sent is no message of redtune");
  if (header.version != frame_version) {
    throw BadFrame(fmt::format(
        "it speaks version {} of the messages and this program version {}; install both from one "
        "build",
        header.version, frame_version));
  }
  if (header.bytes > most_frame_bytes) {
    throw BadFrame(fmt::format("it announced a message of {} bytes", header.bytes));
  }
  std::string bytes(header.bytes, '\0');
  read(bytes.data(), bytes.size());
  nlohmann::json document = nlohmann::json::from_cbor(bytes, true, false);
  if (!document.is_object()) throw BadFrame("its message cannot be read");
  return document;
}

}  // namespace redtune::tuner
