/// \file
/// How many of the bank's courses hold a given set of cards, by how their last hand stands to a
/// level that rises. Private to games.
///
/// Course:  weighs so much that all hands dealt first have the same weight, however many cards the
///          bank changes; that depends on how many cards are left, so on how many the player
///          changed: three weights.
/// Threads: plain values.
#pragma once

#include "odds/poker/bank_draws.hpp"
#include "odds/poker/suit_rows.hpp"

namespace talla::games::poker {

inline constexpr std::size_t player_changes = 3;  // none, one, two cards

/// Weights of courses below the bank's least hand, of those that play and lie below the level, and
/// of those at it.
struct Standing {
  std::int64_t out = 0;
  std::int64_t below = 0;
  std::int64_t equal = 0;
  Standing& add(const Standing& other, std::int64_t times) {
    out += times * other.out;
    below += times * other.below;
    equal += times * other.equal;
    return *this;
  }
};

class DrawCounters {
 public:
  explicit DrawCounters(std::size_t ranks);
  [[nodiscard]] const CardSets& sets() const { return sets_; }
  /// Weight of all courses of one hand dealt first, where the player changes so many cards.
  [[nodiscard]] std::int64_t weight(std::size_t changes) const { return weights_[changes][0]; }

  /// The courses that end with this hand, which stands for `hands` that differ only by suits.
  void add(std::span<const Place, five_cards> hand, std::int64_t hands, const Courses& courses);
  /// What was added since the last `pass` is whole and may be looked up as `equal`.
  void settle();
  /// It goes below the level (`plays`), or out.
  void pass(bool plays);

  /// Of courses that hold all cards of a set of up to five cards.
  [[nodiscard]] const Standing& at(std::size_t changes, std::size_t size,
                                   std::uint32_t number) const {
    return cells_[changes][size][sets_.class_of(size, number)];
  }
  /// Adds to each sum, so many times, the courses that hold a set of up to five cards and that pair
  /// beside it, two cards changed by the player. `pairs` by number, lower places first.
  void add_with_pairs(std::span<const Place> set, std::span<const PlacePair> pairs,
                      std::int64_t times, std::span<Standing> sums);

 private:
  struct Seven {
    std::uint64_t key = 0;
    std::int64_t sets = 0;  // in the class; 0: a free slot
    Standing standing;
  };
  /// By the cards that the bank changes.
  using Weights = std::array<std::int64_t, 3>;

  void read_pairs(std::size_t ranks);
  void add_sevens(std::span<const Place> set, std::span<const PlacePair> pairs, std::int64_t times,
                  std::span<Standing> sums);
  void put(std::size_t size, std::uint32_t number, std::int64_t courses, std::size_t bank);
  void put_seven(std::span<const Place> set, std::int64_t courses);
  [[nodiscard]] std::size_t slot(std::uint64_t key) const;

  CardSets sets_;
  std::array<Weights, player_changes> weights_{};
  std::array<std::array<std::vector<Standing>, set_cards_max + 1>, player_changes> cells_;
  std::vector<SuitRows> rows_;  // of up to four cards
  /// The class of a set and a pair beside it, by the set's size, row and the pair.
  std::array<std::vector<std::uint32_t>, set_cards_max - 1> with_pair_;
  std::vector<Seven> sevens_;
  std::size_t sevens_used_ = 0;
  std::array<std::vector<std::uint32_t>, set_cards_max + 1> touched_;
  std::vector<std::size_t> touched_sevens_;
  std::vector<std::uint64_t> keys_;  // of the sets of seven that are looked up
};

/// The places of two ascending sets, ascending. Returns how many.
std::size_t merged(std::span<const Place> a, std::span<const Place> b, std::span<Place> out);
/// What remains of a hand where the bits say so, ascending; returns how many.
std::size_t chosen(std::span<const Place, five_cards> hand, unsigned bits, std::span<Place> out);

}  // namespace talla::games::poker
