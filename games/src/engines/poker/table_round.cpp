#include "engines/poker/table_round.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "engines/poker/round_fields.hpp"
#include "engines/shared/rules_check.hpp"

namespace talla::games::poker {

tl::unexpected<Error> not_due(std::string_view what) {
  return fail(Errc::not_due, std::string(what) + " is not due now");
}

const LaidCard* TableRound::at(std::string_view place) const {
  const auto found = std::find_if(cards.rbegin(), cards.rend(),
                                  [&](const auto& one) { return one.place == place; });
  return found == cards.rend() ? nullptr : &*found;
}

bool TableRound::is_open(std::string_view place) const {
  const auto* laid = at(place);
  return laid != nullptr && laid->card.has_value();
}

std::vector<Card> TableRound::open_at(const std::vector<std::string>& places) const {
  std::vector<Card> out;
  for (const auto& place : places) {
    const auto* laid = at(place);
    TALLA_CHECK(laid != nullptr && laid->card.has_value());
    out.push_back(*laid->card);
  }
  return out;
}

Status TableRound::check_new(Card card, bool jokers) const {
  const bool fits = card.family() == shuffle::CardFamily::french || (jokers && card.is_joker());
  if (!fits) return fail(Errc::card_invalid, "a card of the game's deck is due");
  const bool out = std::any_of(cards.begin(), cards.end(),
                               [&](const LaidCard& one) { return one.card == card; });
  return out ? Status(fail(Errc::card_invalid, card.text() + " is out already")) : Status();
}

Status TableRound::deal(const DealPlace& due, const CardDealt& event, bool jokers) {
  if (event.place != due.place || event.face != due.face) {
    return fail(Errc::place_unknown,
                "the next card goes to " + due.place + ", " + std::string(face_name(due.face)));
  }
  if (event.card.has_value() != (due.face == Face::open))
    return fail(Errc::card_invalid, "a card is named exactly when it lies open");
  if (event.card) TALLA_TRY_STATUS(check_new(*event.card, jokers));
  cards.push_back({event.place, event.card});
  return {};
}

Status TableRound::turn(std::string_view due, const CardRevealed& event, bool jokers) {
  if (event.place != due)
    return fail(Errc::place_unknown, "the card to turn lies at " + std::string(due));
  TALLA_TRY_STATUS(check_new(event.card, jokers));
  const auto found =
      std::find_if(cards.rbegin(), cards.rend(), [&](const auto& one) { return one.place == due; });
  TALLA_CHECK(found != cards.rend() && !found->card.has_value());
  found->card = event.card;
  return {};
}

Status TableRound::check_betting() const {
  switch (stage) {
    case Stage::betting:
      return {};
    case Stage::playing:
      return fail(Errc::bets_closed, "bets are closed until this hand is settled");
    case Stage::finished:
      return fail(Errc::bets_closed, "the session is over");
    default:
      return fail(Errc::no_shoe, "a deck must be open before bets");
  }
}

Status TableRound::open_shoe(const ShoeNeed& need, const ShoeOpened& event) {
  if (stage != Stage::idle && stage != Stage::over) return not_due("a deck");
  if (event.cards_count != need.cards_count)
    return fail(Errc::card_invalid,
                "the deck holds " + std::to_string(need.cards_count) + " cards");
  *this = TableRound{Stage::betting, last, {}, {}};
  return {};
}

Status TableRound::close_shoe() {
  if (stage == Stage::playing || stage == Stage::finished) return not_due("closing the deck");
  if (!bets.empty()) return fail(Errc::not_due, "stakes lie on the table");
  *this = TableRound{Stage::idle, last, {}, {}};
  return {};
}

Status TableRound::announce_last() {
  if (last) return fail(Errc::not_due, "the last hand is announced already");
  if (stage == Stage::over) *this = TableRound();
  last = true;
  return {};
}

void TableRound::finish() {
  TALLA_CHECK(bets.empty());
  stage = last ? Stage::finished : Stage::over;
}

json::Value TableRound::carried() const {
  return written(*this, [](auto& a, auto& r) { carried_round_fields(a, r); });
}

Result<TableRound> TableRound::from_carried(const json::Value& value) {
  TALLA_TRY(auto out, loaded<TableRound>(value, "carried",
                                         [](auto& a, auto& r) { carried_round_fields(a, r); }));
  TALLA_TRY_STATUS(check_carried(out));
  return out;
}

Status check_carried(const TableRound& round) {
  if (round.stage == Stage::finished && !round.last)
    return bad_state("a session ends with its last hand");
  return {};
}

Status TableRound::check(const Table& table, bool jokers) const {
  TALLA_TRY_STATUS(bets.check(table));
  if (stage == Stage::finished && !last) return bad_state("a session ends with its last hand");
  if (stage == Stage::over && last) return bad_state("after the last hand the session is over");
  if (between() && !bets.empty()) return bad_state("stakes outside of a hand");
  if ((stage == Stage::idle || stage == Stage::betting) && !cards.empty())
    return bad_state("cards before the deal");
  // Errors may have withdrawn all of them: the hand waits for its confirmation.
  if (stage == Stage::playing && bets.empty() && !table.confirms())
    return bad_state("a hand without stakes");
  std::vector<Card> seen;
  for (const auto& one : cards) {
    if (!one.card) continue;
    const bool fits =
        one.card->family() == shuffle::CardFamily::french || (jokers && one.card->is_joker());
    if (!fits || std::find(seen.begin(), seen.end(), *one.card) != seen.end())
      return bad_state("no card of the deck, or one that lies there twice");
    seen.push_back(*one.card);
  }
  return {};
}

void TableRound::put_needs(const Table& table, Needs& out, bool can_close) const {
  if (stage == Stage::idle || stage == Stage::over) {
    TALLA_CHECK(table.rules().shoe.has_value());
    out.emplace_back(*table.rules().shoe);
  }
  if (stage == Stage::over || stage == Stage::finished) out.emplace_back(Settled{});
  if (stage == Stage::betting) out.emplace_back(BetsOpen{can_close});
}

Status check_deck(const GameRules& rules, std::string_view deck) {
  if (rules.shoe && rules.shoe->deck == deck && rules.shoe->stop_depth == 0 && rules.shoe->covered)
    return {};
  return bad_rules(rules,
                   "the game needs one covered deck " + std::string(deck) + " without stop card");
}

void void_round(const Table& table, TableRound& round, const Citation& cite,
                std::vector<Settlement>& settled) {
  for (const auto& bet : round.bets.all())
    settled.push_back(settle_returned(table, bet, BetResult::void_, Fraction(bet.stake), cite));
  round.bets.clear();
  round.finish();
}

Status check_plain(const Act& event) {
  if (event.bet || event.amount || !event.cards.empty() || event.to)
    return fail(Errc::action_refused, event.action + " has no bet, amount, cards or target");
  return {};
}

Status check_action(const GameRules& rules, const Act& event) {
  const bool known = std::any_of(rules.actions.begin(), rules.actions.end(),
                                 [&](const Named& one) { return one.id == event.action; });
  if (known) return {};
  return fail(Errc::action_unknown, rules.id + " has no action " + event.action.substr(0, 48));
}

}  // namespace talla::games::poker
