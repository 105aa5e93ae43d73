#include "engines/baccarat/state.hpp"

#include "engines/shared/state_json.hpp"

namespace talla::games::baccarat {
namespace {

constexpr std::array<std::string_view, 5> shoe_names = {"none", "burning", "in-play", "last-hand",
                                                        "over"};

constexpr std::size_t hand_max = 3;

Status read_shoe(json::Reader& reader, State& out) {
  TALLA_TRY(out.shoe, read_named<ShoeState>(reader, "shoe", shoe_names));
  TALLA_TRY(out.burn_exposed, read_flag(reader, "burn_exposed"));
  if (reader.has("burns_left")) {
    TALLA_TRY(const auto left, reader.integer("burns_left", 1, 20));
    out.burns_left = static_cast<std::uint32_t>(left);
  }
  TALLA_TRY(out.closing, read_flag(reader, "closing"));
  const bool burning = out.shoe == ShoeState::burning;
  if (out.burn_exposed != (out.burns_left > 0) || (out.burns_left > 0 && !burning)) {
    return bad_state("burns do not fit the state of the shoe");
  }
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

Result<State> read_state(const json::Value& value) {
  json::Reader reader(value, "state");
  State out;
  TALLA_TRY_STATUS(read_shoe(reader, out));
  TALLA_TRY(out.dealing, read_flag(reader, "dealing"));
  TALLA_TRY(out.round_over, read_flag(reader, "round_over"));
  TALLA_TRY(out.punto, read_french_cards(reader, "punto", hand_max));
  TALLA_TRY(out.banca, read_french_cards(reader, "banca", hand_max));
  TALLA_TRY(out.bets, read_bets(reader));
  TALLA_TRY(out.settled, read_settled(reader));
  TALLA_TRY_STATUS(reader.finish());
  TALLA_TRY_STATUS(check_shape(out));
  return out;
}

Result<State> read_carried(const json::Value& value) {
  json::Reader reader(value, "carried");
  State out;
  TALLA_TRY_STATUS(read_shoe(reader, out));
  TALLA_TRY_STATUS(reader.finish());
  if (out.shoe == ShoeState::last_hand) return bad_state("between rounds a last hand is over");
  return out;
}

}  // namespace

json::Value shoe_json(const State& state) {
  json::Object out{{"shoe", shoe_names.at(static_cast<std::size_t>(state.shoe))}};
  if (state.burn_exposed) out["burn_exposed"] = true;
  if (state.burns_left > 0) out["burns_left"] = state.burns_left;
  if (state.closing) out["closing"] = true;
  return out;
}

Result<State> state_from_shoe(const json::Value& value) {
  return as_state(read_carried(value));
}

json::Value State::to_json() const {
  json::Value out = shoe_json(*this);
  if (dealing) out["dealing"] = true;
  if (round_over) out["round_over"] = true;
  if (!punto.empty()) out["punto"] = cards_json(punto);
  if (!banca.empty()) out["banca"] = cards_json(banca);
  put_bets(out, bets);
  put_settled(out, settled);
  return out;
}

Result<State> State::from_json(const json::Value& value) {
  return as_state(read_state(value));
}

}  // namespace talla::games::baccarat
