/// \file
/// Punto y banca: the rules of the family "baccarat" and its hand arithmetic. All figures come from
/// the catalogue's data blocks `values`, `burn`, `natural`, `third_card` and `tie`
/// (games/catalogues/docs/families/baccarat.md).
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engines/baccarat/points.hpp"
#include "games/bets.hpp"
#include "games/engine.hpp"

namespace talla::games::baccarat {

/// Column of banca's table for a punto that stood, behind those for its third cards of 0-9.
inline constexpr std::size_t stood_column = 10;

/// The data blocks, read once for each use; reading checks everything.
struct Figures : Points {
  std::array<int, 13> burn{};          ///< cards burned for an exposed ace .. king
  std::array<bool, 10> punto_draws{};  ///< punto takes a third card at this total
  /// Banca takes a third card: [its total][value of punto's third card, or stood_column].
  std::array<std::array<bool, 11>, 10> banca_draws{};
  BetResult tie = BetResult::void_;  ///< what a tie is for bets on a hand: void or push
  Citation tie_cite;
  Citation burn_cite;
  Citation hand_cite;  ///< section that decides the winning hand (block `values`)
  Citation stop_cite;
};
[[nodiscard]] Result<Figures> read_figures(const GameRules& rules);

/// Two cards each: either total ends the hand.
[[nodiscard]] bool natural(const Figures& figures, int punto_total, int banca_total);
/// Which hand gets the next card, given the cards so far: 'p', 'b', or 0 when the hand is complete.
[[nodiscard]] char next_hand(const Figures& figures, std::span<const Card> punto,
                             std::span<const Card> banca);

/// The hands of the game: what a bet may be on, and who wins.
enum class Hand : std::uint8_t { punto, banca, tie };
[[nodiscard]] std::optional<Hand> hand_from(std::string_view name);

/// How a coup ends.
struct Outcome {
  Hand winner = Hand::tie;
  int punto = 0;  ///< totals
  int banca = 0;
  int cards = 0;  ///< how many of the cards were needed, 4 to 6
  bool operator==(const Outcome&) const = default;
};
/// A whole coup from the next six cards of a shoe, in the order of dealing; a pure function of four
/// to six of them.
[[nodiscard]] Outcome play_coup(const Figures& figures, std::span<const Card, 6> cards);

/// What one bet of the game brings, by the winning total.
struct Prize {
  const Payout* payout = nullptr;
  Fraction factor;         ///< what comes back for each unit staked
  std::string named_rule;  ///< of the payout, as settlements name it
};
struct BetPrizes {
  Hand on = Hand::tie;
  std::array<Prize, 10> by_total{};
};
/// Figures with the parameters of one table.
struct Prepared final : games::Prepared {
  Figures figures;
  bool burn_inclusive = false;      ///< the exposed card counts among the burned
  bool stop_card_ends_shoe = true;  ///< also before the first card of a hand
  std::string tie_rule;             ///< tie_cite and hand_cite as settlements name them
  std::string hand_rule;
  std::vector<BetPrizes> bets;  ///< in the order of the catalogue's bets
};

}  // namespace talla::games::baccarat
