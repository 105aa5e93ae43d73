/// \file
/// Catalogues for readers: the list of games, the rules of a game sentence by sentence, the
/// readings it rests on, and where two catalogues differ. All from the same data that the engines
/// play.
///
/// Language: "es" or "en" (texts of the catalogue's tables; a missing text stays its code).
/// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "games/rules.hpp"

namespace talla::games {

/// One object a game: {"catalogue","game","section","source","served","family","text"}; "section"
/// is the game's number in the official text, "source" its gazette reference, "served" whether an
/// engine plays it. A game that rests on a borrowed base has "base" as well. Games whose rules
/// stand only in a decree that is not at hand come last, not served, with "decree" and without
/// "family".
[[nodiscard]] json::Array list_games(const Catalogue& catalogue, std::string_view language);

/// One sentence of the rules.
struct RuleLine {
  std::string part;  ///< "equipment", "bets", "limits", "choices", "actions", "errors", "figures"
  std::string id;    ///< code it speaks of; may be empty
  std::string text;  ///< in the language asked for
  std::string rule;  ///< number and section: "06 IV.1.A"
  std::string reading;  ///< id of the ambiguity it decides, or empty
};
/// The game as its rules read: equipment, bets with their prices, limits, what is left open,
/// decisions, errors and the figures only the engine reads.
[[nodiscard]] std::vector<RuleLine> rule_lines(const Catalogue& catalogue, const GameRules& game,
                                               std::string_view language);
/// {"part","id"?,"text","rule","reading"?}
[[nodiscard]] json::Value to_json(const RuleLine& line);

/// What the text leaves to a reading. Parameters first:
/// {"catalogue","game","kind":"parameter","id","decides","type", "allowed" or "min" and
/// "max","default","set_by","section","reading"?}; then figures that a reading fixed without a
/// choice: {"catalogue","game","kind":"figure","id","section","reading"}, one for each place and
/// reading. With a reading come "digest", the file that numbers it (of the text that lends the
/// figure, should it be lent), and "why": what the text says and why it is read so
/// (games/readings.hpp).
[[nodiscard]] json::Array ambiguities(const Catalogue& catalogue, const GameRules& game,
                                      std::string_view language);
/// Readings of the whole text that no figure and no parameter names:
/// {"catalogue","kind":"text","reading","digest","why"}.
[[nodiscard]] json::Array readings_alone(const Catalogue& catalogue, std::string_view language);

/// Where two versions of a game differ; citations, readings and texts are not compared. One object
/// a difference: {"game","what","id","field"?,"a"?,"b"?}; "what" is game, equipment, bet, limit,
/// minimum, parameter, action, place, error or data; a side that lacks it altogether has no member.
[[nodiscard]] json::Array differences(const Catalogue& a, const Catalogue& b, const GameRules* in_a,
                                      const GameRules* in_b);
/// The same over all games of both: those of one side alone first, as {"game","what":"game",..}.
[[nodiscard]] json::Array differences(const Catalogue& a, const Catalogue& b);

/// A JSON value as a person would write it: words without quotes, lists with commas, members as
/// name=value.
[[nodiscard]] std::string plain(const json::Value& value);
/// A parameter's value in words, "the shoe is over"; a figure, or what has no words, as `plain`.
[[nodiscard]] std::string value_words(const Catalogue& catalogue, const GameRules& game,
                                      const std::string& parameter, const json::Value& value,
                                      std::string_view language);
/// The order of names in which 4 stands before 10.
[[nodiscard]] bool before(std::string_view a, std::string_view b);

}  // namespace talla::games
