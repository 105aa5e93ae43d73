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
  std::int64_t deals = 0;
  [[nodiscard]] bool goes() const { return gain + further > -deals; }
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

  /// What each choice gains is known: the later bets first, then going on.
  void decide() {
    choose(three_, law_.with_three, orders_of_three);
    choose(four_, law_.with_four, orders_of_four);
  }

  /// The board once more, played by those choices, in every order of its cards.
  void play(const SuitClass& board, Odds& best) {
    sweep_.each_pair(board.cards, [&](const BoardSweep::Against& own) {
      const Start& start = starts_[start_of(own.a, own.b)];
      if (!start.goes()) {
        best.add(-1, 1, board.deals * board_orders * bank_pairs);
        return;
      }
      each_order(board, own, [&](std::uint64_t three, std::uint64_t four) {
        const std::int64_t bets = law_.before + (three_.at(three).gain > 0 ? law_.with_three : 0) +
                                  (four_.at(four).gain > 0 ? law_.with_four : 0);
        Odds played;
        played.add(ante_[own.level] + bets, 1 + bets, own.lower);
        played.add(-1 - bets, 1 + bets, own.higher);
        played.add(0, 1 + bets, bank_pairs - played.deals);
        best.add(played, board.deals);
      });
    });
  }
  [[nodiscard]] std::int64_t three_decisions() const { return three_.count(); }
  [[nodiscard]] std::int64_t four_decisions() const { return four_.count(); }

 private:
  static SuitKeys own_keys(const BoardSweep::Against& own) {
    SuitKeys two;
    two.put_own(own.a);
    two.put_own(own.b);
    return two;
  }
  /// The numbers of the first three and the first four common cards, for each of the twenty orders
  /// in which the last two come.
  template <class Visit>
  static void each_order(const SuitClass& board, const BoardSweep::Against& own, Visit visit) {
    const auto& cards = board.cards;
    for (std::size_t last = 0; last < cards.size(); ++last) {
      SuitKeys six = own_keys(own);
      for (std::size_t i = 0; i < cards.size(); ++i) {
        if (i != last) six.put_common(cards[i]);
      }
      for (std::size_t other = 0; other < cards.size(); ++other) {
        if (other == last) continue;
        SuitKeys five = own_keys(own);
        for (std::size_t i = 0; i < cards.size(); ++i) {
          if (i != last && i != other) five.put_common(cards[i]);
        }
        visit(five.number(), six.number());
      }
    }
  }

  /// What one more unit would gain, to each choice of the first three and of the first four common
  /// cards.
  void spread(const SuitClass& board, const BoardSweep::Against& own, std::uint32_t start) {
    const std::int64_t gain = board.deals * (own.lower - own.higher);
    const std::int64_t deals = board.deals * bank_pairs;
    const auto& cards = board.cards;
    for (std::size_t last = 0; last < cards.size(); ++last) {
      SuitKeys six = own_keys(own);
      for (std::size_t i = 0; i < cards.size(); ++i) {
        if (i != last) six.put_common(cards[i]);
      }
      four_.add(six.number(), start, gain, deals);
      for (std::size_t other = last + 1; other < cards.size(); ++other) {
        SuitKeys five = own_keys(own);
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
  game.decide();
  HoldemBetsOdds odds{.best = {},
                      .three_decisions = game.three_decisions(),
                      .four_decisions = game.four_decisions()};
  for (const SuitClass& board : boards) game.play(board, odds.best);
  return odds;
}

}  // namespace talla::games::poker
