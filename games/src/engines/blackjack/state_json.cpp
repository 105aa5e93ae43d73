#include "engines/shared/state_json.hpp"

#include <array>
#include <utility>

#include "engines/blackjack/state.hpp"

namespace talla::games::blackjack {
namespace {

constexpr std::array<std::string_view, 5> shoe_names = {"none", "burning", "in-play", "last-hand",
                                                        "over"};
constexpr std::array<std::string_view, 5> phase_names = {"betting", "dealing", "playing", "dealer",
                                                         "over"};

constexpr std::size_t cards_max = 64;
constexpr std::size_t hands_max = 1024;
constexpr std::int64_t number_max = 1'000'000;

/// Lists are written only when they hold something.
Result<const json::Array*> read_list(json::Reader& reader, std::string_view key, std::size_t most) {
  static const json::Array none;
  if (!reader.has(key)) return &none;
  TALLA_TRY(const auto* array, reader.array(key));
  if (array->empty() || array->size() > most)
    return bad_state(std::string(key) + ": too few or too many");
  return array;
}

Status read_texts(json::Reader& reader, std::string_view key, std::vector<std::string>& out) {
  TALLA_TRY(const auto* array, read_list(reader, key, hands_max));
  for (const auto& value : *array) {
    if (!value.is_string()) return bad_state(std::string(key) + " lists ids");
    out.push_back(value.string());
  }
  return {};
}

/// Amounts are written only when they are not zero.
Status read_amount(json::Reader& reader, std::string_view key, Units& out) {
  if (!reader.has(key)) return {};
  TALLA_TRY(out, reader.integer(key, 1, units_max));
  return {};
}

Status read_meters(json::Reader& reader, std::vector<MeterState>& out) {
  TALLA_TRY(const auto* array, read_list(reader, "meters", 16));
  for (const auto& value : *array) {
    json::Reader one(value, "meter");
    MeterState meter;
    TALLA_TRY(meter.id, one.string("id"));
    TALLA_TRY(meter.value, one.integer("value", 0, units_max));
    TALLA_TRY(meter.read, read_flag(one, "read"));
    TALLA_TRY_STATUS(read_amount(one, "contribution", meter.contribution));
    TALLA_TRY_STATUS(read_amount(one, "award", meter.award));
    TALLA_TRY(meter.carry, read_carry(one));
    TALLA_TRY_STATUS(one.finish());
    out.push_back(std::move(meter));
  }
  return {};
}

Result<Hand> read_hand(const json::Value& value) {
  json::Reader reader(value, "hand");
  Hand out;
  TALLA_TRY(const auto box, reader.integer("box", 1, number_max));
  TALLA_TRY(const auto seat, reader.integer("seat", 1, number_max));
  out.box = static_cast<Box>(box);
  out.seat = static_cast<Seat>(seat);
  TALLA_TRY(out.cards, read_french_cards(reader, "cards", cards_max));
  TALLA_TRY_STATUS(read_texts(reader, "bets", out.bets));
  TALLA_TRY(out.split, read_flag(reader, "split"));
  TALLA_TRY(out.doubled, read_flag(reader, "doubled"));
  TALLA_TRY(out.done, read_flag(reader, "done"));
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

Result<FirstCards> read_first(const json::Value& value) {
  json::Reader reader(value, "firsts");
  FirstCards out;
  TALLA_TRY(const auto box, reader.integer("box", 1, number_max));
  out.box = static_cast<Box>(box);
  TALLA_TRY(out.cards, read_french_cards(reader, "cards", cards_max));
  if (out.cards.size() > 3) return bad_state("three cards of a box at most");
  TALLA_TRY(out.closed, read_flag(reader, "closed"));
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

Result<Follow> read_follow(const json::Value& value) {
  json::Reader reader(value, "follow");
  Follow out;
  TALLA_TRY(out.action, reader.string("action"));
  if (out.action != "double" && out.action != "split")
    return bad_state("follow is for double or split");
  TALLA_TRY_STATUS(read_texts(reader, "taking", out.taking));
  TALLA_TRY_STATUS(read_texts(reader, "waiting", out.waiting));
  TALLA_TRY_STATUS(reader.finish());
  if (out.taking.empty() || out.waiting.empty()) return bad_state("follow waits for somebody");
  return out;
}

Status read_shoe(json::Reader& reader, State& out) {
  TALLA_TRY(out.shoe, read_named<ShoeState>(reader, "shoe", shoe_names));
  if (reader.has("burns_left")) {
    TALLA_TRY(const auto left, reader.integer("burns_left", 1, 64));
    out.burns_left = static_cast<std::uint32_t>(left);
  }
  if (reader.has("cards_out")) {
    TALLA_TRY(const auto cards, reader.integer("cards_out", 1, 415));
    out.cards_out = static_cast<std::uint32_t>(cards);
  }
  TALLA_TRY(out.closing, read_flag(reader, "closing"));
  if ((out.burns_left > 0) != (out.shoe == ShoeState::burning))
    return bad_state("burns do not fit the shoe");
  return read_meters(reader, out.meters);
}

Status read_round(json::Reader& reader, State& out) {
  TALLA_TRY(out.phase, read_named<Phase>(reader, "phase", phase_names));
  TALLA_TRY(out.removing, read_flag(reader, "removing"));
  TALLA_TRY(out.concluded, read_flag(reader, "concluded"));
  if (reader.has("behind")) {
    TALLA_TRY(const auto cards, reader.integer("behind", 1, 415));
    out.behind = static_cast<std::uint32_t>(cards);
  }
  TALLA_TRY(out.third_card, read_flag(reader, "third_card"));
  TALLA_TRY(out.asked, read_flag(reader, "asked"));
  if (reader.has("stage")) {
    TALLA_TRY(const auto stage, reader.integer("stage", 1, 9));
    out.stage = static_cast<int>(stage);
  }
  TALLA_TRY(const auto* hands, read_list(reader, "hands", hands_max));
  for (const auto& value : *hands) {
    TALLA_TRY(auto hand, read_hand(value));
    out.hands.push_back(std::move(hand));
  }
  TALLA_TRY(out.dealer, read_french_cards(reader, "dealer", cards_max));
  if (const auto* follow = reader.optional("follow")) {
    TALLA_TRY(out.follow, read_follow(*follow));
  }
  TALLA_TRY(const auto* firsts, read_list(reader, "firsts", 64));
  for (const auto& value : *firsts) {
    TALLA_TRY(auto first, read_first(value));
    out.firsts.push_back(std::move(first));
  }
  return {};
}

json::Value hand_json(const Hand& hand) {
  json::Object out{{"box", hand.box}, {"seat", hand.seat}};
  if (!hand.cards.empty()) out["cards"] = cards_json(hand.cards);
  if (!hand.bets.empty()) out["bets"] = texts_json(hand.bets);
  if (hand.split) out["split"] = true;
  if (hand.doubled) out["doubled"] = true;
  if (hand.done) out["done"] = true;
  return out;
}

json::Array meters_json(const std::vector<MeterState>& meters, bool moved) {
  json::Array out;
  for (const auto& meter : meters) {
    json::Object one{{"id", meter.id}, {"value", meter.value}};
    if (moved && meter.read) one["read"] = true;
    if (moved && meter.contribution > 0) one["contribution"] = meter.contribution;
    if (moved && meter.award > 0) one["award"] = meter.award;
    put_carry(one, meter.carry);
    out.emplace_back(std::move(one));
  }
  return out;
}

void put_round(const State& state, json::Value& out) {
  if (state.removing) out["removing"] = true;
  if (state.concluded) out["concluded"] = true;
  if (state.behind > 0) out["behind"] = state.behind;
  if (state.third_card) out["third_card"] = true;
  if (state.asked) out["asked"] = true;
  if (state.stage > 0) out["stage"] = state.stage;
  if (!state.dealer.empty()) out["dealer"] = cards_json(state.dealer);
  if (!state.hands.empty()) {
    json::Array hands;
    for (const auto& hand : state.hands) hands.push_back(hand_json(hand));
    out["hands"] = std::move(hands);
  }
  if (state.follow) {
    out["follow"] = json::Object{{"action", state.follow->action},
                                 {"taking", texts_json(state.follow->taking)},
                                 {"waiting", texts_json(state.follow->waiting)}};
  }
  json::Array firsts;
  for (const auto& first : state.firsts) {
    json::Object one{{"box", first.box}};
    if (!first.cards.empty()) one["cards"] = cards_json(first.cards);
    if (first.closed) one["closed"] = true;
    firsts.emplace_back(std::move(one));
  }
  if (!firsts.empty()) out["firsts"] = std::move(firsts);
}

Result<State> read_carried(const json::Value& value) {
  json::Reader reader(value, "carried");
  State out;
  TALLA_TRY_STATUS(read_shoe(reader, out));
  TALLA_TRY_STATUS(reader.finish());
  if (out.shoe == ShoeState::last_hand) return bad_state("between rounds a last hand is over");
  for (const auto& meter : out.meters) {
    if (meter.contribution != 0 || meter.award != 0 || meter.read)
      return bad_state("a carried meter has its value only");
  }
  return out;
}

Result<State> read_state(const json::Value& value) {
  json::Reader reader(value, "state");
  State out;
  TALLA_TRY_STATUS(read_shoe(reader, out));
  TALLA_TRY_STATUS(read_round(reader, out));
  TALLA_TRY(out.bets, read_bets(reader));
  TALLA_TRY(out.settled, read_settled(reader));
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

}  // namespace

json::Value carried_json(const State& state) {
  json::Object out{{"shoe", shoe_names.at(static_cast<std::size_t>(state.shoe))}};
  if (state.burns_left > 0) out["burns_left"] = state.burns_left;
  if (state.cards_out > 0) out["cards_out"] = state.cards_out;
  if (state.closing) out["closing"] = true;
  if (!state.meters.empty()) out["meters"] = meters_json(state.meters, false);
  return out;
}

Result<State> state_from_carried(const json::Value& value) {
  return as_state(read_carried(value));
}

json::Value State::to_json() const {
  json::Value out = carried_json(*this);
  if (!meters.empty()) out["meters"] = meters_json(meters, true);
  out["phase"] = phase_names.at(static_cast<std::size_t>(phase));
  put_round(*this, out);
  put_bets(out, bets);
  put_settled(out, settled);
  return out;
}

Result<State> State::from_json(const json::Value& value) {
  return as_state(read_state(value));
}

}  // namespace talla::games::blackjack
