/// \file
/// The certifications of this appliance, from the folder that the configuration names: read at the
/// start and again on SIGHUP, judged as every verifier judges them.
///
/// A file that cannot be read as one refuses a start; on SIGHUP everything stays as it was. A text
/// that does not hold, or does not cover this appliance, refuses nothing: it is said, and what is
/// committed to is uncertified.
/// Errors:  those of files and of verify/certified.hpp. Threads: as core/certification_hook.hpp.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "config/config.hpp"
#include "core/certification_hook.hpp"
#include "format/log_key.hpp"
#include "verify/certified.hpp"

namespace talla::rngd {

class CertificationKeeper final : public core::CertificationHook {
 public:
  /// `keys`: of the log, all that it had. A configuration without certification has none to keep.
  [[nodiscard]] static Result<std::unique_ptr<CertificationKeeper>> open(
      const Config& config, const HashSuite& hashes, const std::vector<certs::LogKey>& keys);
  /// Reads everything again.
  [[nodiscard]] Status reload();

  [[nodiscard]] std::vector<core::KeptCertification> kept() const override;
  [[nodiscard]] bool changed() override;
  [[nodiscard]] std::optional<std::string> objection(
      const core::CertificationQuestion& question) const override;

 private:
  struct Read {
    certs::Certifications judged;
    std::vector<core::KeptCertification> kept;
  };
  CertificationKeeper(Config config, const HashSuite& hashes)
      : config_(std::move(config)), hashes_(hashes) {}
  [[nodiscard]] Result<std::shared_ptr<const Read>> read() const;
  [[nodiscard]] std::shared_ptr<const Read> now() const;

  const Config config_;
  const HashSuite& hashes_;
  std::vector<Digest> log_keys_;
  bool development_ = false;
  mutable std::mutex lock_;
  std::shared_ptr<const Read> read_;
  bool changed_ = false;
};

}  // namespace talla::rngd
