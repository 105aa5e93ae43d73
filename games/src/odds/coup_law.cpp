// Laws of payment of punto y banca: every coup from the cards that are left.
#include <map>

#include "base/check.hpp"
#include "engines/baccarat/census.hpp"
#include "engines/baccarat/rules.hpp"
#include "games/engine.hpp"
#include "odds/kinds.hpp"
#include "odds/paid_laws.hpp"

namespace talla::games {

namespace {

using baccarat::Census;
using baccarat::Hand;

constexpr std::size_t coup_cards_max = 6;

Result<baccarat::Values> values_left(const baccarat::Figures& figures, std::uint32_t decks,
                                     std::span<const shuffle::Card> gone) {
  auto left = baccarat::values_of_decks(figures, decks);
  std::map<shuffle::Card, std::uint32_t> came;
  for (const shuffle::Card card : gone) {
    if (card.family() != shuffle::CardFamily::french)
      return fail(Errc::card_invalid, card.text() + " is no card of this shoe");
    if (++came[card] > decks)
      return fail(Errc::card_invalid, card.text() + " came too often for this shoe");
    --left[static_cast<std::size_t>(baccarat::value_of(figures, card))];
  }
  return left;
}

/// The ends of a bet, in an order of their own: lost, a tie, then wins by total.
std::vector<PaidEnd> ends_of(const baccarat::Figures& figures, const Census& census,
                             const baccarat::BetPrizes& bet) {
  const auto draws = static_cast<Int128>(census.draws());
  const auto chance = [&](std::uint64_t count) {
    return Ratio(Fraction(static_cast<Int128>(count), draws));
  };
  std::vector<PaidEnd> ends;
  for (const Hand winner : {Hand::punto, Hand::banca, Hand::tie}) {
    if (winner == bet.on) continue;
    const bool back = winner == Hand::tie;
    const Paid paid = back ? Paid{figures.tie, 1} : Paid{BetResult::lose, 0};
    add_end(ends, {paid}, chance(census.of(winner)));
  }
  const auto& totals = bet.on == Hand::punto   ? census.punto
                       : bet.on == Hand::banca ? census.banca
                                               : census.tie;
  for (std::size_t total = 0; total < totals.size(); ++total)
    add_end(ends, {{BetResult::win, bet.by_total[total].factor}}, chance(totals[total]));
  return ends;
}

}  // namespace

Result<baccarat::Census> census_behind(const Table& table, std::span<const shuffle::Card> gone) {
  const auto& prepared = table.prepared<baccarat::Prepared>();
  const auto shoe = table.engine().shoe(table);
  TALLA_CHECK(shoe && shoe->cards_count % french_deck_cards == 0);
  if (gone.size() + coup_cards_max > shoe->cards_count)
    return fail(Errc::card_invalid, "fewer cards are left than a coup may need");
  TALLA_TRY(const auto left,
            values_left(prepared.figures, shoe->cards_count / french_deck_cards, gone));
  return baccarat::count_coups(prepared.figures, left);
}

Result<std::vector<PaymentLaw>> coup_laws(const Table& table, std::span<const shuffle::Card> gone) {
  const auto& prepared = table.prepared<baccarat::Prepared>();
  TALLA_TRY(const auto census, census_behind(table, gone));
  std::vector<PaymentLaw> laws;
  for (std::size_t i = 0; i < prepared.bets.size(); ++i)
    laws.push_back({.bet = table.rules().bets[i].id,
                    .on = {},
                    .ends = ends_of(prepared.figures, census, prepared.bets[i]),
                    .void_rule = prepared.tie_rule});
  return laws;
}

}  // namespace talla::games
