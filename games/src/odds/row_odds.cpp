// Odds of trente et quarante: the ends of a coup counted, what they pay asked of the engine.
#include "odds/row_odds.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "engines/trente/census.hpp"
#include "engines/trente/state.hpp"
#include "games/refusal.hpp"
#include "odds/kinds.hpp"
#include "odds/poker/counted.hpp"
#include "odds/stake_chain.hpp"
#include "shuffle/deck.hpp"

namespace talla::games {

namespace {

using trente::Figures;

constexpr int decided_ends = 4;  // by the row that wins and the colour of the first card

Card card_of_points(const Figures& figures, int points, shuffle::Suit suit) {
  const auto found = std::find(figures.values.begin(), figures.values.end(), points);
  TALLA_CHECK(found != figures.values.end());
  return Card::of(static_cast<int>(found - figures.values.begin()) + 1, suit);
}

/// Some row with that total.
std::vector<Card> some_row(const Figures& figures, int total, shuffle::Suit suit) {
  constexpr int most = static_cast<int>(trente::points_most);
  std::vector<Card> out;
  for (int left = figures.reach - 1; left > 0; left -= most)
    out.push_back(card_of_points(figures, std::min(left, most), suit));
  out.push_back(card_of_points(figures, total - figures.reach + 1, suit));
  return out;
}

/// The cards of a coup as events.
std::vector<Event> some_coup(const Table& table, int black, int red, shuffle::Suit suit) {
  const Figures& figures = table.prepared<trente::Prepared>().figures;
  std::vector<Event> out;
  for (const Card card : some_row(figures, black, suit))
    out.emplace_back(CardDealt{"negra", Face::open, card});
  for (const Card card : some_row(figures, red, suit))
    out.emplace_back(CardDealt{"roja", Face::open, card});
  if (table.confirms()) out.emplace_back(ConfirmHand{});
  return out;
}

/// Every end of a coup that a settlement can tell from another, each with some of its cards. The
/// rows may be exchanged, and so may red and black cards: neither the row that wins nor the colour
/// of the first card is likelier than the other.
std::vector<Outcome> ends_of(const Table& table,
                             const std::array<Ratio, trente::totals_count>& equal) {
  const Figures& figures = table.prepared<trente::Prepared>().figures;
  const auto refait = static_cast<std::size_t>(figures.refait - figures.reach);
  const int other_tie = figures.reach + (refait == 0 ? 1 : 0);
  const int least = figures.reach;
  const int most = figures.reach + static_cast<int>(trente::points_most) - 1;
  Ratio ties;
  for (const Ratio& one : equal) ties += one;
  constexpr auto hearts = shuffle::Suit::hearts;
  constexpr auto spades = shuffle::Suit::spades;
  const Ratio each = (Ratio(1) - ties) / Ratio(decided_ends);
  return {{equal.at(refait), some_coup(table, figures.refait, figures.refait, spades)},
          {ties - equal.at(refait), some_coup(table, other_tie, other_tie, spades)},
          {each, some_coup(table, least, most, hearts)},
          {each, some_coup(table, least, most, spades)},
          {each, some_coup(table, most, least, hearts)},
          {each, some_coup(table, most, least, spades)}};
}

/// Rows whose cards this file can name: every number of points is some rank's.
bool are_counted_rows(const Figures& figures) {
  for (int points = 1; points <= static_cast<int>(trente::points_most); ++points) {
    if (std::find(figures.values.begin(), figures.values.end(), points) == figures.values.end())
      return false;
  }
  return figures.reach > static_cast<int>(trente::points_most) &&
         figures.reach <= trente::reach_most;
}

trente::Points full_decks(const Table& table) {
  const auto shoe = table.engine().shoe(table);
  TALLA_CHECK(shoe && shoe->cards_count % french_deck_cards == 0);
  return trente::points_of_decks(table.prepared<trente::Prepared>().figures,
                                 shoe->cards_count / french_deck_cards);
}

/// Coups that end in one of these ways, each as the first of a shoe.
ChainGame coups_ending(const Table& table, const std::vector<Outcome>& ends) {
  return {.outcomes = [&ends](const Needs&) { return Result<std::vector<Outcome>>(ends); },
          .prison = {.member = trente::prison_count,
                     .halves = table.prepared<trente::Prepared>().value !=
                               trente::Prepared::Value::whole},
          .needs_shoe = true};
}

Result<std::vector<Outcome>> counted_ends(const Table& table, const trente::Points& cards) {
  const Figures& figures = table.prepared<trente::Prepared>().figures;
  if (!are_counted_rows(figures))
    return fail(Errc::game_not_available,
                table.rules().id + ": the odds of such rows are not worked out");
  return ends_of(table, trente::equal_rows(cards, figures.reach));
}

}  // namespace

Status each_row_stake(const Table& table, const std::function<Status(const LoneStake&)>& follow) {
  TALLA_TRY(const auto ends, counted_ends(table, full_decks(table)));
  const ChainGame game = coups_ending(table, ends);
  const std::vector<std::string> nowhere;
  for (const BetRule& rule : table.rules().bets) {
    if (rule.id == table.prepared<trente::Prepared>().figures.insurance_bet) continue;
    TALLA_TRY_STATUS(follow({game, rule.id, nowhere, nowhere}));
  }
  return {};
}

Result<TableOdds> row_odds(const Table& table) {
  return row_odds_of(table, full_decks(table));
}

Result<TableOdds> row_odds_of(const Table& table, const trente::Points& cards) {
  const Figures& figures = table.prepared<trente::Prepared>().figures;
  TALLA_TRY(const auto ends, counted_ends(table, cards));
  const ChainGame game = coups_ending(table, ends);
  TableOdds all;
  std::vector<std::string> insured;
  std::optional<Error> refused;
  for (const BetRule& rule : table.rules().bets) {
    if (rule.id == figures.insurance_bet) continue;
    TALLA_TRY(const auto alone, StakeChain(table, game).odds(rule.id, {}));
    all.bets.push_back(
        {.bet = rule.id, .on = {}, .odds = alone, .method = OddsMethod::count, .with = {}});
    const auto with = StakeChain(table, game)
                          .odds(rule.id, {}, {{figures.insurance_bet, {rule.id}, figures.rate}});
    if (!with) {
      refused = with.error();
      continue;
    }
    insured.push_back(rule.id);
    all.bets.push_back({.bet = rule.id,
                        .on = {},
                        .odds = *with,
                        .method = OddsMethod::count,
                        .with = {figures.insurance_bet}});
  }
  if (!insured.empty()) {
    all.others.push_back(poker::accompanies(figures.insurance_bet, listed(insured)));
  } else if (refused) {
    all.others.push_back({figures.insurance_bet, refused->detail});
  }
  return all;
}

}  // namespace talla::games
