// The commands of a round: opened, bet on, acted in, settled.
#include <algorithm>

#include "commands.hpp"
#include "format/domain.hpp"
#include "games/session_end.hpp"
#include "play.hpp"
#include "seats.hpp"
#include "views.hpp"

namespace talla::core {
namespace {

constexpr std::int64_t seat_max = 1'000'000;

json::Object view_of(const Call& call, ObjectSeq seq) {
  const auto& round = *call.world().round(seq);
  return {{"round",
           round_view(call.parts.hashes, call.world(), round, viewer_of(call.client, &round))}};
}

Digest present_state(const Parts& parts, const Table& table) {
  return certs::state_digest(parts.hashes, table.state->to_json());
}

/// The round, still open, its table working, and the cut of its shoe durable.
struct OpenRound {
  const Round* round;
  const Table* table;
  bool cut_durable;
};
Result<OpenRound> opened(const Call& call, const Round* round) {
  const auto* table = call.world().table(round->table);
  TALLA_TRY_STATUS(table_works(*table));
  if (round->ended) return fail(Errc::wrong_state, "the round is over");
  const auto* shoe = table->live_shoe ? call.world().shoe(*table->live_shoe) : nullptr;
  return OpenRound{round, table, shoe == nullptr || call.tx.durable(shoe->cut_seq)};
}
Result<OpenRound> open_round(const Call& call, const std::string& round_id) {
  TALLA_TRY(const auto* round, own_round(call, round_id));
  return opened(call, round);
}

/// The same for who acts for this seat: the table, or the client whose key ROUND_OPEN names for it.
Result<OpenRound> seated_round(const Call& call, const std::string& round_id, std::int64_t seat) {
  const auto seq = certs::object_seq("round", round_id);
  const auto* round = seq ? call.world().round(*seq) : nullptr;
  if (round == nullptr || seat_of(call.client, *round) != seat) return open_round(call, round_id);
  return opened(call, round);
}

/// The same for the table, or an operator at any table.
Result<OpenRound> dealt_round(const Call& call, const std::string& round_id) {
  const auto seq = certs::object_seq("round", round_id);
  const auto* round = seq ? call.world().round(*seq) : nullptr;
  if (round == nullptr || !call.client.roles.has(Role::operator_))
    return open_round(call, round_id);
  return opened(call, round);
}

/// Keys for covered cards: each that of an enrolled seat, each seat and key once.
Result<std::vector<certs::SeatKey>> read_keys(const Call& call, json::Reader& reader) {
  std::vector<certs::SeatKey> keys;
  if (!reader.has("keys")) return keys;
  TALLA_TRY(const auto* list, reader.array("keys"));
  for (const auto& item : *list) {
    json::Reader one(item, "keys");
    certs::SeatKey key;
    TALLA_TRY(key.seat, one.integer("seat", 1, UINT32_MAX));
    TALLA_TRY(const auto text, one.string("spki"));
    TALLA_TRY_STATUS(one.finish());
    auto spki = from_base64(text);
    if (!spki)
      return fail(Errc::malformed_request, "keys: spki is base64 of a DER SubjectPublicKeyInfo");
    key.spki = std::move(*spki);
    TALLA_TRY_STATUS(check_named_key(call, key));
    keys.push_back(std::move(key));
  }
  std::ranges::sort(keys, {}, &certs::SeatKey::seat);
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (keys[i - 1].seat == keys[i].seat)
      return fail(Errc::malformed_request, "keys: a seat stands twice");
  }
  return keys;
}

Status read_choice(json::Reader& reader, certs::ActionBody& body) {
  if (reader.has("time_out")) {
    TALLA_TRY(body.time_out, reader.boolean("time_out"));
    if (!body.time_out) return fail(Errc::malformed_request, "time_out: true, or leave it out");
    return {};
  }
  TALLA_TRY(body.action, reader.string("do"));
  if (reader.has("bet")) {
    TALLA_TRY(body.bet, reader.string("bet"));
  }
  if (reader.has("to")) {
    TALLA_TRY(body.to, reader.string("to"));
  }
  if (reader.has("amount")) {
    TALLA_TRY(body.amount, reader.integer("amount", 0, json::integer_max));
  }
  if (!reader.has("cards")) return {};
  TALLA_TRY(const auto* cards, reader.array("cards"));
  for (const auto& card : *cards) {
    if (!card.is_string()) return fail(Errc::malformed_request, "cards: expected card codes");
    body.cards.push_back(card.string());
  }
  return {};
}

}  // namespace

namespace {

/// "last": true, a number of rounds, "shoe"; false or left out: nothing is announced.
Result<std::optional<games::LastRound>> read_announcement(json::Reader& reader) {
  const auto* said = reader.optional("last");
  if (said == nullptr || *said == json::Value(false)) return std::optional<games::LastRound>();
  const auto last = games::session_end_from(*said);
  if (!last) return fail(Errc::malformed_request, last.error().detail);
  return std::optional<games::LastRound>(*last);
}

}  // namespace

