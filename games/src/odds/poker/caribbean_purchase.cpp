// Odds of Caribbean stud where a card may be bought.
#include <algorithm>

#include "base/check.hpp"
#include "odds/poker/bank_counts.hpp"
#include "odds/poker/caribbean.hpp"

namespace talla::games::poker {
namespace {

constexpr std::uint8_t keeps_all = five_cards;    // in place of the card given up
constexpr std::int64_t deals_unbought = 163'185;  // the bank's four hidden cards of 46
constexpr std::int64_t deals_bought = 148'995;    // of 45
constexpr std::int64_t next_cards = 42;  // what may be bought once the bank's cards lie there
constexpr std::size_t players_at_once =
    4'096;  // bounds the memory: 84 MiB of ways, 10 MiB of hands to weigh

/// One hand to weigh: a player's five, or four of them and a bought card.
struct Final {
  std::uint32_t player;
  std::uint8_t given_up;  // which of the five, or keeps_all
  std::uint8_t bought;    // code
};

/// What a way of playing one hand gains, by the card shown.
using Way = std::array<Odds, deck_cards_count>;
using Ways = std::array<Way, five_cards + 1>;  // by the card given up, the last one keeps all

struct Bank {
  ByShown out;    // hands with which the bank does not play
  ByShown lower;  // among them those that would lose; they are in `out`
  ByShown equal;
};

FiveCodes codes_of(const SuitClass& hand) {
  FiveCodes out{};
  for (std::size_t i = 0; i < five_cards; ++i) out[i] = hand.cards[i].code();
  return out;
}

bool holds(const FiveCodes& codes, std::size_t code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

class Weighing {
 public:
  Weighing(const HandTable<5>& table, const Ranker& ranker, const CaribbeanLaw& law,
           const HandsByLevel& bank_hands)
      : table_(table),
        ranker_(ranker),
        law_(law),
        bank_hands_(bank_hands),
        deck_(shuffle::DeckSpec::french(1).cards()) {
    while (plays_from_ < table.levels_count() && value(plays_from_) < law.bank_plays_from) {
      for (const FiveCodes& hand : bank_hands[plays_from_]) not_playing_.add(hand);
      ++plays_from_;
    }
  }

  void weigh(std::span<const SuitClass> players, PurchaseOdds& odds) const {
    std::vector<std::vector<Final>> finals(table_.levels_count());
    std::vector<FiveCodes> own;
    for (const SuitClass& player : players) {
      own.push_back(codes_of(player));
      list_finals(own, finals);
    }
    std::vector<Ways> ways(players.size());
    BankCounts below = not_playing_;
    for (std::size_t level = 0; level < finals.size(); ++level)
      weigh_level(level, own, finals[level], below, ways);
    for (std::size_t i = 0; i < players.size(); ++i)
      settle(players[i].deals, own[i], ways[i], odds);
  }

 private:
  [[nodiscard]] HandValue value(std::size_t level) const {
    return table_.value(static_cast<std::uint16_t>(level));
  }

  /// The last of `own` as it is, and with each card exchanged for each other.
  void list_finals(const std::vector<FiveCodes>& own,
                   std::vector<std::vector<Final>>& finals) const {
    const auto player = static_cast<std::uint32_t>(own.size() - 1);
    const FiveCodes& codes = own.back();
    for (std::uint8_t given_up = 0; given_up <= keeps_all; ++given_up) {
      CardSum kept;
      for (std::uint8_t i = 0; i < five_cards; ++i) {
        if (i != given_up) kept = kept.with(deck_[codes[i]]);
      }
      if (given_up == keeps_all) {
        finals[table_.level(kept)].push_back({player, given_up, 0});
        continue;
      }
      for (std::uint8_t bought = 0; bought < deck_cards_count; ++bought) {
        if (!holds(codes, bought))
          finals[table_.level(kept.with(deck_[bought]))].push_back({player, given_up, bought});
      }
    }
  }

  void weigh_level(std::size_t level, const std::vector<FiveCodes>& own,
                   const std::vector<Final>& finals, BankCounts& below,
                   std::vector<Ways>& ways) const {
    const bool could_win = level >= plays_from_;
    std::vector<ByShown> lower;
    if (could_win) {
      for (const Final& each : finals) lower.push_back(apart_from(below, own[each.player], each));
      for (const FiveCodes& hand : bank_hands_[level]) below.add(hand);
    }
    for (std::size_t i = 0; i < finals.size(); ++i) {
      const Final& each = finals[i];
      Bank bank{.out = apart_from(not_playing_, own[each.player], each), .lower = {}, .equal = {}};
      bank.lower = could_win ? lower[i] : bank.out;
      bank.equal = could_win ? apart_from(below, own[each.player], each) : bank.out;
      for (std::size_t shown = 0; shown < deck_cards_count; ++shown)
        bank.equal[shown] -= bank.lower[shown];
      add(each, bank, level, ways[each.player][each.given_up]);
    }
  }

  /// Of the hands counted those that hold neither a card that the player had nor one that he
  /// bought.
  static ByShown apart_from(const BankCounts& counts, const FiveCodes& own, const Final& each) {
    if (each.given_up == keeps_all) return counts.apart_from(own);
    std::array<std::uint8_t, five_cards + 1> seen{};
    std::copy(own.begin(), own.end(), seen.begin());
    seen.back() = each.bought;
    std::inplace_merge(seen.begin(), seen.end() - 1, seen.end());
    return counts.apart_from(seen);
  }

  void add(const Final& each, const Bank& bank, std::size_t level, Way& way) const {
    const bool bought = each.given_up != keeps_all;
    const std::int64_t deals = bought ? deals_bought : deals_unbought;
    const std::int64_t price = bought ? 1 : 0;
    const std::int64_t laid = 3 + price;
    const std::int64_t win = 1 + 2 * law_.second_bet.gain(ranker_.category(value(level)));
    for (std::size_t shown = 0; shown < deck_cards_count; ++shown) {
      if (bought && shown == each.bought) continue;
      const std::int64_t out = bank.out[shown];
      const std::int64_t lower = bank.lower[shown] - out;
      const std::int64_t higher = deals - bank.lower[shown] - bank.equal[shown];
      if (out + win * lower - 3 * higher > -deals) {
        way[shown].add(1 - price, laid, out);
        way[shown].add(win - price, laid, lower);
        way[shown].add(-price, laid, bank.equal[shown]);
        way[shown].add(-laid, laid, higher);
      } else {
        way[shown].add(-1 - price, 1 + price, deals);
      }
    }
  }

  static void settle(std::int64_t weight, const FiveCodes& own, const Ways& ways,
                     PurchaseOdds& odds) {
    static_assert(deals_unbought * next_cards == deals_bought * 46);
    for (std::size_t shown = 0; shown < deck_cards_count; ++shown) {
      if (holds(own, shown)) continue;
      const Odds* best = &ways[keeps_all][shown];
      std::int64_t times = next_cards;
      for (std::size_t given_up = 0; given_up < five_cards; ++given_up) {
        const Odds& way = ways[given_up][shown];
        if (way.net <= best->net * times) continue;
        best = &way;
        times = 1;
      }
      odds.best.add(*best, weight * times);
      odds.bought += times == 1 ? weight * best->deals : 0;
    }
  }

  const HandTable<5>& table_;
  const Ranker& ranker_;
  const CaribbeanLaw& law_;
  const HandsByLevel& bank_hands_;
  std::vector<Card> deck_;
  std::size_t plays_from_ = 0;
  BankCounts not_playing_;
};

}  // namespace

Result<PurchaseOdds> caribbean_odds_with_purchase(const Ranker& ranker, const CaribbeanLaw& law,
                                                  std::span<const SuitClass> players) {
  TALLA_TRY(const auto table, HandTable<5>::create(ranker));
  const HandsByLevel bank_hands = hands_by_level(*table);
  const Weighing weighing(*table, ranker, law, bank_hands);
  PurchaseOdds odds;
  for (std::size_t begin = 0; begin < players.size(); begin += players_at_once) {
    weighing.weigh(players.subspan(begin, std::min(players_at_once, players.size() - begin)), odds);
  }
  return odds;
}

}  // namespace talla::games::poker
