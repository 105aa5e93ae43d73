/// \file
/// The figures of bingo at one table: the card, the series, the price and the prize fund.
///
/// Source: es-1977 10. The text fixes the card and the combinations; price, series and prizes are
/// announced by the house and are parameters.
/// Errors: catalogue_malformed (check_bingo_rules).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "games/rules.hpp"
#include "games/table.hpp"

namespace talla::games::bingo {

struct Figures {
  std::string kind;                     ///< bet id of a card
  std::size_t numbers = 0;              ///< on a card
  std::size_t rows = 0;                 ///< lines of a card
  Units price = 0;                      ///< of one card
  std::uint32_t series = 0;             ///< cards of a series
  std::optional<std::size_t> line_row;  ///< the one row that wins; none: any
  Fraction line_share;                  ///< prizes: part of the basis
  Fraction bingo_share;
  bool of_takings = true;      ///< basis: all prices paid, or (false) the price of one card
  bool announced = false;      ///< no basis: the prizes are amounts
  bool line_to_bingo = false;  ///< a line prize nobody won goes to the bingo
  Citation prize_cite;
  Citation claim_cite;
  Citation sale_cite;
};

/// Everything the engine needs is there and nothing it does not know.
[[nodiscard]] Status check_bingo_rules(const GameRules& rules);

/// The figures of a table; its rules were checked when the catalogue was loaded.
[[nodiscard]] Figures figures_of(const Table& table);

/// What the cards sold make the prizes, exactly.
struct Prizes {
  Fraction line;
  Fraction bingo;
};
[[nodiscard]] Prizes prizes_of(const Figures& figures, std::size_t cards_sold);
/// Whether one card could win both and the return still be an amount.
[[nodiscard]] bool payable(const Figures& figures, std::size_t cards_sold);

}  // namespace talla::games::bingo
