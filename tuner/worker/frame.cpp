// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/worker/frame.hpp"

#include <algorithm>
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

using nlohmann::json;

/// Ours have 6 levels; documents are read and destroyed level by level on the stack.
constexpr std::size_t most_levels = 64;
/// Memory is taken as it is filled, not as it is announced.
constexpr std::size_t piece_bytes = std::size_t{1} << 20;

/// Looks at a document before one is made of it: the maker throws what is no Error, or exhausts the
/// stack, when a list claims more members than the message has bytes or when lists are too deep.
class Check {
 public:
  explicit Check(std::size_t bytes) : bytes_(bytes) {}

  static bool null() { return true; }
  static bool boolean(bool) { return true; }
  static bool number_integer(std::int64_t) { return true; }
  static bool number_unsigned(std::uint64_t) { return true; }
  static bool number_float(double, const std::string&) { return true; }
  static bool string(std::string&) { return true; }
  static bool binary(json::binary_t&) { return true; }
  static bool key(std::string&) { return true; }
  static bool parse_error(std::size_t, const std::string&, const json::exception&) { return false; }
  bool start_object(std::size_t members) { return open(members); }
  bool start_array(std::size_t members) { return open(members); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

 private:
  /// A list without a length says so with the largest number.
  bool open(std::size_t members) {
    return (members <= bytes_ || members == static_cast<std::size_t>(-1)) &&
           ++levels_ <= most_levels;
  }
  bool close() {
    --levels_;
    return true;
  }

  std::size_t bytes_;
  std::size_t levels_ = 0;
};

std::string read_bytes(const ReadBytes& read, std::uint64_t count) {
  std::string bytes;
  while (bytes.size() < count) {
    const std::size_t before = bytes.size();
    const std::size_t piece =
        std::min<std::uint64_t>(count - before, std::max(before, piece_bytes));
    bytes.resize(before + piece);
    read(bytes.data() + before, piece);
  }
  return bytes;
}

}  // namespace

std::string frame_of(const json& document) {
  std::string bytes(sizeof(Header), '\0');
  json::to_cbor(document, bytes);
  const Header header{magic, frame_version, bytes.size() - sizeof(Header)};
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

json read_frame(const ReadBytes& read) {
  std::array<char, sizeof(Header)> raw;
  read(raw.data(), raw.size());
  Header header;
  std::memcpy(&header, raw.data(), sizeof header);
  if (header.magic != magic) throw BadFrame("what it sent is not a message of redtune");
  if (header.version != frame_version) {
    throw BadFrame(
        fmt::format("its messages are of version {}, those of this program of version {}; install "
                    "both from one "
                    "build",
                    header.version, frame_version));
  }
  if (header.bytes > most_frame_bytes) {
    throw BadFrame(fmt::format("it announced a message of {} bytes", header.bytes));
  }
  const std::string bytes = read_bytes(read, header.bytes);
  Check check(bytes.size());
  json document;
  if (json::sax_parse(bytes, &check, json::input_format_t::cbor)) {
    document = json::from_cbor(bytes, true, false);
  }
  if (!document.is_object()) throw BadFrame("its message cannot be read");
  return document;
}

}  // namespace redtune::tuner
