/// \file
/// The appliance without its network: one sequencer that takes commands, keeps the tables, shoes,
/// batches and rounds, writes the ledger and answers.
///
/// Order of work: all waiting commands run against the state in memory; what they made (records,
/// sealed secrets, replies by key, nonces, documents) goes into one ledger group; the group is
/// committed once and covered by one signed checkpoint; only then are they answered. A draw takes
/// two groups: CALL in one, DRAW in the next, together with the next CALLs (PROTOCOL sections 2
/// and 5).
/// Restart: `create` replays the open objects of the ledger through the same code that applied them
/// the first time, completes open CALLs with their committed secret and resumes shoes at the
/// logged position.
/// Faults:  an entropy latch refuses new commitments with 503 and lets committed shoes and batches
/// go on; a failed ledger commit latches the whole service (`failed()`): nothing is answered as
/// done any more and the process should end.
/// Threads: `submit`, `metrics`, `ready`, `failed`, `events`, `subscribe` from any thread.
/// With `start` the sequencer has its own thread; without it a test calls `run_once` itself.
/// Secrecy: nothing that leaves (replies, events, metrics, log lines) holds a card before its
///          opening.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "core/errc.hpp"
#include "core/event_query.hpp"
#include "core/request.hpp"
#include "core/settings.hpp"
#include "core/supply.hpp"

namespace talla::core {

/// Everything the service rests on; all must outlive it. Declared in core/effects.hpp.
struct Effects;

/// Counters since start, by Prometheus-ready name (talla_..., base units); labels are part of the
/// key.
struct MetricsSnapshot {
  std::map<std::string, double> counters;
  std::map<std::string, double> gauges;
};

/// A client that TLS knows and that may ask nothing: its certificate is over.
struct RefusedCertificate {
  std::string id;      ///< URI of the certificate
  std::string spki;    ///< hex
  std::string reason;  ///< "certificate-expired" or "certificate-revoked": `what` of the record
};

/// Whether new commitments are made, and what stands against it.
struct Readiness {
  bool ready = false;  ///< New commitments would be accepted now.
  /// Stable codes of what stands against it: "entropy_latched", "disk_reserve", ...
  std::vector<std::string> reasons;
};

/// The appliance behind its API: one sequencer, and questions beside it.
class Service {
 public:
  /// Replays the ledger, writes the machine records of this start and completes open CALLs; ready
  /// for `start` then.
  /// Errors: Errc::replay_failed, the ledger's own.
  [[nodiscard]] static Result<std::unique_ptr<Service>> create(Settings settings, Effects effects);
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  ~Service();

  /// Queues one request. `answer` is called once, when the reply rests on durable records, or with
  /// the refusal.
  void submit(Request request, Answer answer);

  /// Everything of this start is up: its configuration is the one that later starts are compared
  /// with. Any thread.
  void serving();

  /// Who this certificate belongs to, as the durable KEY records say it; nothing when it is not
  /// enrolled. Any thread.
  [[nodiscard]] std::optional<Client> enrolled(const std::string& id,
                                               const std::string& spki) const;

  /// Who may contribute by the token of this SHA-256 (PROTOCOL section 5b), as the durable state
  /// says it; nothing: no open table has invited it. Any thread.
  [[nodiscard]] std::optional<Client> invited(const Digest& token) const;

  /// An ACCESS says that this certificate was refused: at most one an hour for each key and reason.
  /// Any thread.
  void note_refused(RefusedCertificate refused);

  /// Starts the sequencer's thread.
  void start();
  /// Refuses new work, finishes what was taken, writes POWER stop, ends the thread. Safe to call
  /// twice.
  void stop();
  /// One turn of the sequencer without its thread: takes what waits, commits one group, answers.
  /// Returns whether anything was done. Only before `start`.
  bool run_once();
  /// `run_once` until nothing is left to do.
  void run_until_idle();

  /// Whether new commitments would be made now.
  [[nodiscard]] Readiness ready() const;
  /// True after a failed commit or `fail_now`: the process must end.
  [[nodiscard]] bool failed() const;
  /// The ledger was found damaged: from the next turn on nothing is acknowledged any more. Any
  /// thread.
  void fail_now();
  /// Turns of the sequencer that ended with their group committed, since `create`. An idle
  /// sequencer turns about twenty times a second; the count stands still while a turn or its commit
  /// does not end, and after a failure. For watchdogs. Any thread.
  [[nodiscard]] std::uint64_t turns() const;
  [[nodiscard]] MetricsSnapshot metrics() const;

  /// Committed records that this client may see and the query asks for, at most `query.limit`,
  /// oldest first. For server-sent events: the id of each is its `seq`. Does not block on the
  /// sequencer's work; records appear after their commit only.
  [[nodiscard]] EventPage events(const Client& client, const EventQuery& query) const;
  /// Calls `wake` after every commit, from the sequencer's thread, until the returned handle is
  /// dropped; it must not block: post to your own loop and ask `events`.
  [[nodiscard]] std::shared_ptr<void> subscribe(std::function<void()> wake);

 private:
  class Core;
  explicit Service(std::unique_ptr<Core> core);
  std::unique_ptr<Core> core_;
};

}  // namespace talla::core
