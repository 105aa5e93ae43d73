#include "odds/poker/caribbean.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "odds/poker/bank_counts.hpp"

namespace talla::games::poker {
namespace {

constexpr std::int64_t bank_deals = 163'185;  // four hidden cards of 46

struct Own {
  FiveCodes codes{};
  std::int64_t deals = 0;
};

/// The player's hands by level.
std::vector<std::vector<Own>> own_by_level(const HandTable<5>& table,
                                           std::span<const SuitClass> players) {
  std::vector<std::vector<Own>> out(table.levels_count());
  for (const SuitClass& hand : players) {
    Own own{.deals = hand.deals};
    for (std::size_t i = 0; i < five_cards; ++i) own.codes[i] = hand.cards[i].code();
    out[table.level(std::span<const Card, five_cards>(hand.cards))].push_back(own);
  }
  return out;
}

/// For each card shown: how many hands of the player's own level hold it and none of his cards.
ByShown equal_to(const std::vector<FiveCodes>& same_level, const FiveCodes& own) {
  std::uint64_t own_bits = 0;
  for (const std::uint8_t code : own) own_bits |= std::uint64_t{1} << code;
  ByShown out{};
  for (const FiveCodes& hand : same_level) {
    std::uint64_t bits = 0;
    for (const std::uint8_t code : hand) bits |= std::uint64_t{1} << code;
    if ((bits & own_bits) != 0) continue;
    for (const std::uint8_t code : hand) ++out[code];
  }
  return out;
}

/// The lowest level whose hands are worth that much.
std::size_t first_level(const HandTable<5>& table, HandValue value) {
  std::size_t level = 0;
  while (level < table.levels_count() && table.value(static_cast<std::uint16_t>(level)) < value)
    ++level;
  return level;
}

class Account {
 public:
  Account(const Ranker& ranker, const CaribbeanLaw& law, std::span<const HandValue> from)
      : ranker_(ranker), law_(law), from_(from) {
    odds_.from.resize(from.size());
  }

  /// By the card shown: hands with which the bank does not play, hands that lose to the player's,
  ///                    equal ones.
  struct Bank {
    ByShown out;
    ByShown lower;
    ByShown equal;
  };
  void add(const Own& own, HandValue value, const Bank& bank) {
    const Category category = ranker_.category(value);
    const std::int64_t win = 1 + 2 * law_.second_bet.gain(category);
    bool& always = odds_.always.at(static_cast<std::size_t>(category));
    for (std::uint8_t shown = 0; shown < deck_cards_count; ++shown) {
      if (std::find(own.codes.begin(), own.codes.end(), shown) != own.codes.end()) continue;
      const std::int64_t higher =
          bank_deals - bank.out[shown] - bank.lower[shown] - bank.equal[shown];
      TALLA_CHECK(higher >= 0);
      Odds goes;
      goes.add(1, laid, bank.out[shown]);
      goes.add(win, laid, bank.lower[shown]);
      goes.add(0, laid, bank.equal[shown]);
      goes.add(-laid, laid, higher);
      const bool does = goes.net > -bank_deals;
      always &= does;
      put(odds_.best, own.deals, goes, does);
      for (std::size_t i = 0; i < from_.size(); ++i)
        put(odds_.from[i], own.deals, goes, value >= from_[i]);
    }
  }
  [[nodiscard]] CaribbeanOdds result() && { return std::move(odds_); }

 private:
  static constexpr std::int64_t laid = 3;  // first and second bet

  static void put(Odds& odds, std::int64_t deals, const Odds& goes, bool does) {
    if (does) {
      odds.add(goes, deals);
    } else {
      odds.add(-1, 1, deals * bank_deals);
    }
  }
  const Ranker& ranker_;
  const CaribbeanLaw& law_;
  std::span<const HandValue> from_;
  CaribbeanOdds odds_;
};

}  // namespace

Result<CaribbeanOdds> caribbean_odds(const Ranker& ranker, const CaribbeanLaw& law,
                                     std::span<const SuitClass> players,
                                     std::span<const HandValue> from) {
  TALLA_TRY(const auto table, HandTable<5>::create(ranker));
  const HandsByLevel bank_hands = hands_by_level(*table);
  const auto own_hands = own_by_level(*table, players);
  Account account(ranker, law, from);
  const std::size_t plays_from = first_level(*table, law.bank_plays_from);
  BankCounts below;
  for (std::size_t level = 0; level < plays_from; ++level) {
    for (const FiveCodes& hand : bank_hands[level]) below.add(hand);
  }
  const BankCounts not_playing = below;
  for (std::size_t level = 0; level < table->levels_count(); ++level) {
    const bool could_win = level >= plays_from;
    for (const Own& own : own_hands[level]) {
      Account::Bank bank{.out = not_playing.apart_from(own.codes), .lower = {}, .equal = {}};
      if (could_win) {
        bank.lower = below.apart_from(own.codes);
        for (std::size_t i = 0; i < deck_cards_count; ++i) bank.lower[i] -= bank.out[i];
        bank.equal = equal_to(bank_hands[level], own.codes);
      }
      account.add(own, table->value(static_cast<std::uint16_t>(level)), bank);
    }
    if (!could_win) continue;
    for (const FiveCodes& hand : bank_hands[level]) below.add(hand);
  }
  return std::move(account).result();
}

}  // namespace talla::games::poker
