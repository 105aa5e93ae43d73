/// \file
/// Assembly of evidence bundles from the ledger (FORMAT.md section 9).
///
/// Errors: not_found (no such claim, or a kind that is no claim), ledger_damaged, the log's.
/// Threads: the log's thread. Secrecy: records only hold what is open.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "certs/key_history.hpp"
#include "certs/log.hpp"

namespace talla::certs {

struct BundleRequest {
  std::uint64_t claim = 0;  ///< seq of the record that it is about
  LogKey log_key;           ///< of the present key
  std::vector<RetiredKey> retired{};
  /// Size of the checkpoint everything is proven against; none: the log's present size.
  std::optional<std::uint64_t> size{};
  /// For a SETTLEMENT: the engine's state at ROUND_OPEN; its catalogue comes from the ledger.
  std::optional<json::Value> state_before{};
};
/// The announcements that lead to the key of that size. Errors: not_found.
[[nodiscard]] Result<std::vector<KeyChange>> make_key_changes(
    Prover& prover, const Ledger& ledger, const std::vector<RetiredKey>& retired,
    std::uint64_t size);
/// All keys of the log as of that size, the end of a group. Errors: not_found.
[[nodiscard]] Result<LogKeys> make_log_keys(Prover& prover, const Ledger& ledger,
                                            const LogKey& present,
                                            const std::vector<RetiredKey>& retired,
                                            std::uint64_t size);
/// Statement of the key that signed that size.
[[nodiscard]] const LogKey& log_key_of(const LogKey& present,
                                       const std::vector<RetiredKey>& retired, std::uint64_t size);
[[nodiscard]] Result<Bundle> make_bundle(Log& log, const BundleRequest& request);

/// Where the records of a bundle come from: a ledger, or archives.
class EvidenceSource {
 public:
  EvidenceSource() = default;
  EvidenceSource(const EvidenceSource&) = delete;
  EvidenceSource& operator=(const EvidenceSource&) = delete;
  virtual ~EvidenceSource() = default;
  /// Bytes of a record. Errors: not_found.
  [[nodiscard]] virtual Result<std::string> record(std::uint64_t seq) const = 0;
  [[nodiscard]] virtual Result<std::optional<std::string>> catalogue(
      const Digest& digest) const = 0;
  /// The file of one that a CONFIG names; nothing where it is not kept, as in archives.
  [[nodiscard]] virtual Result<std::optional<std::string>> certification(
      const Digest& digest) const {
    static_cast<void>(digest);
    return std::optional<std::string>();
  }
  /// At the size of the bundle's checkpoint.
  [[nodiscard]] virtual Result<std::vector<Digest>> inclusion(std::uint64_t seq) const = 0;
};
/// Records with their paths, claim, certifications, and the catalogue of a SETTLEMENT; checkpoint,
/// keys and state are the caller's. Of the end of an order for a laboratory's table it is a
/// laboratory file, without the outcomes, which are in no log.
[[nodiscard]] Result<Bundle> collect_evidence(const EvidenceSource& source, std::uint64_t claim);
/// Whether a bundle can prove a record of that kind.
[[nodiscard]] bool kind_claims(Kind kind);

}  // namespace talla::certs
