// The commands that deal and open cards.
#include "cards.hpp"
#include "commands.hpp"
#include "operations.hpp"
#include "play.hpp"
#include "schemas.hpp"
#include "views.hpp"

namespace talla::core {
namespace {

/// How far one request deals.
struct Extent {
  bool to_needs = false;
  std::uint32_t count = 0;
};

Result<Extent> read_extent(const Asked& body, std::uint32_t cards) {
  const auto& until = body.at("until");
  if (until.is_string()) return Extent{true, cards};
  const auto count = body.u32("until");
  if (count <= cards) return Extent{false, count};
  return fail(Errc::malformed_request,
              "until: expected \"needs\" or a count from 1 to the cards of the shoe");
}

/// The acts before the round's next card must be on disk. False: run it again in the next group.
bool acts_durable(const Call& call, const Table& table, const Shoe& shoe) {
  if (!call.tx.durable(shoe.mix_seq)) return false;
  if (!table.live_round) return true;
  const auto* round = call.world().round(*table.live_round);
  return round->last_act == 0 || call.tx.durable(round->last_act);
}

/// The table and its shoe while cards are dealt; read anew after each record.
struct Dealing {
  const Call& call;
  ObjectSeq shoe_seq;
  ObjectSeq table_seq;
  json::Array cards;     // dealt so far
  json::Array revealed;  // turned so far
  bool shoe_over = false;

