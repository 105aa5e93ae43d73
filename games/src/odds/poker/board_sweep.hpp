/// \file
/// Five common cards, and every pair of the other 47 against every other pair: how many of the
/// bank's pairs lose to it, tie with it, or leave the bank out.
///
/// Method:  the 1,081 pairs are sorted by the value of their best five of seven; one sweep from the
///          lowest to the highest keeps how many pairs were passed, in all and with each card, so
///          that those that share a card are taken off again.
/// Threads: plain values.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "engines/poker/hand_table.hpp"

namespace talla::games::poker {

/// The bank's pairs against two own cards: 990 in all.
inline constexpr std::int64_t bank_pairs = 990;
/// Pairs of own cards beside five common ones.
inline constexpr std::size_t own_pairs = 1'081;
/// Three of five common cards.
inline constexpr std::size_t choices_of_three = 10;

class BoardSweep {
 public:
  struct Against {
    Card a;  ///< own cards
    Card b;
    std::uint16_t level = 0;       ///< of the own hand
    std::int64_t not_playing = 0;  ///< the bank's pairs below the level from which it plays
    std::int64_t lower = 0;        ///< those with which it plays and loses
    std::int64_t higher = 0;
  };
  /// `plays_from`: the lowest level with which the bank plays (0: always). The table must outlive
  /// it.
  BoardSweep(const HandTable<7>& table, std::uint16_t plays_from)
      : table_(&table), plays_from_(plays_from) {}

  /// Calls `visit(Against)` for each of the 1,081 pairs. Precondition: five different cards.
  template <class Visit>
  void each_pair(const std::vector<Card>& board, Visit&& visit) {
    sort_pairs(board);
    Tally out;
    Tally passed;
    for (const Pair& pair : pairs_) {
      if (pair.level < plays_from_) out.add(pair);
    }
    for (auto begin = pairs_.begin(); begin != pairs_.end();) {
      const auto end = std::find_if(begin, pairs_.end(),
                                    [&](const Pair& pair) { return pair.level != begin->level; });
      Tally equal;
      for (auto each = begin; each != end; ++each) equal.add(*each);
      for (auto each = begin; each != end; ++each) visit(against(*each, out, passed, equal));
      for (auto each = begin; each != end; ++each) passed.add(*each);
      begin = end;
    }
  }

 private:
  static constexpr std::size_t others_count = 47;
  /// By the places of the cards among the others.
  struct Pair {
    std::uint16_t level = 0;
    std::uint8_t a = 0;
    std::uint8_t b = 0;
  };
  struct Tally {
    std::int32_t all = 0;
    std::array<std::int32_t, others_count> with{};
    void add(const Pair& pair) {
      ++all;
      ++with[pair.a];
      ++with[pair.b];
    }
    /// Without either card of this pair; `itself`: the pair was added too.
    [[nodiscard]] std::int64_t apart_from(const Pair& pair, bool itself) const {
      return all - with[pair.a] - with[pair.b] + (itself ? 1 : 0);
    }
  };

  void sort_pairs(const std::vector<Card>& board);
  [[nodiscard]] Against against(const Pair& pair, const Tally& out, const Tally& passed,
                                const Tally& equal) const;

  const HandTable<7>* table_;
  std::uint16_t plays_from_;
  std::vector<Card> others_;
  std::vector<Pair> pairs_;
};

/// The ranks of each suit of own cards and common ones, and the same number for all that differ
/// only by suits.
class SuitKeys {
 public:
  void put_own(Card card) { put(card, ranks_count); }
  void put_common(Card card) { put(card, 0); }
  /// 64 bits for some millions of cases: that no two fall together shows in their count. Never 0.
  [[nodiscard]] std::uint64_t number() const;

 private:
  void put(Card card, unsigned shift) {
    constexpr unsigned ranks = ranks_count;
    keys_[card.code() / ranks] |= 1U << (card.code() % ranks + shift);
  }
  std::array<std::uint32_t, 4> keys_{};
};

/// Gains summed by situation: what all that is not yet known brings together.
class Situations {
 public:
  struct Sum {
    std::uint64_t key = 0;  ///< SuitKeys::number; 0: a free slot
    std::int64_t gain = 0;
    std::uint32_t deals = 0;
    std::uint32_t group = 0;
  };
  /// Room for 2^bits situations, nine tenths of them used at most (checked); less room where
  /// `boards` boards of which each has `each_board` situations cannot have so many.
  Situations(unsigned bits, std::size_t boards, std::size_t each_board)
      : shift_(64 -
               std::min(bits, static_cast<unsigned>(std::bit_width(boards * each_board * 2 + 1)))),
        slots_(std::size_t{1} << (64 - shift_)) {}
  void add(std::uint64_t key, std::uint32_t group, std::int64_t gain, std::int64_t deals);
  /// Precondition: something was added under that key.
  [[nodiscard]] const Sum& at(std::uint64_t key) const;
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(used_); }
  /// Free slots among them: key 0, nothing gained.
  [[nodiscard]] const std::vector<Sum>& all() const { return slots_; }

 private:
  unsigned shift_;
  std::vector<Sum> slots_;
  std::size_t used_ = 0;
};

}  // namespace talla::games::poker
