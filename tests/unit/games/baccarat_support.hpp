/// \file
/// What the tests of punto y banca, chemin de fer and banque share.
#pragma once

#include "shuffle/card.hpp"

namespace talla::games::test {

/// A card of that value: ace to nine, or the king for 0.
inline shuffle::Card of_value(int value) {
  return shuffle::Card::of(value == 0 ? 13 : value, shuffle::Suit::hearts);
}

}  // namespace talla::games::test
