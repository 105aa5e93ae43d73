/// \file
/// What others say of an appliance: type certifications of a laboratory, installation
/// certifications of a regulator, and their withdrawal (FORMAT.md section 14).
///
/// Each is a text (canonical JSON) that its issuer signs; a file holds text, signature and chain.
/// Only form is judged here; certs/verify judges who signed, and what is covered.
/// Errors: FormatErrc::malformed_certification.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "format/body_table.hpp"

namespace talla::certs {

/// What a text is; the word stands in names of certificates and in options.
enum class CertificationKind : std::uint8_t { type, installation, withdrawal };
[[nodiscard]] std::string_view certification_kind_name(CertificationKind kind);

/// What every text begins with.
struct CertificationHead {
  std::string issuer;        ///< 1 to 64 characters of a-z 0-9 . -
  std::string number;        ///< of the issuer, 1 to 64 printable ASCII characters
  std::int64_t made_us = 0;  ///< its certificates are judged then
  bool operator==(const CertificationHead& other) const = default;
};
/// From when on, and until when (not any more), it says what it says.
struct CertificationTerm {
  std::int64_t from_us = 0;
  std::int64_t until_us = 0;
  [[nodiscard]] bool holds(std::int64_t time_us) const {
    return from_us <= time_us && time_us < until_us;
  }
  bool operator==(const CertificationTerm& other) const = default;
};

/// A source that a laboratory has assessed.
struct CertifiedSource {
  std::string model;                ///< the driver's name
  std::string source_class;         ///< raw_physical or conditioned_physical
  std::int64_t millibits = 0;       ///< the greatest figure that may be claimed of a sample
  std::vector<Digest> assessments;  ///< SHA-256 of the documents behind it; perhaps none
  bool operator==(const CertifiedSource& other) const = default;
};

/// The least that a table's `policy` must ask for its shoes to be covered.
struct CertifiedFloor {
  MixRule mix = MixRule::shoe;  ///< `round`: of every shoe, an order mixed behind each round's bets
  std::uint32_t candidates = 1;  ///< of a covered shoe; a public one has none
  bool operator==(const CertifiedFloor& other) const = default;
};

/// What a laboratory has examined: software, rules and sources that belong together.
struct TypeCertification {
  CertificationHead head;
  CertificationTerm term;
  std::vector<Digest> manifests;      ///< of signed software (FORMAT.md section 12)
  std::vector<std::int64_t> formats;  ///< versions of FORMAT.md
  std::vector<std::string> mappings;
  std::vector<Digest> catalogues;  ///< 32 zero bytes: tables without a catalogue
  std::vector<CertifiedSource> sources;
  /// The least that an appliance must do: words of a context's `rollback_protection`, `sealing`.
  std::vector<std::string> rollback;
  std::vector<std::string> sealing;
  CertifiedFloor policy;
  bool operator==(const TypeCertification& other) const = default;
};

/// What a regulator or inspector has found in one house: one appliance of certified types.
struct InstallationCertification {
  CertificationHead head;
  CertificationTerm term;
  std::vector<Digest> types;        ///< digests of type certifications
  std::string origin;               ///< of its log
  Digest log_key{};                 ///< Ed25519; keys that it announced are covered
  std::vector<Digest> serials;      ///< `serial_digest` of each device
  std::vector<Digest> independent;  ///< those whose entropy adds up; some of `serials`
  std::vector<Digest> assessments;  ///< SHA-256 of reports on these units; perhaps none
  std::vector<Digest> manifests;
  std::vector<Digest> settings;  ///< digests of certified settings
  bool operator==(const InstallationCertification& other) const = default;
};

/// Why a certification counts no more.
enum class WithdrawalReason : std::uint8_t {
  superseded,  ///< from a time on
  wrong,       ///< entirely: it never should have been given
  stolen       ///< of the issuer's key: only the texts that are listed count
};
[[nodiscard]] std::string_view withdrawal_reason_name(WithdrawalReason reason);

/// An issuer takes back what it has given.
struct CertificationWithdrawal {
  CertificationHead head;
  CertificationKind of = CertificationKind::type;  ///< type or installation
  WithdrawalReason reason = WithdrawalReason::superseded;
  Digest certification{};      ///< superseded and wrong: digest of the text
  std::int64_t from_us = 0;    ///< superseded
  Digest key{};                ///< stolen: SHA-256 of the signer's SubjectPublicKeyInfo
  std::vector<Digest> counts;  ///< stolen: digests of the texts that still count; perhaps none
  bool operator==(const CertificationWithdrawal& other) const = default;
};

/// Canonical JSON text; what is signed is `certification_message(text)`.
[[nodiscard]] std::string format_certification(const TypeCertification& text);
[[nodiscard]] std::string format_certification(const InstallationCertification& text);
[[nodiscard]] std::string format_certification(const CertificationWithdrawal& text);
[[nodiscard]] Result<TypeCertification> parse_type_certification(std::string_view text);
[[nodiscard]] Result<InstallationCertification> parse_installation_certification(
    std::string_view text);
[[nodiscard]] Result<CertificationWithdrawal> parse_certification_withdrawal(std::string_view text);
/// D("certification") || text.
[[nodiscard]] Bytes certification_message(std::string_view text);
/// H(D("certification-text") || text): what other texts and CONFIG name it by.
[[nodiscard]] Digest certification_digest(const HashSuite& hashes, std::string_view text);
/// H(D("certification-serial") || field(model) || field(serial)).
[[nodiscard]] Digest serial_digest(const HashSuite& hashes, std::string_view model,
                                   std::string_view serial);
/// H(D("settings") || canonical(settings)).
[[nodiscard]] Digest settings_digest(const HashSuite& hashes, const json::Value& settings);
/// URI that the certificate of who signs must have: `talla:certification:type:ISSUER`,
/// `talla:certification:installation:ISSUER`, `talla:certification-withdrawal:ISSUER`.
[[nodiscard]] std::string certification_uri(CertificationKind kind, std::string_view issuer);
[[nodiscard]] bool issuer_valid(std::string_view issuer);
[[nodiscard]] bool certification_number_valid(std::string_view number);

/// The file: a text with who signed it.
struct SignedCertification {
  std::string statement;     ///< the text
  Bytes signature;           ///< ECDSA P-256 with SHA-256, r || s, 64 bytes
  std::vector<Bytes> chain;  ///< DER certificates, the signer first, root left out
  [[nodiscard]] json::Value to_json() const;
  /// The text is read too. Errors: malformed_certification.
  [[nodiscard]] static Result<SignedCertification> from_json(const json::Value& value);
  bool operator==(const SignedCertification& other) const = default;
};
[[nodiscard]] std::string format_certification_file(const SignedCertification& file);
[[nodiscard]] Result<SignedCertification> parse_certification_file(std::string_view text);
/// What the text says that it is. Errors: malformed_certification.
[[nodiscard]] Result<CertificationKind> certification_kind_of(std::string_view text);

}  // namespace talla::certs
