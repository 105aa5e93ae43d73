/// \file
/// The rounds of a table as the appliance lists them, newest first.
#pragma once

#include <functional>
#include <string>

#include "session.hpp"

namespace talla::cli {

/// Which rounds are asked for.
struct RoundPages {
  std::string table;
  std::string span;  ///< "&from=...&to=..." in microseconds; empty: of all times
  int size = 0;      ///< rounds a reply, 1 to 100
};
/// Calls `each` for those rounds, newest first, until it says false or there are no more.
[[nodiscard]] Status each_round(Session& session, const RoundPages& pages,
                                const std::function<bool(const json::Value&)>& each);
/// The round of that number ("12") or id ("round-431"). Errors: usage when the table has no such
/// round.
[[nodiscard]] Result<json::Value> find_round(Session& session, const std::string& table,
                                             const std::string& round);

void add_log_history(commandline::Command& log, App& app);

}  // namespace talla::cli
