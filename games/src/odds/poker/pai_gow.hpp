/// \file
/// Pai gow poker: every client's seven cards against every seven of the bank, 8.25 x 10^15 deals of
/// 52 cards and a joker, both set by a house way; and the client's best way against each of them.
///
/// Law:     the client wins where both his hands are worth more, loses where neither is; else the
///          stake comes back. Equality counts for the bank.
/// Method:  that no card is with both is inclusion and exclusion over the sets of cards that they
///          share. For each set of up to seven cards, one of all that differ only by suits, the
///          bank's hands that hold it make a table of how many lie below each pair of values; every
///          setting of every client's hand that holds it is looked up there.
/// Order:   which of equal ranks a house way lays low goes by the order of the cards. Only where
///          three aces and the joker are parted does that change a hand (the joker may complete
///          something): six orders then count alike.
/// Cost:    some minutes on one core for each way of the bank, 2 GiB.
/// Threads: plain values.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engines/pai_gow/split.hpp"
#include "games/money.hpp"
#include "odds/poker/card_sets.hpp"

namespace talla::games::poker {

/// Of all deals, each as often as there are orders (of both).
struct PaiGowSums {
  std::int64_t win = 0;
  std::int64_t lose = 0;
  std::int64_t deals = 0;
};
struct PaiGowOdds {
  std::array<PaiGowSums, pai_gow::house_ways_count> ways;  ///< the client by each house way
  PaiGowSums best;                                         ///< by the best of all settings
};

class PaiGow {
 public:
  /// Sets all hands that differ in more than suits. The deck: four suits of `ranks` and a joker
  /// (13; fewer in tests, the highest ones and the ace).
  explicit PaiGow(const Ranker& ranker, std::size_t ranks = ranks_count);
  /// `commission`: of a gain, by which the best setting is chosen.
  [[nodiscard]] PaiGowOdds against(pai_gow::HouseWay bank, const Fraction& commission);

 private:
  using Hand = std::array<Place, pai_gow::hand_cards>;
  /// What two hands are worth, as places among all values.
  struct Setting {
    std::uint16_t high = 0;
    std::uint8_t low = 0;
    bool operator==(const Setting&) const = default;
  };
  struct Gained {
    std::int64_t win = 0;
    std::int64_t not_lost = 0;
  };
  /// One hand of all that differ only by suits.
  struct Class {
    std::uint32_t first = 0;  ///< of its settings
    std::uint8_t hands = 0;
    std::array<std::uint8_t, pai_gow::house_ways_count> way{};  ///< its setting by each house way
  };

  /// Its settings by the informative way, one for each order.
  using Orders = std::array<std::uint8_t, 6>;

  void read_values();
  void read_hands();
  void set_hand(const Hand& hand, Class& out);
  [[nodiscard]] Orders orders_of(std::uint32_t one, pai_gow::HouseWay way) const;
  [[nodiscard]] std::uint64_t key(const Hand& hand) const;
  [[nodiscard]] std::size_t end_of(std::size_t one) const {
    return one + 1 < classes_.size() ? classes_[one + 1].first : settings_.size();
  }

  void share(std::span<const Place> set, std::int64_t times, pai_gow::HouseWay bank);
  void share_all(pai_gow::HouseWay bank);
  void share_hand(pai_gow::HouseWay bank);
  void collect(std::span<const Place> set);
  void fill(pai_gow::HouseWay bank, bool weighted);
  void look_up(std::int64_t times, bool weighted);

  const Ranker& ranker_;
  CardSets sets_;
  std::vector<Card> deck_;
  std::vector<HandValue> highs_;         ///< all values of five cards, ascending
  std::vector<HandValue> lows_;          ///< of two
  std::vector<std::uint32_t> class_of_;  ///< by the number of the hand
  std::vector<Class> classes_;
  std::unordered_map<std::uint32_t, Orders> ordered_;  ///< classes of which the order matters
  std::vector<Setting> settings_;
  std::vector<Gained> gained_;  ///< by setting, of all hands that differ only by suits
  // Of the set that both hold:
  std::vector<std::uint32_t> held_;  ///< classes of the hands that hold it
  std::vector<std::uint32_t> row_;   ///< how many rows of the table lie below a high value
  std::size_t rows_ = 0;
  std::vector<std::int32_t> below_;  ///< bank's hands in lower rows and of lower low hands
};

}  // namespace talla::games::poker
