/// \file
/// Orders for a laboratory's table, as a verdict says them. Private to certs_verify.
#pragma once

#include <optional>
#include <string>

#include "format/lab_table.hpp"
#include "format/record.hpp"

namespace talla::certs {

/// What an ACCESS orders of a laboratory's table; nothing: it is no such record.
[[nodiscard]] std::optional<SampleOrder> lab_order_of(const Record& record);
/// `Verdict::claim_text` of it: that it is no play comes first.
[[nodiscard]] std::string lab_claim_text(const SampleOrder& order);

}  // namespace talla::certs
