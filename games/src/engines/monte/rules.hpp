/// \file
/// What the monte engine reads from a game's rules and parameters, taken apart once for each table.
///
/// Data blocks, all required (games/catalogues/docs/families/monte.md): `forms`, `suits`,
/// `annulled`, `salto`, `points`, `deduction`, `layout`, `rounds`. Errors:
/// Errc::catalogue_malformed, naming game and key. Threads: plain values.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engines/monte/state.hpp"
#include "games/table.hpp"

namespace talla::games::monte {

/// A suit seen from a placed card: the next of the circle, the one before, the one that does not
/// touch it.
enum class Relation : std::uint8_t { camo, anti, viudo };

enum class FormKind : std::uint8_t { vista, exact, salto, horizontal, vertical, two };
/// What a bet is, and in which rounds it may be placed.
struct Form {
  FormKind kind = FormKind::vista;
  Relation relation = Relation::camo;  ///< vista (always camo) and exact
  bool primeras = false;
  bool segundas = false;
  [[nodiscard]] bool cartas() const {
    return kind == FormKind::horizontal || kind == FormKind::vertical || kind == FormKind::two;
  }
};

/// With these extras on the first and second card, `card` of these relations decides nothing.
struct AnnulRow {
  std::size_t first = 0;
  std::size_t second = 0;
  std::size_t card = 0;  ///< place whose cards are annulled
  std::size_t by = 0;    ///< place of the stacked card that annuls them
  std::vector<Relation> annuls;
  bool diagonals = true;  ///< false: not in bets on diagonal pairs
};

struct Rules final : Prepared {
  ShoeNeed shoe;
  std::map<std::string, Form, std::less<>> forms;
  std::string circle;  ///< the four suit letters, in the order of the circle
  std::vector<AnnulRow> annulled;
  std::vector<Relation> salto_keeps;  ///< which cards live longest against a stacked one
  std::int64_t points_extra_vista = 0;
  std::int64_t points_burned_vista = 0;
  std::int64_t points_extra_exact = 0;
  Fraction deduction;  ///< kept from wins on the first card
  Citation points_cite;
  Citation deduction_cite;
  Citation annulled_cite;
  Citation rounds_cite;
  Citation layout_cite;
  // Parameters, as booleans: true is not the default.
  bool vista_in_both = false;       ///< A25
  bool deduct_from_stake = false;   ///< A26
  bool deduct_whole_round = false;  ///< A56
  bool return_untouched = false;    ///< A27
  bool fourth_redeals = false;      ///< A24
  bool burned_is_plain = false;     ///< A35
  bool points_per_place = false;    ///< A33
  bool segundas_points = false;     ///< A36
  bool accept_unreachable = false;  ///< A34
  bool annul_everywhere = false;    ///< A49
  bool diagonals_free = false;      ///< A47
  bool salto_by_table = false;      ///< A48
  bool refuse_dead_side = false;    ///< A46

  [[nodiscard]] const Form& form(std::string_view kind) const;
  /// How `card` stands to `placed` of the same rank. Precondition: another card.
  [[nodiscard]] Relation relation(Card placed, Card card) const;
};

/// Refuses rules the engine cannot play, or data it does not know.
[[nodiscard]] Status check_monte_rules(const GameRules& rules);
/// Precondition: check_monte_rules accepted the rules.
[[nodiscard]] std::shared_ptr<const Rules> read_monte_rules(const GameRules& rules,
                                                            const Params& params);

}  // namespace talla::games::monte
