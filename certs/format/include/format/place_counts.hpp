/// \file
/// What the running counts of a place count (FORMAT.md section 2): the one place that says what a
/// turn, a void and an early close are. The appliance, a succession and the verifiers ask here.
#pragma once

#include <cstdint>

#include "format/body_draw.hpp"
#include "format/body_end.hpp"
#include "format/body_shoe.hpp"
#include "format/record.hpp"

namespace talla::certs {

/// A CALL, or the VOID of a core that became none.
[[nodiscard]] bool takes_turn(const Record& record);

/// Adds a CALL.
void count_call(PlaceCounts& counts);
/// Adds a VOID: with the turn, where its core became no CALL.
void count(PlaceCounts& counts, const VoidBody& body);
/// Adds the end of a shoe, which counts where it ended before its cards did.
void count(PlaceCounts& counts, const ShoeCloseBody& body);
/// Adds the end of a table, which counts where the table was voided.
void count(PlaceCounts& counts, const TableCloseBody& body);
/// Adds a table without an end, as a log that goes on from a backup finds it: each of `open_calls`
/// calls without a result is a void, the table an early close.
void count_lost(PlaceCounts& counts, std::uint64_t open_calls);

/// Adds any record of a table. Errors: FormatErrc::malformed_body, and nothing is counted.
Status count(PlaceCounts& counts, const Record& record);

}  // namespace talla::certs
