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

/// What five cards bring, once the first of the common ones lies open.
void add_common(const Odds& stays, std::int64_t deals, bool first_left, TrijokerOdds& odds) {
  const bool second_left = stays.net > 0;
  const std::int64_t left = 1 + (first_left ? 1 : 0) + (second_left ? 1 : 0);
  Odds back;
  back.add(0, 0, stays.deals);
  back.lose = 0;  // taken back, not lost
  const auto put = [&](Odds& spot, bool stays_in) { spot.add(stays_in ? stays : back, deals); };
  put(odds.spots[0], first_left);
  put(odds.spots[1], second_left);
  put(odds.spots[2], true);
  odds.all.net += deals * left * stays.net;
  odds.all.staked += deals * left * stays.staked;
  odds.all.deals += deals * stays.deals;
  odds.all.win += deals * stays.win;
  odds.all.lose += left == 3 ? deals * stays.lose : 0;
  odds.all.square += Int128{left} * left * stays.square * deals;
}

}  // namespace

Result<TrijokerOdds> trijoker_odds(const Ranker& ranker, const TrijokerLaw& law) {
  TALLA_TRY(const auto table, HandTable<5>::create(ranker));
  const auto gain_of = gains(ranker, *table, law);
  const auto deck = shuffle::DeckSpec::french(1).cards();
  TrijokerOdds odds;
  for (const SuitClass& own : suit_classes(3)) {
    CardSum three;
    for (const Card card : own.cards) three = three.with(card);
    const auto dealt = [&](const CardSum& cards, Card card) {
      return (cards.bits & words::bit_of[card.code()]) != 0;
    };
    std::vector<Odds> behind;  // of one bet that stays, by the first common card
    Odds third;
    for (const Card first : deck) {
      if (dealt(three, first)) continue;
      const CardSum four = three.with(first);
      Odds& one = behind.emplace_back();
      for (const Card last : deck) {
        if (!dealt(four, last)) one.add(gain_of[table->level(four.with(last))], 1, 1);
      }
      third.add(one, 1);
    }
    // The first bet is taken back with own cards with which it would lose on average, the second
    // with the first common card.
    const bool first_left = third.net > 0;
    for (const Odds& one : behind) add_common(one, own.deals, first_left, odds);
  }
  return odds;
}

}  // namespace talla::games::poker
