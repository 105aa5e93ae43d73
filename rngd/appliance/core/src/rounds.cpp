// The commands of a round: opened, bet on, acted in, settled.
#include <algorithm>

#include "commands.hpp"
#include "documents.hpp"
#include "format/domain.hpp"
#include "games/session_end.hpp"
#include "operations.hpp"
#include "play.hpp"
#include "schemas.hpp"
#include "seats.hpp"
#include "views.hpp"

namespace talla::core {
namespace {

json::Object view_of(const Call& call, ObjectSeq seq) {
  const auto& round = *call.world().round(seq);
  return {{"round",
           round_view(call.parts.hashes, call.world(), round, viewer_of(call.client, &round))}};
}

Digest present_state(const Parts& parts, const Table& table) {
  return certs::state_digest(parts.hashes, table.state->to_json());
}

/// The round, still open, its table working, and the mix of its shoe durable.
struct OpenRound {
  const Round* round;
  const Table* table;
  bool mix_durable;
};
Result<OpenRound> opened(const Call& call, const Round* round) {
  const auto* table = call.world().table(round->table);
  TALLA_TRY_STATUS(table_works(*table));
  if (round->ended) return fail(Errc::wrong_state, "the round is over");
  const auto* shoe = table->live_shoe ? call.world().shoe(*table->live_shoe) : nullptr;
  return OpenRound{round, table, shoe == nullptr || call.tx.durable(shoe->mix_seq)};
}
Result<OpenRound> open_round(const Call& call, const std::string& round_id) {
  TALLA_TRY(const auto* round, own_round(call, round_id));
  return opened(call, round);
}

/// Nothing of a round is decided while a call is open in it.
Status no_call(const Round& round) {
  if (!round.open_call) return {};
  return fail(Errc::turn_open, "the call before is not answered yet");
}

/// The same for who acts for this seat: the table, or the client whose key ROUND_OPEN names for it.
Result<OpenRound> seated_round(const Call& call, const std::string& round_id, std::int64_t seat) {
  const auto seq = certs::object_seq("round", round_id);
  const auto* round = seq ? call.world().round(*seq) : nullptr;
  const auto own = round == nullptr ? std::nullopt : seat_of(call.client, *round);
  if (!own) return open_round(call, round_id);
  if (own == seat) return opened(call, round);
  // A client that has opened the table too acts for every seat.
  const auto* table = call.world().table(round->table);
  if (table->client == call.client.id) return opened(call, round);
  return fail(Errc::not_your_seat,
              "seat " + std::to_string(seat) + " is not yours, which is " + std::to_string(*own));
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
Result<std::vector<certs::SeatKey>> read_keys(const Call& call) {
  std::vector<certs::SeatKey> keys;
  for (const auto& item : call.body.list("keys")) {
    const Asked one(item);
    certs::SeatKey key{.seat = one.integer("seat"), .spki = {}};
    if (auto spki = from_base64(one.text("spki"))) key.spki = std::move(*spki);
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

void read_choice(const Asked& body, certs::ActionBody& action) {
  action.time_out = body.flag("time_out");
  if (action.time_out) return;
  action.action = body.text("do");
  action.bet = body.text_or("bet", {});
  action.to = body.text_or("to", {});
  if (body.has("amount")) action.amount = body.integer("amount");
  for (const auto& card : body.list("cards")) action.cards.push_back(card.string());
}

}  // namespace

namespace {

/// "last": true, a number of rounds, "shoe"; false or left out: nothing is announced.
Result<std::optional<games::LastRound>> read_announcement(const Asked& body) {
  const auto* said = body.find("last");
  if (said == nullptr || *said == json::Value(false)) return std::optional<games::LastRound>();
  const auto last = games::session_end_from(*said);
  if (!last) return fail(Errc::malformed_request, last.error().detail);
  return std::optional<games::LastRound>(*last);
}

}  // namespace

Outcome new_round(const Call& call, const std::string& table_id) {
  TALLA_TRY(const auto last, read_announcement(call.body));
  TALLA_TRY(auto keys, read_keys(call));
  TALLA_TRY(const auto* table, working_table(call, table_id));
  if (!table->rules) return refuse(Errc::not_settled_here, "a client-settled table has no rounds");
  if (table->live_round) {
    return refuse(Errc::round_open, "a round is open",
                  {{"round", certs::object_id("round", *table->live_round)}});
  }
  const auto needs = table->needs();
  if (games::find_need<games::ShoeNeed>(needs) != nullptr &&
      games::find_need<games::Decide>(needs) == nullptr) {
    if (const auto* shoe = table->live_shoe ? call.world().shoe(*table->live_shoe) : nullptr;
        shoe != nullptr && !shoe->progress.mix)
      return refuse(Errc::shoe_not_mixed, "mix the shoe first", {{"shoe", shoe->id}});
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
  TALLA_TRY(auto draft, BetDraft::from_json(call.body.whole()));
  if (open.round->bets_closed)
    return refuse(Errc::bets_not_open, "the bets of this round are closed");
  if (!open.mix_durable) return defer();
  TALLA_TRY(auto played, play_draft(*open.table, draft));
  call.tx.group().documents.push_back(
      {certs::documents::bets(round_id), json::canonical(draft.to_json())});
  const auto seq = open.round->seq;
  Documents::take_draft(call.world(), seq, std::move(draft), std::move(played));
  return Done{view_of(call, seq), 200, {}};
}

Outcome close_bets(const Call& call, const std::string& round_id) {
  TALLA_TRY(const auto open, open_round(call, round_id));
  if (open.round->bets_closed)
    return refuse(Errc::bets_not_open, "the bets of this round are closed");
  TALLA_TRY_STATUS(no_call(*open.round));
  if (open.table->open.policy.mix == certs::MixRule::round && open.table->open_call &&
      certs::object_seq("shoe", open.table->open_call->object)) {
    // What it mixes would be known while these bets could still be made.
    return refuse(Errc::turn_open, "the call before is not answered yet",
                  {{"call", open.table->open_call->seq}});
  }
  BetDraft bets = open.round->draft;
  if (!call.body.empty()) {
    TALLA_TRY(bets, BetDraft::from_json(call.body.whole()));
  }
  if (!open.mix_durable) return defer();
  certs::BetsClosedBody body;
  body.digest = certs::bets_digest(call.parts.hashes, certs::bets_json(bets.bets));
  body.bets = std::move(bets.bets);
  body.withdrawn = std::move(bets.withdrawn);
  const auto seq = open.round->seq;
  TALLA_TRY(const auto parts, certs::in_parts(std::move(body)));
  for (const auto& part : parts) {
    TALLA_TRY_STATUS(call.tx.add({certs::Kind::bets_closed, round_id, {}, part.to_json()}));
  }
  call.tx.group().documents.push_back({certs::documents::bets(round_id), {}});
  TALLA_TRY_STATUS(finish_round(call.parts, call.tx, seq));
  return Done{view_of(call, seq), 200, {}};
}

Outcome take_action(const Call& call, const std::string& round_id) {
  certs::ActionBody body;
  body.seat = call.body.integer("seat");
  TALLA_TRY(const auto open, seated_round(call, round_id, body.seat));
  read_choice(call.body, body);
  body.state_before = present_state(call.parts, *open.table);
  if (call.body.digest("expected_state") != body.state_before) {
    return refuse(Errc::wrong_state, "not the present state",
                  {{"state_digest", to_hex(body.state_before)}});
  }
  if (open.round->open_call)
    return refuse(Errc::wrong_state, "the draw of this round is under way");
  if (const auto event = certs::action_event(body); !event)
    return tl::unexpected<Failure>(event.error());
  const auto seq = open.round->seq;
  TALLA_TRY_STATUS(call.tx.add({certs::Kind::action, round_id, {}, body.to_json()}));
  TALLA_TRY_STATUS(finish_round(call.parts, call.tx, seq));
  return Done{view_of(call, seq), 200, {}};
}

Outcome misdeal(const Call& call, const std::string& round_id) {
  TALLA_TRY(const auto open, dealt_round(call, round_id));
  certs::MisdealBody body;
  body.code = call.body.text("code");
  body.place = call.body.text_or("place", {});
  if (call.body.has("amount")) body.amount = call.body.integer("amount");
  const auto present = present_state(call.parts, *open.table);
  if (call.body.digest("expected_state") != present)
    return refuse(Errc::wrong_state, "not the present state", {{"state_digest", to_hex(present)}});
  if (open.round->open_call)
    return refuse(Errc::wrong_state, "the draw of this round is under way");
  if (!open.mix_durable) return defer();
  const auto* rule = open.table->rules->rules().error(body.code);
  if (rule == nullptr)
    return tl::unexpected<Failure>(
        Error(games::Errc::misdeal_unknown, "the catalogue has no error of that code"));
  body.effect = rule->effect;
  const auto seq = open.round->seq;
  TALLA_TRY_STATUS(call.tx.add({certs::Kind::misdeal, round_id, {}, body.to_json()}));
  TALLA_TRY_STATUS(finish_round(call.parts, call.tx, seq));
  return Done{view_of(call, seq), 200, {}};
}

Outcome confirm_hand(const Call& call, const std::string& round_id) {
  TALLA_TRY(const auto open, dealt_round(call, round_id));
  certs::HandConfirmedBody body;
  body.state_before = present_state(call.parts, *open.table);
  if (call.body.digest("expected_state") != body.state_before) {
    return refuse(Errc::wrong_state, "not the present state",
                  {{"state_digest", to_hex(body.state_before)}});
  }
  TALLA_TRY_STATUS(no_call(*open.round));
  if (!open.mix_durable) return defer();
  const auto seq = open.round->seq;
  TALLA_TRY_STATUS(call.tx.add({certs::Kind::hand_confirmed, round_id, {}, body.to_json()}));
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
    TALLA_TRY_STATUS(tx.add({certs::Kind::meter, table->id, {settlement}, body.to_json()}));
  }
  return {};
}

}  // namespace

Status add_round_end(Transaction& tx, ObjectSeq seq, const Digest& state_after) {
  const auto* round = tx.world().round(seq);
  const auto* table = tx.world().table(round->table);
  const auto* shoe = table->live_shoe ? tx.world().shoe(*table->live_shoe) : nullptr;
  const certs::RoundEndBody body{.state_after = state_after,
                                 .dealt = shoe == nullptr ? 0U : shoe->progress.dealt,
                                 .counts = table->counts};
  const auto id = round->id;
  TALLA_TRY_STATUS(tx.add({certs::Kind::round_end, id, {}, body.to_json()}));
  return {};
}

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
  return add_round_end(tx, seq, after);
}

namespace {

/// What an act on the present state names.
SchemaMember expected_state() {
  return required("expected_state", Schema::digest().about("state_digest of the round"));
}

Schema bets_schema(bool whole) {
  const auto bets = Schema::list(bet_schema(), 0, bets_max);
  const auto withdrawn = Schema::list(Schema::text(), 0, withdrawn_max).about("ids of bets");
  return Schema::object(
      {whole ? required("bets", bets) : optional("bets", bets), optional("withdrawn", withdrawn)});
}

Schema action_schema() {
  const auto seat = required("seat", Schema::integer(certs::from_one));
  return Schema::either(
      {Schema::object(
           {expected_state(), seat, required("do", Schema::text(1).about("as `needs` has it")),
            optional("bet", Schema::text(1).about("id of the bet it is about")),
            optional("amount", Schema::integer(1, games::units_max).about("units")),
            optional("cards", Schema::list(Schema::text(1)).about("places of the cards it names")),
            optional("to", Schema::text(1).about("a position, where the action names one"))}),
       Schema::object({expected_state(), seat,
                       required("time_out", Schema::exactly(true).about(
                                                "the seat said nothing in its time"))})});
}

/// As the rules take it: the greatest number of rounds that can be announced.
std::int64_t last_rounds_max() {
  std::int64_t most = 2;
  while (games::session_end_from(most + 1)) ++most;
  return most;
}

Schema new_round_schema() {
  const auto last = Schema::either({Schema::flag(), Schema::integer(2, last_rounds_max()),
                                    Schema::exactly("shoe")})
                        .about(
                            "announces the end of the session: true, this round is the last; a "
                            "number, so many are left with it; shoe, it ends with the shoe "
                            "that is open. What the rules announce stands under session_ends "
                            "of the game");
  const auto key = Schema::object(
      {required("seat", Schema::integer(certs::seat_numbers)), required("spki", key_schema())});
  return Schema::object(
      {optional("last", last),
       optional("keys", Schema::list(key).about("keys of enrolled seats, which covered cards are "
                                                "encrypted to; a seat without one has the "
                                                "table's"))});
}

}  // namespace

std::vector<Operation> round_operations() {
  constexpr RoleSet dealers{Role::table, Role::operator_};
  const auto kept = reply_of("RoundReply", "round", round_schema(), {receipts_member()});
  const auto draft = reply_of("RoundDraft", "round", round_schema());
  return {
      {.row = {"newRound", "POST", "/v1/tables/{table}/rounds", {Role::table}, true},
       .handler = new_round,
       .words = {"rounds", "Open a round",
                 "From now on bets are taken. Of a table that the appliance settles only."},
       .body = new_round_schema(),
       .query = {},
       .replies = {{kept, 201}},
       .example_body = R"({"last":true})",
       .example_reply = R"({"round":{"bets":[],"cards":[],"id":"round-9","number":1,"results":[],)"
                        R"("state":"betting","table":"table-4","withdrawn":[]},)"
                        R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"}]})"},
      {.row = {"bets", "POST", "/v1/rounds/{round}/bets", {Role::table}, false},
       .handler = put_bets,
       .words = {"rounds", "Replace the whole draft of bets",
                 "The draft is durable and judged by the rules; it makes no record, so it needs no "
                 "key. What counts is what closing the bets records."},
       .body = bets_schema(true),
       .query = {},
       .replies = {{draft}},
       .example_body = R"({"bets":[{"id":"a1","kind":"rojo","seat":1,"stake":50}]})",
       .example_reply = R"({"round":{"bets":[],"cards":[],"id":"round-9","number":1,"results":[],)"
                        R"("state":"betting","table":"table-4","withdrawn":[]}})"},
      {.row = {"closeBets", "POST", "/v1/rounds/{round}/close-bets", {Role::table}, true},
       .handler = close_bets,
       .words = {"rounds", "Close the bets: confirm the draft, or send them all",
                 "Bets are durable before the first card or draw of their round. An empty body "
                 "confirms the draft."},
       .body = bets_schema(false),
       .query = {},
       .replies = {{kept}},
       .example_body = R"({"bets":[{"id":"a1","kind":"rojo","seat":1,"stake":50}]})",
       .example_reply = R"({"round":{"bets":[],"cards":[],"id":"round-9","number":1,"results":[],)"
                        R"("state":"playing","table":"table-4","withdrawn":[]},)"
                        R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"}]})"},
      {.row = {"action", "POST", "/v1/rounds/{round}/actions", {Role::table, Role::seat}, true},
       .handler = take_action,
       .words =
           {"rounds", "Decide for a seat",
            "`needs` has the choices. A client with the role seat acts for its own seat alone."},
       .body = action_schema(),
       .query = {},
       .replies = {{kept}},
       .example_body =
           R"({"do":"stand",)"
           R"("expected_state":)"
           R"("00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff","seat":1})",
       .example_reply = R"({"round":{"bets":[],"cards":[],"id":"round-9","number":1,"results":[],)"
                        R"("state":"playing","table":"table-4","withdrawn":[]},)"
                        R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"}]})"},
      {.row = {"misdeal", "POST", "/v1/rounds/{round}/misdeal", dealers, true},
       .handler = misdeal,
       .words = {"rounds", "State an error of the dealing, by the code of the catalogue's table",
                 "The rules say what it does to the round."},
       .body = Schema::object(
           {expected_state(), required("code", Schema::text(1).about("of the game's errors")),
            optional("place", place_schema()),
            optional("amount",
                     Schema::integer(1, games::units_max).about("chips put in by this error"))}),
       .query = {},
       .replies = {{kept}},
       .example_body = R"({"code":"weather",)"
                       R"("expected_state":)"
                       R"("00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff"})",
       .example_reply = R"({"round":{"bets":[],"cards":[],"id":"round-9","number":1,"results":[],)"
                        R"("state":"ended","table":"table-4","withdrawn":[]},)"
                        R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"}]})"},
      {.row = {"confirmHand", "POST", "/v1/rounds/{round}/confirm", dealers, true},
       .handler = confirm_hand,
       .words =
           {"rounds", "Confirm the complete hand of a table that waits for it",
            "At a table with settle_on = confirmation: staff found no error, so it is settled."},
       .body = Schema::object({expected_state()}),
       .query = {},
       .replies = {{kept}},
       .example_body = R"()"
                       R"({"expected_state":)"
                       R"("00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff"})",
       .example_reply = R"({"round":{"bets":[],"cards":[],"id":"round-9","number":1,"results":[],)"
                        R"("state":"ended","table":"table-4","withdrawn":[]},)"
                        R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"}]})"},
  };
}

}  // namespace talla::core
