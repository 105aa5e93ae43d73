/// \file
/// A French deck in an order that rapidcheck chose, and the ids that its tests give to bets.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "deck_source.hpp"

namespace talla::games::test {

inline std::vector<Card> shuffled() {
  auto deck = all_french();
  for (std::size_t i = deck.size(); i > 1; --i)
    std::swap(deck[i - 1], deck[*rc::gen::inRange<std::size_t>(0, i)]);
  return deck;
}

/// "b" and 2 -> "b2".
inline std::string id_of(const char* name, Seat seat) {
  return name + std::to_string(seat);
}

}  // namespace talla::games::test
