// The commands that deal and open cards.
#include "cards.hpp"
#include "commands.hpp"
#include "play.hpp"
#include "views.hpp"

namespace talla::core {
namespace {

/// How far one request deals.
struct Extent {
  bool to_needs = false;
  std::uint32_t count = 0;
};

Result<Extent> read_extent(json::Reader& reader, std::uint32_t cards) {
  const auto* until = reader.optional("until");
  if (until == nullptr)
    return fail(Errc::malformed_request, "until: expected \"needs\" or a count");
  if (until->is_string() && until->string() == "needs") return Extent{true, cards};
  if (until->is_integer() && until->integer() >= 1 && until->integer() <= std::int64_t{cards}) {
    return Extent{false, static_cast<std::uint32_t>(until->integer())};
  }
  return fail(Errc::malformed_request,
              "until: expected \"needs\" or a count from 1 to the cards of the shoe");
}

/// The acts before the round's next card must be on disk. False: run it again in the next group.
bool acts_durable(const Call& call, const Table& table, const Shoe& shoe) {
  if (!call.tx.durable(shoe.cut_seq)) return false;
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

Result<DealTo> read_place(json::Reader& reader) {
  DealTo to;
  TALLA_TRY(to.place, reader.string("place"));
  if (to.place.empty() || to.place.size() > 64) {
    return fail(Errc::malformed_request, "place: 1 to 64 characters");
  }
  TALLA_TRY(const auto face, reader.string("face"));
  const auto known = games::face_from(face);
  if (!known) return fail(Errc::malformed_request, "face: expected open, covered or unseen");
  to.face = certs::face_of(*known);
  if (!reader.has("seat")) return to;
  if (to.face != certs::Face::covered)
    return fail(Errc::malformed_request, "seat: only a covered card is for a seat");
  TALLA_TRY(const auto seat, reader.integer("seat", 1, UINT32_MAX));
  to.seats.push_back(static_cast<games::Seat>(seat));
  return to;
}

/// The card that `open` names: under the newest root unless it says `recommits`.
Result<CardAt> read_card(json::Reader& reader, const Shoe& shoe) {
  CardAt at{shoe.recommits(), 0};
  if (reader.has("recommits")) {
    TALLA_TRY(const auto recommits, reader.integer("recommits", 0, std::int64_t{shoe.recommits()}));
    at.recommits = static_cast<std::uint32_t>(recommits);
  }
  TALLA_TRY(const auto position, reader.integer("position", 0, 1023));
  at.position = static_cast<std::uint32_t>(position);
  return at;
}

}  // namespace

Outcome deal_cards(const Call& call, const std::string& shoe_id) {
  TALLA_TRY(const auto* shoe, own_shoe(call, shoe_id));
  const auto* table = call.world().table(shoe->table);
  TALLA_TRY_STATUS(table_works(*table));
  json::Reader reader(call.body, "deal");
  TALLA_TRY(const auto expected, reader.integer("expected", 0, json::integer_max));
  TALLA_TRY(const auto extent, read_extent(reader, shoe->commit.cards));
  DealTo to;
  if (!table->rules) {
    TALLA_TRY(to, read_place(reader));
  }
  TALLA_TRY_STATUS(reader.finish());
  if (!shoe->live()) return refuse(Errc::shoe_finished, "the shoe is closed");
  if (shoe->commit.cut == certs::CutMode::none)
    return refuse(Errc::wrong_state, "the shoe is cut by hand: its cards are not dealt here");
  if (!shoe->progress.offset) return refuse(Errc::shoe_not_cut, "cut the shoe first");
  if (shoe->release && !shoe->release->report)
    return refuse(Errc::wrong_state, "the machine has not reported its shuffle yet");
  if (expected != std::int64_t{shoe->progress.dealt}) {
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
  json::Reader reader(call.body, "open");
  TALLA_TRY(const auto at, read_card(reader, *shoe));
  TALLA_TRY_STATUS(reader.finish());
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

}  // namespace talla::core
