/// \file
/// Byte comparisons over blocks of samples, 16 at a time where SSE2 exists, else one by one with
/// the same results.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace talla::entropy::scan {

#if defined(__SSE2__)

inline __m128i load(const std::uint8_t* at) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i_u*>(at));
}

/// Bit i is set where a[i] == b[i], i in [0, 64).
inline std::uint64_t equal_mask64(const std::uint8_t* a, const std::uint8_t* b) {
  std::uint64_t mask = 0;
  for (std::size_t part = 0; part < 4; ++part) {
    const __m128i equal = _mm_cmpeq_epi8(load(a + 16 * part), load(b + 16 * part));
    mask |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(equal)))
            << (16 * part);
  }
  return mask;
}

/// How many of a[0, size) equal `value`.
inline std::size_t count_equal(const std::uint8_t* a, std::size_t size, std::uint8_t value) {
  const __m128i wanted = _mm_set1_epi8(static_cast<char>(value));
  __m128i total = _mm_setzero_si128();
  std::size_t i = 0;
  while (i + 16 <= size) {
    __m128i part = _mm_setzero_si128();
    // A byte lane holds at most 255 matches before it is added up.
    for (unsigned rounds = 0; rounds < 255 && i + 16 <= size; ++rounds, i += 16)
      part = _mm_sub_epi8(part, _mm_cmpeq_epi8(load(a + i), wanted));
    total = _mm_add_epi64(total, _mm_sad_epu8(part, _mm_setzero_si128()));
  }
  auto found = static_cast<std::size_t>(_mm_cvtsi128_si64(total)) +
               static_cast<std::size_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(total, total)));
  for (; i < size; ++i) found += a[i] == value ? 1 : 0;
  return found;
}

/// Lags that are counted in one pass over the samples: as many sums as fit into registers.
inline constexpr std::size_t lags_together = 8;

/// Sixteen counts of a byte each; the vector itself is no argument for a template.
struct Counts16 {
  __m128i lanes;
};

/// For each k in [0, 8): how many places i in [0, size) have a[i] == a[i - lag - k]. `size` is a
/// multiple of 16 and at most 16 * 255, so that no byte lane overflows.
inline std::array<std::uint32_t, lags_together> count_at_lags(const std::uint8_t* a,
                                                              std::size_t size, std::size_t lag) {
  return [&]<std::size_t... k>(std::index_sequence<k...>) {
    const __m128i zero = _mm_setzero_si128();
    std::array<Counts16, lags_together> sums{(static_cast<void>(k), Counts16{zero})...};
    for (std::size_t i = 0; i < size; i += 16) {
      const __m128i here = load(a + i);
      const std::uint8_t* earlier = a + i - lag;
      ((sums[k].lanes = _mm_sub_epi8(sums[k].lanes, _mm_cmpeq_epi8(here, load(earlier - k)))), ...);
    }
    const auto total = [&](const Counts16& sum) {
      const __m128i halves = _mm_sad_epu8(sum.lanes, zero);
      return static_cast<std::uint32_t>(_mm_cvtsi128_si32(halves)) +
             static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm_unpackhi_epi64(halves, halves)));
    };
    return std::array<std::uint32_t, lags_together>{total(sums[k])...};
  }(std::make_index_sequence<lags_together>{});
}

#else

inline std::uint64_t equal_mask64(const std::uint8_t* a, const std::uint8_t* b) {
  std::uint64_t mask = 0;
  for (unsigned i = 0; i < 64; ++i) mask |= static_cast<std::uint64_t>(a[i] == b[i] ? 1 : 0) << i;
  return mask;
}

inline std::size_t count_equal(const std::uint8_t* a, std::size_t size, std::uint8_t value) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < size; ++i) found += a[i] == value ? 1 : 0;
  return found;
}

inline constexpr std::size_t lags_together = 8;

inline std::array<std::uint32_t, lags_together> count_at_lags(const std::uint8_t* a,
                                                              std::size_t size, std::size_t lag) {
  std::array<std::uint32_t, lags_together> found{};
  for (std::size_t k = 0; k < lags_together; ++k) {
    const std::uint8_t* earlier = a - lag - k;
    for (std::size_t i = 0; i < size; ++i) found[k] += a[i] == earlier[i] ? 1U : 0U;
  }
  return found;
}

#endif

/// OR of all samples.
inline std::uint8_t or_all(const std::uint8_t* a, std::size_t size) {
  std::uint8_t all = 0;
  for (std::size_t i = 0; i < size; ++i) all = static_cast<std::uint8_t>(all | a[i]);
  return all;
}

}  // namespace talla::entropy::scan
