// Which settings a certification covers, as one object.
#include "config/certified_settings.hpp"

#include <array>
#include <charconv>

namespace talla::rngd {
namespace {

/// The shortest text that reads back as the same number.
std::string decimal(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

json::Value device(const Config::Source::Device& of) {
  return json::Object{{"assessed_millibits", std::int64_t{of.assessed_millibits}},
                      {"assessment", of.assessment},
                      {"assessment_kind", of.assessment_kind},
                      {"independence", of.independence},
                      {"independent", of.independent},
                      {"model", of.model},
                      {"rate", std::int64_t{of.rate}},
                      {"required", of.required},
                      {"settings", of.settings}};
}

}  // namespace

json::Value certified_settings(const Config& config) {
  json::Array devices;
  for (const Config::Source::Device& one : config.source.devices) devices.push_back(device(one));
  json::Array witnesses;
  for (const Config::Witness& witness : config.witnesses) witnesses.emplace_back(witness.key);
  const auto& limits = config.limits;
  const auto& monitors = config.monitors;
  return json::Object{
      {"anchor.interval_seconds", std::int64_t{config.anchor.interval_seconds}},
      {"anchor.kind", config.anchor.kind},
      {"anchor.lost_after_seconds", std::int64_t{config.anchor.lost_after_seconds}},
      {"anchor.witnesses_at_start", std::int64_t{config.anchor.witnesses_at_start}},
      {"egd", config.egd.enabled()},
      {"egd.uncertified", config.egd.uncertified},
      {"kernel_feed", config.kernel_feed.enabled},
      {"ledger.kind", config.ledger.kind},
      {"limits.batch_count_max", std::int64_t{limits.batch_count_max}},
      {"limits.batch_lifetime_seconds", std::int64_t{limits.batch_lifetime_seconds}},
      {"limits.clock_step_max_seconds", std::int64_t{limits.clock_step_max_seconds}},
      {"limits.disk_reserve_mib", std::int64_t{limits.disk_reserve_mib}},
      {"limits.second_person_seconds", std::int64_t{limits.second_person_seconds}},
      {"monitors", monitors.enabled},
      {"monitors.alpha", decimal(monitors.alpha)},
      {"monitors.bits", monitors.bits},
      {"monitors.bits_per_second", std::int64_t{monitors.bits_per_second}},
      {"monitors.detectors", monitors.detectors},
      {"monitors.noise", monitors.noise},
      {"monitors.outcomes", monitors.outcomes},
      {"monitors.quality", monitors.quality},
      {"monitors.run_length", monitors.run_length},
      {"profile", config.profile == Profile::production ? "production" : "development"},
      {"software.check_hours", std::int64_t{config.software.check_hours}},
      {"software.laboratory", config.software.laboratory},
      {"software.signer", config.software.signer},
      {"source.devices", std::move(devices)},
      {"source.kind", config.source.kind},
      {"witnesses", std::move(witnesses)}};
}

}  // namespace talla::rngd
