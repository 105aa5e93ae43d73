/// \file
/// The free space of the ledger's disk as a test says it (disk_test.cpp wraps statvfs).
#pragma once

#include <cstdint>
#include <optional>

namespace talla::core::test {

/// From now on; nothing: what it has.
// NOLINTNEXTLINE(*-avoid-non-const-global-variables): what statvfs of the test says
inline std::optional<std::uint64_t> disk_free_bytes;

}  // namespace talla::core::test
