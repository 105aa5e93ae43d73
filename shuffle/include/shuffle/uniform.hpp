/// \file
/// Exact uniform integers from uniform words: the one rejection code of the house (`talla-map-v1`).
///
/// Algorithm:  multiply-shift with rejection, several bounds per word (mixed radix): D. Lemire, ACM
///             TOMACS 29(1), 2019; N. Brackett-Rozinsky and D. Lemire, "Batched Ranged Random
///             Integer Generation", 2024. With word w < 2^L and bounds b_0 .. b_(k-1), P their
///             product: r = w; for each i in order digit_i = floor(r * b_i / 2^L), r = r * b_i mod
///             2^L. Accepted iff the last r >= 2^L mod P; else all digits are dropped and the next
///             word is tried. Accepted digits are exactly uniform and independent.
/// Batches:    consecutive bounds share a word while their product stays below 2^56, so a word is
///             rejected with probability below 2^-8. A single bound is a batch of one.
/// Range:      bounds in [1, 2^56); digit i in [0, b_i).
/// Errors:     bound_out_of_range (nothing drawn), outcome_space_too_large (nothing drawn), and the
///             tape's.
/// Threads:    no shared state. Secrecy: results are secret until published; nothing is stored or
///             logged.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shuffle/errors.hpp"
#include "shuffle/tape.hpp"

namespace talla::shuffle {

/// For products of two words.
__extension__ using Wide = unsigned __int128;

/// The width of a tape's words; smaller widths exist so that every word can be tried in a proof.
inline constexpr unsigned word_bits = 64;
/// The product of the bounds that share a word stays below 2^56.
inline constexpr unsigned product_bits = 56;

/// Where words come from: Tape, or an enumeration of all words in a proof.
template <class S>
concept WordSource = requires(S source, std::uint64_t& word, unsigned redraws) {
  { source.take(word) } -> std::same_as<bool>;
  { source.reject(redraws) } -> std::same_as<bool>;
};

/// 2^L mod product: how many remainders are refused. `product` is in [1, 2^L].
template <unsigned L = word_bits>
[[nodiscard]] constexpr std::uint64_t rejection_threshold(Wide product) {
  return static_cast<std::uint64_t>((Wide{1} << L) % product);
}

/// Splits one word into `count` digits below bound_at(0), bound_at(1), ...; returns the remainder.
template <unsigned L, class BoundAt, class Digit>
[[gnu::always_inline]] constexpr std::uint64_t split_word(std::uint64_t word, std::size_t count,
                                                          BoundAt bound_at, Digit* digits) {
  std::uint64_t rest = word;
  for (std::size_t i = 0; i < count; ++i) {
    const Wide scaled = Wide{rest} * bound_at(i);
    digits[i] = static_cast<Digit>(scaled >> L);
    rest = static_cast<std::uint64_t>(scaled & ((Wide{1} << L) - 1));
  }
  return rest;
}

/// One batch: takes words until one is accepted. False when the source has failed; the digits are
///            void then.
template <unsigned L, WordSource Source, class BoundAt, class Digit>
[[nodiscard]] [[gnu::always_inline]] inline bool draw_batch(Source& source, std::size_t count,
                                                            BoundAt bound_at,
                                                            std::uint64_t threshold,
                                                            Digit* digits) {
  for (unsigned redraws = 0;; ++redraws) {
    std::uint64_t word = 0;
    if (!source.take(word)) [[unlikely]] {
      return false;
    }
    if (split_word<L>(word, count, bound_at, digits) >= threshold) [[likely]] {
      return true;
    }
    if (!source.reject(redraws)) return false;
  }
}

/// One index in [0, bound).
[[nodiscard]] Result<std::uint64_t> draw_index(Tape& tape, std::uint64_t bound);
/// One index per bound, in order: greedy batches, as many next bounds per word as the product
/// allows. The outcome space (product of all bounds) must stay below 2^128, because a draw's key
/// has 256 bits.
[[nodiscard]] Result<std::vector<std::uint64_t>> draw_indices(
    Tape& tape, std::span<const std::uint64_t> bounds);

/// Refuses bounds outside [1, 2^56) and products of 2^128 or more.
[[nodiscard]] Status check_outcome_space(std::span<const std::uint64_t> bounds);

}  // namespace talla::shuffle
