/// \file
/// Who contributes to the calls of a table beside the table itself (PROTOCOL section 5b): whom it
/// has invited, what they committed ahead, and how far each key has counted.
///
/// How far a key has counted follows from records; invitations and commitments are documents of
/// the ledger. Values are shared by the copies of a table and replaced as a whole.
/// Threads: plain data. Secrecy: a token is never here, only its digest.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "format/call.hpp"

namespace talla::core {

/// "seat-3".
[[nodiscard]] std::string seat_id(std::int64_t seat);

/// The newest t that a core of the table has spent for a key.
struct CountedKey {
  std::string id;
  std::uint32_t t = 0;
};

/// What one has committed to: `commits[i]` is for t = from + i. A few spent ones stay, so that who
/// asks again is answered alike.
struct CommittedAhead {
  Bytes key;  ///< SubjectPublicKeyInfo, DER
  std::uint32_t from = 1;
  std::vector<Digest> commits;

  /// The first t that nothing was handed in for.
  [[nodiscard]] std::uint32_t end() const {
    return from + static_cast<std::uint32_t>(commits.size());
  }
};

/// Who may come in.
struct PanelGuests {
  std::map<std::int64_t, Digest> tokens;  ///< by seat: SHA-256 of the token of its invitation
  /// Enrolled clients that have handed in commitments: they read the table's records.
  std::set<std::string> clients;
};

class Panel {
 public:
  /// Ids at one table, and invitations.
  static constexpr std::size_t ids_max = 64;
  /// Commitments of one that no core has spent.
  static constexpr std::uint32_t ahead_max = 16;
  /// Keys that cores of one table may have named.
  static constexpr std::size_t keys_max = 1024;

  using Counted = std::map<Bytes, CountedKey>;
  using Ahead = std::map<std::string, CommittedAhead>;

  [[nodiscard]] const Counted& counted() const;
  [[nodiscard]] const Ahead& ahead() const;
  [[nodiscard]] const PanelGuests& guests() const;
  /// Another one whenever `guests` changed; null: nobody was ever invited or
  /// admitted.
  [[nodiscard]] const PanelGuests* guests_edition() const { return guests_.get(); }

  /// The t that this key spends next.
  [[nodiscard]] std::uint32_t next_t(const Bytes& key) const;
  /// Under which id cores have named this key: it serves no other here, also where that core only
  /// lapsed. Nothing: none has.
  [[nodiscard]] std::optional<std::string> owner_of(const Bytes& key) const;
  /// What the next core may say of this id; nothing where it has nothing left.
  [[nodiscard]] std::optional<certs::Contributor> next_of(const std::string& id) const;
  /// Commitments of this id that are not spent.
  [[nodiscard]] std::uint32_t left_of(const CommittedAhead& one) const;

  // Changes. Of records:
  /// The core became a CALL: each of its `others` has spent its t.
  void called(const std::vector<certs::Contributor>& others);
  /// The core lapsed: who counts on in it rightly has spent that t (certs/FORMAT.md section 8).
  void lapsed(const std::vector<certs::Contributor>& others);
  void take_counted(Counted counted);
  // Of documents:
  void invite(std::int64_t seat, const std::optional<Digest>& token);
  void admit(const std::string& client);
  void commit(const std::string& id, CommittedAhead ahead);
  /// What this id has handed in is gone.
  void leave(const std::string& id);

  /// The document; empty: nothing is to be kept.
  [[nodiscard]] std::string document() const;
  /// Errors: replay_failed, where the text is no such document.
  [[nodiscard]] Status take_document(const std::string& text);
  /// Of a resume point: how far keys have counted.
  [[nodiscard]] json::Array counted_json() const;
  [[nodiscard]] Status take_counted_json(const json::Array& from);

 private:
  std::shared_ptr<const Counted> counted_;
  std::shared_ptr<const Ahead> ahead_;
  std::shared_ptr<const PanelGuests> guests_;
};

/// What was opened behind a call, by id.
using CallOpenings = std::map<std::string, certs::CallOpening>;

/// A CALL without its result.
struct CallUnderWay {
  std::uint64_t seq = 0;
  std::int64_t time_us = 0;  ///< of its record
  std::string object;        ///< batch or shoe
  std::size_t others = 0;    ///< how many contribute beside the table
  /// Checked; shared by the copies of this object, and replaced as a whole. Null: nobody has.
  std::shared_ptr<const CallOpenings> opened_by{};

  [[nodiscard]] const CallOpenings& opened() const;
  void take(const std::string& id, const certs::CallOpening& opening);
  /// Nobody is waited for.
  [[nodiscard]] bool all_open() const { return opened().size() == others; }
  /// When who has not opened may be left out, UTC.
  [[nodiscard]] std::int64_t until_us(std::uint32_t open_within_s) const {
    return time_us + std::int64_t{open_within_s} * 1'000'000;
  }
};

/// What was opened behind the core, in the order of its `others`. Precondition (checked): all of
/// it.
[[nodiscard]] std::vector<certs::CallOpening> opened_by_all(const CallUnderWay& call,
                                                            const certs::CallCore& core);
/// Ids of those who have not opened, ascending.
[[nodiscard]] std::vector<std::string> missing_of(const CallUnderWay& call,
                                                  const certs::CallCore& core);
/// The document of what was opened, and back. Errors: replay_failed.
[[nodiscard]] std::string openings_document(const CallUnderWay& call);
/// Nothing where the document is of another call. Errors: replay_failed.
[[nodiscard]] Status take_openings(CallUnderWay& call, const std::string& text);

}  // namespace talla::core
