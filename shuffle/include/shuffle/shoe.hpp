/// \file
/// A shoe: the shuffled order of a deck specification.
///
/// Terms:   leaf index: place in the sealed, shuffled order, from 0. Which leaf is dealt when says
///          the shoe's mix (format/mix.hpp); where the stop card stands, games/driver.hpp.
/// Errors:  count_out_of_range, census_mismatch, and the tape's.
/// Secrecy: the order is the secret of the shoe; it lives in secret memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/secret.hpp"
#include "shuffle/deck.hpp"
#include "shuffle/tape.hpp"

namespace talla::shuffle {

/// Cards whose order is secret: locked memory, wiped.
using SecretCards = std::vector<Card, SecretAllocator<Card>>;

/// The shuffled order, by leaf index. Takes shuffle_words(n) words plus rejected ones (at most 2^-8
/// each).
[[nodiscard]] Result<SecretCards> shuffle_shoe(Tape& tape, const DeckSpec& deck);
/// The same for any 1 to 1,024 cards in this starting order (a shoe that is shuffled again).
[[nodiscard]] Result<SecretCards> shuffle_again(Tape& tape, SecretCards cards);

}  // namespace talla::shuffle
