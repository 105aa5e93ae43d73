#include "odds/jackpot_odds.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"

namespace talla::games {

namespace {

/// More than any jackpot holds, in stakes.
constexpr std::int64_t beyond_all = 1'000'000'000'000;

/// What a bet returns on average around that amount.
JackpotLine expected(const std::vector<JackpotCards>& all, const Ratio& jackpot) {
  JackpotLine sum;
  for (const JackpotCards& cards : all) {
    const auto best = std::ranges::max_element(cards.lines, {}, [&](const JackpotLine& one) {
      return std::pair(one.at(jackpot), one.share);
    });
    TALLA_CHECK(best != cards.lines.end());
    sum.fixed += cards.chance * best->fixed;
    sum.share += cards.chance * best->share;
  }
  return sum;
}

/// Where the expected payment, which only grows with the jackpot and ever faster, is the stake:
/// found from above by the lines that hold there.
std::optional<Ratio> break_even(const std::vector<JackpotCards>& all) {
  Ratio now(beyond_all);
  if (expected(all, now).at(now) < Ratio(1)) return std::nullopt;
  for (;;) {
    const JackpotLine line = expected(all, now);
    if (line.share.is_zero()) return Ratio(0);
    const Ratio next = (Ratio(1) - line.fixed) / line.share;
    if (next >= now) return now;
    now = next;
    if (now < Ratio(0)) return Ratio(0);
  }
}

}  // namespace

JackpotOdds jackpot_odds(const std::vector<JackpotCards>& all, const Ratio& growth,
                         const Ratio& opening) {
  JackpotOdds out;
  out.growth = growth;
  Ratio taken;
  Ratio put_in = growth;
  for (const JackpotCards& cards : all) {
    const bool hits = std::ranges::any_of(
        cards.lines, [](const JackpotLine& one) { return !one.share.is_zero(); });
    if (hits) out.hit += cards.chance;
    if (cards.taken == Ratio(1)) out.whole += cards.chance;
    if (cards.reopens) put_in += cards.chance * opening;
    taken += cards.chance * cards.taken;
  }
  out.break_even = break_even(all);
  // In the long run it loses as much as comes in: what bets add, and what it begins with.
  if (!taken.is_zero()) out.mean = put_in / taken;
  return out;
}

}  // namespace talla::games
