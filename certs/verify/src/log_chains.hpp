/// \file
/// The chains of all tables of a log, followed while its records are read once, from the first to
/// the last (FORMAT.md sections 2, 8 and 13): no record of a table left out, doubled or moved, one
/// table at a place, turns without gap, one call open at a time. Private to certs_verify.
///
/// Errors:  those of chain_rules.hpp and turns.hpp.
/// Threads: one at a time.
/// Memory:  an entry for each table that is open, and for each place and the last close there;
///          nothing grows with the number of records.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "chain_rules.hpp"
#include "turns.hpp"

namespace talla::certs {

class LogChains {
 public:
  explicit LogChains(const HashSuite& hashes) : hashes_(hashes) {}

  /// The next record of the log. The first one says where what is known begins.
  [[nodiscard]] Status take(const Record& record, const Digest& leaf);
  /// Records are not read here: nothing is known of what stands before the next one.
  void forget();

  /// Tables whose chains were followed, since the beginning or `forget`.
  [[nodiscard]] std::uint64_t tables() const { return tables_; }
  /// Of them those that were opened before the first record, and places whose openings before it
  /// are not known.
  [[nodiscard]] std::uint64_t begun_before() const { return begun_before_; }
  /// `seq` of the first record that is known; 0 before any.
  [[nodiscard]] std::uint64_t begin() const { return begin_.value_or(0); }

 private:
  /// A table that is open.
  struct Table {
    explicit Table(std::uint64_t opening) : rules(opening) {}
    ChainRules rules;
    Turns turns;
    MixRule mix = MixRule::shoe;  ///< as far as TABLE_OPEN was seen
    bool opened_here = false;     ///< TABLE_OPEN was seen
  };
  struct Place {
    std::string table;            ///< open there; empty: none
    std::optional<PlaceEnd> end;  ///< the last close, or what the log before left
  };
  using Tables = std::unordered_map<std::string, Table>;

  [[nodiscard]] Status key(const Record& record);
  [[nodiscard]] Status open(const Record& record, const Digest& leaf);
  [[nodiscard]] Status check_opening(const Record& record, const TableOpenBody& body);
  [[nodiscard]] Result<Tables::iterator> find(const Record& record);
  [[nodiscard]] static Status turn(Table& table, const Record& record);
  [[nodiscard]] Status close(const Record& record, const Table& table);

  const HashSuite& hashes_;
  std::optional<std::uint64_t> begin_;
  Tables open_;
  std::unordered_map<std::string, Place> places_;
  std::optional<Record> predecessor_;         // the KEY that names the log before
  std::unordered_set<std::uint64_t> closes_;  // the last one of each place
  std::set<std::string> ended_;               // opened before the first record, closed since
  std::uint64_t tables_ = 0;
  std::uint64_t begun_before_ = 0;
};

}  // namespace talla::certs
