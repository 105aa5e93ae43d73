/// \file
/// What the service rests on, passed in; all must outlive it. The daemon passes the real ones, tests their
/// own.
#pragma once

#include "base/clock.hpp"
#include "base/hash.hpp"
#include "certs/log.hpp"
#include "certs/seal.hpp"
#include "certs/tile_writer.hpp"
#include "core/monitor_hook.hpp"
#include "core/supply.hpp"
#include "format/log_key.hpp"

namespace talla::core {

struct Effects {
  Clock& clock;
  const HashSuite& hashes;
  certs::Log&
      log;  ///< Opened on the thread that calls Service::create; used by the sequencer alone afterwards.
  const certs::Sealer& sealer;
  EntropySupply& supply;
  certs::LogKey log_key;               ///< Goes into the KEY record at genesis and into every bundle.
  certs::TileWriter* tiles = nullptr;  ///< Null: no tile files are written.
  MonitorHook* monitors = nullptr;     ///< Null: nothing is monitored.
};

}  // namespace talla::core
