/// \file
/// The law of what a bet is paid in one round: every end that the rules allow with its exact
/// probability, and which of them a settlement is.
///
/// Known for games whose bets are settled by one draw or coup: wheels, and punto y banca. A wheel's
/// law is the engine driven through every pocket; a coup's the count of every hand from the cards
/// that nobody has seen yet, so that it holds whatever a player who counts cards does. A stake in
/// prison has ended its round; what becomes of it later is no round of this law.
/// Errors:  game_not_available (any other game), card_invalid (cards that the shoe does not have).
/// Threads: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "games/odds.hpp"
#include "games/settlement.hpp"
#include "shuffle/card.hpp"

namespace talla::games {

/// What a settlement may say: its result, and what comes back of a stake of 1, exactly.
struct Paid {
  BetResult result = BetResult::lose;
  Fraction factor;
  bool operator==(const Paid&) const = default;
};

/// One end of a round. More ways than one: the bet's owner chooses among them (half back, or
/// prison).
struct PaidEnd {
  std::vector<Paid> ways;
  Ratio probability;
};

/// Positions of one bet that have the same law.
struct PaymentLaw {
  std::string bet;
  std::vector<std::vector<std::string>> on;  ///< empty: the bet has no positions
  /// Probabilities add up to 1. A wheel's are in the order of results and amounts.
  std::vector<PaidEnd> ends;
  /// Of a wheel: for each of `on` (or the one place of the bet) its end at each pocket. Else empty:
  /// all stakes of a round come to the same end.
  std::vector<std::vector<std::size_t>> at{};
  /// Section under which a void is an end of the round (a tie); other voids are none.
  std::string void_rule{};
};
/// What the end counts for each unit staked: what comes back, and half of it for a stake that its
/// owner may have put in prison, whatever becomes of it there.
[[nodiscard]] Fraction worth(const PaidEnd& end);

/// Of every bet that the table offers, in the catalogue's order. `gone`: cards of the shoe that
/// were seen before the bets of the round were closed, for a wheel none. The ends and their order
/// do not depend on them.
[[nodiscard]] Result<std::vector<PaymentLaw>> payment_laws(
    const Table& table, std::span<const shuffle::Card> gone = {});

/// The end that the settlement is. Nothing: the law allows no such payment (another figure, a part
/// of a winning kept back, an amount that is not the exact one rounded as the table rounds).
[[nodiscard]] std::optional<std::size_t> end_of(const PaymentLaw& law, const Table& table,
                                                const Settlement& settlement);

/// Whether a stake that was in prison may end a spin so: lost, still there, or given back whole or
/// halved once or more often, as the table rounds.
[[nodiscard]] bool leaves_prison(const Table& table, const Settlement& settlement);

/// The stakes of one law in one round, and the ends that they came to.
class PaidRound {
 public:
  PaidRound(const PaymentLaw& law, const Table& table)
      : law_(law), table_(table), by_end_(law.ends.size()), by_place_(law.on.size()) {}
  /// A settlement of a bet on that one of the law's positions.
  void add(const Settlement& settlement, const std::vector<std::string>& on);
  /// A stake that has no settlement, or one that contradicts it; `returned`: what was paid for it.
  void add_foreign(Units stake, Units returned);
  /// Not when nothing was staked, or all of it went back void by another rule than the law's.
  [[nodiscard]] bool counts() const { return staked_ > 0 && !(foreign_ && voided_ == staked_); }
  [[nodiscard]] const Ratio& staked() const { return staked_; }
  [[nodiscard]] const Ratio& voided() const { return voided_; }
  /// Some stake came to no end of the law.
  [[nodiscard]] bool foreign() const { return foreign_; }
  /// The stakes that came to each end.
  [[nodiscard]] const std::vector<Ratio>& by_end() const { return by_end_; }
  /// What they came to before rounding, as `worth` counts it.
  [[nodiscard]] const Ratio& paid() const { return paid_; }
  /// Expectation and variance of that before the round, exactly; the stakes of `add_foreign` stand
  /// on one place of their own.
  [[nodiscard]] Ratio expected() const;
  [[nodiscard]] Ratio variance() const;

 private:
  const PaymentLaw& law_;
  const Table& table_;
  std::vector<Ratio> by_end_;
  std::vector<Ratio> by_place_;  // stakes on each of `on`
  Ratio staked_;
  Ratio paid_;
  Ratio voided_;
  bool foreign_ = false;
};

}  // namespace talla::games
