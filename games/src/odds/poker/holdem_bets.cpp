// Odds of the further bets of hold'em against the house.
#include <bit>

#include "odds/poker/board_sweep.hpp"
#include "odds/poker/common_rows.hpp"
#include "odds/poker/holdem.hpp"

namespace talla::games::poker {
namespace {

// How many orders of the common cards (first three together, then one, then one) a choice of five
// stands for: with nothing known of them, with the first three known, with the first four known as
// a set.
constexpr std::int64_t board_orders = 20;
constexpr std::int64_t orders_of_three = 2;
constexpr std::int64_t orders_of_four = 4;

/// Own cards that differ in more than suits: two ranks, and whether of one suit.
constexpr std::size_t starts_count = std::size_t{ranks_count} * ranks_count;
/// By the number of the pair.
using Starts = std::vector<std::uint8_t>;
Starts all_starts(std::size_t ranks) {
  Starts out;
  std::array<Place, 2> pair{0, 1};
  do {
    const std::size_t high = std::max(pair[0] % ranks, pair[1] % ranks);
    const std::size_t low = std::min(pair[0] % ranks, pair[1] % ranks);
    const bool suited = pair[0] / ranks == pair[1] / ranks;
    out.push_back(
        static_cast<std::uint8_t>(suited ? low * ranks_count + high : high * ranks_count + low));
  } while (next_set(pair, ranks * shuffle::suits_count));
  return out;
}

/// What own cards alone lead to, the choice to go on included or not.
struct Start {
  std::int64_t gain = 0;     // ante and first bet
  std::int64_t further = 0;  // the later bets, where they gain
  std::int64_t deals = 0;
  [[nodiscard]] bool goes() const { return gain + further > -deals; }
};

template <class Visit>
void each_four(const std::array<Place, common_cards>& common, Visit visit) {
  for (unsigned last = 0; last < common.size(); ++last) {
    std::array<Place, 4> four{};
    std::size_t count = 0;
    for (std::size_t k = 0; k < common.size(); ++k)
      if (k != last) four[count++] = common[k];
    visit(four, last);
  }
}

class ThreeDecisions {
 public:
  ThreeDecisions(const HandTable<7>& table, const Ranker& ranker, std::span<const Card> deck,
                 const HoldemBetsLaw& law)
      : law_(law),
        sweep_(table, deck, 0),
        three_(deck.size() / shuffle::suits_count, 3),
        four_(deck.size() / shuffle::suits_count, 4),
        start_of_(all_starts(deck.size() / shuffle::suits_count)),
        starts_(starts_count) {
    for (std::size_t level = 0; level < table.levels_count(); ++level) {
      const auto category = ranker.category(table.value(static_cast<std::uint16_t>(level)));
      category_.push_back(category);
      ante_.push_back(law.ante.bonus(category));
    }
  }

  void add(const SuitClass& board) {
    sweep_.sweep(board.cards);
    const auto against = sweep_.against();
    const auto pairs = sweep_.pairs();
    gains_.resize(against.size());
    for (std::size_t i = 0; i < against.size(); ++i) {
      const auto& own = against[i];
      Start& start = starts_[start_of_[pairs[i]]];
      const std::int64_t first =
          own.lower * (ante_[own.level] + law_.before) - own.higher * (1 + law_.before);
      start.gain += board.deals * board_orders * first;
      start.deals += board.deals * board_orders * sweep_.bank_pairs();
      gains_[i] = board.deals * (own.lower - own.higher);  // what one more unit would gain
    }
    const std::int64_t deals = board.deals * sweep_.bank_pairs();
    each_three(sweep_.common(), [&](const std::array<Place, 3>& three, unsigned /*bit*/) {
      three_.add(three, pairs, gains_, deals);
    });
    each_four(sweep_.common(), [&](const std::array<Place, 4>& four, unsigned /*bit*/) {
      four_.add(four, pairs, gains_, deals);
    });
  }

  /// What each choice gains is known: the later bets first, then going on.
  void decide(HoldemBetsOdds& out) {
    out.three_decisions = choose(three_, law_.with_three * orders_of_three);
    out.four_decisions = choose(four_, law_.with_four * orders_of_four);
  }

  [[nodiscard]] HoldemBetsPlay take_choices() {
    std::vector<bool> before;
    for (const std::uint8_t start : start_of_) before.push_back(starts_[start].goes());
    return {.before = std::move(before), .three = std::move(three_), .four = std::move(four_)};
  }

