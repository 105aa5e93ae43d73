/// \file
/// Exact odds of bets: wheels, dice, every baccarat, trente et quarante, monte, poker against the
/// house. No sampling, no floating point.
///
/// A bet on a draw is put down alone and followed by the engine that settles it through every
/// outcome, and every decision of its owner, until it is settled: states of the table are the
/// states of a Markov chain, whose equations are solved in fractions. Where the player decides, the
/// choice that returns most is taken (the first one offered among equals). Trente et quarante: the
/// same chain over the ends of a coup, whose chances are counted; every coup as from full decks, so
/// that nobody knows more than at the first. Punto y banca: every coup of full decks counted.
/// Chemin de fer and two cloths: every hand of full decks counted, the best replies by points.
/// Blackjack: every hand of full decks against every hand of the dealer, at the best play.
/// Monte: on each kind of layout, every card that may be turned.
/// Poker: every deal counted under the best play, the further bets of a hand with its first one.
/// Errors:  game_not_available (any other game). Threads: pure functions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "games/ratio.hpp"
#include "games/table.hpp"
#include "shuffle/card.hpp"

namespace talla::games {

/// What becomes of a first stake of 1, and of what its owner lays down beside it by the best play.
/// win, lose and other add up to 1.
struct Odds {
  Ratio win;         ///< probability of an end that pays more than all that was laid down
  Ratio lose;        ///< of one that gives nothing back
  Ratio other;       ///< of all else: the stakes come back, whole or in part
  Ratio returned;    ///< expected payment, the stakes included
  Ratio square;      ///< expectation of the gain's square
  Ratio staked = 1;  ///< expectation of all that is laid down
  /// What the house keeps of the first stake, on average.
  [[nodiscard]] Ratio house_edge() const { return staked - returned; }
  /// The same of each unit put at risk.
  [[nodiscard]] Ratio edge_at_risk() const { return house_edge() / staked; }
  bool operator==(const Odds&) const = default;
};
/// Places behind the point in which a standard deviation is shown.
inline constexpr unsigned deviation_places = 4;
/// The standard deviation of the gain on a first stake of 1, so many places behind the point (cut,
/// not rounded).
[[nodiscard]] std::string deviation(const Odds& odds, unsigned places);
/// "2.7027 %": four places behind the point, rounded half away from zero.
[[nodiscard]] std::string percent_text(const Ratio& ratio);
/// The most losses in a row that one run of rounds in a hundred begins with. nullopt: no end, the
/// bet always loses.
[[nodiscard]] std::optional<std::uint64_t> losing_run(const Odds& odds);

/// How odds were worked out: the equations of a chain of states, or every deal counted.
enum class OddsMethod : std::uint8_t { chain, count };
[[nodiscard]] std::string_view odds_method_name(OddsMethod method);

/// What a jackpot makes of a bet, in stakes. So many bets in a round make it grow, and be hit, so
/// many times as fast.
struct JackpotOdds {
  Ratio hit;     ///< chance that a bet is paid out of it; so many bets between two of them: 1 / hit
  Ratio whole;   ///< chance that a bet takes all of it
  Ratio growth;  ///< what each bet adds to it
  /// What it must hold for the bet to return its stake, whole units not looked at. nullopt: no
  /// jackpot is enough.
  std::optional<Ratio> break_even;
  /// What it holds on average, over many bets one after the other, when one of them is settled.
  /// nullopt: nothing is ever taken out of it.
  std::optional<Ratio> mean;
};

/// Positions of one bet that have the same odds.
struct BetOdds {
  std::string bet;
  std::vector<std::vector<std::string>> on;  ///< empty: the bet has no positions
  Odds odds;
  OddsMethod method = OddsMethod::count;
  std::vector<std::string> with{};  ///< further bets of the best play, in `staked` and `returned`
  /// How both sides use what the text leaves to them, where that is more than one best play; codes
  /// of `play_words`.
  std::vector<std::string> play{};
  /// What the house takes of each unit staked, where players hold the bank: the rest of an edge is
  /// the other players'.
  std::optional<Ratio> house_share{};
  /// Only `returned` and `staked` are known: the stake becomes hands that end together.
  bool mean_only = false;
  std::optional<JackpotOdds> jackpot{};  ///< where it may be paid out of one
};

/// Such a code said to people; `language` is "es" or "en". Precondition (checked): it is one.
[[nodiscard]] std::string_view play_words(std::string_view play, std::string_view language);

/// A bet that has no odds by itself: it accompanies another, waits for a point, or depends on what
/// a jackpot holds.
struct BetWithoutOdds {
  std::string bet;
  std::string reason;  ///< the table's refusal, or why it has none
};

/// The exact odds of a table's bets, and the bets that have none by themselves.
struct TableOdds {
  std::vector<BetOdds> bets;  ///< in the catalogue's order; a bet's positions in theirs
  std::vector<BetWithoutOdds> others;
};

/// Whether what takes minutes on one core is worked out too; else it stands among the others.
enum class OddsTime : std::uint8_t { seconds, minutes };

/// {"bet","on"?,"with"?,"play"?,"win"?,"lose"?,"other"?,"returned","staked","house_edge",
/// "edge_at_risk","deviation"?,"losing_run"?,"house_share"?,"jackpot"? {"hit","whole",
/// "growth","break_even"?,"mean"?},"method"}, fractions as "n/d", the
/// deviation to four places.
[[nodiscard]] json::Value to_json(const BetOdds& bet);
/// {"bet","without_odds"}
[[nodiscard]] json::Value to_json(const BetWithoutOdds& bet);

/// Positions as people read them: "1-2, 1-4, +55"; `most` are named, the rest counted.
[[nodiscard]] std::string positions_text(const std::vector<std::vector<std::string>>& on,
                                         std::size_t most = SIZE_MAX);

/// A table of this game to ask about: with a minimum of so many units that every figure of a
/// catalogue fits.
/// Errors: those of Table::open.
[[nodiscard]] Result<Table> odds_table(std::shared_ptr<const Catalogue> catalogue, std::string game,
                                       json::Value params);
/// Of every bet that the table offers; call bets are their parts and are left out. `only`: at least
/// of this one; what would only delay it may be missing.
[[nodiscard]] Result<TableOdds> bet_odds(const Table& table, OddsTime time = OddsTime::seconds,
                                         std::string_view only = {});
/// The same of the next coup or hand of a shoe from which these cards have come, whoever saw them:
/// punto y banca and black jack. For who examines a shoe; no table in play is told.
/// Errors: game_not_available, card_invalid (cards that the shoe does not have, or too few left).
[[nodiscard]] Result<TableOdds> next_odds(const Table& table, std::span<const shuffle::Card> gone,
                                          std::string_view only = {});

}  // namespace talla::games
