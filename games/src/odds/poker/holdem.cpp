#include "odds/poker/holdem.hpp"

#include "odds/poker/board_sweep.hpp"

namespace talla::games::poker {
namespace {

constexpr unsigned decisions_bits = 22;

/// Calls `visit` with the number of each choice of the first three common cards beside these own
/// ones.
template <class Visit>
void each_three(const SuitClass& board, const BoardSweep::Against& own, Visit visit) {
  SuitKeys two;
  two.put_own(own.a);
  two.put_own(own.b);
  const auto& cards = board.cards;
  for (std::size_t i = 0; i < cards.size(); ++i)
    for (std::size_t j = i + 1; j < cards.size(); ++j)
      for (std::size_t k = j + 1; k < cards.size(); ++k) {
        SuitKeys five = two;
        for (const std::size_t card : {i, j, k}) five.put_common(cards[card]);
        visit(five.number());
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
  const auto second_bet_on = [&](const BoardSweep::Against& own) {
    const std::int64_t laid = 1 + law.second_bet;
    Odds goes;
    goes.add(ante[own.level], laid, own.not_playing);
    goes.add(ante[own.level] + law.second_bet, laid, own.lower);
    goes.add(-laid, laid, own.higher);
    goes.add(0, laid, bank_pairs - goes.deals);
    return goes;
  };
  for (const SuitClass& board : boards) {
    sweep.each_pair(board.cards, [&](const BoardSweep::Against& own) {
      const std::int64_t gain = board.deals * second_bet_on(own).net;
      each_three(board, own, [&](std::uint64_t three) {
        decisions.add(three, 0, gain, board.deals * bank_pairs);
      });
    });
  }
  // Once more, now that every choice is known.
  HoldemOdds odds{.best = {}, .decisions = decisions.count()};
  for (const SuitClass& board : boards) {
    sweep.each_pair(board.cards, [&](const BoardSweep::Against& own) {
      const Odds goes = second_bet_on(own);
      each_three(board, own, [&](std::uint64_t three) {
        const auto& known = decisions.at(three);
        if (known.gain > -std::int64_t{known.deals}) {
          odds.best.add(goes, board.deals);
        } else {
          odds.best.add(-1, 1, board.deals * bank_pairs);
        }
      });
    });
  }
  return odds;
}

}  // namespace talla::games::poker
