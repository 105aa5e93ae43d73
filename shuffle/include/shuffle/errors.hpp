/// \file
/// Errors of the shuffle folder, 200-299; numbers and names never change.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.hpp"

namespace talla::shuffle {

enum class Errc : std::uint16_t {
  tape_exhausted = 200,  ///< the tape has no further word and no refill
  /// 64 redraws of one word were refused (probability below 2^-512): latch the generator.
  generator_fault = 201,
  bound_out_of_range = 202,       ///< a bound is 0 or not below 2^56
  outcome_space_too_large = 203,  ///< a draw of 2^128 or more outcomes
  malformed_card = 204,           ///< text or byte that is no card
  malformed_deck = 205,           ///< deck text that is malformed, out of range or not canonical
  census_mismatch = 206,  ///< the cards are not the multiset that the deck specification names
  /// A number of cards, pockets, dice, faces or lots outside its range.
  count_out_of_range = 207,
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(Errc errc);

}  // namespace talla::shuffle
