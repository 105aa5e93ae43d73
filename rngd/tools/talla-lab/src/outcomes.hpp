/// \file
/// `talla-lab outcomes`: which game, how its results are written, what is tested.
///
/// Text: one result a line; empty lines and lines that begin with # are left out.
///   wheel:37        pocket: 0 to 36; wheel:38 has 00 too; wheel:9:1 counts from 1; wheel:A,B,C
///                   names its pockets
///   dice:2x6        faces of one throw: "3 5"
///   balls:90        balls in the order of the draw, each once: "17 4 88"
///   shoe:french52x8 cards of a deck specification in the order of dealing, by the house's names:
///   "7H TS"
///   shoe:spanish40x1   "7o Ro"
///   hands:baccarat:8, hands:trente:6, hands:blackjack:6, hands:poker, hands:own with --odds: the
///   name of the hand
/// Records: JSON lines as `talla log tail --raw` prints them, bundles (.talla), or a folder of
///          bundles (FORMAT.md sections 6 and 9).
/// Errors:  name line or file, and what is wrong there; nothing is judged.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app.hpp"
#include "shuffle/deck.hpp"
#include "stats/outcome/row.hpp"
#include "stats/result.hpp"

namespace talla::lab {

/// How many further results of a file are for people to know.
struct LeftOut {
  std::uint64_t other = 0;   ///< draws and shoes of other games
  std::uint64_t closed = 0;  ///< shoes whose order is not open
};

/// Results of one game, added one by one.
class GameTests {
 public:
  virtual ~GameTests() = default;
  /// A line of text. Errors: what is wrong in it.
  [[nodiscard]] virtual stats::Result<bool> add_line(std::string_view line) = 0;
  /// Results in the records of a draw: false when it is one of another game.
  [[nodiscard]] virtual bool add_pocket(std::uint64_t /*pocket*/, std::uint64_t /*pockets*/) {
    return false;
  }
  [[nodiscard]] virtual bool add_dice(const std::vector<std::uint64_t>& /*faces*/,
                                      std::uint64_t /*sides*/) {
    return false;
  }
  /// Deck of the game, if its results are shoes.
  [[nodiscard]] virtual const shuffle::DeckSpec* deck() const { return nullptr; }
  [[nodiscard]] virtual stats::Result<bool> add_shoe(std::span<const shuffle::Card> /*cards*/) {
    return false;
  }

  [[nodiscard]] virtual std::uint64_t count() const = 0;
  [[nodiscard]] virtual std::vector<stats::outcome::Row> rows() = 0;
  /// What one result is called, in the plural: "spins".
  [[nodiscard]] virtual std::string results() const = 0;
  /// Heat map of places and cards for shoes, else a histogram of the p-values.
  [[nodiscard]] virtual std::string drawing(const std::string& title,
                                            const std::vector<stats::outcome::Row>& rows) const;
};

struct GameOptions {
  std::string game;
  std::size_t first = 0;  ///< cards or balls of each line that are looked at; 0: all
  std::string odds;       ///< file of names and weights
};
/// Errors: what the game is not.
[[nodiscard]] stats::Result<std::unique_ptr<GameTests>> make_game(const GameOptions& options);
// One for each kind of game.
[[nodiscard]] stats::Result<std::unique_ptr<GameTests>> make_series(const std::string& kind,
                                                                    const std::string& what,
                                                                    const std::string& odds);
[[nodiscard]] stats::Result<std::unique_ptr<GameTests>> make_dice(const std::string& what);
[[nodiscard]] stats::Result<std::unique_ptr<GameTests>> make_shoe(const std::string& kind,
                                                                  const std::string& what,
                                                                  std::size_t first);
/// A whole number from `least` to `most`.
[[nodiscard]] std::optional<std::size_t> number_from(std::string_view text, std::size_t least,
                                                     std::size_t most);

struct OutcomeRun {
  std::string file;
  std::string game;
  std::string results;
  std::uint64_t count = 0;
  LeftOut left_out;
  std::vector<stats::outcome::Row> rows;
  stats::outcome::Family family;
  double family_error = 0.01;
  [[nodiscard]] bool too_short() const { return rows.empty() || !rows[0].judged(); }
};
void print_outcomes(const App& app, const OutcomeRun& run);

}  // namespace talla::lab
