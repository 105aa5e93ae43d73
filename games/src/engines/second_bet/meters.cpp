#include "engines/second_bet/meters.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/check.hpp"

namespace talla::games::second_bet {
namespace {

const json::Value& part(const Law& law, std::string_view kind, std::string_view key) {
  const auto* meter = law.find("meters", kind);
  TALLA_CHECK(meter != nullptr);
  const auto* value = meter->find(key);
  TALLA_CHECK(value != nullptr);
  return law.resolve(*value);
}

bool is(const Law& law, std::string_view kind, std::string_view key, std::string_view value) {
  return part(law, kind, key).string() == value;
}

Units opening_amount(const Law& law, std::string_view kind) {
  const auto key = is(law, kind, "kind", "fixed") ? "fixed" : "seed";
  const auto unit =
      is(law, kind, "unit", "stake") ? law.stake_amount(kind) : Fraction(law.table().min());
  const auto exact = law.fraction_of(part(law, kind, key)) * unit;
  return exact >= Fraction(units_max) ? units_max : exact.floor();
}

Units share_of(const Fraction& share, Units amount) {
  return (share * Fraction(amount)).floor();
}

/// The share that a claim takes; zero: none.
Fraction share_of_claim(const Law& law, std::string_view kind, const Claim& claim) {
  const auto* meter = law.find("meters", kind);
  const auto when = poker::category_name(claim.category);
  for (const auto& row : meter->find("rows")->array()) {
    if (row.find("when")->string() != when) continue;
    if (!claim.drawn) return law.fraction_of(*row.find("share"));
    const auto* adopted = meter->find("drawn");
    const auto* drawn = row.find("drawn");
    const bool pays = adopted != nullptr && law.resolve(*adopted).boolean() && drawn != nullptr;
    return pays ? law.fraction_of(*drawn) : Fraction();
  }
  return {};
}

struct Winner {
  std::size_t claim = 0;  ///< index
  Fraction share;
};

/// Claims with a share, in the order of payment.
std::vector<Winner> winners_of(const Law& law, std::string_view kind,
                               const std::vector<Claim>& claims) {
  std::vector<Winner> out;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const auto share = share_of_claim(law, kind, claims.at(i));
    if (!share.is_zero()) out.push_back({i, share});
  }
  std::stable_sort(out.begin(), out.end(), [&](const Winner& a, const Winner& b) {
    const auto& left = claims.at(a.claim);
    const auto& right = claims.at(b.claim);
    return left.drawn != right.drawn ? right.drawn : left.value > right.value;
  });
  return out;
}

class Payment {
 public:
  Payment(const Law& law, MeterState& meter, const std::vector<Claim>& claims)
      : law_(law), meter_(meter), claims_(claims), start_(meter.value), awards_(claims.size(), 0) {}

  std::vector<Units> pay() {
    const auto winners = winners_of(law_, meter_.id, claims_);
    if (is(law_, meter_.id, "order", "start-amount")) {
      std::vector<Winner> all;
      for (const auto& one : winners) {
        if (one.share == Fraction(1)) {
          all.push_back(one);
        } else {
          take(one.claim, share_of(one.share, start_));
        }
      }
      split(all);
    } else {
      for (std::size_t i = 0; i < winners.size();) {
        std::size_t end = i + 1;
        while (end < winners.size() && equal(winners.at(i), winners.at(end))) ++end;
        pay_group({winners.begin() + static_cast<std::ptrdiff_t>(i),
                   winners.begin() + static_cast<std::ptrdiff_t>(end)});
        i = end;
      }
    }
    return std::move(awards_);
  }

 private:
  [[nodiscard]] bool equal(const Winner& a, const Winner& b) const {
    const auto& left = claims_.at(a.claim);
    const auto& right = claims_.at(b.claim);
    return left.drawn == right.drawn && left.value == right.value;
  }
  void pay_group(const std::vector<Winner>& group) {
    if (group.front().share == Fraction(1)) return split(group);
    const bool alone = group.size() == 1;
    if (claims_.at(group.front().claim).drawn && is(law_, meter_.id, "drawn_base", "hand-start")) {
      for (const auto& one : group) take(one.claim, share_of(one.share, start_));
      return;
    }
    const Units initial =
        is(law_, meter_.id, "equal", "seed") ? opening_amount(law_, meter_.id) : start_;
    const Units of = alone ? meter_.value : initial;
    for (const auto& one : group) take(one.claim, share_of(one.share, of));
  }
  /// All that is left, in equal parts.
  void split(const std::vector<Winner>& group) {
    if (group.empty()) return;
    const Units each = meter_.value / static_cast<Units>(group.size());
    for (const auto& one : group) take(one.claim, each);
  }
  void take(std::size_t claim, Units amount) {
    const Units paid = std::min(amount, meter_.value);
    awards_.at(claim) = paid;
    meter_.value -= paid;
    meter_.award += paid;
  }