  /// The board once more, played by those choices, in every order of its cards.
  void play(const SuitClass& board) {
    sweep_.sweep(board.cards);
    const auto pairs = sweep_.pairs();
    std::vector<std::uint16_t> three(pairs.size());
    std::vector<std::uint16_t> four(pairs.size());
    const auto leaving_out =
        each_three(sweep_.common(), [&](const std::array<Place, 3>& known, unsigned bit) {
          three_.mark(known, pairs, bit, three);
        });
    each_four(sweep_.common(), [&](const std::array<Place, 4>& known, unsigned bit) {
      four_.mark(known, pairs, bit, four);
    });
    const auto against = sweep_.against();
    for (std::size_t i = 0; i < against.size(); ++i) {
      if (!starts_[start_of_[pairs[i]]].goes()) {
        retired_ += board.deals * board_orders;
        continue;
      }
      // How many of the twenty orders have which of the two later bets.
      std::array<std::int64_t, 4> orders{};
      for (std::size_t last = 0; last < common_cards; ++last) {
        const std::size_t with_four = (static_cast<unsigned>(four[i]) >> last & 1U) != 0 ? 2 : 0;
        const int with_three = std::popcount(static_cast<unsigned>(three[i] & leaving_out[last]));
        orders[with_four + 1] += with_three;
        orders[with_four] += static_cast<int>(common_cards) - 1 - with_three;
      }
      auto& ends = ends_[static_cast<std::size_t>(category_[against[i].level])];
      for (std::size_t bets = 0; bets < orders.size(); ++bets) {
        const std::int64_t times = orders[bets] * board.deals;
        ends[bets].orders += times;
        ends[bets].lower += times * against[i].lower;
        ends[bets].higher += times * against[i].higher;
      }
    }
  }

  [[nodiscard]] Odds played() const {
    Odds out;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      const std::int64_t ante = law_.ante.bonus(static_cast<Category>(i));
      for (std::size_t later = 0; later < ends_[i].size(); ++later) {
        const Ends& ends = ends_[i][later];
        const std::int64_t bets = law_.before + (later % 2 != 0 ? law_.with_three : 0) +
                                  (later / 2 != 0 ? law_.with_four : 0);
        out.add(ante + bets, 1 + bets, ends.lower);
        out.add(-1 - bets, 1 + bets, ends.higher);
        out.add(0, 1 + bets, ends.orders * sweep_.bank_pairs() - ends.lower - ends.higher);
      }
    }
    out.add(-1, 1, retired_ * sweep_.bank_pairs());
    return out;
  }

 private:
  /// The bank's pairs by how they end, in so many orders of the common cards.
  struct Ends {
    std::int64_t orders = 0;
    std::int64_t lower = 0;
    std::int64_t higher = 0;
  };

  [[nodiscard]] std::int64_t choose(CommonRows& rows, std::int64_t units) {
    const auto choices = rows.choose(0);
    for (const CommonRows::Choice& each : choices)
      if (each.sum.gain > 0) starts_[start_of_[each.pair]].further += units * each.sum.gain;
    return static_cast<std::int64_t>(choices.size());
  }

  const HoldemBetsLaw& law_;
  BoardSweep sweep_;
  CommonRows three_;
  CommonRows four_;
  Starts start_of_;
  std::vector<Start> starts_;
  std::vector<Category> category_;  // by level
  std::vector<std::int64_t> ante_;  // by level
  std::vector<std::int64_t> gains_;
  /// By category, then by the later bets: none, the first, the second, both.
  std::array<std::array<Ends, 4>, categories_count> ends_{};
  std::int64_t retired_ = 0;
};

}  // namespace

Result<HoldemBetsOdds> holdem_bets_odds(const Ranker& ranker, std::span<const Card> deck,
                                        const HoldemBetsLaw& law,
                                        std::span<const SuitClass> boards) {
  TALLA_TRY(const auto table, HandTable<7>::create(ranker));
  ThreeDecisions game(*table, ranker, deck, law);
  for (const SuitClass& board : boards) game.add(board);
  HoldemBetsOdds odds;
  game.decide(odds);
  for (const SuitClass& board : boards) game.play(board);
  odds.best = game.played();
  return odds;
}

Result<HoldemBetsPlay> holdem_bets_play(const Ranker& ranker, std::span<const Card> deck,
                                        const HoldemBetsLaw& law,
                                        std::span<const SuitClass> boards) {
  TALLA_TRY(const auto table, HandTable<7>::create(ranker));
  ThreeDecisions game(*table, ranker, deck, law);
  for (const SuitClass& board : boards) game.add(board);
  HoldemBetsOdds decisions;
  game.decide(decisions);
  return game.take_choices();
}

}  // namespace talla::games::poker
