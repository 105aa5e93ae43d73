// Settlements of won, lost and returned stakes, with the exact remainder.
#include "games/bets.hpp"

namespace talla::games {

Settlement settle_returned(const Table& table, const Bet& bet, BetResult result,
                           const Fraction& exact, const Citation& cite) {
  const auto [units, remainder] = table.round(exact);
  return {bet.id, bet.seat, bet.kind,  bet.stake,
          result, units,    remainder, table.rules().rule(cite)};
}

void add_settlement(std::vector<Settlement>& settled, const Table& table, const Bet& bet,
                    BetResult result, const Fraction& exact, const std::string& rule) {
  const auto [units, remainder] = table.round(exact);
  settled.emplace_back(bet.id, bet.seat, bet.kind, bet.stake, result, units, remainder, rule);
}

void add_settlement(std::vector<Settlement>& settled, const Table& table, const Bet& bet,
                    BetResult result, const Fraction& exact, const Citation& cite) {
  add_settlement(settled, table, bet, result, exact, table.rules().rule(cite));
}

Settlement settle_win(const Table& table, const Bet& bet, const Payout& payout) {
  const Fraction exact = Fraction(bet.stake) * payout.factor(table.params());
  return settle_returned(table, bet, BetResult::win, exact, payout.cite);
}

Settlement settle_lose(const Table& table, const Bet& bet, const Citation& cite) {
  return settle_returned(table, bet, BetResult::lose, Fraction(0), cite);
}

}  // namespace talla::games