  const Law& law_;
  MeterState& meter_;
  const std::vector<Claim>& claims_;
  Units start_;
  std::vector<Units> awards_;
};

/// A fixed jackpot is what it was; a progressive one that somebody has taken whole begins anew.
void refill(const Law& law, MeterState& meter, const std::vector<Claim>& claims,
            const std::vector<Units>& awards) {
  bool whole = false;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    whole =
        whole || (awards.at(i) > 0 && share_of_claim(law, meter.id, claims.at(i)) == Fraction(1));
  }
  const Units amount = opening_amount(law, meter.id);
  if ((whole || is(law, meter.id, "kind", "fixed")) && meter.value < amount)
    meter.put_in(amount - meter.value);
}

}  // namespace

std::vector<MeterState> opening_meters(const Law& law) {
  std::vector<MeterState> out;
  for (const auto& bet : law.rules().bets) {
    if (law.find("meters", bet.id) == nullptr) continue;
    if (bet.offered_if && !law.table().params().holds(*bet.offered_if)) continue;
    out.push_back({{.id = bet.id, .value = opening_amount(law, bet.id)}, 0});
  }
  return out;
}

std::optional<json::Value> meter_terms(const Law& law, std::string_view kind) {
  const auto all = opening_meters(law);
  const auto* found = named(all, kind);
  if (found == nullptr) return std::nullopt;
  json::Value out = law.resolved(*law.find("meters", kind));
  for (const auto* amount : {"unit", "seed", "fixed"})
    out.object().erase(amount);  // `opening` says what they make
  out["opening"] = found->value;
  out["stake"] = law.stake_amount(kind).text();
  out["side"] = law.resolved(*law.find("sides", kind));
  return out;
}

const MeterState* unread_meter(const Law& law, const State& state) {
  const auto found =
      std::find_if(state.meters.begin(), state.meters.end(), [&](const MeterState& meter) {
        return meter.staked > 0 && !meter.read && law.table().shares(meter.id);
      });
  return found == state.meters.end() ? nullptr : &*found;
}

MeterState* unread_meter(const Law& law, State& state) {
  const auto* found = unread_meter(law, std::as_const(state));
  return found == nullptr ? nullptr
                          : &state.meters.at(static_cast<std::size_t>(found - state.meters.data()));
}

void note_stakes(State& state) {
  for (auto& meter : state.meters) {
    for (const auto& bet : state.bets.all()) {
      if (bet.kind == meter.id) meter.staked = std::min(units_max, meter.staked + bet.stake);
    }
  }
}

void forget_stakes(State& state) {
  for (auto& meter : state.meters) {
    meter.staked = 0;
    meter.read = false;
  }
}

std::vector<Units> settle_meter(const Law& law, MeterState& meter,
                                const std::vector<Claim>& claims) {
  const bool fixed = is(law, meter.id, "kind", "fixed");
  const Units staked = std::exchange(meter.staked, 0);
  meter.read = false;
  Units fed = 0;
  if (!fixed) {
    const auto share = law.fraction_of(part(law, meter.id, "contribution"));
    const Fraction due = share * Fraction(staked) + meter.carry;
    fed = due.floor();
    meter.carry = due - Fraction(fed);
  }
  const bool before = is(law, meter.id, "fed", "before-awards");
  if (before) meter.put_in(fed);
  auto awards = Payment(law, meter, claims).pay();
  refill(law, meter, claims, awards);
  if (!before) meter.put_in(fed);
  return awards;
}

Fraction after_deduction(const Law& law, std::string_view kind, Units award) {
  return Fraction(award) * (Fraction(1) - law.fraction_of(part(law, kind, "deduction")));
}

}  // namespace talla::games::second_bet
