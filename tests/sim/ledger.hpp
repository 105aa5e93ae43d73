/// \file
/// The simulator's own book of stakes: what was placed, taken back and settled, against which every
/// settlement is checked. It knows the catalogue's figures and no engine.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "people.hpp"

namespace talla::sim {

/// What a run has reached, so that a test can say that it was no run of nothing.
struct Coverage {
  std::map<std::string, std::size_t> bets;     ///< kind -> settled for good
  std::map<std::string, std::size_t> actions;  ///< action -> accepted
  std::map<std::string, std::size_t> places;   ///< place -> cards
  std::map<std::string, std::size_t> results;  ///< result word -> settlements
  std::map<std::string, std::size_t> refused;  ///< code -> refusals
  std::size_t rounds = 0;
  std::size_t events = 0;
  std::size_t sessions = 0;
  std::size_t tables_refused = 0;  ///< parameter values that exclude each other
  void add(const Coverage& other);
};

class Ledger {
 public:
  Ledger(const games::Table& table, Coverage& coverage) : table_(&table), coverage_(&coverage) {}

  /// An accepted event of people. Throws Failure when it breaks a limit of the catalogue.
  void accepted(const games::Event& event);
  /// A settlement. Throws Failure: unknown or finished bet, wrong stake, wrong amount, wrong
  /// rounding, no rule.
  void settled(const games::Settlement& settlement);
  /// The round is over: what is still live must be named in `carried`, what is settled must not.
  void round_over(const json::Value& carried);
  /// In the order of their ids; valid until the next event or settlement.
  [[nodiscard]] const std::vector<LiveBet>& live();

 private:
  void placed(const games::PlaceBet& event);
  [[nodiscard]] bool take_call(const games::WithdrawBet& taken);
  void check_rule(const games::Settlement& settlement) const;
  void check_limits(const LiveBet& added);
  [[nodiscard]] std::vector<std::string> spelt(const games::BetRule& rule,
                                               const games::PlaceBet& event);
  void check_amount(const games::Settlement& settlement) const;
  void check_win(const games::Settlement& settlement, const games::Fraction& exact) const;
  void check_prize(const games::Settlement& settlement) const;
  /// A settlement of a stake that an action made: its bet was placed in this round by that seat,
  /// which has acted.
  void settled_of_action(const games::Settlement& settlement);

  const games::Table* table_;
  Coverage* coverage_;
  std::map<std::string, LiveBet> live_;
  std::vector<LiveBet> list_;            ///< live_, for those who pick from it
  bool listed_ = false;                  ///< list_ is up to date
  std::vector<std::string> finished_;    ///< in this round
  std::map<std::string, LiveBet> over_;  ///< bets that are finished, in this round
  /// Kind and position as people name it -> as the catalogue spells it.
  std::map<std::pair<std::string, std::vector<std::string>>, std::vector<std::string>> spelt_;
  std::map<const games::LimitRule*, games::Fraction> bounds_;
  std::map<std::string, std::vector<const games::LimitRule*>> limits_of_;  ///< kind -> limits
};

}  // namespace talla::sim
