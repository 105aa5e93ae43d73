/// \file
/// The law of hold'em against the house at one table: data blocks of the family "texas-holdem"
/// (games/catalogues/docs/families/texas-holdem.md lists them).
///
/// Threads: immutable.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engines/shared/data_law.hpp"
#include "games/poker_hand.hpp"

namespace talla::games::texas {

inline constexpr std::size_t own_cards = 2;
inline constexpr std::size_t stages_max = 6;

/// One turn of the round: cards burned, common cards laid open, then a bet or a word of everybody
/// still in.
struct StageRule {
  std::size_t burn = 0;
  std::size_t common = 0;
  std::string bet;        ///< bet that may be made now; empty: nobody speaks
  Units multiple = 0;     ///< its amount, in antes
  bool may_pass = false;  ///< who does not bet stays in; else he retires
  [[nodiscard]] const char* bet_action() const { return may_pass ? "apostar" : "voy"; }
  [[nodiscard]] const char* other_action() const { return may_pass ? "pasar" : "no-voy"; }
};

struct Rules final : Prepared {
  explicit Rules(poker::Ranker ranks) : ranker(ranks) {}
  poker::Ranker ranker;
  std::string ante;
  std::vector<StageRule> stages;
  /// Rank of the lowest pair with which the bank plays; 0: it always plays.
  int bank_pair_from = 0;
  std::string first_five;  ///< side bet on own cards and the first three common ones; empty: none
  std::size_t first_five_after = 0;  ///< index of the stage after which it is settled
  int first_five_pair = 0;           ///< rank of the lowest pair that wins it
  std::string own_two;  ///< side bet on the two own cards, which outlives a retirement; empty: none
  bool void_one_player = true;  ///< a wrong number of cards annuls the hand of that player alone
  bool dealer_exposure_voids = true;
  bool touched_lose = true;  ///< a hand withdrawn for touching another loses its stakes

  [[nodiscard]] bool is_stage_bet(std::string_view kind) const;
};

/// Refuses rules that the engine cannot play. Errors: catalogue_malformed.
[[nodiscard]] Status check_rules(const GameRules& rules);
/// Precondition: the rules passed check_rules.
[[nodiscard]] std::shared_ptr<const Rules> read_rules(const Table& table);

/// The payout of the bet on two own cards, or "": it loses. `bank`: the bank's two cards.
[[nodiscard]] std::string_view own_two_payout(std::span<const shuffle::Card> own,
                                              std::span<const shuffle::Card> bank);
/// All that own_two_payout can say.
[[nodiscard]] std::span<const std::string_view> own_two_payouts();

}  // namespace talla::games::texas
