#include "poker/odds_holdem.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "poker/hand_table.hpp"

namespace talla::games::poker {
namespace {

constexpr std::size_t others_count = 47;  // cards beside five common ones
constexpr std::size_t pairs_count = others_count * (others_count - 1) / 2;
constexpr std::int64_t bank_pairs = 990;  // of 45
constexpr std::size_t board_cards = 5;

/// Two of the other cards, by their places among them.
struct Pair {
  std::uint16_t level = 0;
  std::uint8_t a = 0;
  std::uint8_t b = 0;
};

/// Pairs by how often each card is in them.
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

/// What own cards and the first three common ones gained over all that may follow, for all that differ from them only by
/// suits together.
struct Decision {
  std::uint64_t key = 0;  // 0: free
  std::int64_t gain = 0;
  std::int64_t deals = 0;
};

class Decisions {
 public:
  Decisions() : slots_(std::size_t{1} << slot_bits) {}

  void add(std::uint64_t key, std::int64_t gain, std::int64_t deals) {
    std::size_t at = key >> (64 - slot_bits);
    while (slots_[at].key != key && slots_[at].key != 0) at = (at + 1) & (slots_.size() - 1);
    Decision& slot = slots_[at];
    if (slot.key == 0) {
      slot.key = key;
      TALLA_CHECK(++used_ < slots_.size());
    }
    slot.gain += gain;
    slot.deals += deals;
  }
  [[nodiscard]] HoldemOdds settle(std::int64_t second_bet) const {
    HoldemOdds odds{.best = {}, .decisions = static_cast<std::int64_t>(used_)};
    for (const Decision& each : slots_) {
      const bool goes = each.gain > -each.deals;
      odds.best.net += goes ? each.gain : -each.deals;
      odds.best.staked += each.deals * (goes ? 1 + second_bet : 1);
      odds.best.deals += each.deals;
    }
    return odds;
  }

 private:
  static constexpr unsigned slot_bits = 22;
  std::vector<Decision> slots_;
  std::size_t used_ = 0;
};

/// The ranks of each suit, own cards above common ones.
using SuitKeys = std::array<std::uint32_t, 4>;

void put(SuitKeys& keys, Card card, unsigned shift) {
  keys[card.code() / ranks_count] |= 1U << (static_cast<unsigned>(card.code() % ranks_count) + shift);
}

/// The same number for all that differ only by suits. Numbers of 64 bits for 1,286,792 cases: that none fall together shows
/// in their count.
std::uint64_t key_of(SuitKeys keys) {
  const auto order = [&keys](std::size_t i, std::size_t j) {
    const std::uint32_t low = std::min(keys[i], keys[j]);
    keys[i] = std::max(keys[i], keys[j]);
    keys[j] = low;
  };
  order(0, 1);
  order(2, 3);
  order(0, 2);
  order(1, 3);
  order(1, 2);
  std::uint64_t hash = 1;
  for (const std::uint32_t key : keys) {
    hash = (hash ^ key) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29U;
  }
  return (hash * 0xbf58476d1ce4e5b9ULL) | 1U;
}

class Table {
 public:
  Table(const HandTable<7>& table, const Ranker& ranker, const HoldemLaw& law)
      : table_(table), second_bet_(law.second_bet) {
    for (std::size_t level = 0; level < table.levels_count(); ++level) {
      const HandValue value = table.value(static_cast<std::uint16_t>(level));
      if (value < law.bank_plays_from) plays_from_ = static_cast<std::uint16_t>(level + 1);
      ante_.push_back(law.ante.gain(ranker.category(value)));
    }
  }

  void add(const SuitClass& board, Decisions& decisions) {
    const std::vector<Card> others = others_of(board.cards);
    sort_pairs(board.cards, others);
    Tally out;  // pairs with which the bank does not play
    Tally lower;
    for (const Pair& pair : pairs_) {
      if (pair.level < plays_from_) out.add(pair);
    }
    for (auto begin = pairs_.begin(); begin != pairs_.end();) {
      const auto end =
          std::find_if(begin, pairs_.end(), [&](const Pair& pair) { return pair.level != begin->level; });
      Tally equal;
      for (auto each = begin; each != end; ++each) equal.add(*each);
      for (auto each = begin; each != end; ++each) {
        const std::int64_t gain = board.deals * gain_of(*each, out, lower, equal);
        spread(board, others[each->a], others[each->b], gain, decisions);
      }
      for (auto each = begin; each != end; ++each) lower.add(*each);
      begin = end;
    }
  }

 private:
  static std::vector<Card> others_of(const std::vector<Card>& board) {
    std::vector<Card> out;
    for (const Card card : shuffle::DeckSpec::french(1).cards()) {
      if (std::find(board.begin(), board.end(), card) == board.end()) out.push_back(card);
    }
    return out;
  }

  void sort_pairs(const std::vector<Card>& board, const std::vector<Card>& others) {
    CardSum common;
    for (const Card card : board) common = common.with(card);
    pairs_.clear();
    for (std::uint8_t a = 0; a < others.size(); ++a) {
      const CardSum one = common.with(others[a]);
      for (std::uint8_t b = static_cast<std::uint8_t>(a + 1); b < others.size(); ++b) {
        pairs_.push_back({.level = table_.level(one.with(others[b])), .a = a, .b = b});
      }
    }
    std::sort(pairs_.begin(), pairs_.end(), [](const Pair& x, const Pair& y) { return x.level < y.level; });
    TALLA_CHECK(pairs_.size() == pairs_count);
  }

  /// Of the second bet with this pair, over all pairs of the bank.
  [[nodiscard]] std::int64_t gain_of(const Pair& pair, const Tally& out, const Tally& lower,
                                     const Tally& equal) const {
    const bool plays = pair.level >= plays_from_;
    const std::int64_t not_playing = out.apart_from(pair, !plays);
    const std::int64_t wins = plays ? lower.apart_from(pair, false) - not_playing : 0;
    const std::int64_t ties = plays ? equal.apart_from(pair, true) : 0;
    const std::int64_t losses = bank_pairs - not_playing - wins - ties;
    const std::int64_t ante = ante_[pair.level];
    return not_playing * ante + wins * (ante + second_bet_) - losses * (1 + second_bet_);
  }

  /// To each choice of the first three common cards.
  static void spread(const SuitClass& board, Card own_a, Card own_b, std::int64_t gain,
                     Decisions& decisions) {
    SuitKeys own{};
    put(own, own_a, ranks_count);
    put(own, own_b, ranks_count);
    for (std::size_t i = 0; i < board_cards; ++i)
      for (std::size_t j = i + 1; j < board_cards; ++j)
        for (std::size_t k = j + 1; k < board_cards; ++k) {
          SuitKeys keys = own;
          for (const std::size_t card : {i, j, k}) put(keys, board.cards[card], 0);
          decisions.add(key_of(keys), gain, board.deals * bank_pairs);
        }
  }

  const HandTable<7>& table_;
  std::int64_t second_bet_;
  std::uint16_t plays_from_ = 0;
  std::vector<std::int64_t> ante_;  // the gain of an ante won with each level
  std::vector<Pair> pairs_;
};

}  // namespace

Result<HoldemOdds> holdem_odds(const Ranker& ranker, const HoldemLaw& law,
                               std::span<const SuitClass> boards) {
  TALLA_TRY(const auto looked_up, HandTable<7>::create(ranker));
  Table table(*looked_up, ranker, law);
  Decisions decisions;
  for (const SuitClass& board : boards) table.add(board, decisions);
  return decisions.settle(law.second_bet);
}

}  // namespace talla::games::poker
