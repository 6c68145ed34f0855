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

/// zlib counts in 32 bits.
constexpr std::size_t most_at_a_time = std::numeric_limits<uInt>::max();

/// zlib's state, ended when it goes.
using Stream = std::unique_ptr<z_stream, int (*)(z_stream*)>;

[[noreturn]] void refuse_length(std::size_t most) {
  throw UsageError(fmt::format("it is longer than {} MiB of text", most >> 20));
}

}  // namespace

std::string packed(std::string_view text) {
  constexpr std::size_t most = most_at_a_time / 2;  // packed it may be longer
  if (text.size() > most) refuse_length(most);
  constexpr int memory = 8;  // zlib's own default
  z_stream state{};
  if (deflateInit2(&state, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_only + MAX_WBITS, memory,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw Error("no memory to pack with");
  }
  const Stream stream(&state, deflateEnd);
  std::string bytes(deflateBound(&state, text.size()), '\0');
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  state.avail_in = static_cast<uInt>(text.size());
  state.next_out = reinterpret_cast<Bytef*>(bytes.data());
  state.avail_out = static_cast<uInt>(bytes.size());
  deflate(&state, Z_FINISH);
  bytes.resize(state.total_out);
  return bytes;
}

std::string unpacked(std::string bytes, std::size_t most) {
  if (bytes.size() > std::min(most, most_at_a_time)) refuse_length(most);
  if (!bytes.starts_with("\x1f\x8b")) return bytes;
  z_stream state{};
  if (inflateInit2(&state, gzip_only + MAX_WBITS) != Z_OK) throw Error("no memory to unpack with");
  const Stream stream(&state, inflateEnd);
  state.next_in = reinterpret_cast<Bytef*>(bytes.data());
  state.avail_in = static_cast<uInt>(bytes.size());
  std::string text;
  char piece[1 << 16];
  while (true) {
    state.next_out = reinterpret_cast<Bytef*>(piece);
    state.avail_out = sizeof(piece);
    const int status = inflate(&state, Z_NO_FLUSH);
    text.append(piece, sizeof(piece) - state.avail_out);
    if (text.size() > most) refuse_length(most);
    if (status == Z_STREAM_END) {
      if (state.avail_in == 0) return text;
      inflateReset(&state);  // gzip joins files by putting one behind the other
    } else if (status != Z_OK) {
      throw UsageError(status == Z_BUF_ERROR
                           ? "it is cut short; copy it again"
                           : "it is damaged: gzip cannot unpack it; copy it again");
    }
  }
}

}  // namespace redtune::search
