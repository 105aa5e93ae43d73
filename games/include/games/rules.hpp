/// \file
/// The law of one game as data: what a catalogue file says, checked, with the section of the
/// official text for every figure. Engines read nothing else; games/catalogues/docs documents the
/// file.
///
/// Threads: immutable after loading.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/json.hpp"
#include "games/money.hpp"
#include "games/need.hpp"

namespace talla::games {

class Params;

/// Where a figure stands: section path inside the game's number ("IV.1.B.b"), and, for what the
/// text leaves open, the reading's id in the list of ambiguities ("A9"; empty when the text is
/// plain).
struct Citation {
  std::string section;
  std::string reading;
  std::string number{};  ///< other number that the section belongs to ("01"); empty: the game's own
  /// Catalogue that lends the figure in place of a text that is not at hand; empty: none.
  std::string inherited{};
};

/// True while the parameter has that value.
struct Condition {
  std::string parameter;
  json::Value value;
};

/// What is won when `when` comes true ("win" unless the engine knows several outcomes of the bet).
struct Payout {
  std::string when;
  Fraction pays;        ///< profit per unit staked; the stake comes back on top
  Fraction commission;  ///< part of the winning stake that is kept back (0: none)
  Citation cite;
  /// Fraction parameter that holds the commission instead; empty: none.
  std::string commission_parameter{};

  /// What comes back for each unit staked at a table with these parameters: 1 + pays - commission.
  [[nodiscard]] Fraction factor(const Params& params) const;
};

/// How a bet names its position. none: no `on`. set: `on` lists exactly one of the sets in covers.
/// index: one index 1..n into covers. pair: two different indices. numbers: `on` lists covers.count
/// different whole numbers from 1 to covers.highest, in the order that the stake's own ticket has
/// them (a card of bingo, row by row).
enum class OnForm : std::uint8_t { none, set, index, pair, numbers };

/// Positions that exist only while a condition holds (zero combinations); appended to the bet's
/// covers.
struct ConditionalCovers {
  Condition when;
  json::Value covers;
  Citation cite;
};

/// A payout that takes the place of the one with the same `when` while a condition holds.
struct ConditionalPayout {
  Condition when;
  Payout payout;
};

/// One part of a call bet: chips of equal value on another bet of the game.
struct Member {
  std::string bet;
  std::vector<std::string> on;  ///< position, empty for a bet without
  std::uint32_t chips = 1;
};

/// A call bet on a pocket and its neighbours on the wheel: one chip on each, on `bet`.
struct Neighbours {
  std::string bet;
  std::uint32_t each_side = 0;  ///< pockets
};

/// One bet of a game, as the text gives it.
struct BetRule {
  std::string id;
  OnForm on = OnForm::none;
  /// set, index, pair: array of arrays of codes. numbers: {count, highest}. none: what the engine's
  /// family asks for (README).
  json::Value covers;
  std::vector<ConditionalCovers> covers_when;
  std::vector<Payout> payouts;
  std::vector<ConditionalPayout> payouts_when;
  std::optional<Condition> offered_if;
  /// A call bet: it has no payout of its own, the BetBook puts its stake down as these parts.
  std::vector<Member> members;
  std::optional<Neighbours> neighbours;
  Citation cite;

