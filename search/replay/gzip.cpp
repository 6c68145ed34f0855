// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "search/replay/gzip.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <zlib.h>

#include "redtune/error.hpp"

namespace redtune::search {
namespace {

/// What zlib adds to its window bits to read and write gzip's format, and no other.
constexpr int gzip_only = 16;

[[noreturn]] void refuse_length(std::size_t most) {
  throw UsageError(fmt::format("it is longer than {} MiB of text", most >> 20));
}

/// zlib's state, ended when it goes.
class Inflater {
 public:
  explicit Inflater(std::string& packed) {
    if (inflateInit2(&stream_, gzip_only + MAX_WBITS) != Z_OK)
      throw Error("no memory to unpack with");
    stream_.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream_.avail_in = static_cast<uInt>(packed.size());
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Appends what comes next; false at the end of the whole text.
  bool append_to(std::string& text) {
    char piece[1 << 16];
    stream_.next_out = reinterpret_cast<Bytef*>(piece);
    stream_.avail_out = sizeof(piece);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    text.append(piece, sizeof(piece) - stream_.avail_out);
    if (status == Z_STREAM_END) return stream_.avail_in != 0 && begin_next();
    if (status == Z_OK) return true;
    throw UsageError(status == Z_BUF_ERROR ? "it is cut short; copy it again"
                                           : "it is damaged: gzip cannot unpack it; copy it again");
  }

 private:
  /// gzip joins files by putting one behind the other.
  bool begin_next() { return inflateReset(&stream_) == Z_OK; }

  z_stream stream_{};
};

/// Likewise.
class Deflater {
 public:
  Deflater() {
    constexpr int memory = 8;  // zlib's own default
    if (deflateInit2(&stream_, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_only + MAX_WBITS, memory,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw Error("no memory to pack with");
    }
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void append_to(std::string& bytes, std::string_view piece, bool is_last) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    stream_.avail_in = static_cast<uInt>(piece.size());
    char out[1 << 16];
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(out);
      stream_.avail_out = sizeof(out);
      deflate(&stream_, is_last ? Z_FINISH : Z_NO_FLUSH);
      bytes.append(out, sizeof(out) - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

 private:
  z_stream stream_{};
};

}  // namespace

std::string packed(std::string_view text) {
  constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in 32 bits
  std::string bytes;
  Deflater deflater;
  for (; text.size() > most; text.remove_prefix(most)) {
    deflater.append_to(bytes, text.substr(0, most), false);
  }
  deflater.append_to(bytes, text, true);
  return bytes;
}

std::string unpacked(std::string bytes, std::size_t most) {
  if (bytes.size() > std::min<std::size_t>(most, std::numeric_limits<uInt>::max())) {
    refuse_length(most);
  }
  if (!bytes.starts_with("\x1f\x8b")) return bytes;
  std::string text;
  Inflater inflater(bytes);
  while (inflater.append_to(text)) {
    if (text.size() > most) refuse_length(most);
  }
  if (text.size() > most) refuse_length(most);
  return text;
}

}  // namespace redtune::search
