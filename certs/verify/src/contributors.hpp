/// \file
/// The further contributors of a table's calls: who is named, what each opened behind its call, and
/// who took part in what the claim rests on (FORMAT.md section 8). Private to certs_verify.
///
/// Everything is of one TABLE_OPEN; its leaf hash is in every commitment.
/// Errors:  VerifyErrc::others_order, duplicate, t_gap, required_missing, openings_count,
///          commit_mismatch, opening_signature, missing_wrong.
/// Threads: one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "format/body_draw.hpp"
#include "format/body_table.hpp"
#include "format/call.hpp"
#include "format/record.hpp"

namespace talla::certs {

class Contributors {
 public:
  /// Of keys (SubjectPublicKeyInfo), the id that each was named by.
  using Named = std::map<Bytes, std::string>;

  /// `opening`: leaf hash of TABLE_OPEN.
  Contributors(const HashSuite& hashes, const TableOpenBody& table, const Digest& opening)
      : hashes_(hashes), table_(table), opening_(opening) {}

  /// The core of a CALL: its `others` ascend, are each named once, count on, and hold each required
  /// key.
  [[nodiscard]] Status name(const Record& record, const CallCore& core);
  /// A core that lapsed, whatever it says wrongly: who counts on in it has spent that count.
  void lapse(const CallCore& core);
  /// What was opened behind a call is what was committed before it, signed by each key. `rests`:
  /// the claim rests on this result.
  [[nodiscard]] Status result(const Record& record, const CallCore& core,
                              std::span<const CallOpening> openings, bool rests);
  /// A call ended without result; whom the VOID names missing was to open, and so was who had.
  [[nodiscard]] Status end(const Record& record, const CallCore& core, const VoidBody& body);
  /// Behind a gap: how far each had counted is not known.
  void forget() { counted_.clear(), whole_ = false; }

  /// Whether the claim rests on a result.
  [[nodiscard]] bool rests() const { return joined_.has_value(); }
  /// Who opened in every result that the claim rests on.
  [[nodiscard]] Named joined() const { return joined_.value_or(Named{}); }
  /// Who was named by a call of the file and is none of those. Where the claim rests on no result:
  /// by one that ended in VOID.
  [[nodiscard]] Named dropped() const;

 private:
  struct Counted {
    std::string id;
    std::uint32_t t = 0;
  };
  [[nodiscard]] bool counts(const Contributor& one) const;
  const HashSuite& hashes_;
  const TableOpenBody& table_;
  Digest opening_;
  std::map<Bytes, Counted> counted_;  // by key
  bool whole_ = true;                 // else a key may have been named in the gap
  std::optional<Named> joined_;
  Named named_;   // in a VOID, or in a result that the claim rests on
  Named called_;  // in any CALL
};

/// What was opened behind a call (`opening`: leaf hash of TABLE_OPEN) is what was committed before
/// it, one opening for each contributor, in their order, signed by each key. `record`: the result.
[[nodiscard]] Status check_openings(const HashSuite& hashes, const Digest& opening,
                                    const Record& record, const CallCore& core,
                                    std::span<const CallOpening> openings);

/// What some of them had opened before two persons voided the call: the same of each.
[[nodiscard]] Status check_opened_before(const HashSuite& hashes, const Digest& opening,
                                         const Record& record, const CallCore& core,
                                         std::span<const OpenedBefore> openings);

/// "seat-1 (key HEX), ...": ids and SHA-256 of keys, by their bytes.
[[nodiscard]] std::string contributor_names(const HashSuite& hashes,
                                            const Contributors::Named& named);

}  // namespace talla::certs
