/// \file
/// What every command works with, and what it ends in.
///
/// A command reads the overlay of its transaction, adds records to it, and returns the body of its
/// reply; or it refuses, and everything it did is dropped; or it asks to be run again in the next
/// group, because it must rest on something that is not durable yet.
#pragma once

#include <functional>
#include <string>

#include "core/request.hpp"
#include "core/settings.hpp"
#include "core/supply.hpp"
#include "problem.hpp"
#include "transaction.hpp"

namespace talla::certs {
struct LogKey;
struct Openings;
}  // namespace talla::certs

namespace talla::core {

class Catalogues;

/// The path of POST /v1/draws.
inline constexpr const char* draws_path = "/v1/draws";

/// The parts of the appliance that commands use; owned by the service.
struct Parts {
  const Settings& settings;
  Clock& clock;
  const HashSuite& hashes;
  EntropySupply& supply;
  Catalogues& catalogues;
  /// The reply stored under a key, of committed groups.
  std::function<Result<std::optional<certs::StoredReply>>(const certs::ReplyKey& id)> stored_reply;
  /// The records of an object that are durable, oldest first; an error where there is none.
  std::function<Result<std::vector<certs::LedgerRecord>>(const std::string& object)> chain;
  /// True when the object existed and this client opened its table: closed by now, if the world has
  /// it no more.
  std::function<bool(const std::string& client, const std::string& object)> was_there;
  /// The last TABLE_CLOSE at a place, of those that are durable, or the KEY that says what the log
  /// before left there.
  std::function<Result<std::optional<certs::Record>>(const std::string& place)> closed_at;
  /// The newest ANSWER under that document of the ledger, of those that are durable.
  std::function<Result<std::optional<certs::Record>>(const Digest& series)> answered;
  /// Refuses while nothing new may be committed to (disk reserve, clock step).
  std::function<Status()> commitments_allowed;
  /// Latches by a person's order; the ACCESS that says so is in the transaction.
  std::function<void()> stop_commitments;
  /// Refuses a reset of the latch: not latched (wrong_state), or what latched is still there
  /// (cause_persists).
  std::function<Status()> reset_allowed;
  /// The sealed bytes of the record of that seq; it is durable. Errors: secret_unusable.
  std::function<Result<SecretBytes>(const std::string& object, std::uint64_t seq)> unsealed;
  /// What an auditor may read of a covered shoe. Errors: not_found, wrong_state (not closed, not
  /// covered), secret_unusable.
  std::function<Result<certs::Openings>(const std::string& shoe)> openings;
  /// Adds one to a metric.
  std::function<void(const std::string& name)> count;
  /// The key that a rotation would take, checked against the present one. Errors: wrong_state, and
  /// of its file or token.
  std::function<Result<certs::LogKey>()> next_log_key;
  /// Records since the last rollback anchor.
  std::function<std::uint64_t()> anchor_lag;
  /// Refuses an update to the software of that manifest: it counts already (wrong_state), or
  /// something is open (not_at_rest).
  std::function<Status(const Digest& manifest)> update_possible;
  /// The table of a CALL, of those that are durable. Errors: not_found, the ledger's own.
  std::function<Result<std::string>(std::uint64_t seq)> table_of_call;
  /// What the result of an ended call says that this id opened; nothing: not that.
  std::function<std::optional<certs::CallOpening>(std::uint64_t seq, const std::string& id)>
      opened_in_result;
  /// SOFTWARE and CONFIG of this start, which every commitment cites.
  std::function<std::vector<std::uint64_t>()> start_records;
};

/// The reply's body without its receipts.
struct Done {
  json::Object body;
  int status = 200;
  /// Set by a draw without further contributors: the seq of its CALL. The reply is made when the
  /// DRAW is in the log.
  std::optional<std::uint64_t> waits_for_call{};
  /// Of a reply that stood already: the records that it rests on.
  std::optional<std::vector<std::uint64_t>> seqs{};
};

struct Failure {
  Refusal refusal;
  bool defer = false;  ///< Run it again in the next group; the refusal is not used.

