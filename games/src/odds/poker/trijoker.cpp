#include "odds/poker/trijoker.hpp"

#include "engines/poker/hand_table.hpp"

namespace talla::games::poker {
namespace {

/// What a bet of one gains with each level of hand.
std::vector<std::int64_t> gains(const Ranker& ranker, const HandTable<5>& table,
                                const TrijokerLaw& law) {
  std::vector<std::int64_t> out;
  for (std::size_t level = 0; level < table.levels_count(); ++level) {
    const HandValue value = table.value(static_cast<std::uint16_t>(level));
    out.push_back(value < law.pays_from ? -1 : law.pays.gain(ranker.category(value)));
  }
  return out;
}

}  // namespace

Result<Odds> trijoker_odds(const Ranker& ranker, const TrijokerLaw& law) {
  TALLA_TRY(const auto table, HandTable<5>::create(ranker));
  const auto gain_of = gains(ranker, *table, law);
  const auto deck = shuffle::DeckSpec::french(1).cards();
  Odds odds;
  for (const SuitClass& own : suit_classes(3)) {
    CardSum three;
    for (const Card card : own.cards) three = three.with(card);
    const auto dealt = [&](const CardSum& cards, Card card) {
      return (cards.bits & words::bit_of[card.code()]) != 0;
    };
    std::int64_t third = 0;  // what the bet that stays gains over all ordered pairs of common cards
    std::int64_t second =
        0;  // the second bet, taken back after the first common cards with which it would lose
    std::int64_t second_left = 0;
    std::int64_t deals = 0;
    for (const Card first : deck) {
      if (dealt(three, first)) continue;
      const CardSum four = three.with(first);
      std::int64_t gain = 0;
      std::int64_t lasts = 0;
      for (const Card last : deck) {
        if (dealt(four, last)) continue;
        gain += gain_of[table->level(four.with(last))];
        ++lasts;
      }
      third += gain;
      deals += lasts;
      second += gain > 0 ? gain : 0;
      second_left += gain > 0 ? lasts : 0;
    }
    const bool first_left = third > 0;
    odds.net += own.deals * (third + second + (first_left ? third : 0));
    odds.staked += own.deals * (deals + second_left + (first_left ? deals : 0));
    odds.deals += own.deals * deals;
  }
  return odds;
}

}  // namespace talla::games::poker
