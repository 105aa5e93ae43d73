/// \file
/// A round that has ended, as its records tell it: bets, cards, draw and results stay to be read
/// when the state has forgotten them.
///
/// Errors: the ledger's own; replay_failed (a record that is not as the appliance writes them).
/// Threads: any that may read the ledger.
#pragma once

#include <optional>
#include <span>

#include "catalogues.hpp"
#include "certs/ledger.hpp"
#include "format/body_table.hpp"

namespace talla::core {

/// What there is of it; a round that ended without a settlement has bets at most.
struct PastRound {
  json::Array bets;  ///< as they were closed
  std::vector<certs::SettlementResult> results;
  std::optional<std::uint64_t> settlement;  ///< seq of its last part
  /// In the order of dealing, as the view of the open round had them but for `returned`.
  json::Array cards;
  std::optional<json::Value> outcome;  ///< of its last draw, as the game calls it
};

/// Reads it from the records of the round (`chain`, its ledger chain) and those that its settlement
/// rests on. Cards are read when `with_cards` asks for them.
[[nodiscard]] Result<PastRound> past_round(const certs::Ledger& ledger,
                                           const Catalogues& catalogues,
                                           std::span<const certs::LedgerRecord> chain,
                                           bool with_cards);

}  // namespace talla::core
