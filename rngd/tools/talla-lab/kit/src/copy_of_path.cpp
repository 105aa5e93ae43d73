#include "copy_of_path.hpp"

#include <algorithm>

namespace talla::lab {
namespace {

constexpr unsigned step_ms = 100;
constexpr std::size_t block_bytes = 64;
constexpr unsigned healthy_seconds_max = 120;

}  // namespace

Result<std::unique_ptr<CopyOfPath>> CopyOfPath::create(entropy::NoiseSource& source,
                                                       std::uint32_t rate_hz, std::uint64_t seed,
                                                       const InduceEffects& effects) {
  std::unique_ptr<CopyOfPath> copy(new CopyOfPath(effects, rate_hz, seed));
  auto faulty = std::make_unique<entropy::FaultySource>(source, rate_hz, seed);
  copy->source_ = faulty.get();
  std::vector<entropy::SourceSlot> slots;
  slots.push_back({.source = std::move(faulty), .independent = true, .required = true});
  entropy::GeneratorOptions options;
  options.appliance_id = "talla-lab induce";
  options.pool_blocks = 16;
  options.allow_lab = true;
  options.years_per_false_alarm = years_per_false_alarm;
  TALLA_TRY(copy->generator_,
            entropy::Generator::create(std::move(options), std::move(slots),
                                       {effects.clock, copy->os_, copy->no_rdseed_}));
  return copy;
}

void CopyOfPath::step() {
  generator_->pump(step_ms);
  while (generator_->ready_bits() >= 8 * block_bytes) {
    if (!generator_->full_entropy(block_bytes)) return;
    given_ = true;
  }
}

Result<bool> CopyOfPath::gives() {
  given_ = false;
  TALLA_TRY_STATUS(step_until([&] { return given_ || generator_->latched().has_value(); },
                              1'000'000, healthy_seconds_max));
  return given_;
}

Status CopyOfPath::step_until(const std::function<bool()>& done, std::uint64_t more_samples_max,
                              unsigned seconds_max) {
  const std::uint64_t samples_end = source_->samples() + more_samples_max;
  const std::int64_t end_ns =
      effects_.clock.monotonic_ns() + std::int64_t{seconds_max} * 1'000'000'000;
  while (!done() && source_->samples() < samples_end && effects_.clock.monotonic_ns() < end_ns) {
    if (effects_.cancelled()) return fail(LabErrc::interrupted, "interrupted");
    step();
  }
  return {};
}

Status CopyOfPath::run_healthy(std::uint64_t samples) {
  const auto refuse = [this](const std::string& why) {
    if (source_->error()) return tl::unexpected<Error>(*source_->error());
    InducedCase seen;
    note_alarms(seen);
    std::string alarms;
    for (const std::string& alarm : seen.alarms) alarms += (alarms.empty() ? "; " : ", ") + alarm;
    return tl::unexpected<Error>(
        Error(LabErrc::wrong_stream,
              "the source does not pass its own tests before any fault: " + why + alarms));
  };
  if (const auto started = generator_->start(); !started) return refuse(started.error().text());
  TALLA_TRY_STATUS(step_until([] { return false; }, samples, healthy_seconds_max));
  TALLA_TRY(const bool given, gives());
  if (!given) return refuse("no bits came");
  static_cast<void>(generator_->take_events());
  return {};
}

void CopyOfPath::note_alarms(InducedCase& into) {
  for (const entropy::Event& event : generator_->take_events()) {
    if (event.kind != entropy::EventKind::health || event.level == 0) continue;
    std::string alarm = std::string(entropy::health_test_name(event.test)) + " level " +
                        std::to_string(event.level);
    if (std::ranges::find(into.alarms, alarm) == into.alarms.end())
      into.alarms.push_back(std::move(alarm));
  }
}

bool CopyOfPath::gives_nothing() {
  constexpr int steps = 20;
  for (int i = 0; i < steps; ++i) {
    if (generator_->pump(1) || generator_->ready_bits() != 0) return false;
    if (generator_->full_entropy(1) || generator_->full_entropy(block_bytes) ||
        generator_->full_entropy(1, 1))
      return false;
  }
  return generator_->metrics().pool_blocks == 0 && generator_->state() == entropy::State::latched;
}

void CopyOfPath::finish(InducedCase& into, std::int64_t onset_ns) {
  note_alarms(into);
  into.samples_to_latch = source_->samples();
  into.ns_to_latch = effects_.clock.monotonic_ns() - onset_ns;
  const auto reason = generator_->latched();
  if (!reason) return;
  into.latch = entropy::latch_reason_name(*reason);
  into.nothing_after = gives_nothing();
}

bool CopyOfPath::works_again() {
  source_->set({});
  if (!generator_->latched() || !generator_->reset_latch()) return false;
  const auto given = gives();
  return given && *given;
}

Status CopyOfPath::replace(entropy::NoiseSource& source) {
  auto faulty = std::make_unique<entropy::FaultySource>(source, rate_hz_, seed_);
  auto* fresh = faulty.get();
  TALLA_TRY_STATUS(generator_->replace_source(0, std::move(faulty)));
  source_ = fresh;
  return {};
}

bool alarmed(const InducedCase& in, std::string_view test) {
  return std::ranges::any_of(in.alarms, [&](const std::string& alarm) {
    return alarm.starts_with(test) && alarm.substr(test.size()).starts_with(" level ");
  });
}

}  // namespace talla::lab
