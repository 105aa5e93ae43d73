#include "baccarat/baccarat.hpp"

namespace talla::games::baccarat {
namespace {

constexpr std::array<std::string_view, 5> shoe_names = {"none", "burning", "in-play", "last-hand", "over"};

tl::unexpected<Error> malformed(const std::string& why) {
  return fail(Errc::state_malformed, why);
}

json::Array cards_json(const std::vector<Card>& cards) {
  json::Array out;
  for (const auto card : cards) out.emplace_back(card.text());
  return out;
}

Status read_hand(json::Reader& reader, std::string_view key, std::vector<Card>& out) {
  if (!reader.has(key)) return {};
  TALLA_TRY(const auto* array, reader.array(key));
  if (array->empty() || array->size() > 3) return malformed("a hand has one to three cards");
  for (const auto& value : *array) {
    if (!value.is_string()) return malformed("a card is a string");
    TALLA_TRY(const auto card, Card::parse(value.string()));
    if (card.family() != shuffle::CardFamily::french) return malformed("a French card is due");
    out.push_back(card);
  }
  return {};
}

/// Flags are written only when true.
Status read_flag(json::Reader& reader, std::string_view key, bool& out) {
  if (!reader.has(key)) return {};
  TALLA_TRY(out, reader.boolean(key));
  return out ? Status() : Status(malformed(std::string(key) + " is written only when true"));
}

Status read_shoe(json::Reader& reader, State& out) {
  TALLA_TRY(const auto name, reader.string("shoe"));
  std::size_t index = 0;
  while (index < shoe_names.size() && shoe_names.at(index) != name) ++index;
  if (index == shoe_names.size()) return malformed("unknown state of the shoe");
  out.shoe = static_cast<ShoeState>(index);
  TALLA_TRY_STATUS(read_flag(reader, "burn_exposed", out.burn_exposed));
  if (reader.has("burns_left")) {
    TALLA_TRY(const auto left, reader.integer("burns_left", 1, 20));
    out.burns_left = static_cast<std::uint32_t>(left);
  }
  TALLA_TRY_STATUS(read_flag(reader, "closing", out.closing));
  const bool burning = out.shoe == ShoeState::burning;
  if (out.burn_exposed != (out.burns_left > 0) || (out.burns_left > 0 && !burning)) {
    return malformed("burns do not fit the state of the shoe");
  }
  return {};
}

Status check_shape(const State& state) {
  const auto punto = state.punto.size();
  const auto banca = state.banca.size();
  if (state.dealing && state.round_over) return malformed("a hand cannot be dealt and over");
  if (!state.dealing && !state.round_over && punto + banca > 0) return malformed("cards without a hand");
  if (state.dealing && state.shoe != ShoeState::in_play && state.shoe != ShoeState::last_hand &&
      (punto + banca > 0 || state.shoe != ShoeState::burning)) {
    return malformed("a hand without a shoe");
  }
  const bool first_round = punto <= 2 && banca <= punto && punto <= banca + 1;
  const bool third = punto >= 2 && banca >= 2;
  if (!first_round && !third) return malformed("the hands do not follow the order of dealing");
  return {};
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
  json::Reader reader(value, "carried");
  State out;
  TALLA_TRY_STATUS(read_shoe(reader, out));
  TALLA_TRY_STATUS(reader.finish());
  if (out.shoe == ShoeState::last_hand) return malformed("between rounds a last hand is over");
  return out;
}

json::Value State::to_json() const {
  json::Value out = shoe_json(*this);
  if (dealing) out["dealing"] = true;
  if (round_over) out["round_over"] = true;
  if (!punto.empty()) out["punto"] = cards_json(punto);
  if (!banca.empty()) out["banca"] = cards_json(banca);
  if (!bets.empty()) out["bets"] = bets.to_json();
  if (!settled.empty()) {
    json::Array all;
    for (const auto& one : settled) all.push_back(games::to_json(one));
    out["settled"] = std::move(all);
  }
  return out;
}

Result<State> State::from_json(const json::Value& value) {
  json::Reader reader(value, "state");
  State out;
  TALLA_TRY_STATUS(read_shoe(reader, out));
  TALLA_TRY_STATUS(read_flag(reader, "dealing", out.dealing));
  TALLA_TRY_STATUS(read_flag(reader, "round_over", out.round_over));
  TALLA_TRY_STATUS(read_hand(reader, "punto", out.punto));
  TALLA_TRY_STATUS(read_hand(reader, "banca", out.banca));
  if (const auto* bets = reader.optional("bets")) {
    TALLA_TRY(out.bets, BetBook::from_json(*bets));
    if (out.bets.empty()) return malformed("bets are written only when there are any");
  }
  if (reader.has("settled")) {
    TALLA_TRY(const auto* all, reader.array("settled"));
    if (all->empty()) return malformed("settled is written only when there is something");
    for (const auto& one : *all) {
      TALLA_TRY(auto settlement, settlement_from_json(one));
      out.settled.push_back(std::move(settlement));
    }
  }
  TALLA_TRY_STATUS(reader.finish());
  TALLA_TRY_STATUS(check_shape(out));
  return out;
}

}  // namespace talla::games::baccarat
