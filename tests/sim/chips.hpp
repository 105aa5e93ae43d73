/// \file
/// The chips of a table where players play against each other (family "circle-poker"): what was
/// bought is what lies before the players, in the pot and with the house, less what was paid out;
/// and a hand's account adds up to nothing.
#pragma once

#include <map>
#include <string>

#include "subject.hpp"

namespace talla::sim {

class Chips {
 public:
  explicit Chips(const games::Table& table) : counts_(table.rules().family == "circle-poker") {}

  void accepted(const games::Event& event);
  void settled(const games::Settlement& settlement);
  /// Between hands. Throws Failure when a chip has come or gone.
  void round_over(const Subject& subject);

 private:
  bool counts_;
  std::map<std::string, games::Units> bought_;  ///< restos that are not paid out, by bet
  games::Units in_play_ = 0;                    ///< bought and not paid out
  games::Units hand_ = 0;  ///< stakes of the hand's account less what it returned
};

}  // namespace talla::sim
