#include "games/event.hpp"

#include <array>
#include <map>
#include <type_traits>

#include "engines/shared/state_json.hpp"
#include "games/session_end.hpp"

namespace talla::games {
namespace {

Result<std::vector<std::string>> read_texts(json::Reader& reader, std::string_view key) {
  std::vector<std::string> out;
  if (!reader.has(key)) return out;
  TALLA_TRY(const auto* array, reader.array(key));
  for (const auto& value : *array) {
    if (!value.is_string()) return fail(Errc::state_malformed, std::string(key) + " holds strings");
    out.push_back(value.string());
  }
  return out;
}

template <class T>
Result<std::optional<T>> read_amount(json::Reader& reader, std::string_view key, std::int64_t max) {
  if (!reader.has(key)) return std::optional<T>();
  TALLA_TRY(const auto value, reader.integer(key, 1, max));
  return std::optional<T>(static_cast<T>(value));
}

Result<std::optional<std::string>> read_optional_text(json::Reader& reader, std::string_view key) {
  if (!reader.has(key)) return std::optional<std::string>();
  TALLA_TRY(auto value, reader.string(key));
  return std::optional<std::string>(std::move(value));
}

Result<Seat> read_seat(json::Reader& reader) {
  TALLA_TRY(const auto seat, reader.integer("seat", 1, seat_max));
  return static_cast<Seat>(seat);
}

/// An event that says all by its kind.
template <class T>
concept Bare = std::is_empty_v<T>;

struct EventWriter {
  json::Object operator()(const PlaceBet& e) const {
    json::Object out{{"id", e.id}, {"seat", e.seat}, {"kind", e.kind}, {"stake", e.stake}};
    if (e.box) out["box"] = *e.box;
    if (!e.on.empty()) out["on"] = texts_json(e.on);
    return out;
  }
  json::Object operator()(const WithdrawBet& e) const {
    json::Object out{{"bet", e.bet}};
    if (e.amount) out["amount"] = *e.amount;
    return out;
  }
  json::Object operator()(const ShoeOpened& e) const {
    json::Object out{{"cards_count", e.cards_count}};
    if (e.in_play) out["in_play"] = true;
    return out;
  }
  json::Object operator()(const CardDealt& e) const {
    json::Object out{{"place", e.place}, {"face", face_name(e.face)}};
    if (e.card) out["card"] = e.card->text();
    return out;
  }
  json::Object operator()(const CardRevealed& e) const {
    return {{"place", e.place}, {"card", e.card.text()}};
  }
  json::Object operator()(const DrawResult& e) const {
    return {{"kind", draw_kind_name(e.kind)}, {"values", texts_json(e.values)}};
  }
  json::Object operator()(const Shuffled& e) const { return {{"places", texts_json(e.places)}}; }
  json::Object operator()(const Act& e) const {
    json::Object out{{"seat", e.seat}, {"do", e.action}};
    if (e.bet) out["bet"] = *e.bet;
    if (e.amount) out["amount"] = *e.amount;
    if (!e.cards.empty()) out["cards"] = texts_json(e.cards);
    if (e.to) out["to"] = *e.to;
    return out;
  }
  json::Object operator()(const TimeOut& e) const { return {{"seat", e.seat}}; }
  json::Object operator()(const Misdeal& e) const {
    json::Object out{{"code", e.code}};
    if (e.place) out["place"] = *e.place;
    if (e.amount) out["amount"] = *e.amount;
    return out;
  }
  json::Object operator()(const LastRound& e) const {
    const auto said = session_end_json(e);
    return said.is_bool() ? json::Object{} : json::Object{{"last", said}};
  }
  json::Object operator()(const MeterRead& e) const {
    return {{"meter", e.meter}, {"value", e.value}};
  }
  template <Bare T>
  json::Object operator()(const T& /*e*/) const {
    return {};
  }
};

Result<Event> read_bet(json::Reader& reader) {
  PlaceBet out;
  TALLA_TRY(out.id, reader.string("id"));
  TALLA_TRY(out.seat, read_seat(reader));
  TALLA_TRY(out.box, read_amount<Box>(reader, "box", seat_max));
  TALLA_TRY(out.kind, reader.string("kind"));
  TALLA_TRY(out.on, read_texts(reader, "on"));
  TALLA_TRY(out.stake, reader.integer("stake", 1, units_max));
  return Event(std::move(out));
}

Result<Event> read_withdraw(json::Reader& reader) {
  WithdrawBet out;
  TALLA_TRY(out.bet, reader.string("bet"));
  TALLA_TRY(out.amount, read_amount<Units>(reader, "amount", units_max));
  return Event(std::move(out));
}

Result<Event> read_shoe(json::Reader& reader) {
  ShoeOpened out;
  TALLA_TRY(const auto count, reader.integer("cards_count", 1, 65535));
  out.cards_count = static_cast<std::uint32_t>(count);
  if (reader.has("in_play")) {
    TALLA_TRY(out.in_play, reader.boolean("in_play"));
    if (!out.in_play) return fail(Errc::state_malformed, "in_play is written only when true");
  }
  return Event(out);
}

Result<Card> read_card(json::Reader& reader) {
  TALLA_TRY(const auto text, reader.string("card"));
  return Card::parse(text);
}

Result<Event> read_dealt(json::Reader& reader) {
  CardDealt out;
  TALLA_TRY(out.place, reader.string("place"));
  TALLA_TRY(const auto face, reader.string("face"));
  TALLA_TRY(out.face, face_from(face));
  if ((out.face == Face::open) != reader.has("card")) {
    return fail(Errc::state_malformed, "a card is named exactly when it is dealt open");
  }
  if (out.face == Face::open) {
    TALLA_TRY(out.card, read_card(reader));
  }
  return Event(std::move(out));
}

Result<Event> read_revealed(json::Reader& reader) {
  CardRevealed out;
  TALLA_TRY(out.place, reader.string("place"));
  TALLA_TRY(out.card, read_card(reader));
  return Event(std::move(out));
}

Result<Event> read_draw(json::Reader& reader) {
  DrawResult out;
  TALLA_TRY(const auto kind, reader.string("kind"));
  TALLA_TRY(out.kind, draw_kind_from(kind));
  TALLA_TRY(out.values, read_texts(reader, "values"));
  if (out.values.empty()) return fail(Errc::state_malformed, "a draw without values");
  return Event(std::move(out));
}

Result<Event> read_shuffled(json::Reader& reader) {
  TALLA_TRY(auto places, read_texts(reader, "places"));
  return Event(Shuffled{std::move(places)});
}

Result<Event> read_act(json::Reader& reader) {
  Act out;
  TALLA_TRY(out.seat, read_seat(reader));
  TALLA_TRY(out.action, reader.string("do"));
  TALLA_TRY(out.bet, read_optional_text(reader, "bet"));
  TALLA_TRY(out.amount, read_amount<Units>(reader, "amount", units_max));
  TALLA_TRY(out.cards, read_texts(reader, "cards"));
  TALLA_TRY(out.to, read_optional_text(reader, "to"));
  return Event(std::move(out));
}

Result<Event> read_timeout(json::Reader& reader) {
  TALLA_TRY(const auto seat, read_seat(reader));
  return Event(TimeOut{seat});
}

Result<Event> read_misdeal(json::Reader& reader) {
  Misdeal out;
  TALLA_TRY(out.code, reader.string("code"));
  TALLA_TRY(out.place, read_optional_text(reader, "place"));
  TALLA_TRY(out.amount, read_amount<Units>(reader, "amount", units_max));
  return Event(std::move(out));
}

Result<Event> read_meter(json::Reader& reader) {
  MeterRead out;
  TALLA_TRY(out.meter, reader.string("meter"));
  TALLA_TRY(out.value, reader.integer("value", 0, units_max));
  return Event(std::move(out));
}

Result<Event> read_last(json::Reader& reader) {
  const auto* said = reader.optional("last");
  if (said == nullptr) return Event(LastRound{});
  if (said->is_bool()) return fail(Errc::state_malformed, "last is left out for a single round");
  auto last = session_end_from(*said);
  if (!last) return fail(Errc::state_malformed, last.error().detail);
  return Event(*last);
}

template <class T>
Result<Event> read_plain(json::Reader& /*reader*/) {
  return Event(T{});
}

using ReadEvent = Result<Event> (*)(json::Reader&);

const std::map<std::string_view, ReadEvent>& readers() {
  static const std::map<std::string_view, ReadEvent> all = {
      {"bet", &read_bet},
      {"withdraw", &read_withdraw},
      {"close", &read_plain<CloseBets>},
      {"shoe", &read_shoe},
      {"card", &read_dealt},
      {"reveal", &read_revealed},
      {"stop-card", &read_plain<StopCard>},
      {"shoe-closed", &read_plain<ShoeClosed>},
      {"draw", &read_draw},
      {"shuffled", &read_shuffled},
      {"act", &read_act},
      {"timeout", &read_timeout},
      {"void", &read_plain<VoidDraw>},
      {"misdeal", &read_misdeal},
      {"last-round", &read_last},
      {"meter", &read_meter},
      {"confirm", &read_plain<ConfirmHand>},
  };
  return all;
}

}  // namespace

std::string_view event_name(const Event& event) {
  static constexpr std::array<std::string_view, std::variant_size_v<Event>> names = {
      "bet",       "withdraw",    "close",      "shoe",     "card",   "reveal",
      "stop-card", "shoe-closed", "draw",       "shuffled", "act",    "timeout",
      "void",      "misdeal",     "last-round", "meter",    "confirm"};
  return names.at(event.index());
}

json::Value to_json(const Event& event) {
  json::Object out = std::visit(EventWriter{}, event);
  out["event"] = event_name(event);
  return out;
}

Result<Event> event_from_json(const json::Value& value) {
  json::Reader reader(value, "event");
  TALLA_TRY(const auto name, reader.string("event"));
  const auto found = readers().find(name);
  if (found == readers().end()) return fail(Errc::state_malformed, "unknown event");
  TALLA_TRY(auto event, found->second(reader));
  TALLA_TRY_STATUS(reader.finish());
  return event;
}

}  // namespace talla::games
