#include "entropy/generator.hpp"

#include <algorithm>

#include "generator_core.hpp"

namespace talla::entropy {

namespace {

constexpr std::size_t appliance_id_max = 256;
constexpr std::size_t sources_max = 16;
constexpr std::int64_t day_ns = 86'400 * second_ns;

template <class T>
bool within(T value, T least, T most) {
  return value >= least && value <= most;
}

Status check_options(const GeneratorOptions& options) {
  if (options.appliance_id.empty() || options.appliance_id.size() > appliance_id_max) {
    return fail(Errc::bad_settings, "appliance id must have 1 to 256 bytes");
  }
  if (!within<std::size_t>(options.pool_blocks, 8, 4096))
    return fail(Errc::bad_settings, "pool must be 8 to 4096");
  if (options.outlet_blocks > 1024) return fail(Errc::bad_settings, "outlet must be 0 to 1024");
  if (!within<std::uint32_t>(options.reseed_calls, 1, 1U << 20U)) {
    return fail(Errc::bad_settings, "reseed calls must be 1 to 1048576");
  }
  if (!within(options.reseed_interval_ns, second_ns, day_ns)) {
    return fail(Errc::bad_settings, "reseed interval must be 1 s to 1 day");
  }
  if (!within<std::int64_t>(options.cycle_min_ns, second_ns / 1000, day_ns) ||
      !within<std::int64_t>(options.cycle_spread_ns, 0, day_ns)) {
    return fail(Errc::bad_settings, "cycling must lie between 1 ms and 1 day");
  }
  return {};
}

bool is_digest(std::string_view text) {
  return text.size() == 64 && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

/// A digest and an origin that asks for one go together.
Status check_assessment(const Assessment& assessment) {
  if (assessment.documented() ? is_digest(assessment.digest) : assessment.digest.empty()) return {};
  return fail(
      Errc::source_refused,
      "an assessment of origin unit or type has a digest of 64 hex digits, and no other has one");
}

Result<Construction> construction_of(const GeneratorOptions& options,
                                     const std::vector<SourceSlot>& sources) {
  bool raw = false;
  bool lab = false;
  for (const SourceSlot& slot : sources) {
    if (!slot.source) return fail(Errc::source_refused, "a source is missing");
    const SourceClass source_class = slot.source->description().source_class;
    raw = raw || source_class == SourceClass::raw_physical;
    lab = lab || source_class == SourceClass::lab;
  }
  if (lab && !options.allow_lab)
    return fail(Errc::source_refused, "emulated sources belong to the laboratory tool");
  if (lab) return Construction::lab;
  if (raw) return Construction::rbg3_xor;
  if (!options.allow_uncertified) {
    return fail(Errc::source_refused,
                "no raw physical source, and uncertified operation is not allowed");
  }
  return Construction::system;
}

bool credited(Construction construction, SourceClass source_class) {
  switch (construction) {
    case Construction::rbg3_xor:
      return source_class == SourceClass::raw_physical;
    case Construction::lab:
      return source_class == SourceClass::raw_physical || source_class == SourceClass::lab;
    case Construction::system:
      return true;
  }
  return false;
}

}  // namespace

Result<std::unique_ptr<Generator>> Generator::create(GeneratorOptions options,
                                                     std::vector<SourceSlot> sources,
                                                     GeneratorEffects effects) {
  TALLA_TRY_STATUS(check_options(options));
  if (sources.empty() || sources.size() > sources_max)
    return fail(Errc::source_refused, "1 to 16 sources are needed");
  TALLA_TRY(const Construction construction, construction_of(options, sources));
  std::vector<Lane> lanes;
  lanes.reserve(sources.size());
  for (SourceSlot& slot : sources) {
    TALLA_TRY_STATUS(check_assessment(slot.assessment));
    const SourceDescription description = slot.source->description();
    TALLA_TRY(const HealthSettings settings,
              health_settings(description, options.years_per_false_alarm));
    lanes.push_back(
        {.slot = std::move(slot),
         .description = description,
         .credited = credited(construction, description.source_class),
         .gate = Gate(settings, description.nominal_rate_hz, !answers_on_request(description))});
  }
  auto core =
      std::make_unique<Core>(std::move(options), Lanes(std::move(lanes), construction), effects);
  return std::unique_ptr<Generator>(new Generator(std::move(core)));  // NOLINT: private constructor
}

Generator::Generator(std::unique_ptr<Core> core) : core_(std::move(core)) {}
Generator::~Generator() = default;

Status Generator::start(unsigned timeout_ms) {
  return core_->start(timeout_ms);
}
bool Generator::pump(unsigned timeout_ms) {
  return core_->pump(timeout_ms);
}
void Generator::run() {
  core_->run();
}
void Generator::halt() {
  core_->halt();
}
Result<FullEntropy> Generator::full_entropy(std::size_t n_bytes, unsigned timeout_ms) {
  return core_->full_entropy(n_bytes, timeout_ms);
}
Result<GivenAway> Generator::give_away(std::size_t n_bytes) {
  return core_->give_away(n_bytes);
}
std::size_t Generator::spare_bits() const {
  return core_->spare_bits();
}
Status Generator::set_raw_aside(std::optional<std::size_t> source) {
  return core_->set_raw_aside(source);
}
Result<SecretBytes> Generator::take_raw() {
  return core_->take_raw();
}
std::size_t Generator::ready_bits() const {
  return core_->ready_bits();
}
State Generator::state() const {
  return core_->state();
}
Evidence Generator::evidence() const {
  return core_->evidence();
}
Metrics Generator::metrics() const {
  return core_->metrics();
}
std::vector<Event> Generator::take_events() {
  return core_->take_events();
}
Status Generator::test_on_demand() {
  return core_->test_on_demand();
}
void Generator::latch(LatchReason reason) {
  core_->latch(reason);
}
std::optional<LatchReason> Generator::latched() const {
  return core_->latched();
}
Status Generator::reset_latch(unsigned timeout_ms) {
  return core_->reset_latch(timeout_ms);
}
Status Generator::replace_source(std::size_t index, std::unique_ptr<NoiseSource> source) {
  return core_->replace_source(index, std::move(source));
}

}  // namespace talla::entropy
