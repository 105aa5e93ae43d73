// The commands of a shoe: sealed, mixed, shuffled again, closed.
#include "again.hpp"
#include "calls.hpp"
#include "catalogues.hpp"
#include "commands.hpp"
#include "format/candidates.hpp"
#include "format/game_events.hpp"
#include "operations.hpp"
#include "play.hpp"
#include "schemas.hpp"
#include "shuffle/deck.hpp"
#include "views.hpp"

namespace talla::core {
namespace {

struct ShoeWish {
  shuffle::DeckSpec deck = shuffle::DeckSpec::french(1);
  std::uint32_t stop_depth = 0;
  bool covered = false;
};

/// The catalogue's game behind a client-settled table; null for a bare deck or range.
const games::GameRules* game_of(const Call& call, const Table& table) {
  const auto catalogue = call.parts.catalogues.by_digest(table.open.catalogue);
  return catalogue ? catalogue->game(table.open.game) : nullptr;
}

Result<ShoeWish> wish_of(const Call& call, const Table& table) {
  ShoeWish wish;
  if (table.rules) {
    const auto needs = table.needs();
    const auto* need = games::find_need<games::ShoeNeed>(needs);
    if (need == nullptr) return fail(Errc::wrong_state, "the game needs no new shoe now");
    TALLA_TRY(wish.deck, shuffle::DeckSpec::parse(need->deck));
    wish.stop_depth = need->stop_depth;
    wish.covered = need->covered;
    if (call.body.has("stop_depth") || call.body.has("disclosure"))
      return fail(Errc::malformed_request,
                  "stop_depth, disclosure: the rules of the game say them");
    return wish;
  }
  const auto* deck = table.open.parameters.find("deck");
  if (deck == nullptr)
    return fail(Errc::not_settled_here, "this table draws from a range, not from a shoe");
  TALLA_TRY(wish.deck, shuffle::DeckSpec::parse(deck->string()));
  if (call.body.has("stop_depth")) {
    wish.stop_depth = call.body.u32("stop_depth");
    if (wish.stop_depth > wish.deck.cards_count())
      return fail(Errc::malformed_request, "stop_depth: at most the cards of the shoe");
  } else if (const auto* game = game_of(call, table); game != nullptr && game->shoe) {
    wish.stop_depth = game->shoe->stop_depth;
  }
  wish.covered = call.body.text_or("disclosure", "public") == "covered";
  return wish;
}

}  // namespace

Outcome new_shoe(const Call& call, const std::string& table_id) {
  TALLA_TRY(const auto* table, working_table(call, table_id));
  if (table->live_shoe) {
    return refuse(Errc::shoe_live, "the table has a live shoe",
                  {{"shoe", certs::object_id("shoe", *table->live_shoe)}});
  }
  TALLA_TRY(const auto wish, wish_of(call, *table));
  certs::ShoeTerms terms;
  terms.table = table_id;
  terms.number = table->shoes_count + 1;
  terms.stop_depth = wish.stop_depth;
  terms.covered = wish.covered;
  const auto candidates = table->open.policy.candidates;
  if (candidates > 1 && !wish.covered)
    return refuse(Errc::malformed_request,
                  "disclosure: a table with candidates has covered shoes alone: say covered");

  EntropyTaker taker(call.parts);
  const auto id = certs::object_id("shoe", call.tx.next_seq());
  TALLA_TRY(auto made, candidates == 1
                           ? certs::SealedShoe::make(call.parts.hashes, id, wish.deck, taker.bits())
                           : certs::ShoeCandidates::make(call.parts.hashes, id, wish.deck,
                                                         taker.bits(), candidates));
  terms.context = commitment_context(call.parts, *table, taker.evidence());
  const auto shoe = std::make_shared<const certs::SealedShoe>(std::move(made));
  TALLA_TRY(const auto body, shoe->commit_body(terms));
  TALLA_TRY_STATUS(call.tx.seal_next(certs::Kind::shoe_commit, shoe->secret()));
  TALLA_TRY(const auto added,
            call.tx.add(
                {certs::Kind::shoe_commit, {}, commitment_cites(call, table->seq), body.to_json()},
                {shoe, nullptr, taker.window()}));
  return Done{{{"shoe", shoe_view(*call.world().shoe(added))}}, 201, {}};
}

namespace {

/// The shuffle that the rules ask for now, of a shoe that can do it.
Result<games::Shuffle> shuffle_due(const Table& table, const Shoe& shoe) {
  if (!table.rules)
    return fail(Errc::not_settled_here, "a client-settled table shuffles nothing again");
  const auto needs = table.needs();
  const auto* due = games::find_need<games::Shuffle>(needs);
  if (due == nullptr) return fail(Errc::wrong_state, "the rules ask for no shuffle now");
  if (!shoe.live()) return fail(Errc::shoe_finished, "the shoe is closed");
  if (!shoe.progress.mix) return fail(Errc::shoe_not_mixed, "mix the shoe first");
  if (shoe.progress.dealt == 0)
    return fail(Errc::wrong_state, "nothing was dealt since the last mix");
  if (shoe.replaced.size() >= certs::recommits_max) {
    return fail(Errc::limit_exceeded, "this shoe was shuffled again " +
                                          std::to_string(certs::recommits_max) +
                                          " times: close it and take a new one");
  }
  return *due;
}

}  // namespace

Outcome recommit_shoe(const Call& call, const std::string& shoe_id) {
  TALLA_TRY(const auto* shoe, own_shoe(call, shoe_id));
  const auto* table = call.world().table(shoe->table);
  TALLA_TRY_STATUS(table_works(*table));
  TALLA_TRY(const auto due, shuffle_due(*table, *shoe));
  if (!shoe->secrets)
    return refuse(Errc::secret_unusable, "the shoe's sealed secret does not open");
  certs::ShoeRecommitBody body;
  body.of = shoe->commit.root;
  body.rule = due.rule;
  auto back = certs::cards_back(due, shoe->laid);
  if (!back) return refuse(Errc::wrong_state, "other cards lie there than the rules count");
  body.returned = std::move(back->returned);
  body.older = std::move(back->older);
  EntropyTaker taker(call.parts);
  TALLA_TRY(auto made,
            certs::SealedShoe::make_again(
                *shoe->secrets, {shoe->progress, shoe->replaced, body.returned, body.older},
                taker.bits()));
  const auto again = std::make_shared<const certs::SealedShoe>(std::move(made));
  certs::ShoeTerms terms;
  terms.table = shoe->commit.table;
  terms.number = shoe->commit.number;
  terms.stop_depth = shoe->commit.stop_depth;
  terms.burn = shoe->commit.burn;
  terms.covered = shoe->commit.covered;
  terms.context = commitment_context(call.parts, *table, taker.evidence());
  TALLA_TRY(body.commit, again->commit_body(terms));
  const auto seq = shoe->seq;
  TALLA_TRY_STATUS(call.tx.seal_next(certs::Kind::shoe_recommit, again->secret(), shoe_id));
  TALLA_TRY_STATUS(
      call.tx.add({certs::Kind::shoe_recommit, shoe_id, commitment_cites(call), body.to_json()},
                  {again, nullptr, taker.window()}));
  return Done{{{"shoe", shoe_view(*call.world().shoe(seq))}}, 200, {}};
}

namespace {

/// The record that the CALL of a mix cites, where its core stands.
tl::expected<std::uint64_t, Failure> mix_stands(const Call& call, const Table& table) {
  const auto& core = call.signed_call->body.core;
  auto head = head_of_call(call, table);
  if (!head) return head;
  TALLA_TRY(const auto* shoe, own_shoe(call, core.object));
  TALLA_TRY_STATUS(core_says(shoe->table == table.seq, "table"));
  if (!shoe->live() || !shoe->progress.mix_due) {
    return refuse(Errc::wrong_state, "the shoe is mixed already",
                  {{"state", stage_name(shoe->stage)}});
  }
  if (table.rules && shoe->recommits() != 0 && !shoe->progress.mix) {
    const auto needs = table.needs();
    const auto* due = games::find_need<games::Shuffle>(needs);
    if (due == nullptr || due->places != shoe->going_back)
      return refuse(Errc::wrong_state,
                    "the rules do not ask for this shuffle any more: close the shoe");
  }
  if (shoe->spoiled)
    return refuse(Errc::wrong_state,
                  "a call of this shoe ended before its root was picked: close it, which opens all "
                  "of them, and take a new one");
  if (core.root != shoe->commit.root) {
    return refuse(Errc::wrong_root, "not the root of this shoe",
                  {{"root", to_hex(shoe->commit.root)}});
  }
  if (!shoe->secrets)
    return refuse(Errc::secret_unusable, "the shoe's sealed secret does not open");
  TALLA_TRY_STATUS(core_says(core.at == shoe->progress.dealt, "at"));
  TALLA_TRY_STATUS(
      core_says(core.mix() == certs::MixSpecification{certs::candidates_count(shoe->commit),
                                                      shoe->commit.cards - shoe->progress.dealt},
                "specification"));
  const auto* round = table.live_round ? call.world().round(*table.live_round) : nullptr;
  TALLA_TRY_STATUS(core_says(core.round == (round == nullptr ? "0" : round->id), "round"));
  TALLA_TRY_STATUS(core_says(core.bets == bets_so_far(call.parts.hashes, round), "bets"));
  if (auto within = within_voids(table, core); !within)
    return tl::unexpected<Failure>(std::move(within.error()));
  return head;
}

}  // namespace

Outcome mix_shoe(const Call& call, const std::string& shoe_id) {
  TALLA_TRY_STATUS(core_says(call.signed_call->body.core.object == shoe_id, "object"));
  auto judged = judge_call(call, certs::CallUse::mix);
  if (!judged) return tl::unexpected<Failure>(std::move(judged.error()));
  if (auto* again = std::get_if<CallAgain>(&*judged)) return std::move(*again);
  const auto& table = *std::get<CallDue>(*judged).table;
  const auto head = mix_stands(call, table);
  if (!head) return lapse(call, head.error());
  auto record = call_record(table, call.signed_call->body, *head);
  TALLA_TRY(const auto own, certs::object_seq("shoe", shoe_id));
  cite_shoe_before(table, *call.world().shoe(own), record.cites);
  TALLA_TRY(const auto made, call.tx.add({certs::Kind::call, shoe_id, std::move(record.cites),
                                          record.body.to_json()}));
  if (!call.signed_call->body.core.others.empty()) return waits_for_others(call, made);
  // With the table's number alone nobody is waited for: both stand in one group.
  TALLA_TRY_STATUS(complete_mix(call.tx, own));
  return Done{{{"shoe", shoe_view(*call.world().shoe(own))}}, 200, {}};
}

Status complete_mix(Transaction& tx, ObjectSeq seq) {
  const auto* shoe = tx.world().shoe(seq);
  if (!shoe->call) return fail(Errc::wrong_state, "no such open call");
  if (!shoe->secrets) return fail(Errc::secret_unusable, "the shoe's sealed secret does not open");
  const auto& [made, open] = *shoe->call;
  const auto id = shoe->id;
  const auto call_seq = made;
  TALLA_TRY(
      const auto body,
      shoe->secrets->mix(shoe->progress, made, open.body,
                         opened_by_all(*tx.world().table(shoe->table)->open_call, open.body.core)));
  TALLA_TRY_STATUS(tx.add({certs::Kind::shoe_mix, id, {call_seq}, body.to_json()}));
  return {};
}

namespace {

Status add_shoe_end(Transaction& tx, ObjectSeq seq, certs::ShoeCloseReason reason,
                    std::optional<std::uint64_t> ordered = {}) {
  const auto* shoe = tx.world().shoe(seq);
  if (shoe->call) return fail(Errc::turn_open, "the call before is not answered yet");
  if (!shoe->secrets) return fail(Errc::secret_unusable, "the shoe's sealed secret does not open");
  const bool sealed = shoe->commit.covered && !shoe->opens_untouched();
  TALLA_TRY(const auto body, shoe->secrets->close(shoe->progress, reason, sealed, shoe->replaced));
  const auto id = shoe->id;
  if (shoe->release) tx.group().documents.push_back({certs::documents::targets(id), {}});
  if (sealed) {
    // Nobody opened these cards: the secrets of all roots stay sealed for the auditor, under the
    // closing record.
    TALLA_TRY_STATUS(
        tx.seal_next(certs::Kind::shoe_close, shoe->secrets->secrets(shoe->replaced), id));
  }
  std::vector<std::uint64_t> cites;
  if (ordered) cites.push_back(*ordered);
  TALLA_TRY_STATUS(tx.add({certs::Kind::shoe_close, id, std::move(cites), body.to_json()}));
  tx.spend(id);
  return {};
}

/// Nobody knows its order, all of it was dealt, or the rules ask for another, or for a shuffle that
/// it can take no more of.
bool is_over(const Table& table, const Shoe& shoe) {
  if (shoe.stop_out || !shoe.progress.mix || shoe.progress.dealt == shoe.commit.cards) return true;
  if (!table.rules) return false;
  const auto needs = table.needs();
  return games::find_need<games::ShoeNeed>(needs) != nullptr ||
         (games::find_need<games::Shuffle>(needs) != nullptr &&
          shoe.replaced.size() >= certs::recommits_max);
}

/// The shoe is live, nothing of it is called for, and no round is open that the rules could play
/// from it. Errors: wrong_state, turn_open, round_open, those of the rules.
tl::expected<void, Failure> may_close(const Table& table, const Shoe& shoe) {
  TALLA_TRY_STATUS(table_works(table));
  if (!shoe.live())
    return refuse(Errc::wrong_state, "the shoe is closed", {{"state", stage_name(shoe.stage)}});
  if (shoe.call)
    return refuse(Errc::turn_open, "the call before is not answered yet",
                  {{"call", shoe.call->first}});
  const bool wanted = table.rules && games::find_need<games::ShoeNeed>(table.needs()) != nullptr;
  // In the middle of a round only the rules end a shoe: they ask for a new one.
  if (table.live_round && !wanted)
    return refuse(Errc::round_open, "a round is open",
                  {{"round", certs::object_id("round", *table.live_round)}});
  // A shoe that the rules would play on may not go; their refusal says why.
  if (table.rules && shoe.in_use() && !wanted)
    TALLA_TRY_STATUS(driver_of(table, &shoe).would_take(games::ShoeClosed{}));
  return {};
}

}  // namespace

Status add_shoe_close(Transaction& tx, ObjectSeq seq, bool stopped) {
  using certs::ShoeCloseReason;
  const auto* shoe = tx.world().shoe(seq);
  if (shoe->stop_out || stopped) return add_shoe_end(tx, seq, ShoeCloseReason::stop_card);
  const auto* table = tx.world().table(shoe->table);
  return add_shoe_end(tx, seq,
                      is_over(*table, *shoe) ? ShoeCloseReason::ended : ShoeCloseReason::closed);
}

Status add_shoe_void(Transaction& tx, ObjectSeq seq, std::optional<std::uint64_t> ordered) {
  return add_shoe_end(tx, seq, certs::ShoeCloseReason::voided, ordered);
}

Status shoe_closable(const Call& call, const std::string& shoe_id) {
  const auto seq = certs::object_seq("shoe", shoe_id);
  const auto* shoe = seq ? call.world().shoe(*seq) : nullptr;
  if (shoe == nullptr || !shoe->live()) return fail(Errc::not_found, "no such open shoe");
  const auto* table = call.world().table(shoe->table);
  if (!table->rules)
    return fail(Errc::not_settled_here, "the client of this table says when its shoe ends");
  if (auto free = may_close(*table, *shoe); !free)
    return tl::unexpected(free.error().refusal.error);
  if (is_over(*table, *shoe))
    return fail(Errc::wrong_state, "the rules are done with this shoe: its table closes it");
  return {};
}

Status close_early(const Call& call, const std::string& shoe_id, std::uint64_t ordered) {
  TALLA_TRY(const auto seq, certs::object_seq("shoe", shoe_id));
  return add_shoe_end(call.tx, seq, certs::ShoeCloseReason::closed, ordered);
}

Outcome close_shoe(const Call& call, const std::string& shoe_id) {
  TALLA_TRY(const auto* shoe, own_shoe(call, shoe_id));
  const auto seq = shoe->seq;
  const auto* table = call.world().table(shoe->table);
  if (auto free = may_close(*table, *shoe); !free)
    return tl::unexpected<Failure>(std::move(free.error()));
  if (table->rules && !is_over(*table, *shoe))
    return refuse(Errc::early_close,
                  "the rules would play on from this shoe: inspector and operator or security "
                  "officer order its close (talla act ask shoe-close)",
                  {{"object", shoe_id}, {"head", to_hex(table->heads.back().head)}});
  TALLA_TRY_STATUS(add_shoe_close(call.tx, seq));
  return Done{{{"shoe", shoe_view(*call.world().shoe(seq))}}, 200, {}};
}

std::vector<Operation> shoe_operations() {
  const auto shoe = reply_of("ShoeReply", "shoe", shoe_schema(), {receipts_member()});
  return {
      {.row = {"newShoe", "POST", "/v1/tables/{table}/shoes", {Role::table}, true},
       .handler = new_shoe,
       .words = {"shoes", "Shuffle and seal a shoe",
                 "The root of a tree over the order of the cards is in the log; the order leaves "
                 "the appliance card by card. Its mix comes next."},
       .body = Schema::object(
           {optional("stop_depth", Schema::integer(0, certs::shoe_cards.max)
                                       .about("cards behind the stop card; client-settled tables "
                                              "only")),
            optional("disclosure",
                     Schema::one_of({"public", "covered"})
                         .about("client-settled tables only; covered: cards that nobody opened "
                                "stay private when the shoe closes"))}),
       .query = {},
       .replies = {{shoe, 201}},
       .example_body = "{}",
       .example_reply =
           R"({"shoe":{"cards":416,"deck":"french52x8","id":"shoe-5",)"
           R"("number":1,"position":0,)"
           R"("root":"5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("state":"committed","stop_card_out":false,"stop_depth":60,"table":"table-4"},)"
           R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\\n","record":"{}"}]})"},
      {.row = {"mixShoe", "POST", "/v1/shoes/{shoe}/mix", {Role::table}, true},
       .handler = mix_shoe,
       .words = {"shoes", "Mix the shoe by a call of the table",
                 "The root named is the newest: verify its receipt, then sign the call. From both "
                 "follows a full permutation, so that nobody has chosen the order alone. At a "
                 "table with `mix: round` the leaves that are not dealt are mixed again behind the "
                 "bets of each round."},
       .body = call_schema(),
       .query = {},
       .replies = {{Schema::named("MixReply",
                                  Schema::either({shoe, called_reply(), lapsed_reply()}))}},
       .example_body =
           R"({"core":{"at":0,)"
           R"("bets":"5b1b5cd3a5a3ac7d4b6b4d3c1f0e2d3a4b5c6d7e8f90123456789abcdef01234",)"
           R"("catalogue":"0000000000000000000000000000000000000000000000000000000000000000",)"
           R"("game":"","head":"17c2b6d1a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e",)"
           R"("object":"shoe-5","origin":"casino.example/talla","others":[],)"
           R"("parameters":"9e1b5cd3a5a3ac7d4b6b4d3c1f0e2d3a4b5c6d7e8f90123456789abcdef01234",)"
           R"("root":"5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("round":"0","specification":{"candidates":1,"places":416},"table":"table-4",)"
           R"("turn":1,"type":"talla-call","use":"mix","v":2,)"
           R"("value":"c2b1c4b6a34a2f6cbbbd36ff9b2e6a3c4bb8a4dbfb6f4d3f4f0de6f3f0a1b2c3",)"
           R"("variant":""},"signature":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA)"
           R"(AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="})",
       .example_reply =
           R"({"shoe":{"cards":416,"deck":"french52x8","id":"shoe-5",)"
           R"("number":1,"position":0,)"
           R"("root":"5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("mixed":6,"state":"mixed","stop_card_out":false,"stop_depth":60,"table":"table-4"},)"
           R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\\n","record":"{}"}]})",
       .makes_call = true},
      {.row = {"recommitShoe", "POST", "/v1/shoes/{shoe}/recommit", {Role::table}, true},
       .handler = recommit_shoe,
       .words = {"shoes", "Shuffle cards back into the shoe where the rules ask for it",
                 "Where `needs` says shuffle: the cards of those places go back under a new root, "
                 "to be mixed before the next card."},
       .body = nothing_schema(),
       .query = {},
       .replies = {{shoe}},
       .example_body = "{}",
       .example_reply =
           R"({"shoe":{"cards":416,"deck":"french52x8","id":"shoe-5",)"
           R"("number":1,"position":0,)"
           R"("root":"5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("state":"committed","stop_card_out":false,"stop_depth":60,"table":"table-4"},)"
           R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\\n","record":"{}"}]})"},
      {.row = {"closeShoe", "POST", "/v1/shoes/{shoe}/close", {Role::table}, true},
       .handler = close_shoe,
       .words = {"shoes", "Close a shoe",
                 "A public shoe opens everything: whoever has the records checks each card and the "
                 "shuffle. Of a covered one the unopened cards stay private."},
       .body = nothing_schema(),
       .query = {},
       .replies = {{shoe}},
       .example_body = "{}",
       .example_reply =
           R"({"shoe":{"cards":416,"deck":"french52x8","id":"shoe-5",)"
           R"("number":1,"position":0,)"
           R"("root":"5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("state":"closed","stop_card_out":false,"stop_depth":60,"table":"table-4"},)"
           R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\\n","record":"{}"}]})"},
  };
}

}  // namespace talla::core
