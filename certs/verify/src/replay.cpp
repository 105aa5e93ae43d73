#include "replay.hpp"

#include <mutex>
#include <utility>

#include "format/body_shoe.hpp"
#include "format/domain.hpp"
#include "games/catalogue.hpp"
#include "games/event.hpp"
#include "shuffle/deck.hpp"

namespace talla::certs {
namespace {

Status refuse(const Record& record, const std::string& why) {
  return fail(VerifyErrc::wrong_settlement, name_of(record) + ": " + why);
}

games::PlaceBet place_event(const Bet& bet) {
  games::PlaceBet event;
  event.id = bet.id;
  event.seat = static_cast<games::Seat>(bet.seat);
  if (bet.box) event.box = static_cast<games::Box>(*bet.box);
  event.kind = bet.kind;
  event.on = bet.on;
  event.stake = bet.stake;
  return event;
}

games::Event action_event(const ActionBody& action) {
  if (action.time_out) return games::TimeOut{static_cast<games::Seat>(action.seat)};
  games::Act act;
  act.seat = static_cast<games::Seat>(action.seat);
  act.action = action.action;
  if (!action.bet.empty()) act.bet = action.bet;
  act.amount = action.amount;
  act.cards = action.cards;
  if (!action.to.empty()) act.to = action.to;
  return act;
}

/// True when the outcome has the form that the rules ask for now.
bool fits(const games::Draw& due, const DrawSpecification& specification) {
  if (const auto* wheel = std::get_if<WheelDraw>(&specification)) {
    return due.kind == games::DrawKind::wheel && due.pockets.size() == wheel->pockets;
  }
  if (const auto* dice = std::get_if<DiceDraw>(&specification)) {
    return due.kind == games::DrawKind::dice && due.count == dice->count && due.faces == dice->faces;
  }
  return false;
}

games::DrawResult draw_event(const games::Draw& due, const Outcome& outcome) {
  games::DrawResult event;
  event.kind = due.kind;
  for (const std::uint32_t value : outcome.values) {
    event.values.push_back(due.kind == games::DrawKind::wheel ? due.pockets.at(value)
                                                              : std::to_string(value));
  }
  return event;
}

Result<games::TableConfig> table_config(const TableOpenBody& open) {
  games::TableConfig config;
  config.game = open.game;
  config.currency.code = open.currency;
  TALLA_TRY(config.currency.unit, games::Fraction::parse_canonical(open.unit));
  config.currency.chip = open.chip;
  TALLA_TRY(config.currency.rounding, games::rounding_from(open.rounding));
  config.min = open.min;
  if (open.max != 0) config.max = open.max;
  config.params = open.parameters;
  return config;
}

/// Catalogues read before, by the digest of their bytes: reading one takes longer than all hashes of its bundle.
class CatalogueShelf {
 public:
  Result<std::shared_ptr<const games::Catalogue>> get(const Digest& digest, ByteView file,
                                                      const HashSuite& hashes) {
    {
      const std::scoped_lock lock(mutex_);
      for (const auto& kept : kept_) {
        if (kept.first == digest) return kept.second;
      }
    }
    TALLA_TRY(auto catalogue, games::load_catalogue(file, hashes));
    const std::scoped_lock lock(mutex_);
    if (kept_.size() == shelf_max) kept_.erase(kept_.begin());
    kept_.emplace_back(digest, catalogue);
    return catalogue;
  }

