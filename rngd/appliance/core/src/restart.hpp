/// \file
/// The state of an appliance that starts: the records of its open tables, folded in as they were
/// the first time.
///
/// Each table is read from its resume point on, where it has one that fits, else from its
/// TABLE_OPEN. What is open is unsealed; a seal that does not open latches.
/// Threads: the sequencer's, before it takes anything.
#pragma once

#include <set>

#include "appliance.hpp"
#include "resume_points.hpp"

namespace talla::core {

class Restart {
 public:
  Restart(Appliance& appliance, ResumePoints& points) : appliance_(appliance), points_(points) {}

  /// Into an empty state. Errors: replay_failed, the ledger's own.
  [[nodiscard]] Status run();

 private:
  [[nodiscard]] Status replay();
  [[nodiscard]] Status replay_record(const certs::LedgerRecord& stored);
  [[nodiscard]] std::optional<ObjectSeq> table_of_known(std::string_view object) const;
  [[nodiscard]] std::optional<ObjectSeq> table_of_known(const certs::LedgerRecord& stored) const;
  [[nodiscard]] Status load_meter(const certs::ObjectState& object);
  [[nodiscard]] std::uint64_t resume_table(const certs::ObjectState& table);
  [[nodiscard]] bool is_wanted(const certs::Record& record) const;
  [[nodiscard]] Status fold(const certs::Record& record, const Digest& leaf, Overlay& overlay);
  [[nodiscard]] Status fold(std::uint64_t seq, Overlay& overlay);
  [[nodiscard]] Result<std::shared_ptr<const json::Value>> carried_over(
      const certs::Record& record) const;
  [[nodiscard]] Result<Secrets> unseal(const certs::Record& record);
  [[nodiscard]] Status load_drafts(Overlay& overlay) const;
  [[nodiscard]] Status load_panels(Overlay& overlay) const;
  [[nodiscard]] Status load_targets(Overlay& overlay) const;
  [[nodiscard]] Status load_people(Overlay& overlay) const;
  [[nodiscard]] Result<std::string> document(const certs::DocumentName& name) const;

  Appliance& appliance_;
  ResumePoints& points_;
  std::set<std::string> open_;  // objects that are open in the ledger
};

/// The log ends with the POWER of a stop in order, or is empty.
[[nodiscard]] bool is_clean_stop(const certs::Ledger& ledger);

}  // namespace talla::core
