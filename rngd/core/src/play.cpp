#include "play.hpp"

#include <cstdint>

#include "base/check.hpp"
#include "core/errc.hpp"

namespace talla::core {
namespace {

/// Beyond it no BETS_CLOSED could hold them (60,000 bytes).
constexpr std::size_t bets_max = 1000;

}  // namespace

games::PlaceBet place_event(const certs::Bet& bet) {
  games::PlaceBet event;
  event.id = bet.id;
  event.seat = static_cast<games::Seat>(bet.seat);
  if (bet.box) event.box = static_cast<games::Box>(*bet.box);
  event.kind = bet.kind;
  event.on = bet.on;
  event.stake = bet.stake;
  return event;
}

games::Event action_event(const certs::ActionBody& action) {
  const auto seat = static_cast<games::Seat>(action.seat);
  if (action.time_out) return games::TimeOut{seat};
  games::Act act;
  act.seat = seat;
  act.action = action.action;
  if (!action.bet.empty()) act.bet = action.bet;
  act.amount = action.amount;
  act.cards = action.cards;
  if (!action.to.empty()) act.to = action.to;
  return act;
}

certs::SettlementResult settlement_result(const games::Settlement& settlement) {
  certs::SettlementResult result;
  result.bet = settlement.bet;
  result.seat = settlement.seat;
  result.kind = settlement.kind;
  result.stake = settlement.stake;
  result.result = games::bet_result_name(settlement.result);
  result.returned = settlement.returned;
  result.rule = settlement.rule;
  if (!settlement.remainder.is_zero()) result.remainder = settlement.remainder.text();
  return result;
}

Result<certs::DrawSpecification> specification_of(const games::Draw& draw) {
  if (draw.kind == games::DrawKind::wheel) {
    return certs::DrawSpecification(certs::WheelDraw{static_cast<std::uint32_t>(draw.pockets.size())});
  }
  if (draw.kind == games::DrawKind::dice) {
    return certs::DrawSpecification(certs::DiceDraw{draw.count, draw.faces});
  }
  return fail(Errc::wrong_state, "balls and lots without replacement come from a shoe");
}

games::DrawResult draw_event(const games::Draw& draw, const certs::Outcome& outcome) {
  games::DrawResult event;
  event.kind = draw.kind;
  if (draw.kind == games::DrawKind::wheel) {
    TALLA_CHECK(outcome.values.size() == 1);
    TALLA_CHECK(outcome.values.front() < draw.pockets.size());
    event.values.push_back(draw.pockets[outcome.values.front()]);
    return event;
  }
  for (const auto value : outcome.values) event.values.push_back(std::to_string(value));
  return event;
}

Result<games::Table> open_rules(std::shared_ptr<const games::Catalogue> catalogue,
                                const certs::TableOpenBody& open) {
  games::TableConfig config;
  config.game = open.game;
  config.currency.code = open.currency;
  TALLA_TRY(config.currency.unit, games::Fraction::parse_canonical(open.unit));
  config.currency.chip = open.chip;
  TALLA_TRY(config.currency.rounding, games::rounding_from(open.rounding));
  config.min = open.min;
  if (open.max != 0) config.max = open.max;
  config.params = open.parameters;
  return games::Table::open(std::move(catalogue), std::move(config));
}

games::Driver driver_of(const Table& table, const Shoe* shoe) {
  TALLA_CHECK(table.state.has_value());
  std::optional<games::ShoeAccount> account;
  if (shoe != nullptr && shoe->progress.offset) {
    account = games::ShoeAccount{shoe->commit.cards, shoe->commit.cards - shoe->commit.stop_depth,
                                 shoe->progress.dealt, shoe->stop_out};
  }
  return {*table.rules, *table.state, account};
}

void keep_driver(games::Driver driver, Table& table, Round* round) {
  table.state = driver.state();
  auto settled = driver.take_settlements();
  if (round == nullptr) return;
  for (auto& one : settled) round->results.push_back(std::move(one));
}

Status play(Table& table, Round* round, const games::Event& event) {
  auto driver = driver_of(table, nullptr);
  TALLA_TRY_STATUS(driver.apply(event));
  keep_driver(std::move(driver), table, round);
  return {};
}

Status play_draft(Table& table, Round& round, const BetDraft& bets) {
  for (const auto& id : bets.withdrawn) TALLA_TRY_STATUS(play(table, &round, games::WithdrawBet{id, {}}));
  for (const auto& bet : bets.bets) TALLA_TRY_STATUS(play(table, &round, place_event(bet)));
  return {};
}

Status play_bets(Table& table, Round& round, const BetDraft& bets) {
  TALLA_TRY_STATUS(play_draft(table, round, bets));
  return play(table, &round, games::CloseBets{});
}

json::Value BetDraft::to_json() const {
  json::Array ids;
  for (const auto& id : withdrawn) ids.emplace_back(id);
  return json::Object{{"bets", certs::bets_json(bets)}, {"withdrawn", std::move(ids)}};
}

Result<BetDraft> BetDraft::from_json(const json::Value& value) {
  json::Reader reader(value, "bets");
  BetDraft draft;
  TALLA_TRY(const auto* list, reader.array("bets"));
  if (list->size() > bets_max) return fail(Errc::limit_exceeded, "a round takes at most 1,000 bets at once");
  for (const auto& item : *list) {
    TALLA_TRY(auto bet, certs::Bet::from_json(item));
    if (bet.seat > std::int64_t{UINT32_MAX} || bet.box.value_or(0) > std::int64_t{UINT32_MAX}) {
      return fail(Errc::malformed_request, "bets: there is no such seat or box");
    }
    draft.bets.push_back(std::move(bet));
  }
  if (const auto* ids = reader.optional("withdrawn")) {
    if (!ids->is_array() || ids->array().size() > bets_max) {
      return fail(Errc::malformed_request, "withdrawn: expected an array of at most 1,000 bet ids");
    }
    for (const auto& id : ids->array()) {
      if (!id.is_string()) return fail(Errc::malformed_request, "withdrawn: expected bet ids");
      draft.withdrawn.push_back(id.string());
    }
  }
  TALLA_TRY_STATUS(reader.finish());
  return draft;
}

}  // namespace talla::core
