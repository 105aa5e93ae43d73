/// \file
/// The whole appliance in one object: keys, ledger, log, sources, generator, service, listeners;
/// started and stopped in order.
///
/// Threads: create and stop on the main thread, which must live as long as the source process.
#pragma once

#include <memory>
#include <string>

#include "config/config.hpp"
#include "core/service.hpp"

namespace talla::rngd {

enum class RuntimeErrc : std::uint16_t { production_refused = 840, program_unreadable = 841 };
[[nodiscard]] std::string_view errc_name(RuntimeErrc errc);

class Runtime {
 public:
  /// Starts everything or nothing. `config_text` is the configuration file as read, for its digest
  /// in the log.
  [[nodiscard]] static Result<std::unique_ptr<Runtime>> create(const Config& config,
                                                               const std::string& config_text);
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  ~Runtime();
  /// True when the process must end: the ledger failed.
  [[nodiscard]] bool failed() const;
  /// Failed because another daemon has taken the log over: the process must not be started again by
  /// itself.
  [[nodiscard]] bool fenced() const;
  /// Turns of the sequencer that ended well (core::Service::turns).
  [[nodiscard]] std::uint64_t turns() const;
  /// What stands against new commitments now.
  [[nodiscard]] core::Readiness readiness() const;
  /// Reads certificate, roots and list of revoked certificates of the API again
  /// (Server::renew_tls).
  [[nodiscard]] Status renew_tls();
  /// Certifications are read again; after an error those of before stay.
  [[nodiscard]] Status renew_certification();
  /// Stops listening, finishes what was taken, writes the POWER record.
  void stop();

 private:
  friend class RuntimeStart;
  struct Parts;
  explicit Runtime(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace talla::rngd
