/// \file
/// Tables by a few cards and a pair beside them, small because sets of cards that a change of suits
/// makes out of each other share one row. Private to games.
///
/// A row has a place for every pair of the deck's cards; the change of suits that makes the row's
/// first set of a set turns the pairs beside it too.
/// Threads: immutable.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "odds/poker/card_sets.hpp"

namespace talla::games::poker {

/// Pairs of a full deck by CardSets::number; those of smaller decks are the first of them.
inline constexpr std::size_t pairs_count = binomials[deck_cards_count][2];

class SuitRows {
 public:
  using Image = std::array<std::uint16_t, pairs_count>;
  /// Where a set stands, and where the pairs beside it do in that row.
  struct Spot {
    std::uint32_t row = 0;
    const Image* image = nullptr;
  };

  /// Sets of `size` cards, four at most, of a deck of four suits of `ranks`.
  SuitRows(std::size_t ranks, std::size_t size);

  [[nodiscard]] std::size_t rows() const { return firsts_.size(); }
  /// Precondition: places ascending.
  [[nodiscard]] Spot of(std::span<const Place> set) const {
    const Found& found = found_[CardSets::number(set)];
    return {.row = found.row, .image = &images_[found.order]};
  }
  /// The first set of a row.
  [[nodiscard]] std::span<const Place> first(std::uint32_t row) const {
    return std::span(firsts_[row].set).first(size_);
  }
  /// Sets that share the row.
  [[nodiscard]] std::int64_t sets(std::uint32_t row) const {
    return static_cast<std::int64_t>(suit_orders / firsts_[row].keeping.size());
  }
  /// Calls `visit` with each pair that differs from this one in that row only by suits.
  template <class Visit>
  void each_alike(std::uint32_t row, std::uint16_t pair, Visit&& visit) const {
    const auto& keeping = firsts_[row].keeping;
    for (std::size_t i = 0; i < keeping.size(); ++i) {
      const std::uint16_t alike = images_[keeping[i]][pair];
      bool fresh = true;
      for (std::size_t k = 0; k < i && fresh; ++k) fresh = images_[keeping[k]][pair] != alike;
      if (fresh) visit(alike);
    }
  }

 private:
  static constexpr std::size_t suit_orders = 24;
  struct Found {
    std::uint32_t row = 0;
    std::uint8_t order = 0;  ///< the change of suits that makes the row's first set of it
  };
  struct First {
    std::array<Place, 4> set{};
    std::vector<std::uint8_t> keeping;  ///< changes of suits that leave it as it is
  };

  void read_pairs(std::size_t ranks);
  void read_sets(std::size_t ranks);

  std::size_t size_;
  std::vector<Image> images_;  // by change of suits
  std::vector<Found> found_;   // by the number of the set
  std::vector<First> firsts_;  // by row
};

}  // namespace talla::games::poker
