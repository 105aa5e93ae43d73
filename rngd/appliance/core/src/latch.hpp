/// \file
/// The latch as the ledger has it, and its reset by two persons.
///
/// A latch outlives the process: it is derived from the log alone, and stands until the end of its
/// reset is recorded. A reset begins when its confirmation is durable, and a crash in between
/// leaves the latch.
#pragma once

#include "duty.hpp"
#include "watch_clock.hpp"

namespace talla::core {

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
  bool resetting_ = false;
  std::optional<std::uint64_t> due_with_;  // the group behind which a confirmed reset begins
};

/// Why the generator is latched, as the log's last record that speaks of it says: whoever deletes
/// any other file or document ends no latch. Of a long log its last boot is read, since each start
/// speaks of it.
[[nodiscard]] Result<std::optional<entropy::LatchReason>> latch_of_log(const certs::Ledger& ledger);
/// A shoe or batch that must go on has no usable secret.
[[nodiscard]] bool secrets_lost(const World& world);

}  // namespace talla::core
