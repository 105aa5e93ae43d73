/// \file
/// Pieces of the catalogue schema: one function for each kind of table in the file.
#pragma once

#include <string>

#include "games/rules.hpp"

namespace talla::games {

/// A file that breaks the schema.
[[nodiscard]] inline tl::unexpected<Error> bad_catalogue(const std::string& why) {
  return fail(Errc::catalogue_malformed, why);
}
/// The same, and the table of the file where it does.
[[nodiscard]] inline tl::unexpected<Error> bad_catalogue(const std::string& where,
                                                         const std::string& why) {
  return bad_catalogue(where + ": " + why);
}

/// `cite` (required) and `reading` of the object under the reader.
[[nodiscard]] Result<Citation> read_citation(json::Reader& reader, const std::string& where);
/// A code: [a-z0-9] and '-', '_', '.' inside, at most 48 characters.
[[nodiscard]] Result<std::string> read_code(json::Reader& reader, std::string_view key,
                                            const std::string& where);
[[nodiscard]] Result<std::string> read_text(json::Reader& reader, std::string_view key);

/// "35:1", "3/2", "5%", "100" or an integer; not below zero.
[[nodiscard]] Result<Fraction> read_fraction(const json::Value& value, const std::string& where);
/// `parameter` and `value` of the object under the reader.
[[nodiscard]] Result<Condition> read_condition(json::Reader& reader, const std::string& where);

[[nodiscard]] Result<BetRule> read_bet_rule(const json::Value& value, const std::string& where);
[[nodiscard]] Result<LimitRule> read_limit_rule(const json::Value& value, const std::string& where);
[[nodiscard]] Result<ParameterRule> read_parameter_rule(const json::Value& value,
                                                        const std::string& where);
[[nodiscard]] Result<GameRules> read_game(const json::Value& value, const std::string& where);
/// The game with all that its `follows` takes from an earlier one of the file put in; each citation
/// then names the number it comes from. `earlier`: the games before it, complete.
[[nodiscard]] Result<json::Value> take_followed(const json::Value& game,
                                                const json::Array& earlier);
/// Whether that is the number of a game as texts print it: "07", "2 bis", "10.1.A".
[[nodiscard]] bool is_game_number(std::string_view text);
/// The lower bounds of a game, one table each.
[[nodiscard]] Result<MinimumRule> read_minimum_rule(const json::Value& value,
                                                    const std::string& where);
/// How the end of a session is announced, for the games that each table of the file names.
[[nodiscard]] Status read_session_ends(const json::Array& ends, Catalogue& out);
/// References inside one game: limits, conditions, unique ids.
[[nodiscard]] Status check_references(const GameRules& game);
/// Everything of one file after TOML; the digest is not set.
[[nodiscard]] Result<Catalogue> read_catalogue(const json::Value& file);

/// Any error of the JSON reader as catalogue_malformed.
template <class T>
[[nodiscard]] Result<T> as_catalogue_error(Result<T> result) {
  if (result || result.error().number >= 300) return result;
  return bad_catalogue(result.error().detail);
}

}  // namespace talla::games