  [[nodiscard]] const Shoe& shoe() const { return *call.world().shoe(shoe_seq); }
  [[nodiscard]] const Table& table() const { return *call.world().table(table_seq); }
  [[nodiscard]] bool round_over() const {
    const auto& live = table().live_round;
    return live && call.world().round(*live)->bets_closed &&
           games::find_need<games::Settled>(table().needs()) != nullptr;
  }
};

/// Cards of a round belong to it, so that its evidence holds them; outside one only burns are
/// dealt, which the rules ask for while bets are open.
Status check_burn(const Table& table) {
  if (table.live_round || games::find_need<games::BetsOpen>(table.needs()) != nullptr) return {};
  return fail(Errc::wrong_state, "these cards are part of a round: open it first");
}

/// One step of what the rules force; false when nothing is. Errors: shoe_finished, those of the
/// records.
Result<bool> deal_step(Dealing& dealing, const Extent& extent) {
  if (dealing.shoe_over || dealing.round_over()) return false;
  const auto& table = dealing.table();
  auto driver = driver_of(table, &dealing.shoe());
  if (driver.next_card_place()) {
    if (dealing.cards.size() >= extent.count) return false;
    if (auto burn = check_burn(table); !burn) {
      if (dealing.cards.empty()) return pass(std::move(burn));
      return false;
    }
    TALLA_TRY_STATUS(driver.pass_stop_card());
    const auto due = driver.next_card_place();
    if (!due) {
      TALLA_TRY_STATUS(add_shoe_close(dealing.call.tx, dealing.shoe_seq, true));
      dealing.shoe_over = true;
      return true;
    }
    if (dealing.shoe().progress.dealt >= dealing.shoe().commit.cards) {
      if (dealing.cards.empty()) return fail(Errc::shoe_finished, "no card is left");
      return false;
    }
    TALLA_TRY_STATUS(deal_one(dealing.call, dealing.shoe_seq,
                              {due->place, certs::face_of(due->face), due->seats}, dealing.cards));
    return true;
  }
  const auto needs = table.needs();
  if (table.live_round && games::find_need<games::ReadMeter>(needs) != nullptr) {
    TALLA_TRY_STATUS(read_meters(dealing.call.tx, *table.live_round));
    return true;
  }
  const auto* reveal = games::find_need<games::Reveal>(needs);
  if (reveal == nullptr || !extent.to_needs) return false;
  const auto card = dealing.shoe().covered_at(reveal->place);
  if (!card) return fail(Errc::card_not_covered, "no covered card lies at " + reveal->place);
  TALLA_TRY(auto shown, add_card_open(dealing.call, dealing.shoe_seq, *card));
  dealing.revealed.push_back(std::move(shown));
  return true;
}

Outcome deal_by_rules(const Call& call, ObjectSeq seq, const Extent& extent) {
  Dealing dealing{call, seq, call.world().shoe(seq)->table, {}, {}, false};
  const auto round_seq = dealing.table().live_round;
  for (;;) {
    TALLA_TRY(const bool stepped, deal_step(dealing, extent));
    if (!stepped) break;
  }
  if (dealing.cards.empty() && dealing.revealed.empty() && !dealing.shoe_over) {
    return refuse(Errc::wrong_state, "no card is due",
                  {{"needs", games::to_json(dealing.table().needs())}});
  }
  json::Object body{{"cards", std::move(dealing.cards)}};
  if (!dealing.revealed.empty()) body["revealed"] = std::move(dealing.revealed);
  if (round_seq) {
    TALLA_TRY_STATUS(finish_round(call.parts, call.tx, *round_seq));
    body["round"] =
        round_view(call.parts.hashes, call.world(), *call.world().round(*round_seq), {});
  }
  body["shoe"] = shoe_view(dealing.shoe());
  body["needs"] = games::to_json(dealing.table().needs());
  return Done{std::move(body), 200, {}};
}

Outcome deal_by_client(const Call& call, ObjectSeq seq, const Extent& extent, const DealTo& to) {
  const auto* shoe = call.world().shoe(seq);
  if (extent.to_needs)
    return refuse(Errc::malformed_request, "until: a client-settled table deals a count");
  if (extent.count > shoe->commit.cards - shoe->progress.dealt) {
    return refuse(Errc::shoe_finished, "fewer cards are left",
                  {{"position", shoe->progress.dealt}});
  }
  json::Array cards;
  while (cards.size() < extent.count) {
    TALLA_TRY_STATUS(deal_one(call, seq, to, cards));
  }
  return Done{{{"cards", std::move(cards)}, {"shoe", shoe_view(*call.world().shoe(seq))}}, 200, {}};
}

Result<DealTo> read_place(const Asked& body) {
  DealTo to;
  if (!body.has("place") || !body.has("face"))
    return fail(Errc::malformed_request,
                "place, face: a client-settled table says where each card goes");
  to.place = body.text("place");
  to.face = certs::face_of(*games::face_from(body.text("face")));
  if (!body.has("seat")) return to;
  if (to.face != certs::Face::covered)
    return fail(Errc::malformed_request, "seat: only a covered card is for a seat");
  to.seats.push_back(static_cast<games::Seat>(body.integer("seat")));
  return to;
}

/// The card that `open` names: under the newest root unless it says `recommits`.
CardAt read_card(const Asked& body, const Shoe& shoe) {
  return {body.has("recommits") ? body.u32("recommits") : shoe.recommits(), body.u32("position")};
}

}  // namespace

Outcome deal_cards(const Call& call, const std::string& shoe_id) {
  TALLA_TRY(const auto* shoe, own_shoe(call, shoe_id));
  const auto* table = call.world().table(shoe->table);
  TALLA_TRY_STATUS(table_works(*table));
  TALLA_TRY(const auto extent, read_extent(call.body, shoe->commit.cards));
  DealTo to;
  if (!table->rules) {
    TALLA_TRY(to, read_place(call.body));
  } else if (call.body.has("place") || call.body.has("face") || call.body.has("seat")) {
    return refuse(Errc::malformed_request, "place, face, seat: the rules of the game say them");
  }
  if (!shoe->live()) return refuse(Errc::shoe_finished, "the shoe is closed");
  if (shoe->progress.mix_due) {
    return refuse(Errc::shoe_not_mixed, shoe->progress.mix
                                            ? "mix the shoe first: the bets of this round are "
                                              "closed"
                                            : "mix the shoe first");
  }
  if (shoe->release && !shoe->release->report)
    return refuse(Errc::wrong_state, "the machine has not reported its shuffle yet");
  if (call.body.u32("expected") != shoe->progress.dealt) {
    return refuse(Errc::wrong_position, "not the next position",
                  {{"position", shoe->progress.dealt}});
  }
  if (!acts_durable(call, *table, *shoe)) return defer();
  return table->rules ? deal_by_rules(call, shoe->seq, extent)
                      : deal_by_client(call, shoe->seq, extent, to);
}

Outcome open_card(const Call& call, const std::string& shoe_id) {
  TALLA_TRY(const auto* shoe, own_shoe(call, shoe_id));
  TALLA_TRY_STATUS(table_works(*call.world().table(shoe->table)));
  const auto at = read_card(call.body, *shoe);
  if (!shoe->can_open(at)) {
    return refuse(Errc::card_not_covered,
                  "position " + std::to_string(at.position) + " holds no covered card",
                  {{"position", shoe->progress.dealt}});
  }
  const auto* table = call.world().table(shoe->table);
  if (table->rules) {
    const auto needs = table->needs();
    const auto* due = games::find_need<games::Reveal>(needs);
    if (due == nullptr || shoe->covered_at(due->place) != at) {
      return refuse(Errc::wrong_state, "the rules do not show this card now",
                    {{"needs", games::to_json(needs)}});
    }
  }
  if (!acts_durable(call, *table, *shoe)) return defer();
  const auto seq = shoe->seq;
  const auto round = table->live_round;
  TALLA_TRY(auto shown, add_card_open(call, seq, at));
  json::Object body{{"revealed", json::Array{std::move(shown)}}};
  if (round) {
    TALLA_TRY_STATUS(finish_round(call.parts, call.tx, *round));
    body["round"] = round_view(call.parts.hashes, call.world(), *call.world().round(*round), {});
  }
  body["shoe"] = shoe_view(*call.world().shoe(seq));
  return Done{std::move(body), 200, {}};
}

std::vector<Operation> deal_operations() {
  const auto round = optional("round", round_schema());
  const auto revealed = Schema::list(revealed_card_schema()).about("covered cards turned now");
  const auto dealt = reply_of("DealReply", "cards", Schema::list(dealt_card_schema()),
                              {required("shoe", shoe_schema()), optional("revealed", revealed),
                               round, optional("needs", needs_schema()), receipts_member()});
  const auto opened = reply_of("OpenReply", "revealed", revealed,
                               {required("shoe", shoe_schema()), round, receipts_member()});
  const auto position = Schema::integer(certs::shoe_positions);
  return {
      {.row = {"deal", "POST", "/v1/shoes/{shoe}/deal", {Role::table}, true},
       .handler = deal_cards,
       .words = {"shoes", "Deal: up to what the rules need, or a count",
                 "`expected` is the position that comes next, so that a request that was lost "
                 "cannot deal twice. At a table that the appliance settles the rules say where "
                 "cards go, and a settlement comes with the reply."},
       .body = Schema::object(
           {required("expected", Schema::integer(0, certs::shoe_cards.max)
                                     .about("the next position, as the shoe's view has it")),
            required("until",
                     Schema::either({Schema::exactly("needs"), Schema::integer(certs::shoe_cards)})
                         .about("what the rules ask for now, or so many cards")),
            optional("place", place_schema()),
            optional("face",
                     Schema::one_of({"open", "covered", "unseen"}).about("client-settled tables")),
            optional("seat", Schema::integer(certs::seat_numbers)
                                 .about("covered: the seat that may look at it, with the table's "
                                        "own key; without it nobody may"))}),
       .query = {},
       .replies = {{dealt}},
       .example_body = R"({"expected":0,"face":"open","place":"punto-1","until":1})",
       .example_reply =
           R"({"cards":[{"card":"7H","face":"open","place":"punto-1","position":0}],)"
           R"("shoe":{"cards":416,"deck":"french52x8","id":"shoe-5",)"
           R"("mixed":6,"number":1,"position":1,)"
           R"("root":"5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("state":"in_play","stop_card_out":false,"stop_depth":60,"table":"table-4"},)"
           R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\\n","record":"{}"}]})"},
      {.row = {"openCard", "POST", "/v1/shoes/{shoe}/open", {Role::table}, true},
       .handler = open_card,
       .words = {"shoes", "Turn a card that was dealt covered",
                 "At a table that the appliance settles only where the rules show it."},
       .body = Schema::object(
           {required("position", position),
            optional("recommits", Schema::integer(0, std::int64_t{certs::recommits_max})
                                      .about("how often the shoe was shuffled again before it was "
                                             "dealt; without it the newest root"))}),
       .query = {},
       .replies = {{opened}},
       .example_body = R"({"position":3})",
       .example_reply =
           R"({"revealed":[{"card":"QS","place":"dealer-2","position":3}],)"
           R"("shoe":{"cards":416,"deck":"french52x8","id":"shoe-5",)"
           R"("mixed":6,"number":1,"position":1,)"
           R"("root":"5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("state":"in_play","stop_card_out":false,"stop_depth":60,"table":"table-4"},)"
           R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\\n","record":"{}"}]})"},
  };
}

}  // namespace talla::core
