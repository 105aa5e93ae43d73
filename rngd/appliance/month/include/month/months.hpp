/// \file
/// What each month of a log came to, from its records alone: outcomes, returns, voids,
/// contributions that were withheld, latches, alarms. The appliance and the laboratory count by
/// this.
///
/// Records come in ascending order, from the first one of the log on: what is counted in a month
/// rests on what stood before it (what a table plays, a stake that is in prison).
/// Errors: MonthErrc::month_refused. Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/result.hpp"

namespace talla::month {

enum class MonthErrc : std::uint16_t {
  month_refused = 844,  ///< Records that are not those of one log, in order; no month.
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(MonthErrc errc);

/// Whether that is a month, as YYYY-MM.
[[nodiscard]] bool is_month(std::string_view text);

/// Counts of all months of one log, as far as its records were taken.
class Months {
 public:
  Months();
  Months(const Months&) = delete;
  Months& operator=(const Months&) = delete;
  ~Months();

  /// The next record, its bytes as the log has them. Numbers that are left out are no error; they
  /// are remembered. Errors: no record; of another log; its number is not above the one before.
  [[nodiscard]] Status take(std::string_view record);
  /// One more than the number of the newest record; 0: there was none.
  [[nodiscard]] std::uint64_t below() const;
  /// The log's name; empty: there was no record.
  [[nodiscard]] const std::string& origin() const;
  /// Of all records below `below`; none where one was left out.
  [[nodiscard]] std::optional<Digest> root() const;

  /// What there is to say beside the counts.
  struct Held {
    std::string against;   ///< what the records were held against
    json::Array faults{};  ///< {"what", "words"} each: what is wrong with them
  };
  /// Of a month by `is_month`, in UTC: {"accesses_refused", "alarms", "faults", "format", "kind",
  /// "latch_resets", "latches", "log", "month", "power", "reseeds", "selftests", "tables"}. A stake
  /// counts in the month in which it is settled first; what becomes of it in prison counts as
  /// returned alone.
  [[nodiscard]] json::Value report(const std::string& month, Held held) const;

 private:
  class Counter;
  std::unique_ptr<Counter> counter_;
};

}  // namespace talla::month
