/// \file
/// What the service rests on, passed in; all must outlive it. The daemon passes the real ones,
/// tests their own.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/hash.hpp"
#include "certs/key_history.hpp"
#include "certs/log.hpp"
#include "certs/seal.hpp"
#include "certs/tile_writer.hpp"
#include "core/certification_hook.hpp"
#include "core/monitor_hook.hpp"
#include "core/software_hook.hpp"
#include "core/supply.hpp"
#include "format/log_key.hpp"

namespace talla::core {

/// A checkpoint of the log with the cosignatures of witnesses behind the log's own signature.
struct CosignedCheckpoint {
  std::uint64_t size = 0;  ///< records
  std::string note;
};
/// The best one that covers record `seq` (any, without one); nothing when there is none. From any
/// thread.
using CosignedSource =
    std::function<std::optional<CosignedCheckpoint>(std::optional<std::uint64_t> seq)>;

/// The key that the log is to be signed with from a rotation on, opened when two persons ask for
/// it.
struct NextLogKey {
  std::shared_ptr<certs::Ed25519Signer> signer;
  certs::LogKey log_key;  ///< its statement names the present key as `previous`
};

/// What the service works with; everything outlives it.
struct Effects {
  Clock& clock;
  const HashSuite& hashes;
  /// Opened on the thread that calls Service::create; used by the sequencer alone afterwards.
  certs::Log& log;
  const certs::Sealer& sealer;
  EntropySupply& supply;
  /// Of the present key: into the KEY record at genesis and into every bundle.
  certs::LogKey log_key;
  certs::TileWriter* tiles = nullptr;  ///< Null: no tile files are written.
  MonitorHook* monitors = nullptr;     ///< Null: nothing is monitored.
  CosignedSource cosigned{};           ///< Empty: no witnesses.
  /// Member `device` of the source at that place in the status, where it is a device; may be empty.
  /// From any thread.
  std::function<std::optional<json::Object>(std::size_t source)> device{};
  /// Null: nobody watches over the software, which counts as unsigned.
  SoftwareHook* software = nullptr;
  /// Keys of the log before the present one, oldest first.
  std::vector<certs::RetiredKey> retired_keys{};
  std::function<Result<NextLogKey>()> next_log_key{};  ///< Empty: none is configured.
  /// Null: the appliance has no certification.
  CertificationHook* certification = nullptr;
};

}  // namespace talla::core
