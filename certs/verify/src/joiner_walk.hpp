/// \file
/// What a contributor knows of its table: the chain from a record on, as far as calls rest on it
/// (FORMAT.md sections 2 and 8). Private to certs_verify.
///
/// Errors:  those that a verifier gives for the same records.
/// Threads: one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "format/body_table.hpp"
#include "format/call.hpp"
#include "format/call_subject.hpp"
#include "format/record.hpp"
#include "heads.hpp"
#include "p256.hpp"

namespace talla::certs {

class JoinerWalk {
 public:
  /// The open CALL.
  struct OpenCall {
    std::uint64_t seq = 0;
    std::string object;
    CallCore core;
  };
  /// `opening`: TABLE_OPEN. Errors: link_gap (another kind), table_key.
  [[nodiscard]] static Result<JoinerWalk> open(const Record& opening, const Digest& leaf);

  /// What comes before this record is not known. Only before anything was taken.
  [[nodiscard]] Status begin_at(const Record& record, const Digest& leaf);
  /// Whether the record is the next one of the chain, its calls signed and one at a time; changes
  /// nothing.
  [[nodiscard]] Status check(const Record& record) const;
  /// What a CALL that passed `check` rests on: head, root, rules, round and bets, all of them known
  /// here.
  [[nodiscard]] Status check_basis(const Record& record, const CallCore& core) const;
  /// Precondition: `check` passed.
  void take(const Record& record, const Digest& leaf);

  [[nodiscard]] const std::string& table() const { return table_; }
  [[nodiscard]] const TableOpenBody& body() const { return body_; }
  [[nodiscard]] const Digest& opening() const { return opening_; }
  [[nodiscard]] std::uint64_t last() const { return last_; }
  /// The chain with the newest record.
  [[nodiscard]] const Digest& head() const { return head_; }
  /// Of the newest CALL or core that lapsed; 0: none was seen.
  [[nodiscard]] std::uint32_t turn() const { return turn_.value_or(0); }
  [[nodiscard]] const std::optional<OpenCall>& open_call() const { return open_; }
  [[nodiscard]] const std::vector<Bet>& bets() const { return round_.bets; }
  /// The oldest record that a call of now can rest on.
  [[nodiscard]] std::uint64_t needed_from() const;

 private:
  /// A shoe or batch that calls can be for.
  struct Committed {
    std::uint64_t seq = 0;
    CallUse use = CallUse::draw;
    Digest root{};
    std::uint32_t count = 0;       ///< secrets of the batch, cards under the root
    std::uint32_t next = 0;        ///< next secret; of a shoe 1 when no mix is due
    std::uint32_t dealt = 0;       ///< cards of the root
    std::uint32_t candidates = 1;  ///< roots that the next mix picks from
    std::string wrong{};           ///< why nobody may open for it; empty: nothing
    /// Its SHOE_MIX.
    void take_mix(const Record& record);
    /// A call of it ended; before one of several roots was picked nobody opens for it any more.
    void spoil();
  };
  /// The round that is open now.
  struct OpenRound {
    std::string id;         ///< empty: none
    std::uint64_t seq = 0;  ///< of its ROUND_OPEN; 0: not seen
    bool closed = false;    ///< its bets are
    std::vector<Bet> bets;
  };
  JoinerWalk(const Record& opening, const Digest& leaf, TableOpenBody body, P256Key key);
  [[nodiscard]] Status check_follows(const Record& record) const;
  [[nodiscard]] Status check_undisturbed(const Record& record) const;
  [[nodiscard]] Status check_signed(const Record& record, const CallBody& body) const;
  [[nodiscard]] Status check_root(const Record& record, const CallCore& core) const;
  [[nodiscard]] Status check_round(const Record& record, const CallCore& core) const;
  [[nodiscard]] Status check_result(const Record& record) const;
  [[nodiscard]] Status check_bets(const Record& record) const;
  void take_commit(const Record& record);
  void take_round(const Record& record);
  void take_call(const Record& record);

  std::string origin_;
  std::string table_;
  TableOpenBody body_;
  P256Key key_;
  Digest opening_{};
  std::uint64_t last_ = 0;
  Digest head_{};
  bool begun_ = false;     // something behind TABLE_OPEN was taken
  bool from_open_ = true;  // nothing is missing since TABLE_OPEN
  Heads heads_;
  std::optional<std::uint32_t> turn_;
  std::optional<OpenCall> open_;
  CallSubjects subjects_;
  std::map<std::string, Committed, std::less<>> committed_;
  OpenRound round_;
};

}  // namespace talla::certs
