/// \file
/// One connection to an appliance: what a person asks by `talla`, through the client of
/// rngd/sdk/client, which believes nothing that it has not checked.
///
/// client.toml: host, port, server_name, certificate, key, root (server and log root, PEM), log_key
/// (JSON); paths relative to its folder.
/// Errors:  cannot_connect of the connection; appliance_refused with the problem's code and words,
///          or where no answer came; receipt_refused when a reply is not believed: then nothing of
///          it is used, and nothing more is asked with this session.
/// Threads: one session belongs to one thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app.hpp"
#include "client/session.hpp"
#include "format/body_draw.hpp"
#include "format/record.hpp"
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
  /// POST with a fresh idempotency key; sent again with the same key, for a moment, when the
  /// connection breaks. `key`: of the caller's own.
  [[nodiscard]] Result<json::Value> post(const std::string& path, const json::Value& body,
                                         const std::string& key = {});
  /// One result by a call of this client, of a table that this session opened; `round` of a round
  /// that the appliance settles.
  [[nodiscard]] Result<json::Value> draw(const std::string& table, const std::string& round);
  /// Mixes the shoe's newest root by a call of this client.
  [[nodiscard]] Result<json::Value> mix(const std::string& shoe);
  /// The core of the last call.
  [[nodiscard]] Result<certs::CallCore> called() const;
  /// The names of this client's certificate, as the appliance knows it. Errors: of the file.
  [[nodiscard]] Result<std::vector<std::string>> own_names() const;
  /// SPKI digest of this client's key, hex. Errors: usage.
  [[nodiscard]] Result<std::string> key_digest() const;
  /// The reply's bytes as they came (bundles, documents).
  [[nodiscard]] Result<std::string> get_text(const std::string& path);
  /// Header Link of the reply that get_text gave last; empty: it had none.
  [[nodiscard]] const std::string& link() const { return client_.link(); }

  /// The record of that number, byte for byte; its receipt is verified. Errors: receipt_refused.
  [[nodiscard]] Result<std::string> verified_record(std::uint64_t seq);

  /// All keys of the log (certs/FORMAT.md section 5), each announced by the one before; the known
  /// one is among them.
  [[nodiscard]] Result<std::string> log_keys();

  /// Records of the last reply's receipts, parsed; each was verified.
  [[nodiscard]] const std::vector<json::Value>& records() const { return client_.records(); }
  /// The last of them of that kind, or nullptr.
  [[nodiscard]] const json::Value* record(std::string_view kind) const;
  [[nodiscard]] const std::string& where() const { return client_.where(); }
  /// Those records as the log has them; of the last reply.
  [[nodiscard]] Result<certs::Record> parsed(std::string_view kind) const;
  /// Path of this client's private key: opens the copies of covered cards that are for it.
  [[nodiscard]] const std::string& key_file() const { return client_.key_file(); }

  /// 16 random bytes of this machine in hex: of a challenge.
  [[nodiscard]] static std::string nonce() { return client::Session::nonce(); }

 private:
  Session(client::Session client, std::string log_key, std::string roots,
          std::vector<std::string> ended)
      : client_(std::move(client)),
        log_key_(std::move(log_key)),
        roots_(std::move(roots)),
        ended_(std::move(ended)) {}
  [[nodiscard]] Result<certs::Verdict> judge_receipt(const std::string& receipt);

  client::Session client_;
  std::string log_key_;
  std::string roots_;
  std::vector<std::string> ended_;  // statements about the end of logs
};

/// The exit code for an error of a session.
[[nodiscard]] int code_of(const Error& error);

}  // namespace talla::cli
