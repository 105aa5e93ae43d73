// A round that has ended, as its records tell it.
#include "past_round.hpp"

#include <algorithm>

#include "core/errc.hpp"
#include "format/body_draw.hpp"
#include "format/body_shoe.hpp"
#include "format/domain.hpp"
#include "format/game_events.hpp"

namespace talla::core {
namespace {

using certs::Kind;

/// A card of the round, {position, place, face, recommits?, card?}: the newest that lay at its
/// position under its root.
json::Value* card_there(json::Array& cards, std::uint32_t position, std::int64_t recommits) {
  for (auto card = cards.rbegin(); card != cards.rend(); ++card) {
    const auto* again = card->find("recommits");
    const auto root = again == nullptr ? 0 : again->integer();
    if (card->find("position")->integer() == position && root == recommits) return &*card;
  }
  return nullptr;
}

/// How often the shoe was shuffled again before this record.
Result<std::int64_t> recommits_before(const certs::Ledger& ledger, const certs::Record& record) {
  TALLA_TRY(const auto chain, ledger.chain(record.object));
  return static_cast<std::int64_t>(std::ranges::count_if(chain, [&](const auto& one) {
    return one.kind == Kind::shoe_recommit && one.seq < record.seq;
  }));
}

Status take_deal(const certs::Ledger& ledger, const certs::Record& record, PastRound& round) {
  TALLA_TRY(const auto body, certs::CardDealBody::from_json(record.body));
  TALLA_TRY(const auto event, certs::card_event(body));
  TALLA_TRY(const auto recommits, recommits_before(ledger, record));
  json::Object card{
      {"position", body.position}, {"place", body.place}, {"face", games::face_name(event.face)}};
  if (recommits != 0) card["recommits"] = recommits;
  if (body.opening) card["card"] = body.opening->card;
  round.cards.emplace_back(std::move(card));
  return {};
}

Status take_opening(const certs::Ledger& ledger, const certs::Record& record, PastRound& round) {
  TALLA_TRY(const auto body, certs::CardOpenBody::from_json(record.body));
  std::int64_t recommits = 0;
  if (body.recommits) {
    recommits = *body.recommits;
  } else {
    TALLA_TRY(recommits, recommits_before(ledger, record));
  }
  if (auto* card = card_there(round.cards, body.position, recommits))
    (*card)["card"] = body.opening.card;
  return {};
}

/// The draw that this outcome answers: the game's own, or lots of this many.
games::Draw draw_of(const games::Catalogue& catalogue, const std::string& game,
                    const certs::Outcome& outcome) {
  const auto found = games::find_game(catalogue, game);
  const bool lots = outcome.form == certs::Outcome::Form::lots;
  if (found && (*found)->draw && !lots) return *(*found)->draw;
  games::Draw draw;
  draw.kind = lots ? games::DrawKind::lots : games::DrawKind::dice;
  return draw;
}

Status take_draw(const certs::Ledger& ledger, const Catalogues& catalogues,
                 const std::string& table, const certs::Record& record, PastRound& round) {
  TALLA_TRY(const auto body, certs::DrawBody::from_json(record.body));
  TALLA_TRY(const auto seq, certs::object_seq("table", table));
  TALLA_TRY(const auto stored, ledger.record(seq));
  TALLA_TRY(const auto opening, certs::parse_record(stored.bytes));
  TALLA_TRY(const auto open, certs::TableOpenBody::from_json(opening.body));
  const auto catalogue = catalogues.by_digest(open.catalogue);
  if (catalogue == nullptr) return {};
  const auto draw = draw_of(*catalogue, open.game, body.outcome);
  if (draw.kind == games::DrawKind::wheel &&
      (body.outcome.values.size() != 1 || body.outcome.values.front() >= draw.pockets.size()))
    return fail(Errc::replay_failed, "the wheel has no such pocket");
  json::Array values;
  for (const auto& value : certs::draw_event(draw, body.outcome).values) values.emplace_back(value);
  round.outcome = json::Value(std::move(values));
  return {};
}

}  // namespace

Result<PastRound> past_round(const certs::Ledger& ledger, const Catalogues& catalogues,
                             std::span<const certs::LedgerRecord> chain, bool with_cards) {
  PastRound round;
  std::vector<std::uint64_t> rests_on;
  std::string table;
  for (const auto& stored : chain) {
    const bool read = stored.kind == Kind::round_open || stored.kind == Kind::bets_closed ||
                      stored.kind == Kind::settlement;
    if (!read) continue;
    TALLA_TRY(const auto record, certs::parse_record(stored.bytes));
    if (stored.kind == Kind::round_open) {
      TALLA_TRY(auto body, certs::RoundOpenBody::from_json(record.body));
      table = std::move(body.table);
    } else if (stored.kind == Kind::bets_closed) {
      TALLA_TRY(const auto body, certs::BetsClosedBody::from_json(record.body));
      for (const auto& bet : body.bets) round.bets.push_back(bet.to_json());
    } else {
      TALLA_TRY(auto body, certs::SettlementBody::from_json(record.body));
      for (auto& result : body.results) round.results.push_back(std::move(result));
      round.settlement = record.seq;
      rests_on = record.cites;
    }
  }
  for (const auto cited : rests_on) {
    TALLA_TRY(const auto stored, ledger.record(cited));
    const bool card = stored.kind == Kind::card_deal || stored.kind == Kind::card_open;
    if (stored.kind != Kind::draw && !(with_cards && card)) continue;
    TALLA_TRY(const auto record, certs::parse_record(stored.bytes));
    if (stored.kind == Kind::draw) {
      TALLA_TRY_STATUS(take_draw(ledger, catalogues, table, record, round));
    } else if (stored.kind == Kind::card_deal) {
      TALLA_TRY_STATUS(take_deal(ledger, record, round));
    } else {
      TALLA_TRY_STATUS(take_opening(ledger, record, round));
    }
  }
  return round;
}

}  // namespace talla::core
