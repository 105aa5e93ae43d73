/// \file
/// One connection to an appliance: sends requests, checks every receipt of every reply before
/// anybody relies on it.
///
/// client.toml: host, port, server_name, certificate, key, root (server and log root, PEM), log_key
/// (JSON); paths relative to its folder.
/// Errors:  cannot_connect and bad_reply of the connection; appliance_refused with the problem's
///          code and words; receipt_refused when a receipt does not verify: then nothing of the
///          reply is used.
/// Threads: one session belongs to one thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app.hpp"
#include "http/client.hpp"
#include "verify/caller.hpp"
#include "verify/verify.hpp"

namespace talla::cli {

/// A value of a query: all but letters, digits and the four marks that need nothing is %XX.
[[nodiscard]] std::string escaped(const std::string& value);

class Session {
 public:
  [[nodiscard]] static Result<Session> open(const App& app);
  /// The same of the folder that holds client.toml.
  [[nodiscard]] static Result<Session> open(const std::string& folder);

  [[nodiscard]] Result<json::Value> get(const std::string& path);
  /// POST with a fresh idempotency key; sent again with the same key, a few times, when the
  /// connection breaks.
  [[nodiscard]] Result<json::Value> post(const std::string& path, const json::Value& body);
  /// From here on this session makes the calls of a table that it opened: the last reply holds its
  /// TABLE_OPEN. Errors: receipt_refused, usage (no key on P-256).
  [[nodiscard]] Status begin_calls();
  /// Signs a core for this wish and posts it. The reply is believed when its CALL is that core,
  /// byte for byte, and follows the table's records; else receipt_refused.
  [[nodiscard]] Result<json::Value> call(const std::string& path, const certs::CallWish& wish);
  /// The core of the last call.
  [[nodiscard]] Result<certs::CallCore> called() const;
  /// SPKI digest of this client's key, hex. Errors: usage.
  [[nodiscard]] Result<std::string> key_digest() const;
  /// The reply's bytes as they came (bundles, documents).
  [[nodiscard]] Result<std::string> get_text(const std::string& path);
  /// Header Link of the reply that get_text gave last; empty: it had none.
  [[nodiscard]] const std::string& link() const { return link_; }

  /// The record of that number, byte for byte; its receipt is verified. Errors: receipt_refused.
  [[nodiscard]] Result<std::string> verified_record(std::uint64_t seq);

  /// All keys of the log (certs/FORMAT.md section 5), each announced by the one before; the known
  /// one is among them.
  [[nodiscard]] Result<std::string> log_keys();

  /// Records of the last reply's receipts, parsed; each was verified.
  [[nodiscard]] const std::vector<json::Value>& records() const { return records_; }
  /// The last of them of that kind, or nullptr.
  [[nodiscard]] const json::Value* record(std::string_view kind) const;
  [[nodiscard]] const std::string& where() const { return where_; }
  /// Those records as the log has them; of the last reply.
  [[nodiscard]] Result<certs::Record> parsed(std::string_view kind) const;
  /// Path of this client's private key: opens the copies of covered cards that are for it.
  [[nodiscard]] const std::string& key_file() const { return key_file_; }

  /// 16 random bytes of this machine in hex: of a challenge, or an idempotency key.
  [[nodiscard]] static std::string nonce();

 private:
  Session(std::unique_ptr<http::Client> client, std::string where, std::string log_key,
          std::string roots, std::vector<std::string> ended, std::string key_file)
      : client_(std::move(client)),
        where_(std::move(where)),
        log_key_(std::move(log_key)),
        roots_(std::move(roots)),
        ended_(std::move(ended)),
        key_file_(std::move(key_file)) {}
  [[nodiscard]] Result<json::Value> take(const http::ClientReply& reply);
  [[nodiscard]] Status check_receipts(const json::Value& reply);
  [[nodiscard]] Status load_key();
  [[nodiscard]] Result<certs::Verdict> judge_receipt(const std::string& receipt);

  std::unique_ptr<http::Client> client_;
  std::string where_;
  std::string log_key_;
  std::string roots_;
  std::vector<std::string> ended_;  // statements about the end of logs
  std::string key_file_;
  std::vector<json::Value> records_;
  std::string link_;
  std::shared_ptr<const certs::CallKey> key_;
  std::optional<certs::Caller> caller_;
};

/// The exit code for an error of a session.
[[nodiscard]] int code_of(const Error& error);

}  // namespace talla::cli
