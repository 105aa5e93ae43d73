#include "poker/odds_caribbean.hpp"

#include <algorithm>
#include <numeric>

#include "base/check.hpp"

namespace talla::games::poker {
namespace {

constexpr std::size_t cards_count = deck_cards_count;
constexpr std::size_t hand_cards = 5;
constexpr std::size_t subsets_count = std::size_t{1} << hand_cards;
constexpr std::int64_t bank_deals = 163'185;  // four hidden cards of 46

using Codes = std::array<std::uint8_t, hand_cards>;  // ascending
using Row = std::array<std::int32_t, cards_count>;

constexpr std::size_t choose2(std::size_t n) {
  return n * (n - 1) / 2;
}
constexpr std::size_t choose3(std::size_t n) {
  return n * (n - 1) * (n - 2) / 6;
}
constexpr std::size_t sets_count = 1 + cards_count + choose2(cards_count) + choose3(cards_count);

/// Which row a set of up to three cards has: the empty one, single cards, pairs, threes.
std::size_t row_of(std::span<const std::uint8_t> ascending) {
  switch (ascending.size()) {
    case 0:
      return 0;
    case 1:
      return 1 + ascending[0];
    case 2:
      return 1 + cards_count + choose2(ascending[1]) + ascending[0];
    default:
      return 1 + cards_count + choose2(cards_count) + choose3(ascending[2]) + choose2(ascending[1]) +
             ascending[0];
  }
}

struct Subset {
  std::array<std::uint8_t, hand_cards> cards{};
  std::size_t count = 0;
  [[nodiscard]] std::span<const std::uint8_t> span() const { return {cards.data(), count}; }
};

Subset subset_of(const Codes& hand, std::size_t mask) {
  Subset out;
  for (std::size_t i = 0; i < hand.size(); ++i) {
    if ((mask >> i & 1U) != 0) out.cards[out.count++] = hand[i];
  }
  return out;
}

/// For each set of up to three cards, by a further card: how many of the hands added hold them all.
class Holders {
 public:
  Holders() : rows_(sets_count) {}

  void add(const Codes& hand) {
    for (std::size_t mask = 0; mask < subsets_count; ++mask) {
      const Subset set = subset_of(hand, mask);
      if (set.count > 3) continue;
      Row& row = rows_[row_of(set.span())];
      for (std::size_t i = 0; i < hand.size(); ++i) {
        if ((mask >> i & 1U) == 0) ++row[hand[i]];
      }
    }
  }
  [[nodiscard]] const Row& row(std::span<const std::uint8_t> ascending) const {
    return rows_[row_of(ascending)];
  }

 private:
  std::vector<Row> rows_;
};

/// All hands of five by level, and the player's among them that stand for their suits.
struct Hands {
  explicit Hands(const HandTable<5>& looked_up)
      : table(looked_up), by_level(table.levels_count()), own(table.levels_count()) {
    const auto deck = shuffle::DeckSpec::french(1).cards();  // the place of a card is its code
    for (std::uint8_t a = 0; a < cards_count; ++a)
      for (std::uint8_t b = static_cast<std::uint8_t>(a + 1); b < cards_count; ++b)
        for (std::uint8_t c = static_cast<std::uint8_t>(b + 1); c < cards_count; ++c)
          for (std::uint8_t d = static_cast<std::uint8_t>(c + 1); d < cards_count; ++d)
            for (std::uint8_t e = static_cast<std::uint8_t>(d + 1); e < cards_count; ++e) {
              const std::array<Card, hand_cards> hand{deck[a], deck[b], deck[c], deck[d], deck[e]};
              by_level[table.level(hand)].push_back({a, b, c, d, e});
            }
    for (const SuitClass& hand : suit_classes(hand_cards)) {
      Own each{.deals = hand.deals};
      for (std::size_t i = 0; i < hand_cards; ++i) each.codes[i] = hand.cards[i].code();
      own[table.level(std::span<const Card, hand_cards>(hand.cards))].push_back(each);
    }
    for (std::size_t code = 0; code < cards_count; ++code) single[code] = deck[code];
  }

