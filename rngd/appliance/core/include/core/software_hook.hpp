/// \file
/// What watches over the software of the appliance asks of the service: records of its checks, a
/// latch when something is not as signed, and answers to challenges.
///
/// The service knows nothing of files; the watch knows nothing of the log. It checks in a thread of
/// its own, never on the sequencer's. Threads: `take_checks` on the sequencer's thread; all others
/// from any thread, without blocking.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/json.hpp"
#include "core/request.hpp"

namespace talla::core {

/// One check of everything that is over.
struct SoftwareCheck {
  std::uint64_t files = 0;  ///< that were looked at
  struct Finding {
    std::string path;
    std::string what;
  };
  std::vector<Finding> findings{};  ///< empty: all as signed
  // Of a challenge:
  std::optional<Client> client{};  ///< who asked
  Digest answer{};
  json::Object reply{};    ///< without the record that the service adds
  bool cut_short = false;  ///< the daemon stops: nothing was checked
  Answer respond{};
};

/// What the service asks of whoever checks the software.
class SoftwareHook {
 public:
  SoftwareHook() = default;
  SoftwareHook(const SoftwareHook&) = delete;
  SoftwareHook& operator=(const SoftwareHook&) = delete;
  virtual ~SoftwareHook() = default;
  /// SHA-256 of the manifest's text; nothing: no manifest is configured. Never changes.
  [[nodiscard]] virtual std::optional<Digest> manifest() const = 0;
  /// Checks since the last call, oldest first.
  [[nodiscard]] virtual std::vector<SoftwareCheck> take_checks() = 0;
  /// Member `software` of the status.
  [[nodiscard]] virtual json::Object status() const = 0;
  /// The signed note; empty without a manifest.
  [[nodiscard]] virtual std::string signed_manifest() const = 0;
  /// Takes a challenge, which is among the checks later; false: too many wait, or the daemon stops.
  [[nodiscard]] virtual bool challenge(const Client& client, const Bytes& nonce,
                                       Answer& respond) = 0;
};

}  // namespace talla::core
