/// \file
/// The members of a round of poker in the state of its game, and of what outlives it: the
/// description that writes and reads them (engines/shared/archive.hpp).
///
/// Errors: Errc::state_malformed. Threads: plain values.
#pragma once

#include <array>
#include <string_view>

#include "engines/poker/table_round.hpp"
#include "engines/shared/archive.hpp"

namespace talla::games::poker {

inline constexpr std::array<std::string_view, 5> stage_names = {"idle", "betting", "playing",
                                                                "over", "finished"};
/// The cards of a deck with one joker.
inline constexpr std::size_t round_cards_max = 53;

template <class A>
void fields(A& a, LaidCard& c) {
  a.always_text("place", c.place);
  a.any_card("card", c.card);
}
template <class A>
void round_fields(A& a, TableRound& r) {
  a.always_name("stage", r.stage, stage_names);
  a.flag("last", r.last);
  a.list("cards", r.cards, round_cards_max);
  a.bets("bets", r.bets);
}
/// What outlives a round: check_carried looks at it when it was read.
template <class A>
void carried_round_fields(A& a, TableRound& r) {
  a.flag("last", r.last);
  bool finished = r.stage == Stage::finished;
  a.flag("finished", finished);
  if constexpr (A::loads) {
    if (finished) r.stage = Stage::finished;
  }
}
[[nodiscard]] Status check_carried(const TableRound& round);

}  // namespace talla::games::poker
