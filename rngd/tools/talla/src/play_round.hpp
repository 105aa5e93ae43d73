/// \file
/// One round at a table that the appliance settles, driven by what the table needs: shoe, cards,
/// bets, decisions, draw.
#pragma once

#include <string_view>
#include <vector>

#include "steps.hpp"

namespace talla::cli {

/// One thing a seat does when it is asked.
struct Decision {
  std::int64_t seat = 0;
  json::Value action;  ///< members do, bet, amount as POST actions takes them
};
struct RoundPlan {
  json::Array bets;
  std::vector<Decision> decisions;  ///< each seat's in order; a seat without one is timed out
};

/// The first need of that name among what a table needs; null: there is none.
[[nodiscard]] const json::Value* need_of(const json::Value& needs, std::string_view name);
/// Whom the round waits for; null: for nobody's decision.
[[nodiscard]] const json::Value* due_decision(const json::Value& needs);

/// Plays to the settlement; gives its verified record. Errors: those of the session;
/// appliance_refused when nothing goes on.
[[nodiscard]] Result<json::Value> play_round(const App& app, Session& session,
                                             const std::string& table, RoundPlan plan);

}  // namespace talla::cli
