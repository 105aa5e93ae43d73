/// \file
/// What the chain of one table holds to, record by record, for whoever reads it: links, one round
/// and one shoe at a time, numbers, running counts, and which opening of a place follows which
/// (FORMAT.md section 2). Private to certs_verify.
///
/// Errors:  link_gap, place_gap, predecessor_wrong, two_rounds, two_live, totals_wrong, number_gap,
///          dealt_wrong, round_settled, round_uncited, client_other.
/// Threads: one at a time. Memory: fixed, however long the chain is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/hash.hpp"
#include "format/body_end.hpp"
#include "format/body_table.hpp"
#include "format/place_counts.hpp"
#include "format/record.hpp"

namespace talla::certs {

/// The TABLE_CLOSE behind which a place may be opened again, or the KEY that says how often it was
/// opened in the log before.
struct PlaceEnd {
  std::uint64_t seq = 0;
  std::string origin;  ///< of the log before; empty: a TABLE_CLOSE
  std::string table;   ///< empty: a KEY
  std::string place;
  std::uint64_t opened = 0;
  PlaceCounts counts;
  Digest head{};  ///< of the chain with it; zero bytes: a KEY
};

/// What a KEY of purpose `place` says. Errors: predecessor_wrong, `first` being the KEY that it
/// cites and that names the log before; null: that one is not known here.
[[nodiscard]] Result<PlaceEnd> place_of_key(const Record& record, const Record* first);
/// Whether it is a KEY of that purpose.
[[nodiscard]] bool is_place_key(const Record& record);
/// Whether it is the KEY that names the log before: the first record of its log.
[[nodiscard]] bool names_predecessor(const Record& record);

/// A TABLE_OPEN follows the TABLE_CLOSE before at its place, or the KEY of the place in the log
/// before, which it cites; the first one none. `before`: the one that it cites, or stands there;
/// null: none.
[[nodiscard]] Status check_place(const Record& record, const TableOpenBody& table,
                                 const PlaceEnd* before);

class ChainRules {
 public:
  /// Of the table that record `opening` opens. Nothing is known of it so far.
  explicit ChainRules(std::uint64_t opening) : opening_(opening) {}

  /// TABLE_OPEN: all of the table is known from here on.
  void open(const HashSuite& hashes, const Record& record, const TableOpenBody& body,
            const Digest& leaf);
  /// Records are missing here: what the next one says of the chain before it is taken for true, and
  /// checked from there on.
  void forget();
  /// The next record of the table.
  [[nodiscard]] Status step(const HashSuite& hashes, const Record& record, const Digest& leaf);

  [[nodiscard]] bool closed() const { return closed_; }
  /// The newest record; 0 before any.
  [[nodiscard]] std::uint64_t last() const { return last_; }
  /// The chain with it.
  [[nodiscard]] const Digest& head() const { return head_; }
  /// A ROUND_END was seen.
  [[nodiscard]] bool ended() const { return last_end_.has_value(); }

 private:
  /// The object of a class that is open at this point of the chain.
  struct Live {
    bool known = false;                   ///< else what was read begins behind what would say it
    std::string id;                       ///< empty: none
    std::optional<std::uint64_t> number;  ///< of the last one
  };
  /// What TABLE_OPEN says of itself.
  struct Opening {
    std::string place;
    std::uint64_t opened = 0;
  };
  [[nodiscard]] Status follows(const Record& record) const;
  [[nodiscard]] Status asked(const Record& record);
  [[nodiscard]] Status round(const Record& record);
  [[nodiscard]] Status round_open(const Record& record);
  [[nodiscard]] Status shoe(const Record& record);
  [[nodiscard]] Status table_close(const Record& record);
  [[nodiscard]] Status settled(const Record& record);
  [[nodiscard]] Status cards(const Record& record);
  [[nodiscard]] Status check_dealt(const Record& record, std::uint32_t dealt);
  [[nodiscard]] Status compare(const Record& record, const PlaceCounts& said);

  std::uint64_t opening_;
  std::optional<Opening> said_;
  std::string client_;   // the table's; empty: not known
  bool linked_ = false;  // the record before is known
  std::uint64_t last_ = 0;
  Digest head_{};
  Live round_;
  Live shoe_;
  std::optional<std::uint64_t> last_end_;  // the newest ROUND_END
  bool closed_ = false;
  bool settled_ = false;  // a SETTLEMENT stands, and the ROUND_END of its round not yet
  std::optional<PlaceCounts> counts_;
  /// Cards dealt under the newest root of the live shoe, 0 without one; not known behind a gap.
  std::optional<std::uint32_t> dealt_;
};

}  // namespace talla::certs
