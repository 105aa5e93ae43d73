/// \file
/// A submission carried through at a server of NIST's entropy source validation protocol: login,
/// registration, data files, documents, request for a certificate.
///
/// Protocol: ESVP 1.0 (usnistgov/ESV-Server): client certificate, one-time password (RFC 6238,
///           HMAC-SHA-256, 8 digits, 30 s), token in each request. TLS 1.3.
/// Resume:   a state file has what the server gave and what has arrived; the same call goes on at
///           the next file. It holds tokens: mode 0600. A state of another run file, of other files
///           or of another server is refused.
/// Believed: no answer that is about another assessment or data file than the one asked for, that
///           says another SHA-256 of a file, or that gives one number twice.
/// Errors:   EsvErrc::esv_refused: a broken rule or an unfit file (nothing is sent), a broken
///           connection, a refusal in the server's own words, an answer that is not believed.
/// Threads:  blocks; one call a state file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/result.hpp"

namespace talla::lab::esv {

/// What is sent, where, and by whom.
struct SendWish {
  std::string run;                    ///< run.json, or the folder that has it
  std::string server;                 ///< https://HOST[:PORT]/esv/v1
  std::string certificate;            ///< own certificate, PEM
  std::string key;                    ///< its key, PEM
  std::string root;                   ///< roots that the server's certificate must lead to, PEM
  std::string totp;                   ///< file with the secret of the one-time passwords, base64
  std::string state;                  ///< empty: `esv-state.json` beside the run file
  std::string facts;                  ///< text of what certificates say, as of `examine`
  bool certify = true;                ///< false: ends behind the documents
  std::uint32_t wait_seconds = 1800;  ///< for the server's tests of the data files
  std::uint32_t poll_seconds = 15;
  std::function<void(const std::string&)> say{};  ///< one line of progress; may be empty
};

/// How it ended.
struct SendEnd {
  bool passed = false;  ///< Every data file was successful, and the request was taken (if asked).
  /// `assessments` (number, environment, files with SHA-256 and status), `documents`, `rbg`,
  /// `certify`: what the server said.
  json::Value told;
};
/// Sends what the server does not have yet, and waits for what it says.
[[nodiscard]] Result<SendEnd> send(const SendWish& wish);

/// The one-time password of a moment. Errors: esv_refused, the secret is no base64.
[[nodiscard]] Result<std::string> one_time_password(std::string_view secret,
                                                    std::int64_t unix_seconds);

}  // namespace talla::lab::esv
