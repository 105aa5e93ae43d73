/// \file
/// Odds from what a stake of 1 is paid: each payment with its chance. Private to games.
///
/// Threads: plain values.
#pragma once

#include <map>

#include "games/odds.hpp"

namespace talla::games {

/// What comes back of a stake of 1, the stake included, and with what chance.
class PaidOdds {
 public:
  void add(const Fraction& paid, const Ratio& probability) { chances_[paid] += probability; }
  /// The odds where all that was added makes up `whole` (the chance that the stake is taken at
  /// all). Precondition (checked): it does.
  [[nodiscard]] Odds odds(const Ratio& whole = 1) const;

 private:
  std::map<Fraction, Ratio> chances_;
};

}  // namespace talla::games
