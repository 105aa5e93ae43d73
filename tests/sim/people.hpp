/// \file
/// What people at a simulated table do: bets within and around the rules, choices from what is
/// offered, and events that must be refused whatever the state is.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "games/bets.hpp"
#include "games/driver.hpp"
#include "random.hpp"

namespace talla::sim {

/// A stake that lies on the cloth, as far as anybody outside the engine can know.
struct LiveBet {
  games::PlaceBet placed;  ///< positions as the catalogue spells them
  games::Units stake = 0;  ///< placed less what was taken back
  bool acted = false;      ///< its seat has acted since: the stake may have been raised
};

class People {
 public:
  People(const games::Table& table, Random& random);

  /// A bet on a random kind and position, mostly within the limits, with a fresh id.
  [[nodiscard]] games::PlaceBet bet(const std::vector<LiveBet>& live);
  /// The stake that somebody owes: its seat and kind are given.
  [[nodiscard]] games::PlaceBet owed(games::PlaceBet out);
  /// The act for a choice, with this amount (a choice without amounts: anything) and these cards.
  [[nodiscard]] static games::Act act(const games::Decide& decide,
                                      const games::ActionChoice& choice, games::Units amount,
                                      std::vector<std::string> cards = {});
  /// Cards the choice lets name.
  [[nodiscard]] std::vector<std::string> cards(const games::ActionChoice& choice);
  /// Lists of cards just outside of what the choice lets name: too many, too few, one twice, one
  /// that lies nowhere.
  [[nodiscard]] static std::vector<std::vector<std::string>> wrong_cards(
      const games::ActionChoice& choice);
  /// An amount the choice offers.
  [[nodiscard]] games::Units amount(const games::ActionChoice& choice);
  /// Amounts just outside of what the choice offers.
  [[nodiscard]] static std::vector<games::Units> wrong_amounts(const games::ActionChoice& choice);
  [[nodiscard]] games::WithdrawBet withdrawal(const std::vector<LiveBet>& live);
  /// Something that must be refused now.
  [[nodiscard]] games::Event nonsense(const games::Needs& needs, const std::vector<LiveBet>& live);

 private:
  [[nodiscard]] games::Units stake(const games::BetRule& rule);
  [[nodiscard]] std::vector<std::string> ticket(const games::BetRule& rule);
  [[nodiscard]] games::Event wrong_bet(const std::vector<LiveBet>& live);
  [[nodiscard]] std::optional<games::Event> not_due(const games::Needs& needs);

  const games::Table* table_;
  Random* random_;
  games::Seat seats_;
  std::map<std::string, std::vector<std::vector<std::string>>> positions_;  ///< of a kind of bet
  std::size_t next_id_ = 0;
};

/// The event in one line, for failures.
[[nodiscard]] std::string text_of(const games::Event& event);

}  // namespace talla::sim
