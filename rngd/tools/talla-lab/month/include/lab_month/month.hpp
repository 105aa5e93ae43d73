/// \file
/// A month of an appliance from its log alone: outcomes, returns, voids, contributions that were
/// withheld, latches, alarms.
///
/// The records are a line each, as `talla log export` (with their proofs, which are not looked at)
/// or `talla log tail --raw` gives them, from the first one of the log on. What is missing among
/// them is named, and with a signed checkpoint the root of the first records is held against it, so
/// that none of them is another one than the log has.
/// Errors: MonthErrc::month_refused (month/months.hpp). Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/result.hpp"

namespace talla::lab::month {

/// Which month, and what the records are held against.
struct MonthWish {
  std::string month;         ///< YYYY-MM, in UTC
  std::string log;           ///< the records, a line each
  std::string checkpoint{};  ///< a signed checkpoint of the log; empty: none is looked at
  std::string key{};         ///< verifier key that must have signed it; with `checkpoint`
};
/// {"alarms", "faults", "format", "kind", "latches", "log", "month", "tables", ...}. `faults` names
/// what is wrong with the records: gap, root, short; empty: nothing.
[[nodiscard]] Result<json::Value> month_of(const MonthWish& wish);
/// The same for people, in `es` or `en`.
[[nodiscard]] std::string month_html(const json::Value& month, const std::string& language);
[[nodiscard]] std::string month_pdf(const json::Value& month, const std::string& language);

}  // namespace talla::lab::month
