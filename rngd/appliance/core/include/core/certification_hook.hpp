/// \file
/// What the certifications of the appliance are asked: which there are, and whether they cover a
/// commitment made now.
///
/// The service knows no certificate and no file; who keeps them knows nothing of the log. Threads:
/// `reload` from any thread; all others on the sequencer's thread, without blocking.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/clock.hpp"
#include "format/body_table.hpp"
#include "format/context.hpp"

namespace talla::core {

/// One certification that the appliance has.
struct KeptCertification {
  Digest digest{};   ///< by which CONFIG names it
  std::string file;  ///< its file's text, for bundles
};

/// A commitment that would be made now.
struct CertificationQuestion {
  const certs::Context& context;
  bool any_catalogue = false;  ///< its catalogue is not asked for
  /// Of a shoe: what its table asks of mixes; nothing: not asked.
  std::optional<certs::CallPolicy> policy{};
  bool covered = false;        ///< the shoe's cards are
  bool production = false;     ///< as CONFIG says
  std::int64_t config_us = 0;  ///< recorded time of the CONFIG that names the texts
  std::optional<Digest> settings{};
  std::optional<Digest> manifest{};
  std::int64_t now_us = 0;
  TimeQuality time_quality = TimeQuality::unset;
};

/// What the service asks of whoever keeps the certifications.
class CertificationHook {
 public:
  CertificationHook() = default;
  CertificationHook(const CertificationHook&) = delete;
  CertificationHook& operator=(const CertificationHook&) = delete;
  virtual ~CertificationHook() = default;
  /// Ascending by digest.
  [[nodiscard]] virtual std::vector<KeptCertification> kept() const = 0;
  /// Whether `kept` is another than at the last call.
  [[nodiscard]] virtual bool changed() = 0;
  /// Code of what is not covered (certs/FORMAT.md section 14); nothing: all is.
  [[nodiscard]] virtual std::optional<std::string> objection(
      const CertificationQuestion& question) const = 0;
};

}  // namespace talla::core
