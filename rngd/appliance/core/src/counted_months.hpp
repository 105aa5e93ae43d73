/// \file
/// The months of this log, counted while somebody asks: GET /v1/month.
///
/// Counting goes on where the last question left it, so many records at a time; nothing of it is
/// kept over a restart.
/// Errors: the ledger's own, month_refused. Threads: any.
#pragma once

#include <mutex>
#include <string>

#include "certs/ledger.hpp"
#include "month/months.hpp"

namespace talla::core {

class CountedMonths {
 public:
  /// Records that one question looks at.
  static constexpr std::uint64_t records_at_a_time = 5000;

  /// The report of that month (month/months.hpp). While records below `size` are not counted yet, a
  /// fault `unfinished` says which. Precondition: the ledger has `size` records.
  [[nodiscard]] Result<json::Value> report(const certs::Ledger& ledger, std::uint64_t size,
                                           const std::string& month);

 private:
  std::mutex mutex_;
  month::Months months_;
};

}  // namespace talla::core
