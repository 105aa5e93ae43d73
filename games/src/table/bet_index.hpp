/// \file
/// The bets of one table with its parameters applied: which are offered, how each position is spelt
/// and what it covers, what may stand on it at most. Made once when the table opens, so that
/// placing and settling a stake copies no rules.
///
/// The functions of games/bets.hpp (positions, canonical_position, covered) say what is right; this
/// only finds it faster.
/// Threads: immutable.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "code.hpp"
#include "games/bet_list.hpp"
#include "games/rules.hpp"

namespace talla::games {

/// One way to name a position, and the codes that a stake on it covers.
struct IndexedPosition {
  std::vector<std::string> on;  ///< canonical spelling
  std::vector<std::string> covers;
  std::vector<CodeKey> keys;  ///< of covers
  /// Of a position that exists only by a condition: the section that settlements name.
  std::string named_rule;
};

/// A maximum with its parameters read.
struct IndexedLimit {
  const LimitRule* rule = nullptr;
  LimitScope scope = LimitScope::bet;
  Fraction bound;   ///< the maximum itself
  Units floor = 0;  ///< the largest number of units within it
};

struct IndexedBet {
  const BetRule* rule = nullptr;
  std::uint32_t number = 0;  ///< place among the catalogue's bets
  std::string named_rule;    ///< what settlements name for the bet's own citation
  bool offered = true;
  Units stake_max = 0;                        ///< beyond it the largest return is no amount
  const MinimumRule* minimum_rule = nullptr;  ///< nullptr: the table minimum
  Fraction minimum;                           ///< with minimum_rule; above zero
  bool stepped = false;                       ///< with minimum_rule: stakes are multiples of it
  std::vector<IndexedLimit> limits;
  std::vector<IndexedPosition> positions;  ///< on == none: one, without spelling
  /// Open hash table of positions, index + 1; its size is a power of two.
  std::vector<std::uint32_t> slots;

  /// The position `on` names in any order, or nullptr.
  [[nodiscard]] const IndexedPosition* find(const std::vector<std::string>& on) const;
  /// The same, looked for at the hint first.
  [[nodiscard]] const IndexedPosition* find(const std::vector<std::string>& on,
                                            BetHint hint) const {
    if (hint.position < positions.size() && same_list(positions[hint.position].on, on)) {
      return &positions[hint.position];
    }
    return find(on);
  }
  /// The position of a stake on this bet, or nullptr.
  [[nodiscard]] const IndexedPosition* position_of(const Bet& bet) const {
    return find(bet.on, bet.hint);
  }
  /// What a stake on that position (nullptr: none of the list) remembers.
  [[nodiscard]] BetHint hint(const IndexedPosition* position) const {
    return {number,
            position == nullptr ? 0 : static_cast<std::uint32_t>(position - positions.data())};
  }
};

class BetIndex {
 public:
  /// The rules must outlive it.
  BetIndex(const GameRules& rules, const Params& params, Units table_min);
  /// The bet of that id, or nullptr.
  [[nodiscard]] const IndexedBet* find(std::string_view kind) const;
  /// The same, looked for at the hint first.
  [[nodiscard]] const IndexedBet* find(std::string_view kind, BetHint hint) const {
    if (hint.bet < bets_.size() && same_code(bets_[hint.bet].rule->id, kind))
      return &bets_[hint.bet];
    return find(kind);
  }
  /// The bet that a stake is on, or nullptr.
  [[nodiscard]] const IndexedBet* bet_of(const Bet& bet) const { return find(bet.kind, bet.hint); }
  /// Whether some bet of the game is put down as parts.
  [[nodiscard]] bool has_calls() const { return has_calls_; }

 private:
  bool has_calls_ = false;
  std::vector<IndexedBet> bets_;
  std::vector<std::uint32_t>
      slots_;  // open hash table of bets_ by id, index + 1; its size is a power of two
};

}  // namespace talla::games