  [[nodiscard]] bool is_call() const { return !members.empty() || neighbours.has_value(); }
  /// The payout for that outcome when no condition holds, or nullptr.
  [[nodiscard]] const Payout* payout(std::string_view when) const;
  /// The payout for that outcome at a table, or nullptr.
  [[nodiscard]] const Payout* payout(std::string_view when, const Params& params) const;
};

/// Whose stakes are added up against a maximum. bet: one seat's on one kind and position. seat: one
/// seat's on all listed kinds. box: one box's on one kind and position. table: everybody's on one
/// kind and position.
enum class LimitScope : std::uint8_t { bet, seat, box, table };

/// A multiple that holds while a condition does (scales of limits).
struct ConditionalMultiple {
  Condition when;
  Fraction multiple;
};

/// Upper bound: multiple x base x table minimum.
struct LimitRule {
  std::vector<std::string> bets;
  Fraction multiple = 1;                           ///< used when multiple_parameter is empty
  std::string multiple_parameter;                  ///< parameter that holds the multiple
  std::vector<ConditionalMultiple> multiple_when;  ///< the first that holds goes before both
  std::string base_parameter;  ///< empty: the table minimum itself; else parameter x table minimum
  std::optional<Condition> base_when;  ///< base_parameter counts only while this holds
  LimitScope scope = LimitScope::bet;  ///< used when scope_parameter is empty
  std::string scope_parameter;         ///< choice parameter with the values bet, seat, box, table
  Citation cite;
};

/// Lower bound of some bets where it is not the table minimum: multiple x table minimum. Other
/// bets: the table minimum.
struct MinimumRule {
  std::vector<std::string> bets;
  Fraction multiple = 1;           ///< used when multiple_parameter is empty
  std::string multiple_parameter;  ///< parameter that holds the multiple
  bool stepped = false;            ///< stakes must be multiples of this minimum
  std::string stepped_parameter;   ///< bool parameter that says so instead
  Citation cite;
};

/// What values a parameter has.
enum class ParameterType : std::uint8_t { boolean, choice, integer, fraction, amount };
/// Who chooses the value of a parameter.
enum class SetBy : std::uint8_t { reading, casino, regulator };

/// A choice the text leaves: to a reading, the casino or the regulator.
struct ParameterRule {
  std::string id;
  ParameterType type = ParameterType::choice;
  SetBy set_by = SetBy::reading;
  std::optional<json::Value> fallback;  ///< default; absent: the table must give it
  /// Parameter of the same type before it, whose value is the default instead.
  std::string fallback_of{};
  std::vector<json::Value> allowed;  ///< choice always, others optionally: the values
  std::optional<Fraction> min;       ///< integer, fraction
  std::optional<Fraction> max;
  /// amount: currency of the default; a table in another currency must give its own.
  std::string currency;
  Citation cite;
};

/// What the announced end of a session is counted in. shooter: the engine's own last round (dice).
enum class EndOf : std::uint8_t { round, shoe, shooter };
[[nodiscard]] std::string_view end_of_name(EndOf of);

/// How the end of a session is announced at a game ("las tres últimas bolas").
struct SessionEndRule {
  EndOf of = EndOf::round;
  std::uint32_t count = 1;  ///< how many are left when it is announced
  std::optional<Condition> when;
  Citation cite;
};

/// In which order a croupier pays, bet by bet, as the text says it: lost stakes are collected
/// before, and what the text does not name comes behind. Settlements stand in it. Without it: in
/// the order in which the stakes were placed.
struct PaymentOrder {
  std::vector<std::string> bets;
  bool together = false;           ///< all that one seat won is paid at the place of its first
  std::vector<std::string> apart;  ///< not these
  Citation cite;
};

/// Anything with an id and a citation: actions, places.
struct Named {
  std::string id;
  Citation cite;
};
/// One line of the catalogue's error table. `effect` is a code the engine knows.
struct ErrorRule {
  std::string code;
  std::string effect;
  /// When the text lets it be said, in the family's words; empty: as the effect alone knows.
  std::string window;
  Citation cite;
};
/// Figures of one kind that only the family's engine understands (third-card tables); every block
/// has its citation.
struct DataBlock {
  json::Value value;  ///< object, without cite and reading
  Citation cite;
};

/// One game of a catalogue.
struct GameRules {
  std::string id;
  std::string number;  ///< number of the game in the text, "07"
  std::string family;  ///< engine id
  Citation cite;
  /// Catalogue that lends what the missing text holds; empty: the game stands in the text.
  std::string base;
  std::string base_decree;  ///< the missing text; set when base is
  /// Game of the same text whose rules hold for all that this one does not say; or empty.
  std::string follows;
  std::uint32_t seats_max = 0;  ///< 0: not limited
  std::uint32_t boxes_max = 0;  ///< 0: the game has no boxes
  std::optional<Draw> draw;     ///< wheel, dice, balls: equipment
  std::optional<ShoeNeed> shoe;
  std::optional<Citation> draw_cite;
  std::optional<Citation> shoe_cite;
  std::vector<BetRule> bets;
  std::vector<LimitRule> limits;
  std::vector<MinimumRule> minimums;
  std::vector<ParameterRule> parameters;
  std::vector<Named> actions;
  std::vector<Named> places;
  std::vector<ErrorRule> errors;
  std::map<std::string, DataBlock, std::less<>> data;
  std::optional<PaymentOrder> payments;
  std::vector<SessionEndRule> session_ends;  ///< the first whose condition holds counts

