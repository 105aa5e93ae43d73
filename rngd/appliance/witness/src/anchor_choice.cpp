#include "witness/anchor_choice.hpp"

#include "certs/device_anchor.hpp"

namespace talla::rngd {

certs::KeySources key_sources(const Config& config) {
  return {.origin = config.origin,
          .log_key = config.keys.log_key,
          .sealing_key = config.keys.sealing_key,
          .passphrase = config.keys.passphrase,
          .tpm_tcti = config.keys.tpm_tcti,
          .encrypted_credential = config.keys.encrypted_credential};
}

std::vector<certs::LogKeySource> log_key_sources(const Config& config) {
  std::vector<certs::LogKeySource> sources{
      {.key = config.keys.log_key, .statement = config.keys.log_statement}};
  if (!config.keys.next_log_key.empty())
    sources.push_back(
        {.key = config.keys.next_log_key, .statement = config.keys.next_log_statement});
  return sources;
}

Result<std::unique_ptr<WitnessKeeper>> make_witnesses(
    const Config& config,
    std::function<void(const std::string& event, const std::string& detail)> say) {
  if (config.witnesses.empty()) return std::unique_ptr<WitnessKeeper>();
  const certs::OpensslHashes hashes;
  WitnessKeeper::Options options;
  options.origin = config.origin;
  options.store_path = config.data_folder + "/cosigned.json";
  options.interval_ms = std::int64_t{config.anchor.witness_seconds} * 1000;
  options.timeout_seconds = config.anchor.witness_timeout_seconds;
  options.answers_at_start = config.anchor.kind == "witness" ? config.anchor.witnesses_at_start : 0;
  for (const Config::Witness& witness : config.witnesses) {
    WitnessEndpoint endpoint{.key = {}, .url = witness.url, .roots = witness.roots};
    TALLA_TRY(endpoint.key, certs::parse_verifier_key(hashes, witness.key));
    if (endpoint.key.type != certs::KeyType::witness)
      return fail(ConfigErrc::bad_configuration,
                  "witness.key: " + witness.key + " is no key of a witness");
    TALLA_TRY([[maybe_unused]] const WitnessUrl url, WitnessUrl::parse(witness.url));
    options.witnesses.push_back(std::move(endpoint));
  }
  return std::make_unique<WitnessKeeper>(std::move(options),
                                         WitnessKeeper::Events{.say = std::move(say)});
}

Result<std::unique_ptr<certs::OuterAnchor>> make_device_anchor(const Config& config) {
  std::unique_ptr<certs::Anchor> device;
  if (config.anchor.kind == "tpm") {
    device = certs::make_tpm_anchor({.origin = config.origin,
                                     .tcti = config.anchor.tpm_tcti,
                                     .index = config.anchor.tpm_index,
                                     .auth_file = config.anchor.tpm_auth});
  } else if (config.anchor.kind == "hsm") {
    TALLA_TRY(device, certs::make_hsm_anchor({.origin = config.origin, .uri = config.anchor.hsm}));
  }
  if (!device) return std::unique_ptr<certs::OuterAnchor>();
  return std::unique_ptr<certs::OuterAnchor>(
      std::make_unique<certs::DeviceAnchor>(std::move(device), config.anchor.kind));
}

}  // namespace talla::rngd
