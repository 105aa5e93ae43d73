/// \file
/// Resume points: what a restart needs of a table, so that it reads the log from there on and not
///                from TABLE_OPEN.
///
/// A resume point is derived data, never evidence: it says what folding the records before `seq`
/// gave. It is written in the same group as the records it rests on, sealed (so that nobody but the
/// appliance can have written it), and dropped whenever it does not fit: then the whole chain is
/// read. Only a table at rest has one: no live round, no open CALL, no covered card, no shoe that
/// was shuffled again or has several roots to pick from.
/// Threads: the sequencer's.
#pragma once

#include "apply.hpp"

namespace talla::core {

/// At rest, so that a resume point can say all of it.
[[nodiscard]] bool can_resume(const World& world, const Table& table);

/// Canonical JSON. Precondition (checked): can_resume. `seq`: the records before it are folded in.
[[nodiscard]] std::string resume_text(const World& world, const Table& table, std::uint64_t seq);

/// A resume point read back; the secrets and opening records come from the ledger.
class ResumePoint {
 public:
  /// Errors: Errc::replay_failed for anything but what `resume_text` writes for this table.
  [[nodiscard]] static Result<ResumePoint> parse(std::string_view text,
                                                 const std::string& table_id);

  [[nodiscard]] std::uint64_t seq() const { return seq_; }
  /// The seqs of the opening records of its live shoe and open batches, ascending.
  [[nodiscard]] const std::vector<ObjectSeq>& openings() const { return openings_; }

  /// Before the opening records are folded in: the table is in the world, fresh from its
  /// TABLE_OPEN.
  [[nodiscard]] Status begin(Overlay& world) const;
  /// Behind them: the table, its shoe and its batches stand as they stood.
  [[nodiscard]] Status finish(Overlay& world) const;

 private:
  ObjectSeq table_ = 0;
  std::uint64_t seq_ = 0;
  std::vector<ObjectSeq> openings_;
  json::Value document_;
};

}  // namespace talla::core
