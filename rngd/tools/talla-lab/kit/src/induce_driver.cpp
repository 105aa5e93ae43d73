// Faults before the driver, one for each of its checks.
#include "copy_of_path.hpp"
#include "entropy/health.hpp"
#include "usb_lab/faulty_transport.hpp"

namespace talla::lab {
namespace {

constexpr std::uint64_t samples_before_wire_fault = 4 * entropy::gate_window_samples;
constexpr std::uint64_t wire_fault_samples_max =
    4'000'000;  // the gain of an Infinite Noise is judged after 2^20 bits
constexpr unsigned wire_fault_seconds_max = 120;

/// A driver's check on a device that is streaming.
Result<InducedCase> run_driver_check(const usb::DriverCheck& check, const DriverParts& parts,
                                     const InduceEffects& effects) {
  InducedCase result;
  result.name = "driver: " + std::string(check.name);
  result.fault = check.what;
  usb::FaultyTransport transport(parts.transport, parts.sleep);
  TALLA_TRY(auto source, usb::open_source(transport, parts.registry, parts.selector, parts.options,
                                          effects.clock));
  TALLA_TRY(const auto copy, CopyOfPath::create(*source, 0, 1, effects));
  TALLA_TRY_STATUS(copy->run_healthy(samples_before_wire_fault));
  const std::int64_t onset_ns = effects.clock.monotonic_ns();
  copy->source().set({});
  transport.set(check.fault);
  TALLA_TRY_STATUS(copy->step_until([&] { return copy->generator().latched().has_value(); },
                                    wire_fault_samples_max, wire_fault_seconds_max));
  copy->finish(result, onset_ns);
  if (const auto& error = copy->source().error()) {
    result.alarms.insert(result.alarms.begin(), error->text());
    result.expected_alarm = error->code == check.code;
  }
  transport.set(usb::WireFault::none);
  if (result.latch.empty()) return result;
  source.reset();
  TALLA_TRY(source, usb::open_source(transport, parts.registry, parts.selector, parts.options,
                                     effects.clock));
  TALLA_TRY_STATUS(copy->replace(*source));
  result.works_again = copy->works_again();
  return result;
}

/// The supply voltage is asked for at the start: bounds it cannot meet must keep the device out.
Result<InducedCase> refuse_voltage(const DriverParts& parts, const InduceEffects& effects) {
  InducedCase result;
  result.name = "driver: supply voltage";
  result.fault = "bounds that no supply can meet";
  usb::DriverOptions options = parts.options;
  options.settings["millivolts-min"] = "1000000";
  options.settings["millivolts-max"] = "1000000";
  const std::int64_t onset_ns = effects.clock.monotonic_ns();
  {
    const auto refused =
        usb::open_source(parts.transport, parts.registry, parts.selector, options, effects.clock);
    result.ns_to_latch = effects.clock.monotonic_ns() - onset_ns;
    if (refused) return result;
    result.alarms.push_back(refused.error().text());
    result.expected_alarm = refused.error().is(usb::UsbErrc::unhealthy);
    result.latch = "never opened";
    result.nothing_after = true;
  }
  result.works_again = usb::open_source(parts.transport, parts.registry, parts.selector,
                                        parts.options, effects.clock)
                           .has_value();
  return result;
}

}  // namespace

Result<std::vector<InducedCase>> induce_before_driver(const DriverParts& parts,
                                                      const std::string& model,
                                                      const InduceEffects& effects) {
  std::vector<InducedCase> cases;
  const auto add = [&](InducedCase one) {
    effects.on_case(one);
    cases.push_back(std::move(one));
  };
  for (const usb::DriverCheck& check : usb::driver_checks(model)) {
    TALLA_TRY(InducedCase one, run_driver_check(check, parts, effects));
    add(std::move(one));
  }
  if (model == "truerng-pro") {
    TALLA_TRY(InducedCase one, refuse_voltage(parts, effects));
    add(std::move(one));
  }
  return cases;
}

}  // namespace talla::lab
