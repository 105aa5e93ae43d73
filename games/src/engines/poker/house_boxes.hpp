/// \file
/// Poker against the house: who may bet on which box, and who decides there.
///
/// Seat n sits at box n. Seats beyond the boxes stand: they bet on the hand of a seated player. Who
/// plays a vacant box does not see its cards ("a ciegas"). Data block "boxes", keys in `box_keys`;
/// every stake stands on a box.
/// Errors: seat_invalid, above_maximum, bet_not_offered. Threads: pure functions.
#pragma once

#include <span>

#include "engines/shared/data_check.hpp"
#include "engines/shared/data_law.hpp"
#include "games/bets.hpp"

namespace talla::games::poker::house {

/// Keys of the block "boxes": bet (id of the main bet), count (boxes in use), bettors (players on
/// one box, 0: no limit), optional stakes (on one box, whoever makes them), standing (whether seats
/// beyond the boxes bet with others), vacant (whether vacant boxes are played), others (whether
/// several seated players bet on one box; without it a vacant box is the first one's), command (who
/// decides on a vacant box: first or largest stake).
[[nodiscard]] std::span<const DataKey> box_keys();

class Boxes {
 public:
  /// Both must outlive it.
  Boxes(const DataLaw& law, const BetBook& bets) : law_(&law), bets_(&bets) {}

  /// Boxes in use at this table.
  [[nodiscard]] Box count() const { return static_cast<Box>(law_->number("boxes", "count")); }
  [[nodiscard]] bool is_main(const Bet& bet) const {
    return bet.kind == law_->text("boxes", "bet");
  }
  [[nodiscard]] bool seated(Seat seat) const { return seat <= count(); }
  /// The box of a new stake: the one it names, else that of its seat.
  [[nodiscard]] Result<Box> box_of(const PlaceBet& event) const;
  [[nodiscard]] bool has_main(Seat seat, Box box) const;
  /// Whether a main stake may stand where it stands, with the others that are there.
  [[nodiscard]] Status check_main(const Bet& bet) const;
  /// Whether a side bet goes with a main stake of the same seat on the same box.
  [[nodiscard]] Status check_side(const Bet& bet) const;
  /// Boxes on which any stake stands, ascending.
  [[nodiscard]] std::vector<Box> staked() const;
  /// Who decides on a box: its own player, else by the table's rule; 0: nobody has a main stake
  /// there.
  [[nodiscard]] Seat holder(Box box) const;

 private:
  const DataLaw* law_;
  const BetBook* bets_;
};

}  // namespace talla::games::poker::house