Outcome new_round(const Call& call, const std::string& table_id) {
  json::Reader reader(call.body, "round");
  TALLA_TRY(const auto last, read_announcement(reader));
  TALLA_TRY(auto keys, read_keys(call, reader));
  TALLA_TRY_STATUS(reader.finish());
  TALLA_TRY(const auto* table, working_table(call, table_id));
  if (!table->rules) return refuse(Errc::not_settled_here, "a client-settled table has no rounds");
  if (table->live_round) {
    return refuse(Errc::round_open, "a round is open",
                  {{"round", certs::object_id("round", *table->live_round)}});
  }
  const auto needs = table->needs();
  if (games::find_need<games::ShoeNeed>(needs) != nullptr &&
      games::find_need<games::Decide>(needs) == nullptr) {
    return refuse(Errc::no_shoe, "the game needs a shoe first");
  }
  if (games::session_over(needs)) {
    return fail(games::Errc::bets_closed, "the session is over");
  }
  certs::RoundOpenBody body;
  body.last = last;
  body.keys = std::move(keys);
  body.table = table_id;
  body.number = table->rounds_count + 1;
  body.state_before = present_state(call.parts, *table);
  if (table->live_shoe) body.shoe = certs::object_id("shoe", *table->live_shoe);
  std::vector<std::uint64_t> cites{table->seq};
  if (table->last_round_end) cites.push_back(*table->last_round_end);
  TALLA_TRY(const auto seq,
            call.tx.add({certs::Kind::round_open, {}, std::move(cites), body.to_json()}));
  const auto* round = call.world().round(seq);
  call.tx.group().documents.push_back(
      {certs::documents::state(round->id), json::canonical(round->state_before)});
  return Done{view_of(call, seq), 201, {}};
}

Outcome put_bets(const Call& call, const std::string& round_id) {
  TALLA_TRY(const auto open, open_round(call, round_id));
  TALLA_TRY(auto draft, BetDraft::from_json(call.body));
  if (open.round->bets_closed)
    return refuse(Errc::bets_not_open, "the bets of this round are closed");
  if (!open.cut_durable) return defer();
  Table table = *open.table;
  Round round = *open.round;
  TALLA_TRY_STATUS(play_draft(table, round, draft));
  call.tx.group().documents.push_back(
      {certs::documents::bets(round_id), json::canonical(draft.to_json())});
  const auto seq = open.round->seq;
  call.world().edit_round(seq)->draft = std::move(draft);
  return Done{view_of(call, seq), 200, {}};
}

Outcome close_bets(const Call& call, const std::string& round_id) {
  TALLA_TRY(const auto open, open_round(call, round_id));
  if (open.round->bets_closed)
    return refuse(Errc::bets_not_open, "the bets of this round are closed");
  BetDraft bets = open.round->draft;
  if (!call.body.object().empty()) {
    TALLA_TRY(bets, BetDraft::from_json(call.body));
  }
  if (!open.cut_durable) return defer();
  certs::BetsClosedBody body;
  body.digest = certs::bets_digest(call.parts.hashes, certs::bets_json(bets.bets));
  body.bets = std::move(bets.bets);
  body.withdrawn = std::move(bets.withdrawn);
  const auto seq = open.round->seq;
  TALLA_TRY(const auto parts, certs::in_parts(std::move(body)));
  for (const auto& part : parts) {
    TALLA_TRY_STATUS(call.tx.record({certs::Kind::bets_closed, round_id, {}, part.to_json()}));
  }
  call.tx.group().documents.push_back({certs::documents::bets(round_id), {}});
  TALLA_TRY_STATUS(finish_round(call.parts, call.tx, seq));
  return Done{view_of(call, seq), 200, {}};
}

Outcome act(const Call& call, const std::string& round_id) {
  json::Reader reader(call.body, "action");
  TALLA_TRY(const auto expected, reader.string("expected_state"));
  certs::ActionBody body;
  TALLA_TRY(body.seat, reader.integer("seat", 1, seat_max));
  TALLA_TRY(const auto open, seated_round(call, round_id, body.seat));
  TALLA_TRY_STATUS(read_choice(reader, body));
  TALLA_TRY_STATUS(reader.finish());
  body.state_before = present_state(call.parts, *open.table);
  if (expected != to_hex(body.state_before)) {
    return refuse(Errc::wrong_state, "not the present state",
                  {{"state_digest", to_hex(body.state_before)}});
  }
  if (open.round->open_intent)
    return refuse(Errc::wrong_state, "the draw of this round is under way");
  if (const auto event = certs::action_event(body); !event)
    return tl::unexpected<Failure>(event.error());
  const auto seq = open.round->seq;
  TALLA_TRY_STATUS(call.tx.record({certs::Kind::action, round_id, {}, body.to_json()}));
  TALLA_TRY_STATUS(finish_round(call.parts, call.tx, seq));
  return Done{view_of(call, seq), 200, {}};
}

