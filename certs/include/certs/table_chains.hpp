/// \file
/// The chain of each open table: what the next record of the table names as `table`, `prev` and
/// `link` (FORMAT.md section 2). Only the log makes one.
///
/// What was staged and not written lies above what was written, so that a part of a group can be
/// taken back. Objects that are not known any more are looked up in the ledger.
/// Errors:  record_refused (no such object, table or close), ledger_damaged, the ledger's.
/// Threads: the log's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.hpp"
#include "certs/ledger.hpp"
#include "format/record.hpp"

namespace talla::certs {

class TableChains {
 public:
  TableChains(const HashSuite& hashes, const Ledger& ledger) : hashes_(hashes), ledger_(ledger) {}

  /// Finds where the open tables stand, in the newest records of the ledger.
  [[nodiscard]] Status load();
  /// Fills `table`, `prev` and `link` of a record whose kind, object and body are set. `follows`:
  /// of a TABLE_OPEN, the TABLE_CLOSE before at its place.
  [[nodiscard]] Status place(Record& record, std::optional<std::uint64_t> follows) const;
  /// Stages a record of any kind.
  void add(const Record& record, const Digest& leaf);
  /// Takes back all staged records but the first `count`.
  void cut(std::size_t count);
  /// What is staged is written, or dropped.
  void keep();
  void drop();

 private:
  struct End {
    std::uint64_t seq = 0;
    Digest head{};
  };
  struct Step {
    std::string table;   ///< empty: a record of no chain
    std::string object;  ///< where it was opened, else empty
    std::string closed;  ///< object that it closed, else empty
    End end;
  };
  [[nodiscard]] Result<std::string> table_of(const Record& record) const;
  [[nodiscard]] Result<std::string> table_of_object(const std::string& id) const;
  [[nodiscard]] Result<Digest> head_behind(std::uint64_t close) const;
  void lay(const Step& step);

  const HashSuite& hashes_;
  const Ledger& ledger_;
  std::unordered_map<std::string, End> ends_;            // of open tables, written
  std::unordered_map<std::string, std::string> tables_;  // object -> table, written
  std::vector<Step> staged_;                             // one for each record of the group
  std::unordered_map<std::string, End> staged_ends_;     // what they come to
  std::unordered_map<std::string, std::string> staged_tables_;
};

}  // namespace talla::certs
