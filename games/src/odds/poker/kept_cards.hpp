/// \file
/// What a player of draw poker gains, summed by the cards that he keeps and those that he gives up.
/// Private to games.
///
/// What differs only by suits has one sum. Three kept cards have a row (suit_rows.hpp) with a place
/// for each pair given up; the others are found by the ranks of each suit.
/// Memory:  200 MiB. Threads: plain values.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "odds/poker/bank_draws.hpp"
#include "odds/poker/suit_rows.hpp"

namespace talla::games::poker {

/// Weights of the bank's courses, and what they gain, of a player who goes.
struct Gains {
  std::int64_t net = 0;
  std::int64_t win = 0;
  std::int64_t lose = 0;
  std::int64_t square = 0;
  void add(const Gains& other, std::int64_t times) {
    net += other.net * times;
    win += other.win * times;
    lose += other.lose * times;
    square += other.square * times;
  }
};

class KeptCards {
 public:
  explicit KeptCards(std::size_t ranks);

  /// To four kept cards and one given up, or five and none: a last hand that they become.
  void add(std::span<const Place> kept, std::span<const Place> given_up, const Gains& gains,
           std::int64_t hands);
  /// To three kept cards and each pair given up: such hands, as often as they are.
  void add_pairs(std::span<const Place> kept, std::span<const PlacePair> given_up,
                 std::span<const Gains> gains);

  struct Sum {
    Gains gains;
    std::int64_t finals = 0;  ///< hands that they become, of all that differ only by suits
  };
  /// Precondition: something was added to them.
  [[nodiscard]] Sum at(std::span<const Place> kept, std::span<const Place> given_up) const;

 private:
  using Key = std::pair<std::uint64_t, std::uint64_t>;
  struct Slot {
    Key key;  ///< both 0: free
    Sum sum;
  };
  [[nodiscard]] Key key(std::span<const Place> kept, std::span<const Place> given_up) const;
  [[nodiscard]] std::size_t slot(const Key& key) const;
  [[nodiscard]] Sum at_pair(std::span<const Place> kept, std::span<const Place> given_up) const;

  std::size_t ranks_;
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  SuitRows rows_;
  std::vector<Gains> pairs_;  // by row and pair
};

}  // namespace talla::games::poker
