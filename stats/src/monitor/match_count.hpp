/// \file
/// Counts of equal bytes, 16 at a time where SSE2 exists, else one by one with the same results.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace talla::stats::monitor {

#if defined(__SSE2__)

inline __m128i load16(const std::uint8_t* at) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i_u*>(at));
}

/// Counts i in [0, size) with a[i] == other(i); `other` gives 16 bytes from a place, or one.
template <class Sixteen>
std::size_t count_by_16(const std::uint8_t* a, std::size_t size, const Sixteen& other) {
  __m128i total = _mm_setzero_si128();
  std::size_t i = 0;
  while (i + 16 <= size) {
    __m128i part = _mm_setzero_si128();
    // A byte lane holds at most 255 matches before it is added up.
    for (unsigned rounds = 0; rounds < 255 && i + 16 <= size; ++rounds, i += 16)
      part = _mm_sub_epi8(part, _mm_cmpeq_epi8(load16(a + i), other(i)));
    total = _mm_add_epi64(total, _mm_sad_epu8(part, _mm_setzero_si128()));
  }
  return static_cast<std::size_t>(_mm_cvtsi128_si64(total)) +
         static_cast<std::size_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(total, total)));
}

#endif

/// How many places i in [0, size) have a[i] == b[i].
inline std::size_t count_matches(const std::uint8_t* a, const std::uint8_t* b, std::size_t size) {
  std::size_t found = 0;
  std::size_t i = 0;
#if defined(__SSE2__)
  found = count_by_16(a, size, [b](std::size_t at) { return load16(b + at); });
  i = size - size % 16;
#endif
  for (; i < size; ++i) found += a[i] == b[i] ? 1U : 0U;
  return found;
}

/// For each of four lags the places i in [0, size) with a[i] == a[i - lag], added to `found`; each
/// byte is read once. `size` is a multiple of 16.
inline void count_lags4(const std::uint8_t* a, const std::size_t* lags, std::size_t size,
                        std::size_t* found) {
#if defined(__SSE2__)
  // NOLINTNEXTLINE(modernize-avoid-c-arrays): std::array loses the alignment of __m128i
  __m128i totals[4] = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128(),
                       _mm_setzero_si128()};
  for (std::size_t i = 0; i < size;) {
    __m128i p0 = _mm_setzero_si128();
    __m128i p1 = p0;
    __m128i p2 = p0;
    __m128i p3 = p0;
    for (unsigned rounds = 0; rounds < 255 && i < size; ++rounds, i += 16) {
      const __m128i now = load16(a + i);
      p0 = _mm_sub_epi8(p0, _mm_cmpeq_epi8(now, load16(a + i - lags[0])));
      p1 = _mm_sub_epi8(p1, _mm_cmpeq_epi8(now, load16(a + i - lags[1])));
      p2 = _mm_sub_epi8(p2, _mm_cmpeq_epi8(now, load16(a + i - lags[2])));
      p3 = _mm_sub_epi8(p3, _mm_cmpeq_epi8(now, load16(a + i - lags[3])));
    }
    totals[0] = _mm_add_epi64(totals[0], _mm_sad_epu8(p0, _mm_setzero_si128()));
    totals[1] = _mm_add_epi64(totals[1], _mm_sad_epu8(p1, _mm_setzero_si128()));
    totals[2] = _mm_add_epi64(totals[2], _mm_sad_epu8(p2, _mm_setzero_si128()));
    totals[3] = _mm_add_epi64(totals[3], _mm_sad_epu8(p3, _mm_setzero_si128()));
  }
  for (unsigned k = 0; k < 4; ++k) {
    found[k] +=
        static_cast<std::size_t>(_mm_cvtsi128_si64(totals[k])) +
        static_cast<std::size_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(totals[k], totals[k])));
  }
#else
  for (unsigned k = 0; k < 4; ++k) found[k] += count_matches(a, a - lags[k], size);
#endif
}

/// How many of a[0, size) equal `value`.
inline std::size_t count_equal(const std::uint8_t* a, std::size_t size, std::uint8_t value) {
  std::size_t found = 0;
  std::size_t i = 0;
#if defined(__SSE2__)
  const __m128i wanted = _mm_set1_epi8(static_cast<char>(value));
  found = count_by_16(a, size, [wanted](std::size_t) { return wanted; });
  i = size - size % 16;
#endif
  for (; i < size; ++i) found += a[i] == value ? 1U : 0U;
  return found;
}

}  // namespace talla::stats::monitor
