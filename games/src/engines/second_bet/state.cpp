#include "engines/second_bet/state.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "engines/shared/state_json.hpp"

namespace talla::games::second_bet {
namespace {

namespace house = poker::house;

constexpr std::array<std::string_view, 8> phase_names = {
    "betting", "dealing", "playing", "changing", "serving", "bank", "showing", "over"};
constexpr std::array<std::string_view, 3> word_names = {"none", "went", "passed"};
constexpr std::size_t cards_max = 10;
constexpr std::size_t list_max = 4096;
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

Status read_amount(json::Reader& reader, std::string_view key, Units& out) {
  if (!reader.has(key)) return {};
  TALLA_TRY(out, reader.integer(key, 1, units_max));
  return {};
}

Result<MeterState> read_meter(const json::Value& value) {
  json::Reader reader(value, "meter");
  MeterState out;
  TALLA_TRY(out.id, reader.string("id"));
  TALLA_TRY(out.value, reader.integer("value", 0, units_max));
  TALLA_TRY_STATUS(read_amount(reader, "staked", out.staked));
  TALLA_TRY(out.read, read_flag(reader, "read"));
  TALLA_TRY_STATUS(read_amount(reader, "contribution", out.contribution));
  TALLA_TRY_STATUS(read_amount(reader, "award", out.award));
  TALLA_TRY(out.carry, read_carry(reader));
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

Result<Lost> read_lost(const json::Value& value) {
  json::Reader reader(value, "lost");
  Lost out;
  TALLA_TRY(out.bet, reader.string("bet"));
  TALLA_TRY(out.by, reader.string("by"));
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

Result<Hand> read_hand(const json::Value& value) {
  json::Reader reader(value, "hand");
  Hand out;
  TALLA_TRY(const auto box, reader.integer("box", 1, number_max));
  out.box = static_cast<Box>(box);
  if (reader.has("seat")) {
    TALLA_TRY(const auto seat, reader.integer("seat", 1, number_max));
    out.seat = static_cast<Seat>(seat);
  }
  TALLA_TRY(out.cards, house::read_cards(reader, "cards", cards_max));
  TALLA_TRY(const auto* discards, read_list(reader, "discards", cards_max));
  for (const auto& one : *discards) {
    if (!one.is_integer() || one.integer() < 1 ||
        one.integer() > static_cast<std::int64_t>(cards_max))
      return bad_state("discards are numbers of cards");
    out.discards.push_back(static_cast<std::size_t>(one.integer()));
  }
  if (reader.has("word")) {
    TALLA_TRY(out.word, read_named<Word>(reader, "word", word_names));
    if (out.word == Word::none) return bad_state("word is written only when it was said");
  }
  TALLA_TRY(out.stood, read_flag(reader, "stood"));
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

template <class T>
Status read_all(json::Reader& reader, std::string_view key, std::vector<T>& out,
                Result<T> (*read)(const json::Value&)) {
  TALLA_TRY(const auto* list, read_list(reader, key, list_max));
  for (const auto& value : *list) {
    TALLA_TRY(auto one, read(value));
    out.push_back(std::move(one));
  }
  return {};
}

Result<State> read_state(const json::Value& value) {
  json::Reader reader(value, "state");
  State out;
  TALLA_TRY(out.phase, read_named<Phase>(reader, "phase", phase_names));
  TALLA_TRY(out.shoe, read_flag(reader, "shoe"));
  TALLA_TRY(out.concluded, read_flag(reader, "concluded"));
  TALLA_TRY(out.closing, read_flag(reader, "closing"));
  TALLA_TRY_STATUS(read_all(reader, "hands", out.hands, &read_hand));
  TALLA_TRY(out.bank, house::read_cards(reader, "bank", cards_max));
  TALLA_TRY_STATUS(read_all(reader, "lost", out.lost, &read_lost));
  TALLA_TRY_STATUS(read_all(reader, "meters", out.meters, &read_meter));
  TALLA_TRY(out.bets, read_bets(reader));
  TALLA_TRY(out.settled, read_settled(reader));
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

Result<State> read_carried(const json::Value& value) {
  json::Reader reader(value, "carried");
  State out;
  TALLA_TRY(out.closing, read_flag(reader, "closing"));
  TALLA_TRY_STATUS(read_all(reader, "meters", out.meters, &read_meter));
  TALLA_TRY_STATUS(reader.finish());
  for (const auto& meter : out.meters) {
    if (meter.contribution != 0 || meter.award != 0 || meter.staked != 0 || meter.read)
      return bad_state("a carried meter has its value only");
  }
  return out;
}

json::Array meters_json(const std::vector<MeterState>& meters, bool whole) {
  json::Array out;
  for (const auto& meter : meters) {
    json::Object one{{"id", meter.id}, {"value", meter.value}};
    if (whole && meter.staked != 0) one["staked"] = meter.staked;
    if (whole && meter.read) one["read"] = true;
    if (whole && meter.contribution != 0) one["contribution"] = meter.contribution;
    if (whole && meter.award != 0) one["award"] = meter.award;
    put_carry(one, meter.carry);
    out.emplace_back(std::move(one));
  }
  return out;
}

json::Value hand_json(const Hand& hand) {
  json::Object out{{"box", hand.box}};
  if (hand.seat != 0) out["seat"] = hand.seat;
  if (!hand.cards.empty()) out["cards"] = house::to_json(hand.cards);
  if (!hand.discards.empty()) {
    json::Array discards;
    for (const auto one : hand.discards) discards.emplace_back(static_cast<std::int64_t>(one));
    out["discards"] = std::move(discards);
  }
  if (hand.word != Word::none) out["word"] = word_names.at(static_cast<std::size_t>(hand.word));
  if (hand.stood) out["stood"] = true;
  return out;
}

}  // namespace

bool State::is_lost(std::string_view bet) const {
  return std::any_of(lost.begin(), lost.end(), [&](const Lost& one) { return one.bet == bet; });
}

json::Value carried_json(const State& state) {
  json::Object out;
  if (state.closing) out["closing"] = true;
  if (!state.meters.empty()) out["meters"] = meters_json(state.meters, false);
  return out;
}

Result<State> state_from_carried(const json::Value& value) {
  return as_state(read_carried(value));
}

json::Value State::to_json() const {
  json::Value out = json::Object{{"phase", phase_names.at(static_cast<std::size_t>(phase))}};
  if (shoe) out["shoe"] = true;
  if (closing) out["closing"] = true;
  if (concluded) out["concluded"] = true;
  if (!hands.empty()) {
    json::Array list;
    for (const auto& hand : hands) list.push_back(hand_json(hand));
    out["hands"] = std::move(list);
  }
  if (!bank.empty()) out["bank"] = house::to_json(bank);
  if (!lost.empty()) {
    json::Array list;
    for (const auto& one : lost) list.emplace_back(json::Object{{"bet", one.bet}, {"by", one.by}});
    out["lost"] = std::move(list);
  }
  if (!meters.empty()) out["meters"] = meters_json(meters, true);
  put_bets(out, bets);
  put_settled(out, settled);
  return out;
}

Result<State> State::from_json(const json::Value& value) {
  return as_state(read_state(value));
}

std::string derived_id(std::string_view bet, std::string_view kind) {
  return std::string(bet) + "." + std::string(kind);
}

std::string_view suffix_of(std::string_view id) {
  const auto point = id.rfind('.');
  return point == std::string_view::npos ? std::string_view() : id.substr(point + 1);
}

std::string_view origin_of(std::string_view id) {
  const auto point = id.rfind('.');
  TALLA_CHECK(point != std::string_view::npos);
  return id.substr(0, point);
}

}  // namespace talla::games::second_bet
