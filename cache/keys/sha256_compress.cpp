// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The instructions keep the state in two registers, as A B E F and C D G H from the highest word
// down; each sha256rnds2 does two rounds.
#include "cache/keys/sha256_compress.hpp"

#ifdef __x86_64__

#include <cpuid.h>
#include <immintrin.h>

namespace redtune::cache {
namespace {

constexpr unsigned ssse3_bit = 1U << 9;
constexpr unsigned sse41_bit = 1U << 19;
constexpr unsigned sha_bit = 1U << 29;

#define REDTUNE_SHA __attribute__((target("sha,sse4.1,ssse3")))

REDTUNE_SHA __m128i load(const void* from) {
  return _mm_loadu_si128(static_cast<const __m128i*>(from));
}

/// Words t to t+3 from the sixteen before them: w0 is the oldest four.
REDTUNE_SHA __m128i next_words(__m128i w0, __m128i w1, __m128i w2, __m128i w3) {
  const __m128i seven_back = _mm_alignr_epi8(w3, w2, 4);
  return _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), seven_back), w3);
}

}  // namespace

bool has_sha256_instructions() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & ssse3_bit) == 0 || (c & sse41_bit) == 0) {
    return false;
  }
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & sha_bit) != 0;
}

REDTUNE_SHA void compress_with_instructions(Sha256State& state, const unsigned char* blocks,
                                            std::size_t count) {
  const __m128i swap_bytes = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i badc = _mm_shuffle_epi32(load(state.data()), 0xb1);
  const __m128i efgh = _mm_shuffle_epi32(load(state.data() + 4), 0x1b);
  __m128i abef = _mm_alignr_epi8(badc, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, badc, 0xf0);
  for (; count > 0; --count, blocks += 64) {
    const __m128i abef_before = abef;
    const __m128i cdgh_before = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; ++i) w[i] = _mm_shuffle_epi8(load(blocks + 16 * i), swap_bytes);
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
      if (i >= 4) w[i % 4] = next_words(w[i % 4], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]);
      const __m128i sum = _mm_add_epi32(w[i % 4], load(sha256_constants.data() + 4 * i));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  const __m128i dcba = _mm_blend_epi16(feba, dchg, 0xf0);
  const __m128i hgfe = _mm_alignr_epi8(dchg, feba, 8);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data()), dcba);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data() + 4), hgfe);
}

}  // namespace redtune::cache

#else

namespace redtune::cache {

bool has_sha256_instructions() {
  return false;
}

void compress_with_instructions(Sha256State&, const unsigned char*, std::size_t) {}

}  // namespace redtune::cache

#endif
