// Faults behind the driver, one for each test of the gate.
#include <fmt/format.h>

#include <algorithm>

#include "base/secret.hpp"
#include "copy_of_path.hpp"
#include "entropy/health.hpp"

namespace talla::lab {
namespace {

using entropy::Fault;
using entropy::FaultOptions;

constexpr std::uint32_t million = 1'000'000;
constexpr std::uint32_t half_window = entropy::gate_window_samples / 2;
constexpr std::uint32_t long_window = 16'384;
constexpr std::uint64_t samples_before_noise_fault = 10 * entropy::gate_window_samples;
constexpr std::uint64_t noise_fault_samples_max = 1'000 * entropy::gate_window_samples;
constexpr unsigned noise_fault_seconds_max = 60;

enum class Course : std::uint8_t { lasting, from_the_start, three_times };

struct Plan {
  std::string name;
  std::string words;
  FaultOptions fault;
  std::vector<std::string_view> expected;  ///< One of these tests must have alarmed.
  Course course = Course::lasting;
  std::string left_out{};
};

std::uint32_t share(std::uint32_t count, std::uint32_t of) {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(std::uint64_t{count} * million / of, million));
}
std::uint32_t middle(std::uint32_t a, std::uint32_t b) {
  return a / 2 + b / 2;
}
std::string percent(std::uint32_t ppm) {
  return fmt::format("{:.1f} %", static_cast<double>(ppm) / 10'000.0);
}

std::vector<Plan> share_plans(const entropy::HealthSettings& settings) {
  const auto& one = settings.level1;
  const auto& two = settings.level2;
  const std::uint32_t window = settings.proportion_window;
  const std::uint32_t proportion = middle(share(two.proportion, window), million);
  const std::uint32_t lag = middle(share(two.half_window, half_window), million);
  const std::uint32_t followed = share(two.half_window, half_window);
  const std::uint32_t chain = middle(followed, million);
  const std::uint32_t common =
      middle(share(one.half_window, half_window), share(one.proportion, window));
  const std::uint32_t drift =
      middle(share(one.long_count, long_window), share(one.half_window, half_window));
  // A rule over 8 values or fewer comes round within the lags that are always looked at.
  const bool short_cycle = settings.bits_per_sample <= 3;
  return {
      {"adaptive_proportion",
       "one value with a share of " + percent(proportion) + ", in short runs",
       {.fault = Fault::biased,
        .share_ppm = proportion,
        .run_max = std::max(one.repetition, 3U) - 2},
       {"adaptive_proportion"}},
      {"lag",
       percent(lag) + " of the samples repeat the one 8 places earlier",
       {.fault = Fault::periodic, .share_ppm = lag},
       {"lag"}},
      {"duplicate_word",
       "the last 16,000 samples again and again",
       {.fault = Fault::again},
       {"duplicate_word"}},
      {"successor",
       percent(chain) + " of the samples follow from the one before",
       {.fault = Fault::chained, .share_ppm = chain},
       short_cycle ? std::vector<std::string_view>{"successor", "lag"}
                   : std::vector<std::string_view>{"successor"}},
      {"most_common_window",
       "one value with a share of " + percent(common),
       {.fault = Fault::biased, .share_ppm = common},
       {"most_common_window"}},
      {"most_common_long",
       "one value with a share of " + percent(drift),
       {.fault = Fault::biased, .share_ppm = drift},
       {"most_common_long"}},
  };
}

std::vector<Plan> plans(const entropy::HealthSettings& settings, std::uint32_t rate_hz) {
  std::vector<Plan> all = {
      {"repetition_count",
       "the last sample again and again",
       {.fault = Fault::stuck},
       {"repetition_count"}},
      {"start-up",
       "the last sample again and again, from the first on",
       {.fault = Fault::stuck},
       {"repetition_count"},
       Course::from_the_start},
      {"three level 1 alarms",
       fmt::format("{} equal samples, three times", settings.level1.repetition + 1),
       {.fault = Fault::stuck, .length = settings.level1.repetition},
       {"repetition_count"},
       Course::three_times}};
  for (Plan& plan : share_plans(settings)) all.push_back(std::move(plan));
  Plan range{"sample_range",
             "a bit above those of a sample",
             {.fault = Fault::out_of_range},
             {"sample_range"}};
  if (settings.bits_per_sample == 8) range.left_out = "a sample has all 8 bits of its byte";
  Plan stall{"stall", "no sample comes", {.fault = Fault::silent}, {"stall"}};
  Plan rate{"rate",
            "half of the samples come",
            {.fault = Fault::slow, .share_ppm = million / 2},
            {"rate"}};
  if (rate_hz == 0) stall.left_out = rate.left_out = "no rate is known of this source";
  all.push_back(std::move(range));
  all.push_back(std::move(stall));
  all.push_back(std::move(rate));
  all.push_back({"stream", "the source reports an error", {.fault = Fault::gone}, {"stream"}});
  return all;
}

/// Three short disturbances, each worked off before the next.
Status disturb(CopyOfPath& copy, const Plan& plan, InducedCase& result) {
  for (int round = 0; round < 3 && !copy.generator().latched(); ++round) {
    copy.source().set(plan.fault);
    const auto before = copy.generator().metrics().sources[0].level1_events;
    TALLA_TRY_STATUS(copy.step_until(
        [&] {
          return copy.generator().metrics().sources[0].level1_events > before ||
                 copy.generator().latched();
        },
        noise_fault_samples_max, noise_fault_seconds_max));
    copy.note_alarms(result);
    TALLA_TRY_STATUS(copy.step_until(
        [&] {
          return copy.generator().state() == entropy::State::operational ||
                 copy.generator().latched().has_value();
        },
        noise_fault_samples_max, noise_fault_seconds_max));
  }
  return {};
}

Result<InducedCase> run_plan(const Plan& plan, entropy::NoiseSource& source, std::uint32_t rate_hz,
                             std::uint64_t seed, const InduceEffects& effects) {
  InducedCase result;
  result.name = plan.name;
  result.fault = plan.words;
  result.left_out = plan.left_out;
  if (!plan.left_out.empty()) return result;
  TALLA_TRY(const auto copy, CopyOfPath::create(source, rate_hz, seed, effects));
  if (plan.course != Course::from_the_start)
    TALLA_TRY_STATUS(copy->run_healthy(samples_before_noise_fault));
  const std::int64_t onset_ns = effects.clock.monotonic_ns();
  copy->source().set(plan.fault);
  switch (plan.course) {
    case Course::from_the_start:
      static_cast<void>(copy->generator().start());
      break;
    case Course::three_times:
      TALLA_TRY_STATUS(disturb(*copy, plan, result));
      break;
    case Course::lasting:
      TALLA_TRY_STATUS(copy->step_until([&] { return copy->generator().latched().has_value(); },
                                        noise_fault_samples_max, noise_fault_seconds_max));
      break;
  }
  copy->finish(result, onset_ns);
  if (copy->source().error()) return tl::unexpected<Error>(*copy->source().error());
  result.expected_alarm = std::ranges::any_of(
      plan.expected, [&](std::string_view test) { return alarmed(result, test); });
  result.works_again = copy->works_again();
  return result;
}

}  // namespace

Result<std::vector<InducedCase>> induce_behind_driver(entropy::NoiseSource& source,
                                                      std::uint32_t rate_hz, std::uint64_t seed,
                                                      const InduceEffects& effects) {
  TALLA_TRY(const auto settings,
            entropy::health_settings(source.description(), years_per_false_alarm));
  std::vector<InducedCase> cases;
  for (const Plan& plan : plans(settings, rate_hz)) {
    TALLA_TRY(InducedCase one, run_plan(plan, source, rate_hz, seed, effects));
    effects.on_case(one);
    cases.push_back(std::move(one));
  }
  return cases;
}

Result<std::uint32_t> measured_rate(entropy::NoiseSource& source, Clock& clock) {
  constexpr std::int64_t span_ns = 1'000'000'000;
  constexpr std::int64_t patience_ns = 10'000'000'000;
  std::vector<std::uint8_t> buffer(entropy::gate_window_samples);
  std::uint64_t samples = 0;
  std::int64_t begun_ns = 0;
  const std::int64_t asked_ns = clock.monotonic_ns();
  while (true) {
    TALLA_TRY(const std::size_t got, source.read(buffer, 100));
    wipe(buffer.data(), got);
    const std::int64_t now_ns = clock.monotonic_ns();
    if (begun_ns == 0 && got > 0) {
      begun_ns = now_ns;
      continue;
    }
    samples += got;
    if (begun_ns != 0 && now_ns - begun_ns >= span_ns) {
      const auto rate = samples * 1'000'000'000 / static_cast<std::uint64_t>(now_ns - begun_ns);
      if (rate == 0) break;
      return static_cast<std::uint32_t>(std::min<std::uint64_t>(rate, 1'000'000'000));
    }
    if (begun_ns == 0 && now_ns - asked_ns > patience_ns) break;
  }
  return fail(LabErrc::bad_wish, "no samples come: the rate cannot be measured");
}

json::Value cases_json(const std::vector<InducedCase>& cases) {
  json::Array list;
  for (const InducedCase& each : cases) {
    json::Object one{{"test", each.name}, {"fault", each.fault}, {"passed", each.passed()}};
    if (!each.left_out.empty()) {
      one["left_out"] = each.left_out;
    } else {
      json::Array alarms;
      for (const std::string& alarm : each.alarms) alarms.emplace_back(alarm);
      one["alarms"] = std::move(alarms);
      one["samples_to_latch"] = each.samples_to_latch;
      one["us_to_latch"] = each.ns_to_latch / 1000;
      one["latch"] = each.latch;
      one["expected_alarm"] = each.expected_alarm;
      one["nothing_after"] = each.nothing_after;
      one["works_again"] = each.works_again;
    }
    list.emplace_back(std::move(one));
  }
  return list;
}

Result<json::Value> cutoffs_json(const entropy::SourceDescription& description) {
  TALLA_TRY(const auto settings, entropy::health_settings(description, years_per_false_alarm));
  const auto level = [](const entropy::LevelCutoffs& cutoffs) {
    return json::Object{
        {"alpha_log2", cutoffs.alpha_log2},          {"repetition_count", cutoffs.repetition},
        {"adaptive_proportion", cutoffs.proportion}, {"half_window", cutoffs.half_window},
        {"startup_lags", cutoffs.startup_lags},      {"most_common_long", cutoffs.long_count},
        {"duplicate_word", cutoffs.duplicate_word}};
  };
  return json::Value(json::Object{{"proportion_window", settings.proportion_window},
                                  {"level_1", level(settings.level1)},
                                  {"level_2", level(settings.level2)}});
}

}  // namespace talla::lab
