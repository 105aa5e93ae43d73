/// \file
/// The bets of one table with its parameters applied: which are offered, how each position is spelt and what it covers,
/// what may stand on it at most. Made once when the table opens, so that placing and settling a stake copies no rules.
///
/// The functions of games/bets.hpp (positions, canonical_position, covered) say what is right; this only finds it faster.
/// Threads: immutable.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "games/rules.hpp"

namespace talla::games {

/// The first eight bytes and the length of a code, to compare it in one step. Codes up to eight bytes are equal exactly
/// when their keys are; longer ones are compared in full.
class CodeKey {
 public:
  explicit CodeKey(std::string_view code)
      : head_(first_eight(code.data(), code.size())), size_(code.size()) {}
  [[nodiscard]] std::uint64_t head() const { return head_; }
  [[nodiscard]] bool whole() const { return size_ <= sizeof(head_); }
  [[nodiscard]] std::uint64_t mixed() const {
    std::uint64_t mixed = (head_ + size_) * 0x9e3779b97f4a7c15U;
    mixed ^= mixed >> 29U;
    return mixed * 0xbf58476d1ce4e5b9U;
  }
  bool operator==(const CodeKey&) const = default;

 private:
  template <class T>
  static std::uint64_t load(const char* from) {
    T value = 0;
    std::memcpy(&value, from, sizeof(value));
    return value;
  }
  /// In registers: two loads that may overlap, or three bytes.
  static std::uint64_t first_eight(const char* code, std::size_t size) {
    if (size >= 8) return load<std::uint64_t>(code);
    if (size >= 4)
      return load<std::uint32_t>(code) | load<std::uint32_t>(code + size - 4) << (8 * (size - 4));
    if (size == 0) return 0;
    return load<std::uint8_t>(code) | load<std::uint8_t>(code + size / 2) << (8 * (size / 2)) |
           load<std::uint8_t>(code + size - 1) << (8 * (size - 1));
  }
  std::uint64_t head_ = 0;
  std::uint64_t size_ = 0;
};

/// One way to name a position, and the codes that a stake on it covers.
struct IndexedPosition {
  std::vector<std::string> on;  ///< canonical spelling
  std::vector<std::string> covers;
  std::vector<CodeKey> keys;       ///< of covers
  const Citation* cite = nullptr;  ///< of a position that exists only by a condition
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
  bool offered = true;
  Units stake_max = 0;                        ///< beyond it the largest return is no amount
  const MinimumRule* minimum_rule = nullptr;  ///< nullptr: the table minimum
  Fraction minimum;                           ///< with minimum_rule; above zero
  bool stepped = false;                       ///< with minimum_rule: stakes are multiples of it
  std::vector<IndexedLimit> limits;
  std::vector<IndexedPosition> positions;  ///< on == none: one, without spelling
  std::vector<std::uint32_t> slots;  ///< open hash table of positions, index + 1; its size is a power of two

  /// The position `on` names in any order, or nullptr.
  [[nodiscard]] const IndexedPosition* find(const std::vector<std::string>& on) const;
};

class BetIndex {
 public:
  /// The rules must outlive it.
  BetIndex(const GameRules& rules, const Params& params, Units table_min);
  /// The bet of that id, or nullptr.
  [[nodiscard]] const IndexedBet* find(std::string_view kind) const;
  /// Whether some bet of the game is put down as parts.
  [[nodiscard]] bool has_calls() const { return has_calls_; }

 private:
  bool has_calls_ = false;
  std::vector<CodeKey> keys_;  // of bets_, in its order
  std::vector<IndexedBet> bets_;
};

}  // namespace talla::games
