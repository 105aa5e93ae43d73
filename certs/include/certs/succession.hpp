/// \file
/// A new log that follows the one in a backup (PROTOCOL section 2): its first records, what it
/// opens of the old one's secrets, and from which counts the places of the house go on.
///
/// The old log ends with its backup: nothing is ever added to it. Whatever its open shoes and
/// batches would still have given may have been dealt or drawn after the backup was made, so it is
/// given by nobody again: every unused secret is opened in the new log, in KEY records of purpose
/// `predecessor` (FORMAT.md section 6). A covered shoe stays sealed; it is never dealt from again
/// either.
/// Errors:  SuccessionErrc, those of ledger, log and seals. Threads: one. Secrecy: what is opened
///          here must never be dealt by anybody: the old appliance's anchors are retired first
///          (`retire_anchor`).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "certs/anchor.hpp"
#include "certs/approval.hpp"
#include "certs/backup.hpp"
#include "certs/log.hpp"
#include "certs/seal.hpp"

namespace talla::certs {

enum class SuccessionErrc : std::uint16_t {
  older_than_anchor = 686,  ///< an anchor knows more records than the backup has
  other_history = 687,      ///< an anchor or checkpoint is of another history than the backup's
  /// A sealed secret of the old log does not open, or is not what its record committed to.
  secret_unusable = 688,
  not_empty = 689,    ///< the new log has records already
  log_retired = 699,  ///< another log follows this one: nothing starts it again
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(SuccessionErrc errc);

/// Bodies of KEY records, one for each secret that is still sealed and each CALL without its
/// DRAW. Without a sealer (the key is lost) they say `lost`.
[[nodiscard]] Result<std::vector<json::Value>> predecessor_secrets(const HashSuite& hashes,
                                                                   const Ledger& ledger,
                                                                   const std::string& origin,
                                                                   const Sealer* sealer);

/// Bodies of KEY records, one for each place of the house that has a name, with the counts up to
/// the end of that log: a CALL that was open counts as a VOID too, a table that was open as one
/// that closed early.
[[nodiscard]] Result<std::vector<json::Value>> predecessor_places(const Ledger& ledger,
                                                                  const std::string& origin);

/// What an anchor, or any signed checkpoint of the old log, says of a backup. Errors:
/// older_than_anchor, other_history.
[[nodiscard]] Status compare_backup(const HashSuite& hashes, const LedgerReading& reading,
                                    const std::string& origin, const AnchorState& state);
/// From now on the anchor is ahead of every copy of that log: no start takes one up again.
[[nodiscard]] Status retire_anchor(Anchor& anchor, const BackupManifest& manifest);
[[nodiscard]] bool anchor_retired(const AnchorState& state);
/// Says in the old log's data folder who follows it. For people alone: what keeps the log from
/// going on is its retired anchor. Errors: those of the file.
[[nodiscard]] Status note_successor(const std::string& data_folder, const BackupManifest& manifest,
                                    const std::string& successor);
/// log_retired, with the successor's origin, where note_successor has said so of this log. A note
/// that is damaged or of another log refuses nothing.
[[nodiscard]] Status refuse_retired(const std::string& data_folder, const std::string& origin);

/// Everything that the first records of the new log are made of.
struct Succession {
  BackupManifest predecessor;
  LogKey log_key;      ///< of the new log
  RestoreTerms terms;  ///< what both agreed to
  Approver asked;
  Approver confirmed;
  std::vector<json::Value> secrets;
  std::vector<json::Value> places;
};
/// The first group of an empty log: KEY with `predecessor`, two ACCESS, then a KEY for each secret
/// and each place.
/// All or nothing.
[[nodiscard]] Status write_succession(Log& log, const Succession& succession);
/// The checkpoint that the first KEY record of a log names; nothing when it follows no other log.
[[nodiscard]] Result<std::optional<std::string>> named_predecessor(const Ledger& ledger);

}  // namespace talla::certs