  struct Own {
    Codes codes{};
    std::int64_t deals = 0;
  };
  const HandTable<5>& table;
  std::vector<std::vector<Codes>> by_level;
  std::vector<std::vector<Own>> own;
  std::array<Card, cards_count> single{};
};

/// For each card shown: how many of the hands that `holders` counts (all those below `level`) hold it and none of `own`.
Row apart_from(const Hands& hands, const Holders& holders, const Codes& own, std::size_t level) {
  Row out{};
  for (std::size_t mask = 0; mask < subsets_count; ++mask) {
    const Subset set = subset_of(own, mask);
    if (set.count <= 3) {
      const Row& row = holders.row(set.span());
      const std::int32_t sign = set.count % 2 == 0 ? 1 : -1;
      for (std::size_t shown = 0; shown < cards_count; ++shown) out[shown] += sign * row[shown];
    } else if (set.count == 4) {
      CardSum four;
      for (const std::uint8_t code : set.span()) four = four.with(hands.single[code]);
      for (std::size_t shown = 0; shown < cards_count; ++shown) {
        if (std::find(own.begin(), own.end(), shown) != own.end()) continue;
        if (hands.table.level(four.with(hands.single[shown])) < level) ++out[shown];
      }
    }
  }
  return out;
}

/// For each card shown: how many hands of the player's own level hold it and none of his cards.
Row equal_to(const std::vector<Codes>& same_level, const Codes& own) {
  std::uint64_t own_bits = 0;
  for (const std::uint8_t code : own) own_bits |= std::uint64_t{1} << code;
  Row out{};
  for (const Codes& hand : same_level) {
    std::uint64_t bits = 0;
    for (const std::uint8_t code : hand) bits |= std::uint64_t{1} << code;
    if ((bits & own_bits) != 0) continue;
    for (const std::uint8_t code : hand) ++out[code];
  }
  return out;
}

class Account {
 public:
  Account(const Ranker& ranker, const CaribbeanLaw& law, std::span<const HandValue> from)
      : ranker_(ranker), law_(law), from_(from) {
    odds_.from.resize(from.size());
  }

  /// By the card shown: hands with which the bank does not play, hands that lose to the player's, equal ones.
  struct Bank {
    Row out;
    Row lower;
    Row equal;
  };
  void add(const Hands::Own& own, HandValue value, const Bank& bank) {
    const std::int64_t win = 1 + 2 * law_.second_bet.gain(ranker_.category(value));
    for (std::uint8_t shown = 0; shown < cards_count; ++shown) {
      if (std::find(own.codes.begin(), own.codes.end(), shown) != own.codes.end()) continue;
      const std::int64_t higher = bank_deals - bank.out[shown] - bank.lower[shown] - bank.equal[shown];
      TALLA_CHECK(higher >= 0);
      const std::int64_t gain = bank.out[shown] + win * bank.lower[shown] - 3 * higher;
      put(odds_.best, own.deals, gain, gain > -bank_deals);
      for (std::size_t i = 0; i < from_.size(); ++i) put(odds_.from[i], own.deals, gain, value >= from_[i]);
    }
  }
  [[nodiscard]] CaribbeanOdds result() && { return std::move(odds_); }

 private:
  static void put(Odds& odds, std::int64_t deals, std::int64_t gain, bool goes) {
    odds.net += deals * (goes ? gain : -bank_deals);
    odds.staked += deals * bank_deals * (goes ? 3 : 1);
    odds.deals += deals * bank_deals;
  }
  const Ranker& ranker_;
  const CaribbeanLaw& law_;
  std::span<const HandValue> from_;
  CaribbeanOdds odds_;
};

}  // namespace

Result<CaribbeanOdds> caribbean_odds(const Ranker& ranker, const CaribbeanLaw& law,
                                     std::span<const HandValue> from) {
  TALLA_TRY(const auto table, HandTable<5>::create(ranker));
  const Hands hands(*table);
  Account account(ranker, law, from);
  std::size_t plays_from = 0;
  while (plays_from < table->levels_count() &&
         table->value(static_cast<std::uint16_t>(plays_from)) < law.bank_plays_from) {
    ++plays_from;
  }
  Holders below;
  for (std::size_t level = 0; level < plays_from; ++level) {
    for (const Codes& hand : hands.by_level[level]) below.add(hand);
  }
  const Holders not_playing = below;
  for (std::size_t level = 0; level < table->levels_count(); ++level) {
    const bool could_win = level >= plays_from;
    for (const auto& own : hands.own[level]) {
      Account::Bank bank{
          .out = apart_from(hands, not_playing, own.codes, plays_from), .lower = {}, .equal = {}};
      if (could_win) {
        bank.lower = apart_from(hands, below, own.codes, level);
        for (std::size_t i = 0; i < cards_count; ++i) bank.lower[i] -= bank.out[i];
        bank.equal = equal_to(hands.by_level[level], own.codes);
      }
      account.add(own, table->value(static_cast<std::uint16_t>(level)), bank);
    }
    if (!could_win) continue;
    for (const Codes& hand : hands.by_level[level]) below.add(hand);
  }
  return std::move(account).result();
}

}  // namespace talla::games::poker
