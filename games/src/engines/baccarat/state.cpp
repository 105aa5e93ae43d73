#include "engines/baccarat/state.hpp"

#include "engines/shared/archive.hpp"

namespace talla::games::baccarat {
namespace {

constexpr std::array<std::string_view, 5> shoe_names = {"none", "burning", "in-play", "last-hand",
                                                        "over"};

constexpr std::size_t hand_max = 3;

/// What outlives a round.
template <class A>
void shoe_fields(A& a, State& s) {
  a.always_name("shoe", s.shoe, shoe_names);
  a.flag("burn_exposed", s.burn_exposed);
  a.number("burns_left", s.burns_left, 20);
  a.flag("closing", s.closing);
}
template <class A>
void state_fields(A& a, State& s) {
  shoe_fields(a, s);
  a.flag("dealing", s.dealing);
  a.flag("round_over", s.round_over);
  a.cards("punto", s.punto, hand_max);
  a.cards("banca", s.banca, hand_max);
  a.bets("bets", s.bets);
  a.settled(s.settled);
}

Status check_burns(const State& state) {
  const bool burning = state.shoe == ShoeState::burning;
  if (state.burn_exposed != (state.burns_left > 0) || (state.burns_left > 0 && !burning))
    return bad_state("burns do not fit the state of the shoe");
  return {};
}

Status check_shape(const State& state) {
  const auto punto = state.punto.size();
  const auto banca = state.banca.size();
  if (state.dealing && state.round_over) return bad_state("a hand cannot be dealt and over");
  if (!state.dealing && !state.round_over && punto + banca > 0)
    return bad_state("cards without a hand");
  if (state.dealing && state.shoe != ShoeState::in_play && state.shoe != ShoeState::last_hand &&
      (punto + banca > 0 || state.shoe != ShoeState::burning)) {
    return bad_state("a hand without a shoe");
  }
  const bool first_round = punto <= 2 && banca <= punto && punto <= banca + 1;
  const bool third = punto >= 2 && banca >= 2;
  if (!first_round && !third) return bad_state("the hands do not follow the order of dealing");
  return {};
}

}  // namespace

json::Value shoe_json(const State& state) {
  return written(state, [](auto& a, auto& s) { shoe_fields(a, s); });
}

Result<State> state_from_shoe(const json::Value& value) {
  TALLA_TRY(auto out,
            loaded<State>(value, "carried", [](auto& a, auto& s) { shoe_fields(a, s); }));
  TALLA_TRY_STATUS(check_burns(out));
  if (out.shoe == ShoeState::last_hand) return bad_state("between rounds a last hand is over");
  return out;
}

json::Value State::to_json() const {
  return written(*this, [](auto& a, auto& s) { state_fields(a, s); });
}

Result<State> State::from_json(const json::Value& value) {
  TALLA_TRY(auto out, loaded<State>(value, "state", [](auto& a, auto& s) { state_fields(a, s); }));
  TALLA_TRY_STATUS(check_burns(out));
  TALLA_TRY_STATUS(check_shape(out));
  return out;
}

}  // namespace talla::games::baccarat