  Failure(Refusal from) : refusal(std::move(from)) {}  // NOLINT: the usual way in
  Failure(Error from) : refusal(std::move(from)) {}    // NOLINT
};

using Outcome = tl::expected<Done, Failure>;

/// A refusal with the members the client needs to go on.
[[nodiscard]] inline tl::unexpected<Failure> refuse(Errc errc, std::string detail,
                                                    json::Object current = {}) {
  return tl::unexpected<Failure>(Refusal(Error(errc, std::move(detail)), std::move(current)));
}
[[nodiscard]] inline tl::unexpected<Failure> defer() {
  Failure failure(Error(Errc::too_busy, "deferred to the next group"));
  failure.defer = true;
  return tl::unexpected<Failure>(std::move(failure));
}

/// What the body of a request says. It fits the schema of its operation, so that a member that the
/// schema requires is there, and each is what the schema says; both are checked.
class Asked {
 public:
  explicit Asked(const json::Value& body) : body_(body) {}
  [[nodiscard]] const json::Value& whole() const { return body_; }
  [[nodiscard]] bool empty() const { return body_.object().empty(); }
  [[nodiscard]] bool has(std::string_view name) const { return body_.find(name) != nullptr; }
  /// Null: it was left out.
  [[nodiscard]] const json::Value* find(std::string_view name) const { return body_.find(name); }
  [[nodiscard]] const json::Value& at(std::string_view name) const;
  [[nodiscard]] const std::string& text(std::string_view name) const { return at(name).string(); }
  [[nodiscard]] std::string text_or(std::string_view name, std::string_view fallback) const;
  [[nodiscard]] std::int64_t integer(std::string_view name) const { return at(name).integer(); }
  /// Precondition (checked): the schema lets it through as 32 bits.
  [[nodiscard]] std::uint32_t u32(std::string_view name) const;
  /// False when it was left out.
  [[nodiscard]] bool flag(std::string_view name) const;
  /// Empty when it was left out.
  [[nodiscard]] const json::Array& list(std::string_view name) const;
  [[nodiscard]] Digest digest(std::string_view name) const;

 private:
  const json::Value& body_;
};

/// What a table signed (calls.hpp): its signature is that of the client who sent it.
struct SignedCall {
  certs::CallBody body;
  std::string text;  ///< of the core, canonical
  Digest digest{};   ///< C
};

struct OpeningVerdict;

/// One request on its way through a command.
struct Call {
  const Parts& parts;
  Transaction& tx;
  const Client& client;
  Asked body;
  const SignedCall* signed_call = nullptr;  ///< of the requests that make a call
  const OpeningVerdict* opening = nullptr;  ///< of those that open, where it was looked at

  [[nodiscard]] Overlay& world() const { return tx.world(); }
};

/// The table of that id, if the client opened it. Errors: not_found (also for other people's
/// tables); table_closed. For the others shoe_finished, batch_expired and wrong_state when they are
/// over.
[[nodiscard]] Result<const Table*> own_table(const Call& call, std::string_view id);
/// The same, open and not suspended.
[[nodiscard]] Result<const Table*> working_table(const Call& call, std::string_view id);
[[nodiscard]] Result<const Shoe*> own_shoe(const Call& call, std::string_view id);
[[nodiscard]] Result<const Batch*> own_batch(const Call& call, std::string_view id);
[[nodiscard]] Result<const Round*> own_round(const Call& call, std::string_view id);
[[nodiscard]] Status table_works(const Table& table);

/// The context of a commitment of this table, from what the generator says of itself.
[[nodiscard]] certs::Context commitment_context(const Parts& parts, const Table& table,
                                                const entropy::Evidence& evidence);

/// What a commitment cites: how this start began, and its table where it opens an object.
[[nodiscard]] std::vector<std::uint64_t> commitment_cites(
    const Call& call, std::optional<ObjectSeq> table = std::nullopt);

/// Full-entropy bytes for one commitment, and what is to be said of them.
/// Errors of the bits: entropy_latched, entropy_not_ready, disk_reserve, clock_stepped.
class EntropyTaker {
 public:
  explicit EntropyTaker(const Parts& parts) : parts_(parts) {}
  /// Lives no longer than the taker.
  [[nodiscard]] certs::FullEntropyBits bits();
  /// Arrival of all samples used so far.
  [[nodiscard]] const SampleWindow& window() const { return window_; }
  [[nodiscard]] const entropy::Evidence& evidence() const { return evidence_; }

 private:
  [[nodiscard]] Result<SecretBytes> take(std::size_t n_bytes);
  const Parts& parts_;
  SampleWindow window_;
  entropy::Evidence evidence_;
};

}  // namespace talla::core
