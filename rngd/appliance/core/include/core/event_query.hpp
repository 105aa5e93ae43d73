/// \file
/// What somebody asks of the log's events, and what is found: by GET /v1/events and its streams.
///
/// Threads: plain data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "format/record.hpp"

namespace talla::core {

/// One record as a client may see it, for events and pages.
struct LogEvent {
  std::uint64_t seq = 0;
  std::string kind;
  std::string object;  ///< Empty for a machine record.
  std::string table;   ///< The table it belongs to; empty for a machine record.
  std::string record;  ///< The record's bytes.
};

/// Which events are asked for.
struct EventQuery {
  std::int64_t after = -1;         ///< The events behind this sequence number; -1: from the first.
  std::size_t limit = 100;         ///< 1 to 1,000.
  std::string table;               ///< Of this table alone; empty: of all.
  std::vector<certs::Kind> kinds;  ///< Of these kinds alone; empty: of all.
};

/// What a bounded look through the log found.
struct EventPage {
  std::vector<LogEvent> events;
  /// So far the log was looked through: the next page begins behind it, found or not.
  std::int64_t next = -1;
  /// Records behind it are there already.
  bool more = false;
};

/// Of "/v1/events?after=17&table=table-9&kind=DRAW". Errors: malformed_request.
[[nodiscard]] Result<EventQuery> event_query(std::string_view path);

}  // namespace talla::core
