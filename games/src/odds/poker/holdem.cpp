#include "odds/poker/holdem.hpp"

#include "odds/poker/board_sweep.hpp"

namespace talla::games::poker {
namespace {

constexpr unsigned decisions_bits = 22;

/// Adds what one pair of own cards gains with the second bet to each choice of the first three
/// common cards.
void spread(const SuitClass& board, const BoardSweep::Against& own, std::int64_t gain,
            Situations& decisions) {
  SuitKeys two;
  two.put_own(own.a);
  two.put_own(own.b);
  const auto& cards = board.cards;
  for (std::size_t i = 0; i < cards.size(); ++i)
    for (std::size_t j = i + 1; j < cards.size(); ++j)
      for (std::size_t k = j + 1; k < cards.size(); ++k) {
        SuitKeys five = two;
        for (const std::size_t card : {i, j, k}) five.put_common(cards[card]);
        decisions.add(five.number(), 0, board.deals * gain, board.deals * bank_pairs);
      }
}

}  // namespace

Result<HoldemOdds> holdem_odds(const Ranker& ranker, const HoldemLaw& law,
                               std::span<const SuitClass> boards) {
  TALLA_TRY(const auto table, HandTable<7>::create(ranker));
  std::uint16_t plays_from = 0;
  std::vector<std::int64_t> ante;  // the gain of an ante won with each level
  for (std::size_t level = 0; level < table->levels_count(); ++level) {
    const HandValue value = table->value(static_cast<std::uint16_t>(level));
    if (value < law.bank_plays_from) plays_from = static_cast<std::uint16_t>(level + 1);
    ante.push_back(law.ante.gain(ranker.category(value)));
  }
  BoardSweep sweep(*table, plays_from);
  Situations decisions(decisions_bits, boards.size(), own_pairs * choices_of_three);
  for (const SuitClass& board : boards) {
    sweep.each_pair(board.cards, [&](const BoardSweep::Against& own) {
      const std::int64_t gain = own.not_playing * ante[own.level] +
                                own.lower * (ante[own.level] + law.second_bet) -
                                own.higher * (1 + law.second_bet);
      spread(board, own, gain, decisions);
    });
  }
  HoldemOdds odds{.best = {}, .decisions = decisions.count()};
  for (const auto& each : decisions.all()) {
    const std::int64_t deals = each.deals;
    const bool goes = each.gain > -deals;
    odds.best.net += goes ? each.gain : -deals;
    odds.best.staked += deals * (goes ? 1 + law.second_bet : 1);
    odds.best.deals += deals;
  }
  return odds;
}

}  // namespace talla::games::poker
