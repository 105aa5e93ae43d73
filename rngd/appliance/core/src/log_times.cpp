// Where a moment lies in the log.
#include "log_times.hpp"

#include "format/record.hpp"

namespace talla::core {

Result<std::uint64_t> first_at(const certs::Ledger& ledger, std::int64_t time_us) {
  std::uint64_t low = 0;
  std::uint64_t high = ledger.size();
  while (low < high) {
    const auto middle = low + (high - low) / 2;
    TALLA_TRY(const auto stored, ledger.record(middle));
    TALLA_TRY(const auto record, certs::parse_record(stored.bytes));
    if (record.time_us < time_us) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace talla::core
