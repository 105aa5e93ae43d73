/// \file
/// The group that a log is putting together: records that are numbered, timed and chained, and not
/// written yet. Only the log makes one.
///
/// Errors:  record_refused, FormatErrc of the record, the ledger's.
/// Threads: the log's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.hpp"
#include "base/hash.hpp"
#include "certs/ledger.hpp"
#include "certs/table_chains.hpp"
#include "format/compose.hpp"
#include "format/record.hpp"

namespace talla::certs {

/// What a record says; the log adds origin, seq, time, boot, and its place in the chain of its
/// table: table, prev, link and meter_prev.
struct RecordDraft {
  Kind kind = Kind::unknown;
  json::Value body;
  std::optional<ComposedBody> composed;  ///< in the place of `body`, which is not looked at then
  std::string object;  ///< leave empty for opening kinds (it becomes theirs) and machine records
  std::optional<Client> client;
  std::string key;
  std::optional<Digest> request;
  std::vector<std::uint64_t> cites;  ///< sorted and made unique by the log
  /// Of a TABLE_OPEN: the TABLE_CLOSE before at its place, which it cites too; none: the first one.
  std::optional<std::uint64_t> follows;
  std::string note;
};

/// A record as `append` numbered and timed it.
struct Appended {
  std::uint64_t seq = 0;
  std::string object;
  std::int64_t time_us = 0;
  Record record;  ///< what parsing its bytes gives; the body is left out when it was composed
  Digest leaf{};  ///< leaf hash of its bytes
};

/// The group, and what it takes to go on behind what was written.
class LogStage {
 public:
  /// Where a record stands.
  struct Place {
    const std::string& origin;
    std::uint64_t boot = 0;
    std::uint64_t seq = 0;
  };
  /// How much was staged at one moment.
  struct Mark {
    std::size_t records, sealed, replies, documents, catalogues, spent;  ///< of each
    std::int64_t time_us;
  };
  LogStage(const HashSuite& hashes, const Ledger& ledger, Clock& clock)
      : hashes_(hashes), ledger_(ledger), clock_(clock), chains_(hashes, ledger) {}

  /// Once, over a ledger that holds records: the time of its last one; no later record is earlier.
  [[nodiscard]] Status load(std::int64_t last_time_us);
  [[nodiscard]] Group& group() { return group_; }
  [[nodiscard]] const Group& group() const { return group_; }
  [[nodiscard]] std::size_t count() const { return group_.records.size(); }
  /// Last record of an object, staged ones included.
  [[nodiscard]] Result<std::optional<std::uint64_t>> last_of(const std::string& object) const;

  /// Stages one record. An error leaves the stage as it was.
  [[nodiscard]] Result<Appended> append(const Place& place, RecordDraft draft);
  [[nodiscard]] Mark mark() const;
  /// Precondition (checked): the mark is of this group.
  void undo(const Mark& mark);
  /// The group leaves; one of `keep` and `drop` follows.
  [[nodiscard]] Group take() { return std::move(group_); }
  /// What left is written: the next group goes on behind it.
  void keep();
  /// What left, or what is staged, is nothing: the next group goes on from what was written.
  void drop();

 private:
  /// Fills object, table, prev, link and meter_prev; the object's record before.
  [[nodiscard]] Result<std::optional<std::uint64_t>> join(const RecordDraft& draft,
                                                          Record& record) const;
  /// Asked of the clock once a group: on Linux it is a system call.
  [[nodiscard]] TimeQuality quality();

  const HashSuite& hashes_;
  const Ledger& ledger_;
  Clock& clock_;
  Group group_;
  std::unordered_map<std::string, std::uint64_t> heads_;  // last staged record of each object
  TableChains chains_;
  std::int64_t time_us_ = 0;                  // of the last record, staged ones included
  std::int64_t written_time_us_ = 0;          // of the last written record
  TimeQuality quality_ = TimeQuality::unset;  // of the staged group
};

}  // namespace talla::certs
