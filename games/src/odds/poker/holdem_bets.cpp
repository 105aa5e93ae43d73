// Odds of the further bets of hold'em against the house.
#include "odds/poker/board_sweep.hpp"
#include "odds/poker/holdem.hpp"

namespace talla::games::poker {
namespace {

constexpr unsigned three_bits = 22;
constexpr unsigned four_bits = 24;
constexpr std::size_t choices_of_four = 5;
// How many orders of the common cards (first three together, then one, then one) a choice of five
// stands for: with nothing known of them, with the first three known, with the first four known as
// a set.
constexpr std::int64_t board_orders = 20;
constexpr std::int64_t orders_of_three = 2;
constexpr std::int64_t orders_of_four = 4;

/// Own cards that differ in more than suits: two ranks, and whether of one suit.
constexpr std::size_t starts_count = std::size_t{ranks_count} * ranks_count;
std::uint32_t start_of(Card a, Card b) {
  const int high = std::max(a.code() % ranks_count, b.code() % ranks_count);
  const int low = std::min(a.code() % ranks_count, b.code() % ranks_count);
  const bool suited = a.code() / ranks_count == b.code() / ranks_count;
  return static_cast<std::uint32_t>(suited ? low * ranks_count + high : high * ranks_count + low);
}

/// What own cards alone lead to, the choice to go on included or not.
struct Start {
  std::int64_t gain = 0;     // ante and first bet
  std::int64_t further = 0;  // the later bets, where they gain
  std::int64_t further_staked = 0;
  std::int64_t deals = 0;
};

class Game {
 public:
  Game(const HandTable<7>& table, const Ranker& ranker, const HoldemBetsLaw& law,
       std::size_t boards)
      : law_(law),
        sweep_(table, 0),
        three_(three_bits, boards, own_pairs * choices_of_three),
        four_(four_bits, boards, own_pairs * choices_of_four),
        starts_(starts_count) {
    for (std::size_t level = 0; level < table.levels_count(); ++level) {
      ante_.push_back(
          law.ante.bonus(ranker.category(table.value(static_cast<std::uint16_t>(level)))));
    }
  }

  void add(const SuitClass& board) {
    sweep_.each_pair(board.cards, [&](const BoardSweep::Against& own) {
      const std::uint32_t start = start_of(own.a, own.b);
      const std::int64_t first =
          own.lower * (ante_[own.level] + law_.before) - own.higher * (1 + law_.before);
      starts_[start].gain += board.deals * board_orders * first;
      starts_[start].deals += board.deals * board_orders * bank_pairs;
      spread(board, own, start);
    });
  }

  [[nodiscard]] HoldemBetsOdds settle() {
    choose(three_, law_.with_three, orders_of_three);
    choose(four_, law_.with_four, orders_of_four);
    HoldemBetsOdds odds{
        .best = {}, .three_decisions = three_.count(), .four_decisions = four_.count()};
    for (const Start& start : starts_) {
      const bool goes = start.gain + start.further > -start.deals;
      odds.best.net += goes ? start.gain + start.further : -start.deals;
      odds.best.staked +=
          start.deals + (goes ? law_.before * start.deals + start.further_staked : 0);
      odds.best.deals += start.deals;
    }
    return odds;
  }

 private:
  /// What one more unit would gain, to each choice of the first three and of the first four common
  /// cards.
  void spread(const SuitClass& board, const BoardSweep::Against& own, std::uint32_t start) {
    const std::int64_t gain = board.deals * (own.lower - own.higher);
    const std::int64_t deals = board.deals * bank_pairs;
    SuitKeys two;
    two.put_own(own.a);
    two.put_own(own.b);
    const auto& cards = board.cards;
    for (std::size_t last = 0; last < cards.size(); ++last) {
      SuitKeys six = two;
      for (std::size_t i = 0; i < cards.size(); ++i) {
        if (i != last) six.put_common(cards[i]);
      }
      four_.add(six.number(), start, gain, deals);
      for (std::size_t other = last + 1; other < cards.size(); ++other) {
        SuitKeys five = two;
        for (std::size_t i = 0; i < cards.size(); ++i) {
          if (i != last && i != other) five.put_common(cards[i]);
        }
        three_.add(five.number(), start, gain, deals);
      }
    }
  }

  void choose(const Situations& situations, std::int64_t bet, std::int64_t orders_each) {
    for (const auto& each : situations.all()) {
      if (each.gain <= 0) continue;
      starts_[each.group].further += bet * orders_each * each.gain;
      starts_[each.group].further_staked += bet * orders_each * std::int64_t{each.deals};
    }
  }

  const HoldemBetsLaw& law_;
  BoardSweep sweep_;
  Situations three_;
  Situations four_;
  std::vector<Start> starts_;
  std::vector<std::int64_t> ante_;
};

}  // namespace

Result<HoldemBetsOdds> holdem_bets_odds(const Ranker& ranker, const HoldemBetsLaw& law,
                                        std::span<const SuitClass> boards) {
  TALLA_TRY(const auto table, HandTable<7>::create(ranker));
  Game game(*table, ranker, law, boards.size());
  for (const SuitClass& board : boards) game.add(board);
  return game.settle();
}

}  // namespace talla::games::poker
