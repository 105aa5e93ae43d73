/// \file
/// A call as those see it who contribute to it: core and receipt, who has opened and who is
/// missing, what it ended in.
///
/// Threads: the sequencer's.
#pragma once

#include "appliance.hpp"

namespace talla::core {

/// The open call of a table with its request's words; null: none.
[[nodiscard]] const OpenCall* open_call_of(const Overlay& world, const Table& table);

class CallViews {
 public:
  explicit CallViews(const Appliance& appliance) : appliance_(appliance) {}

  /// Errors: not_found (no CALL of that seq is durable), the ledger's own.
  [[nodiscard]] Result<json::Object> view(const Overlay& world, std::uint64_t seq) const;
  /// What the result of an ended call says that this id opened.
  [[nodiscard]] std::optional<certs::CallOpening> opened(std::uint64_t seq,
                                                         const std::string& id) const;

 private:
  struct Ended {
    certs::Record record;
    std::vector<certs::CallOpening> openings;  ///< of a result
    std::vector<std::string> missing;          ///< of a VOID
  };
  [[nodiscard]] Result<certs::LedgerRecord> stored(std::uint64_t seq) const;
  /// Seconds, by the table's TABLE_OPEN, record `seq`; `table` is null where it is long closed.
  [[nodiscard]] Result<std::uint32_t> open_within_of(const Table* table, std::uint64_t seq) const;
  /// What ended it; nothing: it is open.
  [[nodiscard]] Result<std::optional<Ended>> end_of(const certs::Record& call) const;

  const Appliance& appliance_;
};

}  // namespace talla::core
