/// \file
/// What inspector and second person may order (PROTOCOL sections 5 and 7): an open CALL void, a
/// suspended table finished or void. Called with the confirmation's record in the same transaction.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"

namespace talla::core {

struct Order {
  std::vector<std::string> by;  ///< client ids of the two
  std::uint64_t seq = 0;        ///< the ACCESS that confirms it
};

/// `object`: a batch, or a shoe whose call waits for contributors. Errors: not_found; wrong_state
/// when the CALL is not open; secret_unusable; those of the rules,
/// where they have no place for a void draw.
[[nodiscard]] Status draw_voidable(const Call& call, const std::string& object,
                                   std::uint64_t call_seq);
/// The table waits for its judgement. Errors: not_found, wrong_state.
[[nodiscard]] Status table_judged(const Call& call, const std::string& table_id);
/// The same, and all it has open can be void.
[[nodiscard]] Status table_voidable(const Call& call, const std::string& table_id);

/// VOID with the outcome it would have had; the round goes on as its rules say of a void draw.
[[nodiscard]] Status void_draw(const Call& call, const std::string& object, std::uint64_t call_seq,
                               const Order& order);
/// VOID of the table's open CALL, whose further contributors did not open in time: it names them.
/// The appliance's own; call, policy and time of the record are looked at. Errors: wrong_state,
/// where it is too early; secret_unusable.
[[nodiscard]] Status void_withheld(const Parts& parts, Transaction& tx, ObjectSeq table);
/// VOID of every open CALL, BATCH_CLOSE, SHOE_CLOSE (voided). A table whose rules cannot go on
/// without that shoe ends with ROUND_END, without SETTLEMENT, and TABLE_CLOSE (voided).
[[nodiscard]] Status void_table(const Call& call, const std::string& table_id, const Order& order);

/// Name of the metric that counts the voids of a table.
[[nodiscard]] std::string voids_metric(const std::string& table_id);

}  // namespace talla::core
