/// \file
/// A log in memory that takes any record a writer would, and makes receipts and bundles of it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/body_table.hpp"
#include "format/bundle.hpp"
#include "format/call.hpp"
#include "format/context.hpp"
#include "format/merkle.hpp"
#include "format/proof.hpp"
#include "format/record.hpp"
#include "panel.hpp"
#include "pki.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::certs::test {

/// Changes a record before it is logged, so that the log itself, well signed, tells something
/// wrong.
struct Tamper {
  Kind kind = Kind::unknown;
  std::size_t occurrence = 0;  ///< which record of that kind, from 0
  std::function<void(Record&)> change;
};

/// The log that every story is told in.
inline constexpr std::string_view story_origin = "casino.example/talla-1";

/// The two persons who order the end of a call, a shoe or a table.
[[nodiscard]] const std::vector<std::string>& ordering_persons();

/// Their keys, and what they have ordered.
struct Ordering {
  Ordering() {
    for (const std::string& id : ordering_persons()) persons.join(id, "of " + id);
  }
  Panel persons;
  std::map<std::uint64_t, std::string> tables;  ///< ACCESS -> table
};

/// Where records of an object belong.
struct Belonging {
  std::map<std::string, std::uint64_t> newest;  ///< of each meter
  std::map<std::string, std::string> tables;    ///< object -> table
};

class LogBuilder {
 public:
  explicit LogBuilder(Pki& pki, Tamper tamper = {}) : pki_(pki), tamper_(std::move(tamper)) {}

  struct Entry {
    Kind kind;
    std::string object;  ///< empty for opening records and the machine's
    json::Value body;
    std::vector<std::uint64_t> cites;
    std::string table{};                     ///< of a METER of another table
    std::optional<std::uint64_t> follows{};  ///< of a TABLE_OPEN: the close before at its place
    std::optional<Client> client{};          ///< another than the table's
  };
  /// Logs it as client `urn:talla:table-1`; gives its seq.
  std::uint64_t add(Entry entry);
  [[nodiscard]] std::uint64_t next_seq() const { return records_.size(); }
  /// What a call is for; the rest of its core follows from what the log holds of the table.
  struct Wish {
    CallUse use = CallUse::draw;
    std::string object;
    Digest root{};
    std::uint32_t at = 0;
    CallSpecification specification{};
    std::optional<Digest> bets{};  ///< of a client that holds them elsewhere
  };
  /// CALL, signed by the key of the table: its seq, and its core as it was logged (a lie that
  /// changes a core is signed again).
  struct Called {
    std::uint64_t seq = 0;
    CallCore core;
  };
  Called call(const Wish& wish);
  /// What each CALL from now on says beside its core, and cites beside the record of its head.
  std::function<void(CallBody&, std::vector<std::uint64_t>&)> ordered;
  /// Head of a table's newest record.
  [[nodiscard]] Digest head(const std::string& table) const { return ends_.at(table).head; }
  /// Who contributes to calls from now on, beside the table; null: nobody.
  void seat(Panel* panel) { panel_ = panel; }
  /// Leaf hash of a TABLE_OPEN, which is in every number and commitment.
  [[nodiscard]] Digest opening_of(const std::string& table) const;
  /// What they open behind a call.
  [[nodiscard]] std::vector<CallOpening> opened(const CallCore& core) const;
  /// Until the next record.
  void wait(std::int64_t us) { waited_us_ += us; }
  /// A core that the table's key has signed and the log answers otherwise; `change`: before that.
  CallBody signed_core(const Wish& wish, const std::function<void(CallCore&)>& change) const;
  /// KEY: the log's next key is announced, and signs from here on.
  void change_log_key();
  /// TABLE_OPEN names the key of its client.
  void name_key(TableOpenBody& table) const;
  [[nodiscard]] Digest client_spki() const { return hashes.sha256({pki_.table_spki()}); }
  /// Two persons order an act on an object of that table: ACCESS of who asks, which cites `call`
  /// where a CALL is to end, and of who confirms; its seq. Bundles of the table hold both.
  std::uint64_t order(std::string_view act, const std::string& object, const std::string& table,
                      std::optional<std::uint64_t> call = {});
  /// Cards dealt under the newest root of the table's live shoe; 0: none is.
  [[nodiscard]] std::uint32_t dealt(const std::string& table) const {
    return told_.at(table).dealt;
  }
  /// Counts of a table's place up to now.
  [[nodiscard]] const PlaceCounts& counts(const std::string& table) { return counts_[table]; }

  struct Selection {
    std::uint64_t claim = 0;
    /// Objects to include, up to the claim: a table with all records of its chain, a meter.
    std::vector<std::string> objects;
    std::optional<std::string> catalogue;
    std::optional<json::Value> state_before;
    std::uint64_t from = 0;             ///< of the table's chain, behind TABLE_OPEN
    std::vector<std::uint64_t> more{};  ///< seqs
  };
  [[nodiscard]] const Record& record(std::uint64_t seq) const { return records_.at(seq); }
  [[nodiscard]] Bundle select(const Selection& selection) const;
  [[nodiscard]] Receipt receipt(std::uint64_t seq) const;

  BotanHashes hashes;

 private:
  [[nodiscard]] std::string checkpoint() const;
  [[nodiscard]] std::vector<KeyChange> changes() const;
  void place(const Entry& entry, Record& record);
  void count(const Record& record);
  void take_lie(Record& record);
  Pki& pki_;
  Tamper tamper_;
  Panel* panel_ = nullptr;
  Ordering ordering_;
  std::int64_t waited_us_ = 0;
  std::size_t seen_ = 0;
  std::vector<Record> records_;
  std::vector<std::string> texts_;
  struct End {
    std::uint64_t seq = 0;
    Digest head{};
  };
  Belonging belonging_;
  std::map<std::string, End> ends_;            // of each table
  std::map<std::string, PlaceCounts> counts_;  // of each table's place
  /// What cores say of a table.
  struct Told {
    TableOpenBody opening;
    std::string round = "0";                     // open now
    Digest bets{};                               // of that round, so far
    std::uint32_t dealt = 0;                     // under the newest root of the live shoe
    std::string shoe;                            // the newest
    bool called = false;                         // that one
    std::optional<std::uint64_t> shoe_close{};   // the newest
    std::optional<std::uint64_t> shoe_before{};  // of the shoe before the newest
  };
  std::map<std::string, Told> told_;
  MerkleTree tree_;
  std::vector<KeyChange> changes_;  // paths and consistency as of the announcement
};

/// A context of an uncertified source, as a development appliance writes it.
[[nodiscard]] Context development_context();

}  // namespace talla::certs::test
