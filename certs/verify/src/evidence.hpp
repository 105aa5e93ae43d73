/// \file
/// A bundle taken apart: its records in order, found by seq and by object, and the verdict as it
/// grows.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "format/body_draw.hpp"
#include "format/body_table.hpp"
#include "format/bundle.hpp"
#include "format/checkpoint.hpp"
#include "format/context.hpp"
#include "format/openings.hpp"
#include "format/record.hpp"
#include "verify/notes.hpp"
#include "verify/verdict.hpp"

namespace talla::certs {

struct Evidence {
  explicit Evidence(const HashSuite& suite) : hashes(suite) {}

  const HashSuite& hashes;
  Bundle bundle;
  SignedCheckpoint checkpoint;
  std::vector<Record> records;  ///< ascending by seq
  /// By object id, ascending; each from its opening record on. Objects that were opened before what
  /// the file holds of the table are not here: nothing rests on them.
  std::map<std::string, std::vector<const Record*>, std::less<>> objects;
  const Record* claim = nullptr;
  const Record* table_record = nullptr;  ///< TABLE_OPEN of the claim's table
  TableOpenBody table;
  Verdict verdict;
  std::optional<Openings> openings;  ///< the auditor's, of a covered shoe
  bool openings_used = false;
  std::uint64_t repetitions = 0;  ///< N, what the table's chain shows (FORMAT.md section 9)
  /// Keys (SHA-256) whose numbers are in every result that the claim rests on, beside the table's.
  std::set<Digest> joined;
  std::set<std::string> joined_ids;         ///< of the same
  bool rests = false;                       ///< the claim rests on a result
  bool unopened = false;                    ///< cards of a shoe stay closed
  std::optional<std::uint64_t> shown_from;  ///< records of the table before this one are left out

  [[nodiscard]] const Record* find(std::uint64_t seq) const;
  /// Leaf hash of one of `records`.
  [[nodiscard]] Digest leaf_of(const Record& record) const;
  void checked(Note note, const games::RefusalValues& values = {}) {
    verdict.checked.push_back(note_line(note, values));
  }
  /// Said once, however often it applies.
  void not_checked(Note note, const games::RefusalValues& values = {});
  /// Takes a commitment's context into the verdict's class, and compares it with the table's rules.
  [[nodiscard]] Status take_context(const Context& context, const Record& record);

  bool context_seen = false;
  bool certified = false;  ///< certifications cover every commitment
  bool lab = false;
};

/// "record 17 (DRAW)", for errors and verdicts.
[[nodiscard]] std::string name_of(const Record& record);

/// The error of a check that this record does not pass.
[[nodiscard]] Status refuse(VerifyErrc errc, const Record& record, std::string_view why);

/// Reads all records, finds claim and table. Errors: FormatErrc, gap, seq_order,
/// unsupported_claim.
[[nodiscard]] Result<Evidence> open_evidence(const HashSuite& hashes, std::string_view bundle);
/// Steps 2 and 3: checkpoint signature, inclusion, origin, order of sequence numbers and times.
[[nodiscard]] Status check_log(Evidence& evidence, const LogKeyStatement& statement);
/// Step 4: the chain of the claim's table (FORMAT.md section 2). Errors: link_gap, place_gap,
/// two_rounds, two_live, totals_wrong, number_gap, round_uncited. Fills `repetitions`.
[[nodiscard]] Status check_table_chain(Evidence& evidence);
/// Step 4: the calls of that table, behind its chain. Errors: table_key, turn_gap, turn_open,
/// call_signature, head_wrong, core_mismatch, lapsed_wrong, mix_early, call_none,
/// call_uncited, request_other, lapsed_cites, totals_wrong, and those of contributors. Fills
/// `joined`.
[[nodiscard]] Status check_calls(Evidence& evidence);
/// Step 4: each object's chain from its opening record, without gap or fork, all at the claim's
/// table.
[[nodiscard]] Status check_chains(Evidence& evidence);
/// A VOID by order names two persons or more, each once. Errors: void_persons.
[[nodiscard]] Status check_ordered(const Record& record, const VoidBody& body);
/// Step 5 for all shoes and batches in the bundle.
[[nodiscard]] Status check_shoes(Evidence& evidence);
[[nodiscard]] Status check_batches(Evidence& evidence);
/// Bets and their digests of all rounds in the bundle.
[[nodiscard]] Status check_rounds(Evidence& evidence);
/// Step 6: the claim is a SETTLEMENT.
[[nodiscard]] Status check_settlement(Evidence& evidence);
/// Names the catalogue of the table in the verdict where nothing that is known here has it: the
/// programs' own, those that `options` gives, and what is certified.
void name_catalogue(Evidence& evidence, std::span<const std::string> known);
/// A laboratory file, in the place of steps 4 to 6: two persons ordered a table of class `lab`, and
/// its outcomes are those of the log and follow from their bits. Errors: lab_file, lab_outcomes,
/// wrong_mapping. Fills class and claim text.
[[nodiscard]] Status check_laboratory(Evidence& evidence);
/// One line about the claim.
[[nodiscard]] std::string claim_text(const Record& claim, const TableOpenBody& table);
/// Fills class, claim text, time and what no bundle can show.
void conclude(Evidence& evidence);

}  // namespace talla::certs
