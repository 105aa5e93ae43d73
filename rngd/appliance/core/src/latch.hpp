/// \file
/// The latch as the ledger has it, and its reset by two persons.
///
/// A latch outlives the process: it is derived from the log alone, and stands until the end of its
/// reset is recorded. A reset begins when its confirmation is durable, and a crash in between
/// leaves the latch.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "duty.hpp"
#include "watch_clock.hpp"

namespace talla::core {

/// Why the generator is latched, as the log says.
struct LatchCause {
  entropy::LatchReason reason = entropy::LatchReason::other;
  std::string by;             ///< Client id of who ordered it; empty: the appliance by itself.
  std::string note;           ///< What that person said of it.
  std::uint64_t seq = 0;      ///< The record that says so: an ACCESS or a SELFTEST.
  std::int64_t since_us = 0;  ///< Its time, UTC.
};

class Latch : public Duty {
 public:
  Latch(Appliance& appliance, ClockWatch& clock) : appliance_(appliance), clock_(clock) {}

  /// What the ledger says, at a start.
  [[nodiscard]] Status load();
  /// What stands when this start begins, for the restart after it: a SELFTEST.
  [[nodiscard]] Status record_standing(Transaction& tx) const;
  /// Resets that a crash interrupted have failed: the latch stands.
  [[nodiscard]] Status end_interrupted();
  /// A latch was recorded: it stands, and a restart finds it in the log.
  void stand() { stands_ = true; }
  /// A person stops new commitments: no test has failed. The ACCESS of it is being written.
  void stop_by_order();
  /// Whether that is what the generator tells of now; once for each order.
  [[nodiscard]] bool take_order() { return std::exchange(ordered_, false); }
  /// What stands; nothing: no latch that is in the log.
  [[nodiscard]] std::optional<LatchCause> cause_of_latch() const;
  [[nodiscard]] bool stands() const { return stands_; }
  /// A reset was begun and has not ended.
  [[nodiscard]] bool resetting() const { return resetting_; }
  /// The reset that was begun has ended so, and all that led to it is recorded.
  void reset_ended(const Status& how);
  /// Errors: wrong_state (nothing is latched), cause_persists.
  [[nodiscard]] Status reset_possible() const;

  void on_pause() override;
  void on_written(std::uint64_t group) override;
  void on_durable(std::uint64_t group) override;
  [[nodiscard]] std::optional<Error> objection() const override;

 private:
  [[nodiscard]] Status record_end(const Status& how);
  Appliance& appliance_;
  ClockWatch& clock_;
  std::atomic<bool> stands_{false};
  bool ordered_ = false;
  mutable std::optional<LatchCause> known_;  // what stands, once it was looked up
  std::uint64_t open_until_ = 0;             // no record before this one has latched what stands
  std::optional<std::uint64_t> told_{};      // the record whose latch the metrics tell of
  bool resetting_ = false;
  std::optional<std::uint64_t> due_with_;  // the group behind which a confirmed reset begins
};

/// What latched the generator, as the log's last records that speak of it say: whoever deletes any
/// other file or document ends no latch. Where none stands the last boot is read, since each start
/// speaks of it; else back to what began it. Nothing before the record `behind` is looked at.
[[nodiscard]] Result<std::optional<LatchCause>> latch_of_log(const certs::Ledger& ledger,
                                                             std::uint64_t behind);
/// A shoe or batch that must go on has no usable secret.
[[nodiscard]] bool secrets_lost(const World& world);

}  // namespace talla::core
