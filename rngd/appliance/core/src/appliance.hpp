/// \file
/// What every part of the service shares: what it was told, what it rests on, its state with the
/// one way to change it, and what it counts.
///
/// The state (state.hpp) can be read here by anybody; it changes through a transaction alone
/// (transaction.hpp), and at a start through what is read again. Whoever cannot record what must
/// be recorded ends the service: `fail`, or `lose_event` where it may have been an alarm over a
/// commitment.
/// Threads: settings, effects (as they say themselves), metrics and failure from any; the rest is
/// the sequencer's.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "core/effects.hpp"
#include "core/settings.hpp"
#include "metrics.hpp"
#include "transaction.hpp"

namespace talla::core {

class Catalogues;

class Appliance {
 public:
  Appliance(Settings from, Effects on, std::unique_ptr<Catalogues> of);
  Appliance(const Appliance&) = delete;
  Appliance& operator=(const Appliance&) = delete;
  ~Appliance();

  const Settings settings;
  const Effects effects;
  const std::unique_ptr<Catalogues> catalogues;
  const ApplyContext context;
  Metrics metrics;
  /// What every commitment cites: how this start began. The sequencer's.
  struct StartRecords {
    std::optional<std::uint64_t> software;  ///< seq of its SOFTWARE
    std::optional<std::uint64_t> config;    ///< seq of its newest CONFIG
  } start;

  [[nodiscard]] const World& world() const { return state_.world(); }
  [[nodiscard]] std::vector<ObjectSeq> due_batches() const;
  /// State::take_called.
  [[nodiscard]] std::set<ObjectSeq> take_called() { return state_.take_called(); }
  /// Dropped unless it is kept; empty author: the appliance itself.
  [[nodiscard]] Transaction begin(Author author = {});
  /// At a start: what the ledger holds, folded in.
  void keep(Overlay& overlay) { state_.keep(overlay); }
  /// What is over, once its group is committed. Whether there was any.
  bool forget_over() { return state_.forget_over(); }

  /// True after a failed commit, an event that was lost, or `fail`: the process must end.
  [[nodiscard]] bool failed() const { return failed_; }
  void fail() { failed_ = true; }
  /// What cannot be recorded may have been an alarm: latches, counts it and fails.
  void lose_event();

 private:
  State state_;
  std::atomic<bool> failed_{false};
};

}  // namespace talla::core
