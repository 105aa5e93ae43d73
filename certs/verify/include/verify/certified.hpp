/// \file
/// Certifications judged: who signed them, and whether they cover what a commitment rested on
/// (FORMAT.md section 14).
///
/// The verifier asks for each commitment of a bundle, the daemon for itself before it commits.
/// Errors:  CertificationErrc; VerifyErrc::bad_root_file, FormatErrc::malformed_certification.
/// Threads: a judged set is not changed any more; its questions may be asked in parallel.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/body_machine.hpp"
#include "format/certification.hpp"
#include "format/context.hpp"
#include "format/record.hpp"
#include "verify/verdict.hpp"

namespace talla::certs {

/// Why something is not covered, in the order in which it is asked. Of several pairs of texts the
/// one that comes furthest is named.
enum class CertificationErrc : std::uint16_t {
  certification_missing = 550,      ///< no text of that kind
  certification_untrusted = 551,    ///< chain: foreign root, over when the text was made, damaged
  certification_name = 552,         ///< the signer's certificate is for another issuer or kind
  certification_usage = 553,        ///< its key is not for signatures alone, or not on P-256
  certification_signature = 554,    ///< of the text
  certification_nothing = 555,      ///< the file holds no commitment
  certification_origin = 556,       ///< the installation is that of another log
  certification_key = 557,          ///< the log never had the key that the installation names
  certification_type = 558,         ///< the installation is of another type
  certification_record = 559,       ///< not one CONFIG and one SOFTWARE of this start is cited
  certification_development = 560,  ///< development profile, key or certificate
  certification_unnamed = 561,      ///< CONFIG does not name the text
  certification_late = 562,         ///< made after the CONFIG that names it
  certification_clock = 563,        ///< the appliance did not know the time
  certification_time = 564,         ///< before `from`, or not before `until`
  certification_withdrawn = 565,
  certification_serial_twice = 566,  ///< another installation in force has the same device
  certification_manifest = 567,      ///< the software is not listed
  certification_settings = 568,      ///< the settings are not listed
  certification_format = 569,        ///< version of the format, or mapping
  certification_catalogue = 570,     ///< the rules are not listed
  certification_uncertified = 571,   ///< the commitment itself says that no source may count
  certification_source = 572,        ///< model, class, or a figure above what was found
  certification_assessment = 573,    ///< the document behind the figure is not listed
  certification_serial = 574,        ///< the device is not listed
  certification_independent = 575,   ///< several devices count that are not said to add up
  certification_policy = 576,        ///< rollback protection or sealing below the floor
  certification_table = 577,         ///< of a shoe: its table's policy is below the floor
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(CertificationErrc errc);

/// Whom a reader trusts to certify, and what he knows besides. Texts of files; empty: nothing.
struct CertificationTrust {
  std::string_view type_roots{};          ///< PEM, of laboratories
  std::string_view installation_roots{};  ///< PEM, of regulators
  std::span<const std::string> more{};    ///< certifications beside those of the evidence
  std::span<const std::string> withdrawals{};
  [[nodiscard]] bool asked() const { return !type_roots.empty() || !installation_roots.empty(); }
};

/// What a commitment rested on, as its records say.
struct CoverQuestion {
  std::string origin;
  std::vector<Digest> log_keys;  ///< every key that the log had
  bool development = false;      ///< a key or certificate of the log is for development
  const Context* context = nullptr;
  bool any_catalogue = false;  ///< which rules it is under is not asked
  /// Of a commitment to a shoe: what its table asks of mixes, and whether its cards are covered.
  struct Shoe {
    std::optional<CallPolicy> policy;  ///< nothing: of a table that the file does not show
    bool covered = false;
  };
  std::optional<Shoe> shoe{};
  /// The CONFIG and the SOFTWARE that the commitment cites, where they are as they must be.
  struct Start {
    ConfigBody config;
    std::int64_t config_us = 0;
    std::optional<Digest> manifest;
  };
  std::optional<Start> start{};
  std::int64_t time_us = 0;
  TimeQuality time_quality = TimeQuality::unset;
};

/// Which two texts cover it.
struct CoveredBy {
  CertificationHead type;
  CertificationHead installation;
};

/// Certifications, their signers judged.
class Certifications {
 public:
  /// Texts that do not hold are kept with the reason, and cover nothing. `log_roots`: those of the
  /// log's keys, none of which may certify. Errors: a withdrawal that does not hold, a file of
  /// `trust` that is malformed, bad_root_file.
  [[nodiscard]] static Result<Certifications> judge(const HashSuite& hashes,
                                                    std::span<const SignedCertification> files,
                                                    const CertificationTrust& trust,
                                                    std::string_view log_roots);
  /// Errors: CertificationErrc.
  [[nodiscard]] Result<CoveredBy> covers(const CoverQuestion& question) const;
  /// Digests of the texts that hold, ascending, each once.
  [[nodiscard]] std::vector<Digest> digests() const;
  /// Why each text that does not hold is not one.
  struct Fault {
    CertificationKind kind = CertificationKind::type;
    Error error;
  };
  [[nodiscard]] const std::vector<Fault>& faults() const { return faults_; }
  /// The next moment behind `time_us` at which something may begin or end to be covered.
  [[nodiscard]] std::optional<std::int64_t> next_change(std::int64_t time_us) const;

  template <class Text>
  struct Good {
    Text text;
    Digest digest{};
    Digest signer{};  ///< SHA-256 of the SubjectPublicKeyInfo
    bool development = false;
  };

 private:
  explicit Certifications(const HashSuite& hashes) : hashes_(&hashes) {}
  [[nodiscard]] Status add(const SignedCertification& file, const CertificationTrust& trust);
  [[nodiscard]] Status add_withdrawal(std::string_view file, const CertificationTrust& trust);
  template <class Text>
  [[nodiscard]] bool withdrawn(const Good<Text>& text, CertificationKind kind,
                               std::int64_t time_us) const;
  [[nodiscard]] bool serial_twice(const Good<InstallationCertification>& own,
                                  std::int64_t time_us) const;
  [[nodiscard]] std::optional<CertificationErrc> objection(
      const Good<TypeCertification>& type, const Good<InstallationCertification>& installation,
      const CoverQuestion& question) const;
  [[nodiscard]] Error absent(CertificationKind kind) const;

  const HashSuite* hashes_;
  std::vector<Good<TypeCertification>> types_;
  std::vector<Good<InstallationCertification>> installations_;
  std::vector<CertificationWithdrawal> withdrawals_;
  std::vector<Fault> faults_;
};

}  // namespace talla::certs
