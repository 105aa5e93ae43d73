/// \file
/// Every duty of the sequencer, in the order of a turn.
///
/// Threads: as each says itself.
#pragma once

#include <functional>
#include <vector>

#include "call_waits.hpp"
#include "configuration.hpp"
#include "enrolment.hpp"
#include "expiry.hpp"
#include "generator_records.hpp"
#include "guests.hpp"
#include "open_draws.hpp"
#include "rotation.hpp"
#include "sampling.hpp"
#include "state_gauges.hpp"
#include "tiles.hpp"
#include "waiting_calls.hpp"
#include "watch_anchor.hpp"
#include "watch_certification.hpp"
#include "watch_disk.hpp"
#include "watch_software.hpp"

namespace talla::core {

struct Duties {
  /// Those that others know too.
  struct Known {
    Replies& replies;
    Guests& guests;
    CallBoard& board;
    CallWaits& waits;
  };
  /// `await_all`: ends when every group that was written is durable, or the service has failed.
  Duties(Appliance& appliance, const Parts& parts, const Known& known,
         std::function<void()> await_all)
      : clock(appliance),
        latch(appliance, clock),
        generator(appliance, latch),
        enrolment(appliance),
        software(appliance, known.replies),
        draws(appliance, parts, known.replies),
        calls(appliance, parts),
        expiry(appliance),
        configuration(appliance),
        certification(appliance, parts, configuration),
        keys(appliance, std::move(await_all)),
        disk(appliance),
        anchor(appliance),
        tiles(appliance),
        sampling(appliance),
        gauges(appliance),
        // SOFTWARE, CONFIG, KEY of the log and of clients follow each other in a start's records.
        all{&clock,         &disk,          &anchor,      &generator, &software,
            &configuration, &certification, &keys,        &enrolment, &draws,
            &calls,         &expiry,        &latch,       &tiles,     &known.guests,
            &gauges,        &known.board,   &known.waits, &sampling} {}

  ClockWatch clock;
  Latch latch;
  GeneratorRecords generator;
  Enrolment enrolment;
  SoftwareWatch software;
  OpenDraws draws;
  WaitingCalls calls;
  Expiry expiry;
  Configuration configuration;
  CertificationWatch certification;
  LogKeyRotation keys;
  DiskWatch disk;
  AnchorWatch anchor;
  Tiles tiles;
  Sampling sampling;
  StateGauges gauges;
  const std::vector<Duty*> all;
};

}  // namespace talla::core
