/// \file
/// How games against the house are played best: a chart of blackjack by totals, and for one hand
/// the value of every choice that is open to it. Exact; no sampling.
///
/// Whoever decides knows his own cards and what lies open of the bank, nothing of other hands and
/// of rounds before: the first hand of full decks. Behind a choice the hand is played on at its
/// best.
/// Errors:  Errc::game_not_available (no advice for this game under these parameters),
///          card_invalid for cards that cannot lie there. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "games/ratio.hpp"
#include "games/table.hpp"
#include "shuffle/card.hpp"

namespace talla::games {

using shuffle::Card;

/// What a chart says of a hand: codes of the game's actions.
struct ChartCell {
  std::string action;     ///< "hit", "stand", "double", "split", "surrender"
  std::string otherwise;  ///< "hit" or "stand": where the action is not open (any more)
  bool operator==(const ChartCell&) const = default;
};
struct ChartRow {
  std::string hand;                ///< "16", "A-7", "8-8"
  std::vector<ChartCell> against;  ///< by the dealer's first card
};
/// Two cards for which another choice is better than the chart's.
struct ChartException {
  std::string hand;    ///< "2-10"
  std::string dealer;  ///< his first card
  std::string action;
};
struct PlayChart {
  std::vector<std::string> dealer;  ///< "2" to "10", "A"
  std::vector<ChartRow> hard;
  std::vector<ChartRow> soft;
  std::vector<ChartRow> pairs;
  std::vector<ChartException> exceptions;
  Ratio best_edge;   ///< the house edge at the best play of every hand
  Ratio chart_edge;  ///< at this chart's
};
/// The chart of a blackjack table: each cell is the choice that returns most over the two cards
/// that make it, as often as they are dealt.
[[nodiscard]] Result<PlayChart> play_chart(const Table& table);
/// {"dealer","hard","soft","pairs": [{"hand","against": [{"action","otherwise"}]}],
/// "exceptions": [{"hand","dealer","action"}],"best_edge","chart_edge"}
[[nodiscard]] json::Value to_json(const PlayChart& chart);
/// One or two letters for a cell; `language` is "es" or "en".
[[nodiscard]] std::string_view chart_letters(const ChartCell& cell, std::string_view language);
/// What each of them means, in the order of a legend.
struct ChartWord {
  std::string_view letters;
  std::string_view words;
};
[[nodiscard]] std::vector<ChartWord> chart_legend(std::string_view language);
/// A picture that needs nothing else.
[[nodiscard]] std::string chart_svg(const PlayChart& chart, std::string_view title,
                                    std::string_view language);

/// What lies there when somebody decides.
struct AdviceCards {
  std::vector<Card> hand;
  std::vector<Card> bank;  ///< its open cards
};
/// One thing that may be done with a hand.
struct Choice {
  std::string action;       ///< code of the game
  std::vector<Card> cards;  ///< that go with it: the one that is given up
  Ratio gain;               ///< expected, in first stakes; of a bet beside the hand in its own
  std::string rule;         ///< section of the text: "03 V.1.d"
};
struct Advice {
  std::vector<Choice> choices;  ///< the best first
  std::vector<Choice> beside;   ///< bets that may go with any of them (insurance)
};
/// For blackjack, three-card poker and Caribbean stud.
[[nodiscard]] Result<Advice> advice(const Table& table, const AdviceCards& cards);
/// {"choices": [{"action","cards"?,"gain","rule"}],"beside"?: the same}
[[nodiscard]] json::Value to_json(const Advice& advice);

}  // namespace talla::games
