#include "format/game_events.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "format/errc.hpp"

namespace talla::certs {
namespace {

Result<std::uint32_t> narrow(std::int64_t seat) {
  if (seat < 0 || seat > std::int64_t{UINT32_MAX})
    return fail(FormatErrc::malformed_body, "there is no such seat or box");
  return static_cast<std::uint32_t>(seat);
}

}  // namespace

Result<games::PlaceBet> place_event(const Bet& bet) {
  games::PlaceBet event;
  event.id = bet.id;
  TALLA_TRY(event.seat, narrow(bet.seat));
  if (bet.box) {
    TALLA_TRY(event.box, narrow(*bet.box));
  }
  event.kind = bet.kind;
  event.on = bet.on;
  event.stake = bet.stake;
  return event;
}

Result<games::Event> action_event(const ActionBody& action) {
  TALLA_TRY(const auto seat, narrow(action.seat));
  if (action.time_out) return games::Event(games::TimeOut{seat});
  games::Act act;
  act.seat = seat;
  act.action = action.action;
  if (!action.bet.empty()) act.bet = action.bet;
  act.amount = action.amount;
  act.cards = action.cards;
  if (!action.to.empty()) act.to = action.to;
  return games::Event(std::move(act));
}

games::Misdeal misdeal_event(const MisdealBody& misdeal) {
  games::Misdeal event{misdeal.code, {}};
  if (!misdeal.place.empty()) event.place = misdeal.place;
  event.amount = misdeal.amount;
  return event;
}

namespace {

/// Positions under one root that lie at these places, ascending.
std::vector<std::uint32_t> lying_at(const std::vector<std::string>& places, const LaidCards& root) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t position = 0; position < root.size(); ++position) {
    const LaidCard& card = root[position];
    if (!card.returned && std::ranges::find(places, card.place) != places.end())
      out.push_back(position);
  }
  return out;
}

Status mark(LaidCards& root, const std::vector<std::uint32_t>& positions) {
  for (const std::uint32_t position : positions) {
    if (position >= root.size() || root[position].returned)
      return fail(FormatErrc::malformed_body,
                  "a card goes back that was not dealt, or went back before");
    root[position].returned = true;
  }
  return {};
}

}  // namespace

std::optional<CardsBack> cards_back(const games::Shuffle& due, std::span<const LaidCards> roots) {
  TALLA_CHECK(!roots.empty());
  CardsBack out;
  out.returned = lying_at(due.places, roots.back());
  std::size_t count = out.returned.size();
  for (std::size_t root = roots.size() - 1; root-- > 0 && count < due.cards_count;) {
    auto positions = lying_at(due.places, roots[root]);
    count += positions.size();
    if (!positions.empty())
      out.older.insert(out.older.begin(), {static_cast<std::uint32_t>(root), std::move(positions)});
  }
  if (count != due.cards_count) return std::nullopt;
  return out;
}

Status take_back(std::vector<LaidCards>& roots, const ShoeRecommitBody& body) {
  TALLA_CHECK(!roots.empty());
  for (const OlderCards& one : body.older) {
    if (one.recommits + 1 >= roots.size())
      return fail(FormatErrc::malformed_body,
                  "a card goes back from a root that was not replaced before");
    TALLA_TRY_STATUS(mark(roots[one.recommits], one.positions));
  }
  TALLA_TRY_STATUS(mark(roots.back(), body.returned));
  roots.emplace_back();
  return {};
}

Face face_of(games::Face face) {
  return face == games::Face::open      ? Face::open
         : face == games::Face::covered ? Face::covered
                                        : Face::unseen;
}

games::Face face_of(Face face) {
  return face == Face::open      ? games::Face::open
         : face == Face::covered ? games::Face::covered
                                 : games::Face::unseen;
}

Result<games::CardDealt> card_event(const CardDealBody& deal) {
  games::CardDealt event{deal.place, face_of(deal.face), {}};
  if (deal.opening) {
    TALLA_TRY(event.card, shuffle::Card::parse(deal.opening->card));
  }
  return event;
}

Result<games::CardRevealed> reveal_event(const CardOpenBody& open) {
  TALLA_TRY(const auto card, shuffle::Card::parse(open.opening.card));
  return games::CardRevealed{open.place, card};
}

games::MeterRead meter_event(const MeterBody& meter) {
  return {meter.meter, meter.before};
}

bool moved_as_said(const std::vector<MeterBody>& said, const std::vector<games::Meter>& moved) {
  return std::ranges::all_of(said, [&](const MeterBody& one) {
    return std::ranges::any_of(moved, [&](const games::Meter& meter) {
      return meter == games::Meter{one.meter, one.after, one.contribution, one.award};
    });
  });
}

Result<DrawSpecification> specification_of(const games::Draw& draw) {
  switch (draw.kind) {
    case games::DrawKind::wheel:
      return DrawSpecification(WheelDraw{static_cast<std::uint32_t>(draw.pockets.size())});
    case games::DrawKind::dice:
      return DrawSpecification(DiceDraw{draw.count, draw.faces});
    case games::DrawKind::lots:
      if (draw.count == 1) return DrawSpecification(LotsDraw{{draw.faces}});
      break;
    case games::DrawKind::balls:
      break;
  }
  return fail(FormatErrc::malformed_specification,
              "balls and lots without replacement come from a shoe");
}

games::DrawResult draw_event(const games::Draw& draw, const Outcome& outcome) {
  games::DrawResult event;
  event.kind = draw.kind;
  if (draw.kind == games::DrawKind::wheel) {
    TALLA_CHECK(outcome.values.size() == 1);
    TALLA_CHECK(outcome.values.front() < draw.pockets.size());
    event.values.push_back(draw.pockets[outcome.values.front()]);
    return event;
  }
  // Dice count from 1 in records too, lots from 0.
  const std::uint32_t first = draw.kind == games::DrawKind::lots ? 1 : 0;
  for (const auto value : outcome.values) event.values.push_back(std::to_string(value + first));
  return event;
}

SettlementResult settlement_result(const games::Settlement& settlement) {
  SettlementResult result;
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
  for (const auto& [word, id] : open.meters) config.shared_meters.push_back(word);
  return config;
}

}  // namespace talla::certs
