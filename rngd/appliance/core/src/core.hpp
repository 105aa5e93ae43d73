/// \file
/// The inside of the service: its parts, put together; how it starts and how it stops.
#pragma once

#include <thread>

#include "call_view.hpp"
#include "call_waits.hpp"
#include "core/service.hpp"
#include "duties.hpp"
#include "proofs.hpp"
#include "sequencer.hpp"

namespace talla::core {

class Service::Core {
 public:
  Core(Settings settings, Effects effects, std::unique_ptr<Catalogues> catalogues);
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;
  ~Core();

  /// Replay, machine records, open CALLs. Errors: replay_failed, not_approved, ledger_failed, the
  /// ledger's own.
  [[nodiscard]] Status begin();
  void start();
  void stop();
  bool turn() { return sequencer_.turn(); }
  void run_until_idle() { sequencer_.run_until_idle(); }

  void submit(Request request, Answer answer);
  [[nodiscard]] Readiness ready() const;
  [[nodiscard]] MetricsSnapshot metrics() const;
  [[nodiscard]] std::uint64_t turns() const { return sequencer_.turns(); }

  [[nodiscard]] Appliance& appliance() { return appliance_; }
  [[nodiscard]] Events& events() { return events_; }
  [[nodiscard]] Enrolment& enrolment() { return duties_.enrolment; }
  [[nodiscard]] const Guests& guests() const { return guests_; }
  [[nodiscard]] Configuration& configuration() { return duties_.configuration; }

 private:
  [[nodiscard]] Parts make_parts();
  [[nodiscard]] Status add_start_records();
  [[nodiscard]] Status commitments_allowed() const;
  [[nodiscard]] Status reset_allowed() const;

  Appliance appliance_;
  Parts parts_;
  Guests guests_;
  Events events_;
  CallBoard board_;
  CallViews calls_;
  CallWaits waits_;
  Queue queue_;
  Admission admission_;
  Replies replies_;
  ResumePoints points_;
  Duties duties_;
  Flights flights_;
  Questions questions_;
  Proofs proofs_;
  Sequencer sequencer_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace talla::core
