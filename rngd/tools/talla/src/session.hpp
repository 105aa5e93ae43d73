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
#include <string>
#include <vector>

#include "app.hpp"
#include "http/client.hpp"
#include "verify/verify.hpp"

namespace talla::cli {

class Session {
 public:
  [[nodiscard]] static Result<Session> open(const App& app);

  [[nodiscard]] Result<json::Value> get(const std::string& path);
  /// POST with a fresh idempotency key; sent again with the same key, a few times, when the
  /// connection breaks.
  [[nodiscard]] Result<json::Value> post(const std::string& path, const json::Value& body);
  /// The reply's bytes as they came (bundles, documents).
  [[nodiscard]] Result<std::string> get_text(const std::string& path);

  /// All keys of the log (certs/FORMAT.md section 5), each announced by the one before; the known
  /// one is among them.
  [[nodiscard]] Result<std::string> log_keys();

  /// Records of the last reply's receipts, parsed; each was verified.
  [[nodiscard]] const std::vector<json::Value>& records() const { return records_; }
  /// The last of them of that kind, or nullptr.
  [[nodiscard]] const json::Value* record(std::string_view kind) const;
  [[nodiscard]] const std::string& where() const { return where_; }
  /// Path of this client's private key: opens the copies of covered cards that are for it.
  [[nodiscard]] const std::string& key_file() const { return key_file_; }

  /// 16 random bytes of this machine in hex: a nonce, or the random part of a key.
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
  [[nodiscard]] Result<certs::Verdict> judge_receipt(const std::string& receipt);

  std::unique_ptr<http::Client> client_;
  std::string where_;
  std::string log_key_;
  std::string roots_;
  std::vector<std::string> ended_;  // statements about the end of logs
  std::string key_file_;
  std::vector<json::Value> records_;
};

/// The exit code for an error of a session.
[[nodiscard]] int code_of(const Error& error);

}  // namespace talla::cli
