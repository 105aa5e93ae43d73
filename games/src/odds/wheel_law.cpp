// Laws of payment of a wheel: one stake, every pocket.
#include "base/check.hpp"
#include "games/driver.hpp"
#include "odds/draw_places.hpp"
#include "odds/lone_stake.hpp"
#include "odds/paid_laws.hpp"

namespace talla::games {

namespace {

/// What the one settlement of this spin says; with prison goes the other way of its owner's choice.
Result<std::vector<Paid>> ways_of(const Driver& spun) {
  const auto& settled = spun.settled();
  if (settled.size() != 1) return fail(Errc::game_not_available, "a spin does not settle the bet");
  const Settlement& one = settled.front();
  const Fraction factor = (Fraction(one.returned) + one.remainder) / Fraction(one.stake);
  std::vector<Paid> ways{{one.result, factor}};
  if (one.result == BetResult::prison) ways.push_back({BetResult::half, Fraction(1, 2)});
  return ways;
}

/// Of one place: its ends, in the order of results and amounts, and which of them each pocket is.
Result<PaymentLaw> law_of(const Table& table, const Draw& draw, const std::string& bet,
                          const std::vector<std::string>& on) {
  TALLA_TRY(const auto results, draw_results(draw));
  const Fraction each(1, static_cast<Int128>(results.size()));
  TALLA_TRY(Driver laid, Driver::start(table));
  TALLA_TRY([[maybe_unused]] const Units stake, lay_lone_stake(laid, bet, on));
  TALLA_TRY_STATUS(laid.apply(CloseBets{}));
  PaymentLaw law{.bet = bet, .on = {}, .ends = {}};
  std::vector<std::vector<Paid>> by_pocket;
  for (const DrawResult& result : results) {
    Driver spun(table, laid.state(), {}, Journal::off);
    TALLA_TRY_STATUS(spun.apply(result));
    TALLA_TRY(auto ways, ways_of(spun));
    add_end(law.ends, ways, each);
    by_pocket.push_back(std::move(ways));
  }
  std::ranges::sort(law.ends, [](const PaidEnd& a, const PaidEnd& b) {
    const Paid& first = a.ways.front();
    const Paid& second = b.ways.front();
    return first.result != second.result ? first.result < second.result
                                         : first.factor < second.factor;
  });
  law.at.emplace_back();
  for (const auto& ways : by_pocket) {
    const auto end = std::ranges::find(law.ends, ways, &PaidEnd::ways);
    law.at.front().push_back(static_cast<std::size_t>(end - law.ends.begin()));
  }
  if (!on.empty()) law.on.push_back(on);
  return law;
}

}  // namespace

Result<std::vector<PaymentLaw>> wheel_laws(const Table& table, const Draw& draw) {
  std::vector<PaymentLaw> laws;
  for (const BetRule& rule : table.rules().bets) {
    if (rule.is_call()) continue;
    for (const auto& on : places_of(rule, table.params())) {
      auto law = law_of(table, draw, rule.id, on);
      if (!law) continue;  // the table does not take it there
      add_law(laws, std::move(*law));
    }
  }
  return laws;
}

}  // namespace talla::games
