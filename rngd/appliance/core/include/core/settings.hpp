/// \file
/// What the configuration tells the service; plain values with their ranges.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "core/roles.hpp"

namespace talla::core {

/// One client certificate that may connect.
struct EnrolledClient {
  std::string id;
  std::string spki;                ///< Hex SHA-256 of the SubjectPublicKeyInfo.
  std::vector<std::string> roles;  ///< As enrolled, unknown ones included.
  bool operator==(const EnrolledClient&) const = default;
};

/// What the root said of this log (certs/FORMAT.md section 5, "End of a log").
struct LogEnded {
  std::string reason;
  std::uint64_t size = 0;  ///< Records that count; the ledger may hold more.
};

/// What the service is told at its start.
struct Settings {
  std::string profile = "development";  ///< "development" or "production", as recorded in CONFIG.
  std::string version;                  ///< As recorded in SOFTWARE.
  Digest software_digest{};             ///< SHA-256 of the program file.
  Digest config_digest{};               ///< SHA-256 of the configuration file.
  /// Of the settings that a certification covers (certs/FORMAT.md section 14).
  std::optional<Digest> settings_digest{};
  Digest enrolment_digest{};                  ///< SHA-256 of the file with the list of clients.
  std::string sealing = "file";               ///< "file", "credential", "tpm", "hsm", "passphrase".
  std::string rollback_protection = "local";  ///< "local", "tpm", "hsm" or "witness".

  std::uint32_t batch_secrets_default = 16;      ///< 1 to 256.
  std::uint32_t batch_secrets_max = 256;         ///< 1 to 256.
  std::int64_t batch_lifetime_us = 600'000'000;  ///< 1 s to 1 day.
  std::uint32_t client_rate_per_s = 200;  ///< Token bucket of each client, per second; 0: no limit.
  std::uint32_t client_burst = 400;       ///< Size of the bucket, at least 1.
  std::size_t queue_max = 4096;           ///< Waiting requests beyond this are refused (too_busy).
  std::size_t group_max = 512;            ///< Commands of one group.
  std::size_t syncs_at_once = 5;  ///< Groups that may wait for the disk at the same time, 1 to 8.
  /// Only when a sync takes so long; else one after the other.
  std::int64_t overlap_from_us = 1000;
  std::uint64_t disk_reserve_bytes = 268'435'456;  ///< Below it no new commitments.
  std::int64_t clock_step_us_max = 5'000'000;      ///< A larger step of the wall clock latches.
  std::uint32_t batches_per_table_max = 16;        ///< Open batches of one table.
  /// Rollback anchor at most this often while running.
  std::int64_t anchor_interval_us = 60'000'000;
  /// Nothing new is committed to when it lagged for so long; 0: never refused.
  std::int64_t anchor_lost_us = 0;
  /// A table at rest writes a resume point after so many records of the log.
  std::uint64_t resume_interval = 8192;
  /// Of the file that a start reads: what changed in it becomes KEY records.
  std::vector<EnrolledClient> clients;
  /// A second person confirms within it; 1 min to 1 h.
  std::int64_t act_lifetime_us = 600'000'000;
  /// Of a sampling order, at most; 0: none is taken. 256 to 1,048,576.
  std::uint32_t sampling_bytes_per_second = 0;
  std::uint32_t tables_per_client_max = 64;  ///< Open tables of one client.
  /// Nothing is written any more, no record of this start either; everything can be read, and known
  /// replies are given again.
  std::optional<LogEnded> ended{};
};

}  // namespace talla::core
