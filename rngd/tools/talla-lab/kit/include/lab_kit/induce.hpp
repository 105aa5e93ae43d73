/// \file
/// Induced failures: each health test and each check of a driver is made to fail on purpose on a
/// laboratory's copy of the source path (source, gate, conditioner, DRBG), and it is shown that the
/// latch comes and that nothing is given after it.
///
/// Standard: SP 800-90B 4.3 (a failed test must be noticed, and nothing may be put out after it),
///           4.4.
/// Method:   a healthy start and healthy output first; then the fault; then every way of asking;
///           then the fault is taken away and the copy must work again after the reset, so that a
///           copy that never gives anything shows nothing. Shares of faults come from the cutoffs:
///           between that of the test meant and those of the tests beside it.
/// Threads:  one thread. Nothing of the copy's output leaves it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/json.hpp"
#include "entropy/health_cutoffs.hpp"
#include "lab_kit/errc.hpp"
#include "usb/discover.hpp"

namespace talla::lab {

struct InducedCase {
  std::string name;   ///< The test meant, e.g. "repetition_count", "start-up", "driver: variance".
  std::string fault;  ///< In words.
  /// "repetition_count level 2", each once, in the order they came; for a driver's check the
  /// error's code.
  std::vector<std::string> alarms;
  std::uint64_t samples_to_latch = 0;  ///< From the onset of the fault, as the gate read them.
  std::int64_t ns_to_latch = 0;        ///< The same in time.
  std::string latch;                   ///< Reason of the latch; empty: there was none.
  bool expected_alarm = false;         ///< The test that was meant raised an alarm.
  bool nothing_after = false;          ///< No way of asking gave a bit while it was latched.
  bool works_again = false;            ///< After the fault was taken away and the latch was reset.
  std::string left_out;  ///< Why this case does not exist for this source; then the rest is empty.
  [[nodiscard]] bool passed() const {
    return !left_out.empty() || (expected_alarm && !latch.empty() && nothing_after && works_again);
  }
};

/// What induced failures work with; the clock outlives them.
struct InduceEffects {
  Clock& clock;
  std::function<bool()> cancelled;
  std::function<void(const InducedCase&)> on_case;  ///< As each one ends.
};

/// Every test of the gate on copies of the path behind `source`. `rate_hz` (0: stall and rate are
/// left out) is what it really brings. Errors: what the source says; wrong_stream when it does not
/// pass its own tests before any fault; interrupted.
[[nodiscard]] Result<std::vector<InducedCase>> induce_behind_driver(entropy::NoiseSource& source,
                                                                    std::uint32_t rate_hz,
                                                                    std::uint64_t seed,
                                                                    const InduceEffects& effects);

/// The device that failures are induced at.
struct DriverParts {
  usb::Transport& transport;
  const usb::Registry& registry;
  std::string selector;  ///< Names one device.
  usb::DriverOptions options;
  std::function<void(unsigned ms)> sleep;
};
/// Every check of the device's driver, with transfers that are spoilt before it. The device is
/// opened anew for each.
[[nodiscard]] Result<std::vector<InducedCase>> induce_before_driver(const DriverParts& parts,
                                                                    const std::string& model,
                                                                    const InduceEffects& effects);

/// Mean rate over about a second, after a first read. Errors: those of the source; bad_wish when
/// nothing comes.
[[nodiscard]] Result<std::uint32_t> measured_rate(entropy::NoiseSource& source, Clock& clock);

/// The cases as `talla-lab induce --json` shows them.
[[nodiscard]] json::Value cases_json(const std::vector<InducedCase>& cases);
/// Cutoffs in force for a source of that description. Errors: bad_settings, test_cannot_fire.
[[nodiscard]] Result<json::Value> cutoffs_json(const entropy::SourceDescription& description);

}  // namespace talla::lab