  /// How this table's end of session is announced, or nullptr: the text does not say.
  [[nodiscard]] const SessionEndRule* session_end(const Params& params) const;
  [[nodiscard]] const BetRule* bet(std::string_view id) const;
  [[nodiscard]] const ParameterRule* parameter(std::string_view id) const;
  [[nodiscard]] const ErrorRule* error(std::string_view code) const;
  /// The lower bound of that bet, or nullptr: the table minimum.
  [[nodiscard]] const MinimumRule* minimum(std::string_view bet) const;
  /// "07 V": what a settlement names. A game on a borrowed base marks every rule: "es-1977 02 IV
  /// (provisional)", "2 bis c (base es-1977, provisional)".
  [[nodiscard]] std::string rule(const Citation& citation) const;
};

/// Category -> code -> text.
using TextTable = std::map<std::string, std::map<std::string, std::string>>;

/// One official text as data.
struct Catalogue {
  std::string id;
  std::string legal_name;
  std::string territory;
  std::string published;  ///< YYYY-MM-DD
  std::string source;     ///< gazette reference
  std::string language;
  std::string currency;     ///< ISO 4217 of the text's absolute amounts
  std::string base_decree;  ///< text that this one amends and that is not at hand; empty: none
  std::vector<std::string> base_games;  ///< games whose rules stand only there
  Digest digest{};                      ///< SHA-256 of the file's bytes
  std::vector<GameRules> games;
  std::map<std::string, TextTable> texts;  ///< language -> texts

  /// The game of that id, or null.
  [[nodiscard]] const GameRules* game(std::string_view id) const;
  /// Text for people, or the code itself when the language lacks it.
  [[nodiscard]] std::string text(std::string_view language, std::string_view category,
                                 std::string_view code) const;
};

/// The game of that id. Errors: decree_missing (its rules stand in a text that is not at hand),
/// game_unknown.
[[nodiscard]] Result<const GameRules*> find_game(const Catalogue& catalogue, std::string_view id);

/// The parameters of one table, all resolved and checked: exactly those the game has.
class Params {
 public:
  /// Checks names, types and allowed values, fills in defaults. Amounts of the text count only in
  /// its own currency, and are turned into units of `unit` of it.
  [[nodiscard]] static Result<Params> resolve(const GameRules& rules, const json::Value& given,
                                              std::string_view table_currency,
                                              const Fraction& unit = 1);
  /// Preconditions of the getters (checked, abort): the game has the parameter, of that type. An
  /// engine names those it reads in its check_rules, so that a catalogue without them is refused
  /// when it is loaded.
  [[nodiscard]] bool boolean(std::string_view id) const;
  [[nodiscard]] const std::string& choice(std::string_view id) const;
  [[nodiscard]] std::int64_t integer(std::string_view id) const;
  [[nodiscard]] Fraction fraction(std::string_view id) const;  ///< integer, fraction or amount
  [[nodiscard]] bool has(std::string_view id) const;
  [[nodiscard]] bool holds(const Condition& condition) const;
  /// All of them, canonical (the parameters digest of records is over these bytes).
  [[nodiscard]] const json::Value& json() const { return values_; }

 private:
  json::Value values_;
};

}  // namespace talla::games