 private:
  static constexpr std::size_t shelf_max = 4;
  std::mutex mutex_;
  std::vector<std::pair<Digest, std::shared_ptr<const games::Catalogue>>> kept_;  // guarded by mutex_
};
CatalogueShelf& shelf() {
  static CatalogueShelf one;
  return one;
}

/// Seats and boxes of a record are wider than the rules'.
bool seat_fits(std::int64_t seat) {
  return seat >= 0 && seat <= UINT32_MAX;
}

}  // namespace

Result<Replay> Replay::open(const Evidence& evidence) {
  const Bundle& bundle = evidence.bundle;
  if (!bundle.catalogue || !bundle.state_before) {
    return fail(VerifyErrc::rules_unavailable, "a settlement needs the catalogue and the state before");
  }
  if (catalogue_digest(evidence.hashes, *bundle.catalogue) != evidence.table.catalogue) {
    return fail(VerifyErrc::wrong_commitment, "the catalogue is not the one the table was opened with");
  }
  auto catalogue = shelf().get(evidence.table.catalogue, as_bytes(*bundle.catalogue), evidence.hashes);
  if (!catalogue) return fail(VerifyErrc::rules_unavailable, catalogue.error().text());
  TALLA_TRY(games::TableConfig config, table_config(evidence.table));
  auto table = games::Table::open(std::move(*catalogue), std::move(config));
  if (!table) return fail(VerifyErrc::rules_unavailable, table.error().text());
  if (table->params().json() != evidence.table.parameters) {
    return fail(VerifyErrc::wrong_commitment, "TABLE_OPEN does not name every parameter");
  }
  Replay replay(std::move(*table));
  auto state = replay.table_.engine().restore(replay.table_, *bundle.state_before);
  if (!state) return fail(VerifyErrc::wrong_settlement, "the state before: " + state.error().text());
  replay.state_ = std::move(*state);
  return replay;
}

Digest Replay::state_digest(const HashSuite& hashes) const {
  return certs::state_digest(hashes, state_->to_json());
}

Status Replay::apply(const Record& record, const games::Event& event) {
  auto next = table_.engine().apply(table_, *state_, event);
  if (!next) return refuse(record, "the rules refuse it: " + next.error().text());
  state_ = std::move(*next);
  for (auto& settlement : table_.engine().settlements(*state_)) settled_.push_back(std::move(settlement));
  return {};
}

Status Replay::bets(const Record& record) {
  TALLA_TRY(const auto body, BetsClosedBody::from_json(record.body));
  for (const std::string& bet : body.withdrawn) TALLA_TRY_STATUS(apply(record, games::WithdrawBet{bet, {}}));
  for (const Bet& bet : body.bets) {
    if (!seat_fits(bet.seat) || !seat_fits(bet.box.value_or(0))) return refuse(record, "no such seat");
    TALLA_TRY_STATUS(apply(record, place_event(bet)));
  }
  return apply(record, games::CloseBets{});
}

Status Replay::action(const Evidence& evidence, const Record& record) {
  TALLA_TRY(const auto body, ActionBody::from_json(record.body));
  if (!seat_fits(body.seat)) return refuse(record, "no such seat");
  if (state_digest(evidence.hashes) != body.state_before) return refuse(record, "decided on another state");
  return apply(record, action_event(body));
}

Status Replay::deal(const Evidence& evidence, const Record& record) {
  TALLA_TRY(const auto body, CardDealBody::from_json(record.body));
  if (!body.round.empty() && body.round != evidence.claim->object)
    return refuse(record, "dealt in another round");
  const auto& chain = evidence.objects.find(record.object)->second;
  TALLA_TRY(const auto commit, ShoeCommitBody::from_json(chain.front()->body));
  const auto& wanted = table_.rules().shoe;
  if (!wanted) return refuse(record, "the game has no shoe");
  TALLA_TRY(const auto rules_deck, shuffle::DeckSpec::parse(wanted->deck));
  if (commit.deck != rules_deck.text() || commit.stop_depth != wanted->stop_depth) {
    return refuse(record, "its shoe is not the one of the rules");
  }
  if (commit.stop_depth != 0 && body.position == commit.cards - commit.stop_depth) {
    TALLA_TRY_STATUS(apply(record, games::StopCard{}));
  }
  games::CardDealt event;
  event.place = body.place;
  switch (body.face) {
    case Face::open:
      event.face = games::Face::open;
      break;
    case Face::covered:
      event.face = games::Face::covered;
      break;
    case Face::unseen:
      event.face = games::Face::unseen;
      break;
  }
  if (body.opening) {
    TALLA_TRY(event.card, shuffle::Card::parse(body.opening->card));
  }
  return apply(record, event);
}

Status Replay::reveal(const Record& record) {
  TALLA_TRY(const auto body, CardOpenBody::from_json(record.body));
  TALLA_TRY(const auto card, shuffle::Card::parse(body.opening.card));
  return apply(record, games::CardRevealed{body.place, card});
}

Status Replay::draw(const Evidence& evidence, const Record& record) {
  TALLA_TRY(const auto body, DrawBody::from_json(record.body));
  const Record* intent_record = evidence.find(body.intent);
  if (intent_record == nullptr) return refuse(record, "its INTENT is missing");
  TALLA_TRY(const auto intent, IntentBody::from_json(intent_record->body));
  if (intent.round != evidence.claim->object) return {};
  const games::Needs needs = table_.engine().needs(table_, *state_);
  const auto* due = games::find_need<games::Draw>(needs);
  if (due == nullptr || !fits(*due, intent.specification))
    return refuse(record, "the rules ask for no such draw");
  return apply(record, draw_event(*due, body.outcome));
}

Status Replay::step(const Evidence& evidence, const Record& record) {
  if (kind_object(record.kind) == "round" && record.object != evidence.claim->object) {
    return refuse(record, "belongs to another round");
  }
  switch (record.kind) {
    case Kind::bets_closed:
      return bets(record);
    case Kind::action:
      return action(evidence, record);
    case Kind::misdeal: {
      const json::Value* place = record.body.find("place");
      games::Misdeal event{record.body.find("code")->string(), {}};
      if (place != nullptr) event.place = place->string();
      return apply(record, event);
    }
    case Kind::shoe_cut: {
      const auto& chain = evidence.objects.find(record.object)->second;
      TALLA_TRY(const auto commit, ShoeCommitBody::from_json(chain.front()->body));
      return apply(record, games::ShoeOpened{commit.cards, false});
    }
    case Kind::card_deal:
      return deal(evidence, record);
    case Kind::card_open:
      return reveal(record);
    case Kind::shoe_close:
      return apply(record, games::ShoeClosed{});
    case Kind::draw:
      return draw(evidence, record);
    default:
      return {};
  }
}

}  // namespace talla::certs
