#include "format/body_table.hpp"

#include <array>

#include "fields.hpp"
#include "format/draw_format.hpp"
#include "format/parts.hpp"
#include "format/record.hpp"
#include "games/money.hpp"
#include "games/session_end.hpp"
#include "shuffle/deck.hpp"

namespace talla::certs {
namespace {
constexpr Between from_one{1, json::integer_max};

void read_table_id(Fields& in, std::string& table) {
  table = in.text("table");
  in.require(object_seq("table", table).has_value(), "table", "is no table id");
}

bool lowest_terms(const std::string& text) {
  const auto fraction = games::Fraction::parse_canonical(text);
  return fraction && fraction->numerator() > 0 && fraction->text() == text;
}
}  // namespace

json::Value TableOpenBody::to_json() const {
  json::Object body{{"catalogue", to_hex(catalogue)},
                    {"chip", chip},
                    {"currency", currency},
                    {"game", game},
                    {"max", max},
                    {"min", min},
                    {"parameters", parameters},
                    {"rounding", rounding},
                    {"settled_by", settled_by_client ? "client" : "appliance"},
                    {"unit", unit},
                    {"variant", variant}};
  if (!meters.empty()) {
    json::Object ids;
    for (const auto& [word, id] : meters) ids.emplace(word, id);
    body.emplace("meters", std::move(ids));
  }
  if (continues.empty()) return body;
  body.emplace("continues", continues);
  body.emplace("carried", to_hex(carried));
  return body;
}

namespace {
void read_meters(Fields& in, TableOpenBody& out) {
  if (!in.has("meters")) return;
  in.require(!out.settled_by_client, "meters", "are for tables that the appliance settles");
  const json::Value* meters = in.object("meters");
  if (meters == nullptr) return;
  in.require(!meters->object().empty(), "meters", "is left out when it is empty");
  for (const auto& [word, id] : meters->object()) {
    const bool known = id.is_string() && object_seq("meter", id.string()).has_value();
    in.require(known && !word.empty(), "meters", "names each meter by its id");
    if (known) out.meters.emplace(word, id.string());
  }
}
}  // namespace

Result<TableOpenBody> TableOpenBody::from_json(const json::Value& body) {
  Fields in(body, "TABLE_OPEN");
  TableOpenBody out;
  out.game = in.text("game");
  out.variant = in.text("variant");
  out.catalogue = in.digest("catalogue");
  if (const json::Value* parameters = in.object("parameters")) out.parameters = *parameters;
  out.currency = in.text("currency");
  out.unit = in.text("unit");
  in.require(lowest_terms(out.unit), "unit", "is no positive fraction in lowest terms");
  out.chip = in.integer("chip", from_one);
  out.rounding = in.text("rounding");
  in.require(games::rounding_from(out.rounding).has_value(), "rounding",
             "is none of the known words");
  out.min = in.integer("min", natural);
  out.max = in.integer("max", natural);
  out.settled_by_client = in.word("settled_by", {"appliance", "client"}) == 1;
  if (in.has("continues") || in.has("carried")) {
    out.continues = in.filled_text("continues");
    in.require(object_seq("table", out.continues).has_value(), "continues", "is no table id");
    in.require(!out.settled_by_client, "continues", "is for tables that the appliance settles");
    out.carried = in.digest("carried");
  }
  read_meters(in, out);
  if (out.settled_by_client) {
    if (const json::Value* range = out.parameters.find("range")) {
      in.require(specification_from_json(*range).has_value(), "parameters.range",
                 "is no draw specification");
    }
    if (const json::Value* deck = out.parameters.find("deck")) {
      in.require(deck->is_string() && shuffle::DeckSpec::parse(deck->string()).has_value(),
                 "parameters.deck", "is no deck specification");
    }
  } else {
    in.require(!out.game.empty(), "game", "must not be empty when the appliance settles");
  }
  return in.finish(std::move(out));
}

json::Value RoundOpenBody::to_json() const {
  json::Object body{{"number", number}, {"state_before", to_hex(state_before)}, {"table", table}};
  if (!shoe.empty()) body.emplace("shoe", shoe);
  if (last) body.emplace("last", games::session_end_json(*last));
  if (keys.empty()) return body;
  json::Array list;
  for (const SeatKey& key : keys) {
    list.emplace_back(json::Object{{"seat", key.seat}, {"spki", to_base64(key.spki)}});
  }
  body.emplace("keys", std::move(list));
  return body;
}

namespace {
Result<SeatKey> read_seat_key(const json::Value& value) {
  Fields in(value, "keys[]");
  SeatKey out;
  out.seat = in.integer("seat", {1, 0xFFFFFFFF});
  out.spki = in.base64("spki");
  in.require(!out.spki.empty(), "spki", "is empty");
  return in.finish(std::move(out));
}
}  // namespace

Result<RoundOpenBody> RoundOpenBody::from_json(const json::Value& body) {
  Fields in(body, "ROUND_OPEN");
  RoundOpenBody out;
  read_table_id(in, out.table);
  out.number = static_cast<std::uint64_t>(in.integer("number", from_one));
  out.state_before = in.digest("state_before");
  out.shoe = in.optional_text("shoe");
  in.require(out.shoe.empty() || object_seq("shoe", out.shoe).has_value(), "shoe", "is no shoe id");
  if (const json::Value* said = in.optional("last")) {
    const auto last = games::session_end_from(*said);
    in.require(last.has_value(), "last", "is true, a number of rounds from 2 to 100, or shoe");
    if (last) out.last = *last;
  }
  if (in.has("keys")) {
    const json::Array* keys = in.array("keys");
    for (std::size_t i = 0; keys != nullptr && i < keys->size(); ++i) {
      out.keys.push_back(in.nested(read_seat_key((*keys)[i])));
      in.require(i == 0 || out.keys[i - 1].seat < out.keys[i].seat, "keys", "must ascend by seat");
    }
    in.require(!out.keys.empty(), "keys", "is left out when it is empty");
  }
  return in.finish(std::move(out));
}

json::Value Bet::to_json() const {
  json::Object bet{{"id", id}, {"kind", kind}, {"seat", seat}, {"stake", stake}};
  if (!on.empty()) bet.emplace("on", texts_json(on));
  if (box) bet.emplace("box", *box);
  return bet;
}

Result<Bet> Bet::from_json(const json::Value& value) {
  Fields in(value, "bets[]");
  Bet out;
  out.id = in.filled_text("id");
  out.seat = in.integer("seat", natural);
  out.kind = in.filled_text("kind");
  out.stake = in.integer("stake", natural);
  out.on = in.optional_texts("on");
  out.box = in.optional_integer("box", natural);
  return in.finish(std::move(out));
}

json::Value bets_json(const std::vector<Bet>& bets) {
  json::Array list;
  for (const Bet& bet : bets) list.push_back(bet.to_json());
  return list;
}

namespace {

void write_part(json::Object& body, const Part& part) {
  if (part.count == 0) return;
  body.emplace("part", part.number);
  body.emplace("parts", part.count);
}

/// Precondition: the list of the body is read.
Part read_part(Fields& in, std::string_view list, bool list_empty) {
  Part part;
  if (!in.has("part") && !in.has("parts")) return part;
  part.count = in.integer("parts", {2, parts_max});
  part.number = in.integer("part", {1, parts_max});
  in.require(part.number <= part.count, "part", "is above `parts`");
  in.require(part.last() == list_empty, list, "is empty in the last part, and in no other");
  return part;
}

}  // namespace

json::Value BetsClosedBody::to_json() const {
  json::Object body{{"bets", bets_json(bets)}};
  write_part(body, part);
  if (!part.last()) return body;
  body.emplace("digest", to_hex(digest));
  body.emplace("withdrawn", texts_json(withdrawn));
  return body;
}

Result<BetsClosedBody> BetsClosedBody::from_json(const json::Value& body) {
  Fields in(body, "BETS_CLOSED");
  BetsClosedBody out;
  if (const json::Array* bets = in.array("bets")) {
    for (const auto& bet : *bets) out.bets.push_back(in.nested(Bet::from_json(bet)));
  }
  out.part = read_part(in, "bets", out.bets.empty());
  if (!out.part.last()) return in.finish(std::move(out));
  out.digest = in.digest("digest");
  out.withdrawn = in.texts("withdrawn");
  return in.finish(std::move(out));
}

json::Value ActionBody::to_json() const {
  json::Object body{{"cause", time_out ? "time_out" : "decision"},
                    {"do", action},
                    {"seat", seat},
                    {"state_before", to_hex(state_before)}};
  if (!bet.empty()) body.emplace("bet", bet);
  if (amount) body.emplace("amount", *amount);
  if (!cards.empty()) body.emplace("cards", texts_json(cards));
  if (!to.empty()) body.emplace("to", to);
  return body;
}

Result<ActionBody> ActionBody::from_json(const json::Value& body) {
  Fields in(body, "ACTION");
  ActionBody out;
  out.seat = in.integer("seat", natural);
  out.action = in.text("do");
  out.time_out = in.word("cause", {"decision", "time_out"}) == 1;
  out.bet = in.optional_text("bet");
  out.amount = in.optional_integer("amount", natural);
  out.cards = in.optional_texts("cards");
  out.to = in.optional_text("to");
  out.state_before = in.digest("state_before");
  const bool bare = out.bet.empty() && !out.amount && out.cards.empty() && out.to.empty();
  in.require(out.action.empty() == out.time_out, "do", "is empty exactly for a time-out");
  in.require(!out.time_out || bare, "cause", "a time-out decides nothing else");
  return in.finish(std::move(out));
}

json::Value MisdealBody::to_json() const {
  json::Object body{{"code", code}, {"effect", effect}};
  if (!place.empty()) body.emplace("place", place);
  if (amount) body.emplace("amount", *amount);
  return body;
}

Result<MisdealBody> MisdealBody::from_json(const json::Value& body) {
  Fields in(body, "MISDEAL");
  MisdealBody out;
  out.code = in.filled_text("code");
  out.place = in.optional_text("place");
  out.amount = in.optional_integer("amount", natural);
  out.effect = in.filled_text("effect");
  in.require(!out.amount || *out.amount > 0, "amount", "is at least one unit");
  return in.finish(std::move(out));
}

json::Value HandConfirmedBody::to_json() const {
  return json::Object{{"state_before", to_hex(state_before)}};
}

Result<HandConfirmedBody> HandConfirmedBody::from_json(const json::Value& body) {
  Fields in(body, "HAND_CONFIRMED");
  HandConfirmedBody out;
  out.state_before = in.digest("state_before");
  return in.finish(std::move(out));
}

json::Value MeterOpenBody::to_json() const {
  json::Object body{{"catalogue", to_hex(catalogue)},
                    {"currency", currency},
                    {"game", game},
                    {"meter", meter},
                    {"terms", terms},
                    {"unit", unit},
                    {"value", value},
                    {"variant", variant}};
  if (!continues.empty()) body.emplace("continues", continues);
  return body;
}

Result<MeterOpenBody> MeterOpenBody::from_json(const json::Value& body) {
  Fields in(body, "METER_OPEN");
  MeterOpenBody out;
  out.meter = in.filled_text("meter");
  out.catalogue = in.digest("catalogue");
  out.game = in.filled_text("game");
  out.variant = in.text("variant");
  out.currency = in.filled_text("currency");
  out.unit = in.text("unit");
  in.require(lowest_terms(out.unit), "unit", "is no positive fraction in lowest terms");
  if (const json::Value* terms = in.object("terms")) out.terms = *terms;
  out.value = in.integer("value", natural);
  out.continues = in.optional_text("continues");
  in.require(out.continues.empty() || object_seq("meter", out.continues).has_value(), "continues",
             "is no meter id");
  return in.finish(std::move(out));
}

json::Value MeterCloseBody::to_json() const {
  return json::Object{{"value", value}};
}

Result<MeterCloseBody> MeterCloseBody::from_json(const json::Value& body) {
  Fields in(body, "METER_CLOSE");
  MeterCloseBody out;
  out.value = in.integer("value", natural);
  return in.finish(std::move(out));
}

json::Value MeterBody::to_json() const {
  json::Object body{{"after", after},
                    {"award", award},
                    {"before", before},
                    {"contribution", contribution},
                    {"meter", meter}};
  if (!round.empty()) body.emplace("round", round);
  return body;
}

Result<MeterBody> MeterBody::from_json(const json::Value& body) {
  Fields in(body, "METER");
  MeterBody out;
  out.meter = in.filled_text("meter");
  out.round = in.optional_text("round");
  in.require(out.round.empty() || object_seq("round", out.round).has_value(), "round",
             "is no round id");
  out.before = in.integer("before", natural);
  out.contribution = in.integer("contribution", natural);
  out.award = in.integer("award", natural);
  out.after = in.integer("after", natural);
  in.require(out.before + out.contribution - out.award == out.after, "after",
             "is not before + contribution - award");
  return in.finish(std::move(out));
}

json::Value SettlementResult::to_json() const {
  json::Object value{{"bet", bet},   {"kind", kind}, {"result", result}, {"returned", returned},
                     {"rule", rule}, {"seat", seat}, {"stake", stake}};
  if (!remainder.empty()) value.emplace("remainder", remainder);
  return value;
}

Result<SettlementResult> SettlementResult::from_json(const json::Value& value) {
  constexpr std::array<std::string_view, 7> words = {"win",    "lose",  "push", "half",
                                                     "prison", "freed", "void"};
  Fields in(value, "results[]");
  SettlementResult out;
  out.bet = in.filled_text("bet");
  out.seat = in.integer("seat", natural);
  out.kind = in.filled_text("kind");
  out.stake = in.integer("stake", natural);
  out.result = words[in.word(
      "result", {words[0], words[1], words[2], words[3], words[4], words[5], words[6]})];
  out.returned = in.integer("returned", natural);
  out.rule = in.filled_text("rule");
  out.remainder = in.optional_text("remainder");
  return in.finish(std::move(out));
}

json::Value SettlementBody::to_json() const {
  json::Array list;
  for (const SettlementResult& result : results) list.push_back(result.to_json());
  json::Object body{{"results", std::move(list)}};
  write_part(body, part);
  if (!part.last()) return body;
  body.emplace("state_after", to_hex(state_after));
  body.emplace("state_before", to_hex(state_before));
  return body;
}

Result<SettlementBody> SettlementBody::from_json(const json::Value& body) {
  Fields in(body, "SETTLEMENT");
  SettlementBody out;
  if (const json::Array* results = in.array("results")) {
    for (const auto& result : *results)
      out.results.push_back(in.nested(SettlementResult::from_json(result)));
  }
  out.part = read_part(in, "results", out.results.empty());
  if (!out.part.last()) return in.finish(std::move(out));
  out.state_before = in.digest("state_before");
  out.state_after = in.digest("state_after");
  return in.finish(std::move(out));
}

}  // namespace talla::certs
