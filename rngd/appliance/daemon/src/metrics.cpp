#include "metrics.hpp"

#include <array>
#include <charconv>

#include "base/secret.hpp"

namespace talla::rngd {

namespace {

/// The shortest text that reads back as the same number.
std::string number(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

/// Writes families in key order; `# TYPE` once per name.
void write(const std::map<std::string, double>& values, const char* type, std::string& out) {
  std::string last;
  for (const auto& [key, value] : values) {
    const std::string name = key.substr(0, key.find('{'));
    if (name != last) out += "# TYPE " + name + " " + type + "\n";
    last = name;
    out += key + " " + number(value) + "\n";
  }
}

void add_sources(const entropy::Metrics& generator, std::map<std::string, double>& counters) {
  for (std::size_t i = 0; i < generator.sources.size(); ++i) {
    const entropy::SourceMetrics& source = generator.sources[i];
    const std::string label = "{source=\"" + std::to_string(i) + "\"}";
    counters["talla_entropy_raw_samples_total" + label] = static_cast<double>(source.raw_samples);
    counters["talla_entropy_green_samples_total" + label] =
        static_cast<double>(source.green_samples);
    counters["talla_entropy_dropped_windows_total" + label] =
        static_cast<double>(source.dropped_windows);
    counters["talla_entropy_health_level1_total" + label] =
        static_cast<double>(source.level1_events);
    counters["talla_entropy_health_level2_total" + label] =
        static_cast<double>(source.level2_events);
    counters["talla_entropy_credited_bits_total" + label] =
        static_cast<double>(source.credited_millibits) / 1000;
  }
}

}  // namespace

std::string metrics_text(const core::MetricsSnapshot& service, const entropy::Metrics& generator) {
  auto counters = service.counters;
  auto gauges = service.gauges;
  counters["talla_entropy_blocks_made_total"] = static_cast<double>(generator.blocks_made);
  counters["talla_entropy_blocks_given_total"] = static_cast<double>(generator.blocks_given);
  counters["talla_entropy_blocks_wiped_total"] = static_cast<double>(generator.blocks_wiped);
  counters["talla_entropy_certified_bits_total"] =
      static_cast<double>(generator.credited_millibits) / 1000;
  counters["talla_entropy_uncertified_bits_total"] =
      static_cast<double>(generator.uncertified_millibits) / 1000;
  counters["talla_drbg_reseeds_total"] = static_cast<double>(generator.reseeds);
  counters["talla_drbg_generate_calls_total"] = static_cast<double>(generator.generate_calls);
  counters["talla_drbg_cycles_total"] = static_cast<double>(generator.cycles);
  counters["talla_entropy_requests_refused_total"] =
      static_cast<double>(generator.requests_refused);
  if (generator.outlet_blocks_max > 0) {
    counters["talla_outlet_blocks_given_total"] =
        static_cast<double>(generator.outlet_blocks_given);
    counters["talla_outlet_seeds_total"] = static_cast<double>(generator.outlet_seeds);
    counters["talla_outlet_refused_total"] = static_cast<double>(generator.outlet_refused);
    gauges["talla_outlet_blocks"] = static_cast<double>(generator.outlet_blocks);
    gauges["talla_outlet_blocks_max"] = static_cast<double>(generator.outlet_blocks_max);
  }
  add_sources(generator, counters);
  gauges["talla_entropy_pool_blocks"] = static_cast<double>(generator.pool_blocks);
  gauges["talla_entropy_pool_blocks_max"] = static_cast<double>(generator.pool_blocks_max);
  const SecretMemory secrets = secret_memory();
  gauges["talla_secret_memory_bytes"] = static_cast<double>(secrets.mapped_bytes);
  gauges["talla_secret_memory_used_bytes"] = static_cast<double>(secrets.used_bytes);
  gauges["talla_secret_memory_unlocked_bytes"] = static_cast<double>(secrets.unlocked_bytes);
  for (const auto state :
       {entropy::State::off, entropy::State::startup, entropy::State::operational,
        entropy::State::suspended, entropy::State::latched}) {
    gauges["talla_generator_state{state=\"" + std::string(entropy::state_name(state)) + "\"}"] =
        generator.state == state ? 1 : 0;
  }
  std::string out;
  write(counters, "counter", out);
  write(gauges, "gauge", out);
  return out;
}

}  // namespace talla::rngd
