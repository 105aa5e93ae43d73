/// \file
/// Where a moment lies in the log. Records are in the order of their times, so halving finds it.
///
/// Errors: the ledger's own. Threads: any that may read the ledger.
#pragma once

#include <cstdint>

#include "certs/ledger.hpp"

namespace talla::core {

/// The first record that is not before `time_us` (microseconds since 1970, UTC); the ledger's size
/// when all are.
[[nodiscard]] Result<std::uint64_t> first_at(const certs::Ledger& ledger, std::int64_t time_us);

}  // namespace talla::core
