/// \file
/// The shuffle: Fisher-Yates over batched digits, in place (`talla-map-v1`).
///
/// Order:   position i runs from 1 to n - 1; the digit j drawn below i + 1 swaps positions i and j
///          (j = i leaves both). Each of the n! digit sequences gives another permutation; all are
///          equally likely.
/// Range:   n in [0, 1024]; n below 2 takes no word.
/// Errors:  count_out_of_range (nothing drawn), and the tape's; after a tape error the contents are
///          partly mixed and must be dropped.
/// Cost:    59 words and about half a microsecond for 416 cards; allocates nothing.
/// Secrecy: addresses depend on the secret digits (visible to a cache observer on a shared host
///          only).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "shuffle/batch.hpp"
#include "shuffle/card.hpp"
#include "shuffle/tape.hpp"

namespace talla::shuffle {

/// The id of the whole mapping from words to outcomes: batches, digits, swaps, wheels, dice, lots.
inline constexpr std::string_view mapping_id = "talla-map-v1";

/// Shuffles in place. Errors: count_out_of_range, and the tape's.
[[nodiscard]] Status shuffle_cards(Tape& tape, std::span<Card> cards);
/// A shuffle of 0, 1, ..., n - 1.
[[nodiscard]] Result<std::vector<std::uint16_t>> draw_permutation(Tape& tape, std::size_t n);

}  // namespace talla::shuffle
