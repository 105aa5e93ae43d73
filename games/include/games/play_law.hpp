/// \file
/// What stakes came to in one round of a game in which players choose, and the most that the best
/// play may expect of them. Known for blackjack in all its forms.
///
/// Why the bound holds, for who counts cards too: let T be any table of values of a hand, not below
/// what each open choice makes of it (`PlayValues`: cards as in full decks). The gain is T of the
/// start, plus what each card and each choice adds to T; a choice adds nothing. A card adds
/// on average what T expects of the cards that are left, everybody's seen ones removed, less what
/// it expects of full decks: known before the card. So no strategy, whatever it knows, expects
/// more than T of the start from the cards left plus the sum of these: `most`, bounded, each round.
/// Errors:  game_not_available (no such law), those of the engine (a round that its rules refuse).
/// Threads: immutable once made; the table must outlive it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "games/event.hpp"
#include "games/ratio.hpp"
#include "games/settlement.hpp"
#include "games/table.hpp"

namespace talla::games {

/// A first stake, and all that was laid down and paid behind it: hands of a split, what was
/// doubled, insurance.
struct PlayedStake {
  std::string kind;
  Units first = 0;
  Units staked = 0;    ///< in all
  Ratio returned;      ///< before rounding
  double most = 0;     ///< net gain that best play may expect, for each unit of the first stake
  double most_of = 0;  ///< the same when the first cards lie there
  /// Net gain for each unit of the first stake. Of a hand with more than `at_risk_most` first
  /// stakes on it: what the hand was worth before that, by the same table.
  double gain = 0;
  bool foreign = false;  ///< an amount, stake or result that no rule of the bet gives
};

/// The law of one table: values of hands, and every amount that its rules pay.
class PlayLaw {
 public:
  /// So many first stakes one box may have at risk before its round is taken as it stands.
  static constexpr int at_risk_most = 4;
  /// `gain` is never further below `most` or `most_of`.
  static constexpr double below_most = 8;

  [[nodiscard]] static Result<PlayLaw> of(const Table& table);
  PlayLaw(PlayLaw&&) noexcept;
  PlayLaw& operator=(PlayLaw&&) noexcept;
  ~PlayLaw();

  /// The bet that players choose on.
  [[nodiscard]] const std::string& bet() const;
  /// All payments that its law knows, as words: two laws that differ in one are two.
  [[nodiscard]] const std::string& text() const;
  /// The first stakes of one round. `gone`: the cards seen before its bets were closed. `events`:
  /// its bets, CloseBets, and every card and decision behind. Nothing: a round that goes back void,
  /// or in which there was no such bet.
  [[nodiscard]] Result<std::vector<PlayedStake>> round(std::span<const Card> gone,
                                                       std::span<const Event> events,
                                                       std::span<const Settlement> settled) const;

 private:
  friend class PlayRound;
  struct Parts;
  explicit PlayLaw(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace talla::games
