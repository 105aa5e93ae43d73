/// \file
/// What shuffling machines do with a sealed order: places for a sorting shuffler, compartments for
/// a shelf machine. All exact: given a uniform order, so is what the machine makes.
///
/// Terms:   order: the cards from the first dealt to the last. Feed: the cards in the order in
///          which they run into the machine. Place: where in the order a fed card belongs, from 0.
/// Errors:  census_mismatch (other cards are fed than the order holds), count_out_of_range.
/// Threads: pure functions. Secrecy: places and compartments tell the order; keep them where the
///          order may be kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "base/secret.hpp"
#include "shuffle/card.hpp"
#include "shuffle/errors.hpp"

namespace talla::shuffle {

/// A place of each fed card, or a card of each place; locked memory, wiped.
using SecretPlaces = std::vector<std::uint32_t, SecretAllocator<std::uint32_t>>;

/// Sorting shuffler: the place of each fed card. Copies of one card take its places in ascending
/// order. 1 to 1,024 cards. Errors: census_mismatch, with the index in the feed of the first card
/// that the order has no place for.
[[nodiscard]] Result<SecretPlaces> sorting_places(std::span<const Card> order,
                                                  std::span<const Card> feed);

/// A machine that drops each fed card into one of its compartments, then empties them from 0
/// upwards; the cards that came out first are fed first in the next pass.
struct ShelfMachine {
  std::uint32_t compartments = 0;  ///< 2 to 256
  /// A compartment gives its cards back in the opposite order (last in, first out).
  bool reverses = false;
};
using SecretCompartments = std::vector<std::uint8_t, SecretAllocator<std::uint8_t>>;
/// Passes that such a machine needs for so many cards: the least p with compartments^p >= cards, at
/// least 1.
[[nodiscard]] Result<std::uint32_t> shelf_passes(const ShelfMachine& machine,
                                                 std::uint32_t cards_count);
/// The compartment of each fed card, pass by pass (p x n numbers, those of the first pass first),
/// that brings the card fed at i in the first pass to places[i] at the end. `places` is a
/// permutation of 0 ... n - 1, n from 1 to 1,024. A radix sort by place, lowest digit first: a
/// compartment may have to hold many of the cards.
[[nodiscard]] Result<SecretCompartments> shelf_compartments(const ShelfMachine& machine,
                                                            std::span<const std::uint32_t> places);
/// The cards as they come out after one pass: index in the feed of the first, the second, ...
[[nodiscard]] Result<SecretPlaces> shelf_empty(const ShelfMachine& machine,
                                               std::span<const std::uint8_t> compartments);
}  // namespace talla::shuffle
