// Sums over all deals as odds of a bet; reasons why a bet has none.
#include "odds/poker/counted.hpp"

#include "games/refusal.hpp"

namespace talla::games::poker {

BetOdds counted(std::string bet, const Odds& odds, std::vector<std::string> with) {
  const Int128 deals = odds.deals;
  const Fraction win(odds.win, deals);
  const Fraction lose(odds.lose, deals);
  return {.bet = std::move(bet),
          .on = {},
          .odds = {.win = win,
                   .lose = lose,
                   .other = Fraction(1) - win - lose,
                   .returned = Fraction(Int128{odds.staked} + odds.net, deals),
                   .square = Fraction(odds.square, deals),
                   .staked = Fraction(odds.staked, deals)},
          .method = OddsMethod::count,
          .with = std::move(with)};
}

BetWithoutOdds accompanies(std::string_view bet, std::string_view main) {
  return {std::string(bet),
          filled_form("its odds are in those of {bet}", {{"bet", std::string(main)}})};
}

BetWithoutOdds hangs_together(std::string_view bet, std::string_view main) {
  return {std::string(bet),
          filled_form("how {bet} is played decides whether it is paid: not worked out",
                      {{"bet", std::string(main)}})};
}

BetWithoutOdds takes_minutes(std::string_view bet) {
  return {std::string(bet), "counting all its deals takes minutes: --count does it"};
}

}  // namespace talla::games::poker