Outcome misdeal(const Call& call, const std::string& round_id) {
  TALLA_TRY(const auto open, dealt_round(call, round_id));
  json::Reader reader(call.body, "misdeal");
  TALLA_TRY(const auto expected, reader.string("expected_state"));
  certs::MisdealBody body;
  TALLA_TRY(body.code, reader.string("code"));
  if (reader.has("place")) {
    TALLA_TRY(body.place, reader.string("place"));
  }
  if (reader.has("amount")) {
    TALLA_TRY(body.amount, reader.integer("amount", 1, games::units_max));
  }
  TALLA_TRY_STATUS(reader.finish());
  const auto present = to_hex(present_state(call.parts, *open.table));
  if (expected != present)
    return refuse(Errc::wrong_state, "not the present state", {{"state_digest", present}});
  if (open.round->open_intent)
    return refuse(Errc::wrong_state, "the draw of this round is under way");
  if (!open.cut_durable) return defer();
  const auto* rule = open.table->rules->rules().error(body.code);
  if (rule == nullptr)
    return tl::unexpected<Failure>(
        Error(games::Errc::misdeal_unknown, "the catalogue has no error of that code"));
  body.effect = rule->effect;
  const auto seq = open.round->seq;
  TALLA_TRY_STATUS(call.tx.record({certs::Kind::misdeal, round_id, {}, body.to_json()}));
  TALLA_TRY_STATUS(finish_round(call.parts, call.tx, seq));
  return Done{view_of(call, seq), 200, {}};
}

Outcome confirm_hand(const Call& call, const std::string& round_id) {
  TALLA_TRY(const auto open, dealt_round(call, round_id));
  json::Reader reader(call.body, "confirm");
  TALLA_TRY(const auto expected, reader.string("expected_state"));
  TALLA_TRY_STATUS(reader.finish());
  certs::HandConfirmedBody body;
  body.state_before = present_state(call.parts, *open.table);
  if (expected != to_hex(body.state_before)) {
    return refuse(Errc::wrong_state, "not the present state",
                  {{"state_digest", to_hex(body.state_before)}});
  }
  if (!open.cut_durable) return defer();
  const auto seq = open.round->seq;
  TALLA_TRY_STATUS(call.tx.record({certs::Kind::hand_confirmed, round_id, {}, body.to_json()}));
  TALLA_TRY_STATUS(finish_round(call.parts, call.tx, seq));
  return Done{view_of(call, seq), 200, {}};
}

namespace {

/// METER of each meter of the table that the round moved: before is what the last one left.
Status add_meters(Transaction& tx, ObjectSeq table_seq, std::uint64_t settlement) {
  const auto* table = tx.world().table(table_seq);
  for (const auto& meter : table->engine().meters(*table->rules, *table->state)) {
    if (meter.contribution == 0 && meter.award == 0) continue;
    if (table->open.meters.contains(meter.id)) continue;  // shared: moved when it was read
    table = tx.world().table(table_seq);
    const auto known = table->meters.find(meter.id);
    certs::MeterBody body;
    body.meter = meter.id;
    body.before = known != table->meters.end() ? known->second
                                               : meter.value - meter.contribution + meter.award;
    body.contribution = meter.contribution;
    body.award = meter.award;
    body.after = meter.value;
    TALLA_TRY_STATUS(tx.record({certs::Kind::meter, table->id, {settlement}, body.to_json()}));
  }
  return {};
}

}  // namespace

Status finish_round(const Parts& parts, Transaction& tx, ObjectSeq seq) {
  TALLA_TRY_STATUS(read_meters(tx, seq));
  const auto* round = tx.world().round(seq);
  const auto* table = tx.world().table(round->table);
  const auto needs = table->needs();
  if (round->ended || !round->bets_closed || games::find_need<games::Settled>(needs) == nullptr)
    return {};
  const auto id = round->id;
  const auto after = present_state(parts, *table);
  certs::SettlementBody body;
  for (const auto& result : round->results)
    body.results.push_back(certs::settlement_result(result));
  body.state_before = round->open.state_before;
  body.state_after = after;
  const auto rests_on = round->rests_on;
  std::uint64_t settled = 0;
  TALLA_TRY(const auto settlements, certs::in_parts(std::move(body)));
  for (const auto& part : settlements) {  // the last part is the one that rests on all this
    const bool last = part.part.last();
    TALLA_TRY(settled, tx.add({certs::Kind::settlement, id,
                               last ? rests_on : std::vector<std::uint64_t>(), part.to_json()}));
  }
  TALLA_TRY_STATUS(add_meters(tx, table->seq, settled));
  const json::Object end{{"state_after", to_hex(after)}};
  TALLA_TRY_STATUS(tx.record({certs::Kind::round_end, id, {}, end}));
  return {};
}

}  // namespace talla::core
