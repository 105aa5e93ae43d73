/// \file
/// Payments of hold'em against the house.
///
/// Threads: pure functions.
#pragma once

#include "engines/texas/state.hpp"

namespace talla::games::texas {

/// The bet on the first five cards, of everybody who is still in.
void settle_first_five(const Table& table, State& state);
/// Everything that stands, at the end of the hand; the round is over.
void settle_hand(const Table& table, State& state);
/// The stakes of one box come back; who had them is out.
void void_box(const Table& table, State& state, Box box, const Citation& cite);
/// The stakes of one box go as `lost` says; who had them is out.
void withdraw_box(const Table& table, State& state, Box box, bool lost, const Citation& cite);

}  // namespace talla::games::texas
