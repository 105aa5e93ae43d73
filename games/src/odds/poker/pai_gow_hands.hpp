/// \file
/// The hands of seven cards of pai gow, those that differ only by suits as one, and every way to
/// set them that may be best or is a house way's.
///
/// A card is its place in the deck, suits one after the other, the joker last. A set's number is
/// the sum of binomials of its places (CardSets::number).
/// Order:   which of equal ranks a house way lays low goes by the order of the cards. Only where
///          three aces and the joker are parted does that change a hand (the joker may complete
///          something): six orders then count alike.
/// Memory:  1 GiB for 52 cards and the joker; some 20 seconds to make. Threads: immutable.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engines/pai_gow/split.hpp"
#include "odds/poker/bank_counts.hpp"
#include "odds/poker/card_sets.hpp"

namespace talla::games::poker {

/// Classes of the sets of one size of a deck with four equal suits and a joker.
class JokerSets {
 public:
  /// The first set of a class, and how many there are in it.
  struct First {
    std::array<Place, pai_gow::hand_cards> set{};
    std::uint32_t sets = 0;
  };

  JokerSets(std::size_t ranks, std::size_t size);

  [[nodiscard]] const std::vector<First>& firsts() const { return firsts_; }
  /// By the number of the set.
  [[nodiscard]] std::uint32_t class_of(std::size_t number) const { return class_of_[number]; }

 private:
  std::vector<std::uint32_t> class_of_;
  std::vector<First> firsts_;
};

class PaiGowHands {
 public:
  /// What two hands are worth, as places among all values, from 1; a high hand of 0 is lost.
  struct Setting {
    std::uint16_t high = 0;
    std::uint8_t low = 0;
    bool operator==(const Setting&) const = default;
  };
  /// Low values of settings lie below.
  static constexpr std::size_t low_end = 96;
  static constexpr std::size_t orders_count = 6;
  using Orders = std::array<Setting, orders_count>;

  /// The deck: four suits of `ranks` and a joker (13; fewer in tests, the highest ones and the
  /// ace).
  PaiGowHands(const Ranker& ranker, std::size_t ranks);

  [[nodiscard]] std::span<const Card> deck() const { return deck_; }
  [[nodiscard]] std::size_t classes() const { return sets_.firsts().size(); }
  [[nodiscard]] std::uint32_t class_of(std::size_t number) const { return sets_.class_of(number); }
  /// How many hands are in a class.
  [[nodiscard]] std::uint32_t hands(std::size_t one) const { return sets_.firsts()[one].sets; }
  /// High values of settings lie below.
  [[nodiscard]] std::size_t high_end() const { return highs_.size() + 1; }

  /// Of two hands that are not set wrongly.
  [[nodiscard]] Setting setting(const pai_gow::Hands& hands) const;
  /// Settings of a class: none is as good as another in both hands unless a house way's. One whose
  /// high hand is lost is set wrongly, its low hand the best there is.
  [[nodiscard]] std::span<const Setting> settings(std::size_t one) const {
    return std::span(settings_).subspan(first_[one], first_[one + 1] - first_[one]);
  }
  /// Where those of a class begin among all.
  [[nodiscard]] std::uint32_t first_setting(std::size_t one) const { return first_[one]; }
  [[nodiscard]] std::size_t all_settings() const { return settings_.size(); }

  /// Calls `visit(setting, orders)` for what a house way makes of a hand, six orders in all.
  template <class Visit>
  void each_by(pai_gow::HouseWay way, std::uint32_t one, Visit&& visit) const {
    const Setting& by = by_[one][static_cast<std::size_t>(way)];
    if (by.low != ordered) {
      visit(by, static_cast<std::uint32_t>(orders_count));
      return;
    }
    for (const Setting& set : ordered_.at(one)) visit(set, 1);
  }
  /// What a house way makes of a hand, by its order.
  [[nodiscard]] Orders orders_by(pai_gow::HouseWay way, std::uint32_t one) const;

 private:
  using Hand = std::array<Place, pai_gow::hand_cards>;
  using Options = std::vector<pai_gow::Option>;
  using Ways = std::array<Setting, pai_gow::house_ways_count>;
  /// Instead of a low value: see `ordered_`.
  static constexpr std::uint8_t ordered = 0xFF;
  /// Of five cards: their value's place, and how many of the low hands they are worth more than.
  struct Five {
    std::uint16_t high = 0;
    std::uint8_t outranks = 0;
  };
  /// Of two cards: their value's place, and their own among low hands by rank.
  struct Two {
    std::uint8_t low = 0;
    std::uint8_t rank = 0;
  };

  void read_twos();
  void read_fives();
  [[nodiscard]] std::uint8_t outranked_by(std::span<const Card, 5> five) const;
  void set_hand(const Hand& hand);
  [[nodiscard]] Options options_of(const Hand& hand) const;
  [[nodiscard]] Setting by(std::span<const Card, pai_gow::hand_cards> cards, const Options& options,
                           pai_gow::HouseWay way) const;

  const Ranker& ranker_;
  std::vector<Card> deck_;
  std::vector<HandValue> highs_;                  ///< all values of five cards, ascending
  std::vector<HandValue> lows_;                   ///< of two
  std::vector<std::array<Card, 2>> ranked_lows_;  ///< one of each pair of ranks, ascending
  std::array<std::array<Two, deck_cards_count + 1>, deck_cards_count + 1> twos_{};
  JokerSets five_sets_;
  std::vector<Five> fives_;  ///< by class
  JokerSets sets_;
  std::vector<std::uint32_t> first_;
  std::vector<Setting> settings_;
  std::vector<Ways> by_;
  std::unordered_map<std::uint32_t, Orders> ordered_;
};

}  // namespace talla::games::poker
