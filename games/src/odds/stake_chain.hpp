/// \file
/// One stake followed by the engine that settles it, through every outcome and every decision of
/// its owner, as a Markov chain (odds/chain.hpp). Private to games.
///
/// Errors: the table's refusal of a bet; game_not_available. Threads: a chain belongs to one.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "games/driver.hpp"
#include "games/odds.hpp"
#include "odds/chain.hpp"

namespace talla::games {

/// One way in which what nobody decides may go on.
struct Outcome {
  Ratio probability;
  std::vector<Event> events;  ///< one after the other
};
/// All of them, of a table that waits for neither bets nor decisions; probabilities add up to 1.
using OutcomesOf = std::function<Result<std::vector<Outcome>>(const Needs&)>;

/// How stakes in prison are told apart.
struct PrisonCount {
  std::string_view member;  ///< of a stake in prison: so often in a row
  /// Each time more halves what the stake may bring; false: a later win brings the whole.
  bool halves = true;
};

/// The game of the chain.
struct ChainGame {
  OutcomesOf outcomes;
  PrisonCount prison;
  bool needs_shoe = false;  ///< a fresh one before the stake, and before each outcome
  /// What happens before the stake is laid down, with others that it waits for or accompanies.
  std::vector<Event> before{};
};

/// A further bet that is laid down with the stake, of so much of it.
struct FurtherBet {
  std::string bet;
  std::vector<std::string> on;
  Fraction share;
};

/// The chain of one stake, alone or with further bets that are settled no later than it.
class StakeChain {
 public:
  StakeChain(const Table& table, const ChainGame& game) : table_(table), game_(game) {}

  /// Errors: the table's refusal of a bet.
  [[nodiscard]] Result<Odds> odds(const std::string& bet, const std::vector<std::string>& on,
                                  const std::vector<FurtherBet>& further = {});

  /// Finds the states without solving them. Errors: as `odds`.
  Status follow(const std::string& bet, const std::vector<std::string>& on,
                const std::vector<FurtherBet>& further = {});
  /// Of what was followed; an end is the stake's BetResult. The first is the stake as laid down.
  [[nodiscard]] const std::vector<ChainState>& states() const { return chain_; }
  /// That of a stake which has just gone into prison, where it may.
  [[nodiscard]] std::optional<std::size_t> prison() const { return prison_; }

 private:
  [[nodiscard]] Result<Driver> place(const std::string& bet, const std::vector<std::string>& on,
                                     const std::vector<FurtherBet>& further);
  [[nodiscard]] Status place_all(Driver& driver, const std::string& bet,
                                 const std::vector<std::string>& on,
                                 const std::vector<FurtherBet>& further) const;
  /// States are the same when their text is, but for what the last event settled.
  [[nodiscard]] Result<std::size_t> number_of(const State& state);
  [[nodiscard]] Driver resumed(const State& state) const;
  [[nodiscard]] Result<ChainState> options_of(const State& state);
  /// What its owner may do, and, where silence is an answer, nothing.
  [[nodiscard]] Status add_choices(const State& state, const Needs& needs, ChainState& options);
  [[nodiscard]] Status add_choice(const State& state, const Event& event, const std::string& called,
                                  ChainState& options);
  [[nodiscard]] Result<ChainStep> step_behind(const State& state, const std::vector<Event>& events,
                                              const Ratio& probability);
  /// Takes one time off a stake in prison that was there so often; false: it was not.
  [[nodiscard]] bool take_time_off(json::Value& state) const;

  const Table& table_;
  const ChainGame& game_;
  Units stake_ = 0;
  Ratio staked_ = 1;  ///< with further bets
  std::map<std::string, std::size_t> numbers_;
  std::vector<State> states_;
  std::vector<ChainState> chain_;
  std::optional<std::size_t> prison_;
};

}  // namespace talla::games
