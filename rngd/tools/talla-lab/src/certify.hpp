/// \file
/// What `talla-lab certify` shares: who signs, times, digests of files, and the file that comes
/// out.
///
/// Errors: CertifyErrc::certify_refused for what is asked; those of files, keys and texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app.hpp"
#include "certs/openssl_hashes.hpp"
#include "format/certification.hpp"

namespace talla::lab {

enum class CertifyErrc : std::uint16_t { certify_refused = 868 };
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(CertifyErrc errc);

/// Options of everything that is signed.
struct CertifyOptions {
  std::string issuer;
  std::string number;
  std::string key;          ///< PEM file or pkcs11: URI
  std::string certificate;  ///< PEM: the key's certificate, then its issuers without the root
  std::string root;         ///< PEM: what is made is judged under it as a verifier does
  std::string out;          ///< never overwritten
  std::string from;         ///< 2026-11-26: 00:00 UTC of it
  std::string until;        ///< the same; not any more
};
void add_certify_options(commandline::Command& command, CertifyOptions& options);
void add_term_options(commandline::Command& command, CertifyOptions& options);

[[nodiscard]] Result<certs::CertificationHead> head_of(const CertifyOptions& options);
[[nodiscard]] Result<certs::CertificationTerm> term_of(const CertifyOptions& options);
/// 00:00 UTC of a day like 2026-11-26, in microseconds.
[[nodiscard]] Result<std::int64_t> day_us(const std::string& option, const std::string& day);

/// What each option names, as digests: 64 digits of hex, or a file whose digest `of` takes; in
/// order, each once.
using DigestOf = Result<Digest> (*)(const std::string& path);
[[nodiscard]] Result<std::vector<Digest>> digests_of(const std::vector<std::string>& given,
                                                     DigestOf of);
/// SHA-256 of a file.
[[nodiscard]] Result<Digest> file_sha256(const std::string& path);
/// Of a signed manifest of software: that of its text.
[[nodiscard]] Result<Digest> manifest_digest(const std::string& path);
/// Of the text of a certification's file.
[[nodiscard]] Result<Digest> text_digest(const std::string& path);
/// MODEL:SERIAL.
[[nodiscard]] Result<Digest> device_digest(const std::string& device);
/// All `.json` below the given paths, which are files or folders.
[[nodiscard]] Result<std::vector<certs::SignedCertification>> certifications_in(
    const std::vector<std::string>& paths);

/// Signs, judges the result under `options.root`, writes the file and says what it holds.
[[nodiscard]] Status sign_and_write(const App& app, const CertifyOptions& options,
                                    const std::string& statement);
/// Ends the command with this error, or as done.
void finish(App& app, const Status& status);

void add_certify_type(commandline::Command& certify, App& app);
void add_certify_installation(commandline::Command& certify, App& app);
void add_certify_withdraw(commandline::Command& certify, App& app);
void add_certify_looks(commandline::Command& certify, App& app);

}  // namespace talla::lab
