// Odds of hold'em with one decision.
#include "odds/poker/holdem.hpp"

#include <bit>

#include "odds/poker/board_sweep.hpp"
#include "odds/poker/common_rows.hpp"

namespace talla::games::poker {
namespace {

class OneDecision {
 public:
  OneDecision(const HandTable<7>& table, const Ranker& ranker, std::span<const Card> deck,
              const HoldemLaw& law)
      : second_(law.second_bet),
        sweep_(table, deck, plays_from(table, law)),
        rows_(deck.size() / shuffle::suits_count, 3) {
    for (std::size_t level = 0; level < table.levels_count(); ++level) {
      const auto category = ranker.category(table.value(static_cast<std::uint16_t>(level)));
      category_.push_back(category);
      ante_.push_back(law.ante.gain(category));
    }
  }

  void add(const SuitClass& board) {
    sweep_.sweep(board.cards);
    const auto against = sweep_.against();
    gains_.resize(against.size());
    for (std::size_t i = 0; i < against.size(); ++i) {
      const auto& own = against[i];
      const std::int64_t ante = ante_[own.level];
      gains_[i] = board.deals * (ante * own.not_playing + (ante + second_) * own.lower -
                                 (1 + second_) * own.higher);
    }
    each_three(sweep_.common(), [&](const std::array<Place, 3>& three, unsigned /*bit*/) {
      rows_.add(three, sweep_.pairs(), gains_, board.deals * sweep_.bank_pairs());
    });
  }

  /// Every choice is known: how many there are.
  [[nodiscard]] std::int64_t decide() { return static_cast<std::int64_t>(rows_.choose(1).size()); }

  [[nodiscard]] CommonRows take_choices() { return std::move(rows_); }

  /// The board once more, played by those choices.
  void play(const SuitClass& board) {
    sweep_.sweep(board.cards);
    std::vector<std::uint16_t> goes(sweep_.pairs().size());
    each_three(sweep_.common(), [&](const std::array<Place, 3>& three, unsigned bit) {
      rows_.mark(three, sweep_.pairs(), bit, goes);
    });
    const auto against = sweep_.against();
    for (std::size_t i = 0; i < against.size(); ++i) {
      const auto& own = against[i];
      Ends& ends = ends_[static_cast<std::size_t>(category_[own.level])];
      const std::int64_t going = std::popcount(goes[i]) * board.deals;
      ends.not_playing += going * own.not_playing;
      ends.lower += going * own.lower;
      ends.higher += going * own.higher;
      ends.going += going;
      ends.retired += choices_of_three * board.deals - going;
    }
  }

  [[nodiscard]] Odds played(const PayTable& pays) const {
    Odds out;
    const std::int64_t laid = 1 + second_;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      const Ends& ends = ends_[i];
      const std::int64_t ante = pays.gain(static_cast<Category>(i));
      out.add(ante, laid, ends.not_playing);
      out.add(ante + second_, laid, ends.lower);
      out.add(-laid, laid, ends.higher);
      out.add(0, laid,
              ends.going * sweep_.bank_pairs() - ends.not_playing - ends.lower - ends.higher);
      out.add(-1, 1, ends.retired * sweep_.bank_pairs());
    }
    return out;
  }

 private:
  /// The bank's pairs by how they end, of all own hands of a category.
  struct Ends {
    std::int64_t not_playing = 0;
    std::int64_t lower = 0;
    std::int64_t higher = 0;
    std::int64_t going = 0;  ///< own hands with a second bet,
    std::int64_t retired = 0;
  };

  static std::uint16_t plays_from(const HandTable<7>& table, const HoldemLaw& law) {
    std::uint16_t level = 0;
    while (level < table.levels_count() && table.value(level) < law.bank_plays_from) ++level;
    return level;
  }

  std::int64_t second_;
  BoardSweep sweep_;
  CommonRows rows_;
  std::vector<Category> category_;  // by level
  std::vector<std::int64_t> ante_;  // by level: the gain of an ante won
  std::vector<std::int64_t> gains_;
  std::array<Ends, categories_count> ends_{};
};

}  // namespace

std::vector<SuitClass> board_classes(std::span<const Card> deck) {
  const CardSets sets(deck.size() / shuffle::suits_count, common_cards);
  std::vector<SuitClass> out;
  for (const auto& [set, count] : sets.firsts(common_cards)) {
    SuitClass& board = out.emplace_back();
    board.deals = count;
    for (const Place place : set) board.cards.push_back(deck[place]);
  }
  return out;
}

Result<HoldemOdds> holdem_odds(const Ranker& ranker, std::span<const Card> deck,
                               const HoldemLaw& law, std::span<const SuitClass> boards) {
  TALLA_TRY(const auto table, HandTable<7>::create(ranker));
  OneDecision game(*table, ranker, deck, law);
  for (const SuitClass& board : boards) game.add(board);
  const std::int64_t decisions = game.decide();
  for (const SuitClass& board : boards) game.play(board);
  return HoldemOdds{.best = game.played(law.ante), .decisions = decisions};
}

Result<HoldemPlay> holdem_play(const Ranker& ranker, std::span<const Card> deck,
                               const HoldemLaw& law, std::span<const SuitClass> boards) {
  TALLA_TRY(const auto table, HandTable<7>::create(ranker));
  OneDecision game(*table, ranker, deck, law);
  for (const SuitClass& board : boards) game.add(board);
  static_cast<void>(game.decide());
  return HoldemPlay{.three = game.take_choices()};
}

}  // namespace talla::games::poker
