#include "games/bets.hpp"

namespace talla::games {

namespace {

/// All members but `rule`.
void fill(Settlement& out, const Table& table, const Bet& bet, BetResult result, const Fraction& exact) {
  const Rounded rounded = table.round(exact);
  out.bet = bet.id;
  out.seat = bet.seat;
  out.kind = bet.kind;
  out.stake = bet.stake;
  out.result = result;
  out.returned = rounded.units;
  out.remainder = rounded.remainder;
}

}  // namespace

Settlement settle_returned(const Table& table, const Bet& bet, BetResult result, const Fraction& exact,
                           const Citation& cite) {
  Settlement out;
  fill(out, table, bet, result, exact);
  out.rule = table.rules().rule(cite);
  return out;
}

void add_settlement(std::vector<Settlement>& settled, const Table& table, const Bet& bet, BetResult result,
                    const Fraction& exact, const std::string& rule) {
  auto& added = settled.emplace_back();
  fill(added, table, bet, result, exact);
  added.rule = rule;
}

void add_settlement(std::vector<Settlement>& settled, const Table& table, const Bet& bet, BetResult result,
                    const Fraction& exact, const Citation& cite) {
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
