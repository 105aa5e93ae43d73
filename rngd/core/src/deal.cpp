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
  if (until == nullptr) return fail(Errc::malformed_request, "until: expected \"needs\" or a count");
  if (until->is_string() && until->string() == "needs") return Extent{true, cards};
  if (until->is_integer() && until->integer() >= 1 && until->integer() <= std::int64_t{cards}) {
    return Extent{false, static_cast<std::uint32_t>(until->integer())};
  }
  return fail(Errc::malformed_request,
              "until: expected \"needs\" or a count from 1 to the cards of the shoe");
}

struct Place {
  std::string place;
  certs::Face face = certs::Face::open;
};

/// One CARD_DEAL; the card shown goes into `cards`.
Status deal_one(const Call& call, ObjectSeq seq, const Place& to, json::Array& cards) {
  const auto* shoe = call.world().shoe(seq);
  const auto* table = call.world().table(shoe->table);
  if (!shoe->secrets) return fail(Errc::secret_unusable, "the shoe's sealed secret does not open");
  certs::ShoeProgress progress = shoe->progress;
  certs::DealRequest request;
  request.position = progress.dealt;
  request.place = to.place;
  request.face = to.face;
  if (table->live_round && table->rules) request.round = certs::object_id("round", *table->live_round);
  TALLA_TRY(const auto body, shoe->secrets->deal(progress, request));
  json::Object shown{{"position", body.position},
                     {"place", body.place},
                     {"face", to.face == certs::Face::open ? "open" : "unseen"}};
  if (body.opening) shown["card"] = body.opening->card;
  std::vector<std::uint64_t> cites;
  if (!request.round.empty()) {
    const auto* round = call.world().round(*table->live_round);
    if (round->bets_closed) cites = {*round->bets_closed, round->last_act};
  }
  TALLA_TRY(const auto added,
            call.tx.add({certs::Kind::card_deal, shoe->id, std::move(cites), body.to_json()}));
  static_cast<void>(added);
  cards.emplace_back(std::move(shown));
  return {};
}

/// What the rules deal next, or nothing. Errors: shoe_finished when the stop card takes the card away.
Result<std::optional<Place>> next_place(const Table& table, const Shoe& shoe) {
  auto driver = driver_of(table, &shoe);
  if (!driver.next_card_place()) return std::optional<Place>();
  TALLA_TRY_STATUS(driver.pass_stop_card());
  const auto due = driver.next_card_place();
  if (!due) return fail(Errc::shoe_finished, "the stop card ends the shoe: close it");
  if (due->face == games::Face::covered) {
    return fail(Errc::not_settled_here, "this game deals covered cards, which this version does not");
  }
  return std::optional(
      Place{due->place, due->face == games::Face::open ? certs::Face::open : certs::Face::unseen});
}

/// The acts before the round's next card must be on disk. False: run it again in the next group.
bool acts_durable(const Call& call, const Table& table, const Shoe& shoe) {
  if (!call.tx.durable(shoe.cut_seq)) return false;
  if (!table.live_round) return true;
  const auto* round = call.world().round(*table.live_round);
  return round->last_act == 0 || call.tx.durable(round->last_act);
}

Outcome deal_by_rules(const Call& call, ObjectSeq seq, const Extent& extent) {
  json::Array cards;
  const auto table_seq = call.world().shoe(seq)->table;
  const auto round_seq = call.world().table(table_seq)->live_round;
  while (cards.size() < extent.count) {
    const auto* shoe = call.world().shoe(seq);
    TALLA_TRY(const auto place, next_place(*call.world().table(table_seq), *shoe));
    if (!place) break;
    if (shoe->progress.dealt >= shoe->commit.cards) return refuse(Errc::shoe_finished, "no card is left");
    TALLA_TRY_STATUS(deal_one(call, seq, *place, cards));
  }
  if (cards.empty()) {
    return refuse(Errc::wrong_state, "no card is due",
                  {{"needs", games::to_json(call.world().table(table_seq)->needs())}});
  }
  json::Object body{{"cards", std::move(cards)}};
  if (round_seq) {
    TALLA_TRY_STATUS(finish_round(call.parts, call.tx, *round_seq));
    body["round"] = round_view(call.parts.hashes, call.world(), *call.world().round(*round_seq),
                               games::Viewer::Kind::public_);
  }
  body["shoe"] = shoe_view(*call.world().shoe(seq));
  body["needs"] = games::to_json(call.world().table(table_seq)->needs());
  return Done{std::move(body), 200, {}};
}

Outcome deal_by_client(const Call& call, ObjectSeq seq, const Extent& extent, const Place& to) {
  const auto* shoe = call.world().shoe(seq);
  if (extent.to_needs) return refuse(Errc::malformed_request, "until: a client-settled table deals a count");
  if (extent.count > shoe->commit.cards - shoe->progress.dealt) {
    return refuse(Errc::shoe_finished, "fewer cards are left", {{"position", shoe->progress.dealt}});
  }
  json::Array cards;
  while (cards.size() < extent.count) {
    TALLA_TRY_STATUS(deal_one(call, seq, to, cards));
  }
  return Done{{{"cards", std::move(cards)}, {"shoe", shoe_view(*call.world().shoe(seq))}}, 200, {}};
}

Result<Place> read_place(json::Reader& reader) {
  Place to;
  TALLA_TRY(to.place, reader.string("place"));
  if (to.place.empty() || to.place.size() > 64) {
    return fail(Errc::malformed_request, "place: 1 to 64 characters");
  }
  TALLA_TRY(const auto face, reader.string("face"));
  if (face != "open" && face != "unseen")
    return fail(Errc::malformed_request, "face: expected open or unseen");
  to.face = face == "open" ? certs::Face::open : certs::Face::unseen;
  return to;
}

}  // namespace

Outcome deal_cards(const Call& call, const std::string& shoe_id) {
  TALLA_TRY(const auto* shoe, own_shoe(call, shoe_id));
  const auto* table = call.world().table(shoe->table);
  TALLA_TRY_STATUS(table_works(*table));
  json::Reader reader(call.body, "deal");
  TALLA_TRY(const auto expected, reader.integer("expected", 0, json::integer_max));
  TALLA_TRY(const auto extent, read_extent(reader, shoe->commit.cards));
  Place to;
  if (!table->rules) {
    TALLA_TRY(to, read_place(reader));
  }
  TALLA_TRY_STATUS(reader.finish());
  if (!shoe->live()) return refuse(Errc::shoe_finished, "the shoe is closed");
  if (!shoe->progress.offset) return refuse(Errc::shoe_not_cut, "cut the shoe first");
  if (expected != std::int64_t{shoe->progress.dealt}) {
    return refuse(Errc::wrong_position, "not the next position", {{"position", shoe->progress.dealt}});
  }
  if (!acts_durable(call, *table, *shoe)) return defer();
  return table->rules ? deal_by_rules(call, shoe->seq, extent) : deal_by_client(call, shoe->seq, extent, to);
}

}  // namespace talla::core
