/// \file
/// Pai gow poker: every client's seven cards against every seven of the bank, 8.25 x 10^15 deals of
/// 52 cards and a joker, both set by a house way; and the client's best way against each of them.
///
/// Law:     the client wins where both his hands are worth more, loses where neither is; else the
///          stake comes back. Equality counts for the bank. Where a hand set wrongly loses its high
///          hand alone, the best way may set it so.
/// Method:  that no card is with both is inclusion and exclusion over the sets of cards that they
///          share. For each set of up to seven cards, one of all that differ only by suits, the
///          bank's hands that hold it make a table of how many lie below each pair of values; every
///          setting of every client's hand that holds it is looked up there.
/// Sums:    deals won and deals not lost stand in one word, modulo 2^64, for all hands that differ
///          only by suits; as 24 is a multiple of how many these are and each sum of one hand lies
///          below 2^29, it is found again exactly.
/// Cost:    some minutes on one core for all ways of bank and client at once, 3 GiB.
/// Threads: plain values.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "games/money.hpp"
#include "odds/poker/pai_gow_hands.hpp"

namespace talla::games::poker {

/// Of all deals, each as often as there are orders (of both).
struct PaiGowSums {
  std::int64_t win = 0;
  std::int64_t lose = 0;
  std::int64_t deals = 0;
};
/// What a client plays best for: the commission of a gain, and whether he may lose the high hand
/// alone by setting his cards wrongly.
struct PaiGowAim {
  Fraction commission;
  bool wrongly = false;
};
/// Against one way of the bank.
struct PaiGowOdds {
  std::array<PaiGowSums, pai_gow::house_ways_count> ways;  ///< the client by each house way
  std::vector<PaiGowSums> best;                            ///< by the best setting for each aim
};

class PaiGow {
 public:
  using Setting = PaiGowHands::Setting;

  /// Counts all deals.
  explicit PaiGow(const PaiGowHands& hands);
  [[nodiscard]] PaiGowOdds against(pai_gow::HouseWay bank, std::span<const PaiGowAim> aims) const;
  /// The best setting of a class of hands.
  [[nodiscard]] Setting best(pai_gow::HouseWay bank, std::uint32_t one, const PaiGowAim& aim) const;
  /// What a setting of one hand does against all hands of the bank.
  [[nodiscard]] PaiGowSums of(pai_gow::HouseWay bank, std::uint32_t one, const Setting& set) const;

 private:
  /// Won and not lost against each way of the bank, in one word each: see Sums.
  using Words = std::array<std::uint64_t, pai_gow::house_ways_count>;
  struct Gained {
    std::int64_t win = 0;
    std::int64_t not_lost = 0;
  };

  void share(std::span<const Place> set, std::int64_t times);
  void share_all();
  void share_hand();
  void fill();
  void look_up(std::int64_t times);
  /// Of one hand.
  [[nodiscard]] Gained gained(std::size_t bank, std::uint32_t one, std::size_t setting) const;
  [[nodiscard]] std::size_t best_of(std::size_t bank, std::uint32_t one,
                                    const PaiGowAim& aim) const;
  [[nodiscard]] std::size_t index_of(std::uint32_t one, const Setting& set) const;

  const PaiGowHands& hands_;
  std::vector<Words> words_;  ///< by setting
  std::int64_t banks_ = 0;    ///< hands of the bank beside one of the client, each in its orders
  // Of the set that both hold:
  std::vector<std::uint32_t> held_;   ///< classes of the hands that hold it
  std::vector<std::uint32_t> times_;  ///< hands that hold it, by class
  std::vector<std::uint32_t> row_;    ///< how many rows of the table lie below a high value
  std::array<std::uint32_t, PaiGowHands::low_end + 1> column_{};  ///< and columns below a low one
  std::vector<Words> below_;  ///< the bank's hands of lower rows and columns
};

}  // namespace talla::games::poker
