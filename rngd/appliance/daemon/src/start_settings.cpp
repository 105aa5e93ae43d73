// What a start makes of its configuration, and what production refuses.
#include "start_settings.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "certs/key_sources.hpp"
#include "certs/keys.hpp"
#include "runtime.hpp"

namespace talla::rngd {

std::string_view errc_name(RuntimeErrc errc) {
  switch (errc) {
    case RuntimeErrc::production_refused:
      return "production_refused";
    case RuntimeErrc::program_unreadable:
      return "program_unreadable";
  }
  return "unknown";
}

Result<Digest> program_digest(const HashSuite& hashes) {
  std::FILE* file = std::fopen("/proc/self/exe", "rb");
  if (file == nullptr)
    return fail(RuntimeErrc::program_unreadable, "/proc/self/exe cannot be read");
  Bytes content;
  std::array<std::uint8_t, 65536> block{};
  for (std::size_t size = 0; (size = std::fread(block.data(), 1, block.size(), file)) > 0;) {
    content.insert(content.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(size));
  }
  static_cast<void>(std::fclose(file));
  return hashes.sha256({content});
}

Status refuse_development(const Config& config, const certs::LogKey& log_key,
                          const std::string& sealing) {
  if (config.profile != Profile::production) return {};
  TALLA_TRY(const certs::LogKeyStatement statement, certs::parse_statement(log_key.statement));
  if (statement.development) {
    return fail(RuntimeErrc::production_refused, config.keys.log_statement + ": development key");
  }
  for (const std::string& file : {config.api.certificate, config.api.client_roots}) {
    TALLA_TRY(const auto views, certs::view_certificates(file));
    for (const certs::CertificateView& view : views) {
      if (view.development)
        return fail(RuntimeErrc::production_refused, file + ": development certificate");
    }
  }
  if (sealing != "file") return {};
  return fail(RuntimeErrc::production_refused,
              "keys.sealing_key: " + config.keys.sealing_key +
                  ": a sealing key that lies in a file is for development; name a tpm:, "
                  "passphrase:, pkcs11: or, with "
                  "its encrypted_credential, credential: key");
}

Status refuse_uncertified(const Config& config, const ChosenSources& chosen) {
  if (config.profile != Profile::production || chosen.certified) return {};
  return fail(
      RuntimeErrc::production_refused,
      "source: " + chosen.description + ": uncertified; production needs a raw physical source");
}

Result<core::NextLogKey> open_next(const Config& config) {
  core::NextLogKey next;
  TALLA_TRY(next.signer, certs::open_log_signer(config.keys.next_log_key));
  TALLA_TRY(next.log_key, certs::load_log_key(config.keys.next_log_statement, config.origin,
                                              next.signer->public_key()));
  return next;
}

core::Settings settings_of(const Config& config, const std::vector<EnrolledClient>& clients) {
  core::Settings settings;
  settings.profile = config.profile == Profile::production ? "production" : "development";
  settings.version = TALLA_VERSION;
  settings.batch_secrets_max = config.limits.batch_count_max;
  settings.batch_secrets_default =
      std::min<std::uint32_t>(settings.batch_secrets_default, config.limits.batch_count_max);
  settings.batch_lifetime_us = std::int64_t{config.limits.batch_lifetime_seconds} * 1'000'000;
  settings.client_rate_per_s = config.limits.requests_per_second;
  settings.client_burst = config.limits.burst;
  settings.disk_reserve_bytes = std::uint64_t{config.limits.disk_reserve_mib} << 20;
  settings.clock_step_us_max = std::int64_t{config.limits.clock_step_max_seconds} * 1'000'000;
  settings.rollback_protection = config.anchor.kind;
  settings.anchor_interval_us = std::int64_t{config.anchor.interval_seconds} * 1'000'000;
  settings.anchor_lost_us = std::int64_t{config.anchor.lost_after_seconds} * 1'000'000;
  settings.act_lifetime_us = std::int64_t{config.limits.second_person_seconds} * 1'000'000;
  settings.sampling_bytes_per_second = config.laboratory.bytes_per_second;
  for (const EnrolledClient& client : clients)
    settings.clients.push_back({.id = client.id, .spki = client.spki, .roles = client.roles});
  return settings;
}

MonitorOptions monitor_options(const Config& config) {
  const auto severity = [](const std::string& name) {
    return name == "latch" ? Severity::latch : Severity::record;
  };
  MonitorOptions options;
  options.alpha = config.monitors.alpha;
  options.run_length = static_cast<double>(config.monitors.run_length);
  options.bits_per_second = config.monitors.bits_per_second;
  options.noise = severity(config.monitors.noise);
  options.bits = severity(config.monitors.bits);
  options.outcomes = severity(config.monitors.outcomes);
  options.detectors = severity(config.monitors.detectors);
  options.quality = severity(config.monitors.quality);
  options.state_file = config.data_folder + "/monitors.state";
  options.quality_file = config.data_folder + "/quality.state";
  options.curves_folder = config.data_folder + "/curves";
  options.origin = config.origin;
  return options;
}

}  // namespace talla::rngd
