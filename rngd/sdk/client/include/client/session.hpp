/// \file
/// A table's side of an appliance: asks until it is answered, and believes nothing that it has not
/// checked.
///
/// Asking:   each POST has a fresh idempotency key and is kept, in the journal too, until it is
///           answered. A lost connection, a time-out and a refusal with `retry` same or after send
///           the same bytes under the same key again, after a pause that doubles from 20 ms to 5 s
///           (half of it random) or after Retry-After.
/// Calling:  a draw or a mix follows from a core that this client signs with its key, with a
///           number of its own; one core a turn, kept in the journal before it leaves.
/// Believing: every receipt (signature, inclusion, chain to the root), that it is about this
///            request, draws computed again, mixes and opened cards against the commitment, and the
///            reply's own words against its records (src/evidence.hpp).
/// client.toml: config/client_file.hpp.
/// Errors:   client::Errc; those of the files at `open`; http::Errc::cannot_connect where
///           SessionOptions::wait_for_start is false.
/// Threads:  one session belongs to one thread and has one request under way.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "client/errc.hpp"

namespace talla::client {

struct SessionOptions {
  std::string folder;   ///< Holds client.toml.
  std::string journal;  ///< File for the request under way; empty: none, a crash forgets it.
  unsigned timeout_seconds = 30;                ///< For one try.
  std::chrono::milliseconds patience{120'000};  ///< For lost connections, from the first try on.
  std::chrono::milliseconds patience_refused{
      120'000};                ///< For refusals that say `same` or `after`.
  bool wait_for_start = true;  ///< false: a refused connection is told at once.
  /// What the root says about the end of logs: a file or a folder of statements, beside those that
  /// client.toml names. Evidence that they void is not believed; a statement that does not hold
  /// refuses to open.
  std::string ended{};
  /// Gets each believed reply of a POST before the journal forgets its request: the place to write
  /// books. After a crash the last reply may come a second time.
  std::function<void(const json::Value& reply)> on_reply{};
};

/// One client's requests and what it believes of their replies.
class Session {
 public:
  [[nodiscard]] static Result<Session> open(SessionOptions options);
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  /// The answer to a question, as JSON.
  [[nodiscard]] Result<json::Value> get(const std::string& path);
  /// The reply's bytes as they came (bundles, documents).
  [[nodiscard]] Result<std::string> get_text(const std::string& path);
  /// Header Link of the reply that get_text gave last; empty: it had none.
  [[nodiscard]] const std::string& link() const;
  /// `key`: the idempotency key, where the body was signed with it; else a fresh one.
  [[nodiscard]] Result<json::Value> post(const std::string& path, const json::Value& body,
                                         const std::string& key = {});
  /// Path of the request that is pending, or empty.
  [[nodiscard]] std::string pending() const;
  /// Asks for what is pending until it is answered; an empty object when nothing is.
  [[nodiscard]] Result<json::Value> resume();

  /// One result from the table's committed batch, by a call that this client signs; commits to
  /// another batch when it is used up or expires soon. `more`: `round` of a table that the
  /// appliance settles, `bets` (a digest) of one that the client does. The table was opened by this
  /// session, or by an earlier one with this journal. A call that was refused is never made
  /// otherwise: close the table and open it again. Errors: malformed_wish.
  [[nodiscard]] Result<json::Value> draw(const std::string& table, const json::Object& more = {});
  /// From here on the table's calls name everybody who has handed in commitments there; their
  /// results are waited for until all have opened, or the appliance ends the call without those who
  /// did not (appliance_refused, `problem` with code `withheld`: the turn is spent, the next call
  /// is free). A table that requires keys is called so from the start.
  void with_contributors(const std::string& table);
  /// Signs the call that mixes the shoe's newest root, whose commitment is verified by then.
  [[nodiscard]] Result<json::Value> mix(const std::string& shoe);
  /// The covered card at this position, by the copies for this client's own key: `looks`, an array
  /// of `seat`, `place` and `card`, each the committed card. `recommits`: how often the shoe was
  /// shuffled again before it was dealt; nothing: of the newest root. Nobody else learns of it.
  [[nodiscard]] Result<json::Value> look(const std::string& shoe, std::uint32_t position,
                                         std::optional<std::uint32_t> recommits = std::nullopt);
  /// The evidence bundle of a claim, verified whole.
  [[nodiscard]] Result<std::string> bundle(std::uint64_t seq);

  /// Records of the last reply's receipts, parsed; each was verified.
  [[nodiscard]] const std::vector<json::Value>& records() const;
  /// The last of them of that kind, or nullptr.
  [[nodiscard]] const json::Value* record(std::string_view kind) const;
  /// The problem document of the last refusal.
  [[nodiscard]] const json::Value& problem() const;
  [[nodiscard]] const std::string& where() const;
  /// Path of this client's private key: opens the copies of covered cards that are for it.
  [[nodiscard]] const std::string& key_file() const;
  /// Path of its certificate, PEM: the names that the appliance knows this client by.
  [[nodiscard]] const std::string& certificate_file() const;
  /// 16 random bytes of this machine in hex: a nonce, or the random part of a key.
  [[nodiscard]] static std::string nonce();

 private:
  class Work;
  explicit Session(std::unique_ptr<Work> work);
  std::unique_ptr<Work> work_;
};

}  // namespace talla::client
