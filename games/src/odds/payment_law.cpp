// Which end of a law a settlement is, and the laws by the kind of game.
#include "games/payment_law.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "odds/paid_laws.hpp"

namespace talla::games {

Result<std::vector<PaymentLaw>> payment_laws(const Table& table,
                                             std::span<const shuffle::Card> gone) {
  const GameRules& rules = table.rules();
  if (rules.family == "wheel" && rules.draw) return wheel_laws(table, *rules.draw);
  if (rules.family == "baccarat") return coup_laws(table, gone);
  return fail(Errc::game_not_available,
              rules.id + ": a bet of this kind is not settled by one draw or coup");
}

namespace {

/// What comes back of a stake of 1, exactly. Nothing: it is not rounded as the table rounds.
std::optional<Fraction> factor_of(const Table& table, const Settlement& settlement) {
  if (settlement.stake <= 0) return std::nullopt;
  const Fraction exact = Fraction(settlement.returned) + settlement.remainder;
  const Rounded rounded = table.round(exact);
  if (rounded.units != settlement.returned || rounded.remainder != settlement.remainder)
    return std::nullopt;
  return exact / Fraction(settlement.stake);
}

/// Void, and the stake went back, no more and no less.
bool gone_back(const Settlement& settlement) {
  return settlement.result == BetResult::void_ && settlement.returned == settlement.stake &&
         settlement.remainder.is_zero();
}

}  // namespace

bool leaves_prison(const Table& table, const Settlement& settlement) {
  const auto factor = factor_of(table, settlement);
  if (!factor) return false;
  if (settlement.result == BetResult::lose || settlement.result == BetResult::prison)
    return factor->is_zero();
  Int128 parts = factor->denominator();
  while (parts % 2 == 0) parts /= 2;
  const bool halved = factor->numerator() == 1 && parts == 1;  // never, once, twice ...
  return halved && (settlement.result == BetResult::freed ||
                    (settlement.result == BetResult::half && !factor->is_integer()));
}

std::optional<std::size_t> end_of(const PaymentLaw& law, const Table& table,
                                  const Settlement& settlement) {
  const auto factor = factor_of(table, settlement);
  if (!factor || (settlement.result == BetResult::void_ && settlement.rule != law.void_rule))
    return std::nullopt;
  const Paid paid{settlement.result, *factor};
  for (std::size_t end = 0; end < law.ends.size(); ++end) {
    for (const Paid& way : law.ends[end].ways)
      if (way == paid) return end;
  }
  return std::nullopt;
}

Fraction worth(const PaidEnd& end) {
  return end.ways.back().factor;
}

void PaidRound::add(const Settlement& settlement, const std::vector<std::string>& on) {
  const auto end = end_of(law_, table_, settlement);
  const Ratio stake(settlement.stake);
  if (!end && gone_back(settlement)) voided_ += stake;
  if (!end) return add_foreign(settlement.stake, settlement.returned);
  staked_ += stake;
  by_end_[*end] += stake;
  paid_ += stake * Ratio(worth(law_.ends[*end]));
  const auto place = std::ranges::find(law_.on, on);
  if (place != law_.on.end()) by_place_[static_cast<std::size_t>(place - law_.on.begin())] += stake;
}

void PaidRound::add_foreign(Units stake, Units returned) {
  staked_ += Ratio(stake);
  paid_ += Ratio(returned);
  foreign_ = true;
}

Ratio PaidRound::expected() const {
  Ratio mean;
  for (const PaidEnd& end : law_.ends) mean += end.probability * Ratio(worth(end));
  return staked_ * mean;
}

/// Stakes on several places of a wheel exclude or help each other: what all of them come to is
/// looked at pocket by pocket. All others end together.
Ratio PaidRound::variance() const {
  const auto squared = [](const Ratio& one) { return one * one; };
  Ratio placed;
  Ratio mean;
  Ratio square;
  for (const Ratio& stake : by_place_) placed += stake;
  for (const PaidEnd& end : law_.ends) {
    mean += end.probability * Ratio(worth(end));
    square += end.probability * squared(Ratio(worth(end)));
  }
  const Ratio together = staked_ - placed;
  Ratio all = squared(together) * (square - squared(mean));
  if (placed.is_zero()) return all;
  const std::size_t pockets = law_.at.front().size();
  Ratio sum;
  for (std::size_t pocket = 0; pocket < pockets; ++pocket) {
    Ratio paid;
    for (std::size_t i = 0; i < by_place_.size(); ++i) {
      if (!by_place_[i].is_zero())
        paid += by_place_[i] * Ratio(worth(law_.ends[law_.at[i][pocket]]));
    }
    sum += squared(paid);
  }
  all += sum / Ratio(static_cast<std::int64_t>(pockets)) - squared(placed * mean);
  return all;
}

void add_law(std::vector<PaymentLaw>& laws, PaymentLaw law) {
  const auto same = [](const PaidEnd& a, const PaidEnd& b) {
    return a.ways == b.ways && a.probability == b.probability;
  };
  for (PaymentLaw& known : laws) {
    if (known.bet != law.bet || known.on.empty() ||
        !std::equal(known.ends.begin(), known.ends.end(), law.ends.begin(), law.ends.end(), same))
      continue;
    known.on.push_back(law.on.front());
    known.at.push_back(law.at.front());
    return;
  }
  laws.push_back(std::move(law));
}

void add_end(std::vector<PaidEnd>& ends, const std::vector<Paid>& ways, const Ratio& probability) {
  for (PaidEnd& end : ends) {
    if (end.ways != ways) continue;
    end.probability += probability;
    return;
  }
  ends.push_back({ways, probability});
}

}  // namespace talla::games
