/// \file
/// The cloth: stakes of one table, with the acceptance every game shares. Engines keep one BetBook
/// in their state and add what is their own (which bets are open now, which may be taken back).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "games/bet_list.hpp"
#include "games/event.hpp"
#include "games/settlement.hpp"
#include "games/table.hpp"

namespace talla::games {

/// Where a check differs from the usual.
struct PlaceOptions {
  bool check_minimum = true;  ///< false: bets that only accompany another (odds, insurance)
  bool check_limits = true;   ///< false: the engine has its own maximum
  bool check_chip = true;     ///< false: the amount follows from another stake (premiums)
};

struct IndexedBet;

/// The bets of one round while they are taken.
class BetBook {
 public:
  /// Accepts a stake: id well-formed and new, seat and box in range, kind known and offered,
  /// position one of the bet's, chip step, the bet's minimum, every limit of the catalogue with the
  /// stakes already here, house maximum. A call bet is put down as its parts, "ID/1", "ID/2"...,
  /// each an ordinary bet from then on; all of them or none.
  [[nodiscard]] Status place(const Table& table, const PlaceBet& event, PlaceOptions options = {});
  /// Takes the whole stake or a part off; what stays must still reach the minimum, in chip steps. A
  /// call bet's id takes all its parts.
  [[nodiscard]] Status withdraw(const Table& table, const WithdrawBet& event);
  [[nodiscard]] const Bet* find(std::string_view id) const;
  [[nodiscard]] Bet* find(std::string_view id);
  void remove(std::string_view id);
  void clear() { bets_.clear(); }
  /// Calls `keep` for each stake, in order of acceptance; it may change the stake (never its id),
  /// and those it answers false for go.
  template <class Keep>
  void update(Keep keep) {
    bets_.update(keep);
  }
  /// In order of acceptance.
  [[nodiscard]] std::span<const Bet> all() const { return bets_.all(); }
  [[nodiscard]] bool empty() const { return bets_.size() == 0; }
  /// Whether one more stake would break a maximum (for limits that an engine checks with other
  /// stakes).
  [[nodiscard]] Status check_limits(const Table& table, const Bet& added) const;

  /// Whether a restored book fits this table: kinds, positions, payable stakes. Errors:
  /// state_malformed.
  [[nodiscard]] Status check(const Table& table) const;

  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<BetBook> from_json(const json::Value& value);
  bool operator==(const BetBook&) const = default;

 private:
  [[nodiscard]] Status place_one(const Table& table, const IndexedBet& bet, const PlaceBet& event,
                                 PlaceOptions options);
  [[nodiscard]] Status place_call(const Table& table, const BetRule& rule, const PlaceBet& event,
                                  PlaceOptions options);
  [[nodiscard]] bool has_parts(std::string_view id) const;
  BetList bets_;
};

/// The parts of a call bet, each with its share of the stake, in equal chips. Errors: not_multiple,
/// bet_position.
[[nodiscard]] Result<std::vector<PlaceBet>> parts_of_call(const Table& table, const BetRule& rule,
                                                          const PlaceBet& event);

/// {"id","seat","kind","stake"} and "box", "on" when present.
[[nodiscard]] json::Value to_json(const Bet& bet);
[[nodiscard]] Result<Bet> bet_from_json(const json::Value& value);

/// The positions of a bet at this table: covers and those of covers_when that hold; empty for
/// numbers, which are too many to list. on != none only.
[[nodiscard]] std::vector<std::vector<std::string>> positions(const BetRule& bet,
                                                              const Params& params);
/// The catalogue spelling of the position that `on` names. Errors: bet_position.
[[nodiscard]] Result<std::vector<std::string>> canonical_position(
    const BetRule& rule, const Params& params, const std::vector<std::string>& on);
/// The codes a placed bet covers (set: its numbers, index and pair: the union). on == none: covers
/// as a flat list.
[[nodiscard]] std::vector<std::string> covered(const BetRule& rule, const Params& params,
                                               const Bet& bet);

/// Whether `covered` of that placed bet holds the code; copies nothing. False for a bet the table
/// does not have.
[[nodiscard]] bool covers(const Table& table, const Bet& bet, std::string_view code);

/// The same as settle_returned, put at the end of `settled` without a copy. `rule` is what
/// `GameRules::rule` makes of the citation: who settles often has it ready.
void add_settlement(std::vector<Settlement>& settled, const Table& table, const Bet& bet,
                    BetResult result, const Fraction& exact, const std::string& rule);
void add_settlement(std::vector<Settlement>& settled, const Table& table, const Bet& bet,
                    BetResult result, const Fraction& exact, const Citation& cite);
/// Ordinary settlements, rounded by the table. `payout` gives stake x (1 + pays - commission).
[[nodiscard]] Settlement settle_win(const Table& table, const Bet& bet, const Payout& payout);
[[nodiscard]] Settlement settle_lose(const Table& table, const Bet& bet, const Citation& cite);
/// push, void, freed...: `exact` units come back.
[[nodiscard]] Settlement settle_returned(const Table& table, const Bet& bet, BetResult result,
                                         const Fraction& exact, const Citation& cite);

}  // namespace talla::games
