#include "engines/trente/state.hpp"

#include <array>

#include "engines/shared/archive.hpp"

namespace talla::games::trente {
namespace {

constexpr std::array<std::string_view, 3> shoe_names = {"none", "in-play", "over"};
constexpr std::array<std::string_view, 4> phase_names = {"betting", "over", "dealing", "finished"};
constexpr std::size_t row_cards_max = 31;

Status check_shape(const TrenteState& state) {
  if (state.phase == Phase::dealing && state.shoe != Shoe::in_play)
    return bad_state("a coup without a shoe");
  if (state.phase == Phase::betting && !state.negra.empty())
    return bad_state("cards without a coup");
  if (state.negra.empty() && !state.roja.empty()) return bad_state("the black row comes first");
  if (state.phase == Phase::finished && !state.last)
    return bad_state("a session that was not announced is over");
  if (!state.book.empty() && state.phase == Phase::finished)
    return bad_state("stakes after the last coup");
  return {};
}

/// What is the same in a state and in what outlives a coup.
template <class A>
void common_fields(A& a, TrenteState& s) {
  a.always_name("shoe", s.shoe, shoe_names);
  a.flag("last", s.last);
  prison_field(a, s.prison, prison_count);
}
template <class A>
void state_fields(A& a, TrenteState& s) {
  common_fields(a, s);
  a.always_name("phase", s.phase, phase_names);
  a.cards("negra", s.negra, row_cards_max);
  a.cards("roja", s.roja, row_cards_max);
  a.bets("bets", s.book);
  a.settled(s.settled);
}
template <class A>
void carried_fields(A& a, TrenteState& s) {
  common_fields(a, s);
  bool finished = s.phase == Phase::finished;
  a.flag("finished", finished);
  if constexpr (A::loads) {
    if (finished) s.phase = Phase::finished;
  }
}

}  // namespace

json::Value TrenteState::carried() const {
  return written(*this, [](auto& a, auto& s) { carried_fields(a, s); });
}

json::Value TrenteState::to_json() const {
  return written(*this, [](auto& a, auto& s) { state_fields(a, s); });
}

Result<TrenteState> TrenteState::from_json(const json::Value& value) {
  TALLA_TRY(auto out,
            loaded<TrenteState>(value, "state", [](auto& a, auto& s) { state_fields(a, s); }));
  TALLA_TRY_STATUS(check_shape(out));
  return out;
}

Result<TrenteState> TrenteState::from_carried(const json::Value& value) {
  TALLA_TRY(auto out,
            loaded<TrenteState>(value, "carried", [](auto& a, auto& s) { carried_fields(a, s); }));
  TALLA_TRY_STATUS(check_shape(out));
  return out;
}

}  // namespace talla::games::trente
