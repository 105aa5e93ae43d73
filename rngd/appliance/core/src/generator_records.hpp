/// \file
/// What the generator and the monitors report becomes records: reseeds, self-tests, devices,
/// alarms, the latch.
///
/// What cannot be recorded may have been an alarm over a commitment: it latches and ends the
/// service.
#pragma once

#include "latch.hpp"

namespace talla::core {

class GeneratorRecords : public Duty {
 public:
  GeneratorRecords(Appliance& appliance, Latch& latch) : appliance_(appliance), latch_(latch) {}

  /// Events since the last call; a reset that ended is recorded behind what led to it.
  void on_turn() override;
  void on_ended_turn() override;
  [[nodiscard]] std::string cause() const override;

 private:
  void record_events();
  void record_reports();
  [[nodiscard]] Status record_event(const entropy::Event& event);
  [[nodiscard]] Status record_alarm(const entropy::Event& event, const entropy::Evidence& evidence);
  [[nodiscard]] Status record_report(const MonitorReport& report);
  /// Live shoes and open batches whose samples came in that time.
  [[nodiscard]] std::vector<std::string> overlapping(std::int64_t from_ns,
                                                     std::int64_t to_ns) const;

  Appliance& appliance_;
  Latch& latch_;
  bool monitor_latched_ = false;  // by a monitor whose alarm stands until the next start
};

}  // namespace talla::core
