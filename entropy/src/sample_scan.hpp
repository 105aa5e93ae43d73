/// \file
/// Byte comparisons over blocks of samples, 16 at a time where SSE2 exists, else one by one with
/// the same results.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace talla::entropy::scan {

#if defined(__SSE2__)

inline __m128i load(const std::uint8_t* at) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
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

namespace detail {
template <class Other>
std::size_t count(const std::uint8_t* a, std::size_t size, const Other& other) {
  __m128i total = _mm_setzero_si128();
  std::size_t i = 0;
  while (i + 16 <= size) {
    __m128i part = _mm_setzero_si128();
    // A byte lane holds at most 255 matches before it is added up.
    for (unsigned rounds = 0; rounds < 255 && i + 16 <= size; ++rounds, i += 16) {
      part = _mm_sub_epi8(part, _mm_cmpeq_epi8(load(a + i), other(i)));
    }
    total = _mm_add_epi64(total, _mm_sad_epu8(part, _mm_setzero_si128()));
  }
  return static_cast<std::size_t>(_mm_cvtsi128_si64(total)) +
         static_cast<std::size_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(total, total)));
}
}  // namespace detail

/// How many of a[0, size) equal `value`.
inline std::size_t count_equal(const std::uint8_t* a, std::size_t size, std::uint8_t value) {
  const __m128i wanted = _mm_set1_epi8(static_cast<char>(value));
  std::size_t found = detail::count(a, size, [&](std::size_t) { return wanted; });
  for (std::size_t i = size - size % 16; i < size; ++i) found += a[i] == value ? 1 : 0;
  return found;
}

/// How many places i in [0, size) have a[i] == b[i].
inline std::size_t count_matches(const std::uint8_t* a, const std::uint8_t* b, std::size_t size) {
  std::size_t found = detail::count(a, size, [&](std::size_t i) { return load(b + i); });
  for (std::size_t i = size - size % 16; i < size; ++i) found += a[i] == b[i] ? 1 : 0;
  return found;
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

inline std::size_t count_matches(const std::uint8_t* a, const std::uint8_t* b, std::size_t size) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < size; ++i) found += a[i] == b[i] ? 1 : 0;
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
