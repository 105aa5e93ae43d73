/// \file
/// Whether the rules take the bets of a round that is not opened yet: a table with an open round at
/// which nobody plays is ended by two persons alone, so what is refused is refused before.
///
/// Threads: pure functions.
#pragma once

#include "base/json.hpp"
#include "base/result.hpp"
#include "play_round.hpp"

namespace talla::cli {

/// `body` is what a table would be opened with. The plan's decisions that come before bets are
/// followed. Good too where this program cannot tell: of a catalogue that it does not have, and
/// where cards come between decisions and bets.
/// Errors: those of the rules, of tables, decisions and bets; the detail names the bet, from
/// bets[0].
[[nodiscard]] Status check_bets(const json::Value& body, const RoundPlan& plan);

}  // namespace talla::cli
