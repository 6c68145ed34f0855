// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/simulate/unpack.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <zlib.h>

#include "redtune/error.hpp"

namespace redtune::tuner {
namespace {

[[noreturn]] void refuse_length(std::size_t most) {
  throw UsageError(fmt::format("it is longer than {} MiB of text", most >> 20));
}

/// zlib's state, ended when it goes.
class Inflater {
 public:
  explicit Inflater(std::string& packed) {
    constexpr int gzip_only = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, gzip_only) != Z_OK) throw Error("no memory to unpack with");
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

}  // namespace

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

}  // namespace redtune::tuner
