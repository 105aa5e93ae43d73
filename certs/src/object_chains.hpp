/// \file
/// The rules by which records open, continue and close their objects, over a look-up of known
/// states. Private to certs: every ledger applies the same.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>

#include "certs/ledger.hpp"

namespace talla::certs {

using ObjectStates = std::map<std::string, ObjectState, std::less<>>;
using ObjectLookup = std::function<Result<std::optional<ObjectState>>(std::string_view id)>;

/// The states after these records. Errors: group_refused (seq gap, wrong or missing prev, unknown
/// or closed object, an id that is not the opening record's), the look-up's.
[[nodiscard]] Result<ObjectStates> advance_objects(std::uint64_t size,
                                                   std::span<const LedgerRecord> records,
                                                   const ObjectLookup& lookup);

}  // namespace talla::certs
