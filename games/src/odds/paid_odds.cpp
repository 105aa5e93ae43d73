#include "odds/paid_odds.hpp"

#include "base/check.hpp"

namespace talla::games {

Odds PaidOdds::odds(const Ratio& whole) const {
  Odds out;
  Ratio sum;
  for (const auto& [paid, chance] : chances_) {
    const Ratio part = chance / whole;
    sum += part;
    (paid > Fraction(1) ? out.win : paid.is_zero() ? out.lose : out.other) += part;
    out.returned += part * Ratio(paid);
    const Ratio gain = Ratio(paid) - Ratio(1);
    out.square += part * gain * gain;
  }
  TALLA_CHECK(sum == Ratio(1));
  return out;
}

}  // namespace talla::games
