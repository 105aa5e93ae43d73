#include "config/config.hpp"

#include <filesystem>

#include "toml_reader.hpp"

namespace talla::rngd {

std::string_view errc_name(ConfigErrc errc) {
  return errc == ConfigErrc::bad_configuration ? "bad_configuration" : "unknown";
}

namespace {

constexpr std::string_view passphrase_prefix = "passphrase:";
constexpr std::string_view tpm_prefix = "tpm:";

bool is_origin(std::string_view origin) {
  return !origin.empty() && origin.size() <= 128 &&
         std::all_of(origin.begin(), origin.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
                  c == '/';
         });
}

/// One section: absent sections keep their defaults.
template <class Fill>
Status section(TomlReader& whole, const std::string& path, std::string_view name, Fill fill) {
  TALLA_TRY(const toml::table* table, whole.table(name));
  if (table == nullptr) return {};
  TomlReader reader(*table, path, std::string(name) + ".", whole.known());
  TALLA_TRY_STATUS(fill(reader));
  return reader.finish();
}

Status read_api(TomlReader& reader, Config::Api& api) {
  TALLA_TRY_STATUS(reader.text("address", api.address));
  TALLA_TRY_STATUS(reader.integer("port", api.port, 0, 65535));
  TALLA_TRY_STATUS(reader.text("certificate", api.certificate, true));
  TALLA_TRY_STATUS(reader.text("key", api.key, true));
  TALLA_TRY_STATUS(reader.text("client_roots", api.client_roots, true));
  TALLA_TRY_STATUS(reader.text("enrolment", api.enrolment, true));
  TALLA_TRY_STATUS(reader.text("revoked", api.revoked));
  TALLA_TRY_STATUS(reader.list("names", api.names));
  const bool plain = std::ranges::all_of(api.names, [](const std::string& name) {
    return !name.empty() && name.find_first_of("/: ") == std::string::npos;
  });
  if (!plain)
    return reader.refuse(reader.take("names"), "names",
                         "names or IPv4 addresses without port are expected");
  return reader.integer("threads", api.threads, 1, 64);
}

Status read_health(TomlReader& reader, Config::Health& health) {
  TALLA_TRY_STATUS(reader.boolean("enabled", health.enabled));
  TALLA_TRY_STATUS(reader.text("address", health.address));
  if (health.address != "127.0.0.1" && health.address != "::1") {
    return reader.refuse(reader.take("address"), "address",
                         "must be 127.0.0.1 or ::1, it answers without certificates");
  }
  return reader.integer("port", health.port, 0, 65535);
}

Status read_public(TomlReader& reader, Config::Public& listener) {
  TALLA_TRY_STATUS(reader.boolean("enabled", listener.enabled));
  TALLA_TRY_STATUS(reader.text("address", listener.address));
  TALLA_TRY_STATUS(reader.integer("port", listener.port, 0, 65535));
  TALLA_TRY_STATUS(reader.integer("connections", listener.connections, 1, 1024));
  TALLA_TRY_STATUS(reader.text("certificate", listener.certificate));
  TALLA_TRY_STATUS(reader.text("key", listener.key));
  if (listener.certificate.empty() != listener.key.empty())
    return reader.refuse(reader.take(listener.key.empty() ? "certificate" : "key"), "certificate",
                         "goes with a key: both or none");
  return reader.integer("connections_per_address", listener.connections_per_address, 1, 1024);
}

bool is_sha256(std::string_view text) {
  return text.size() == 64 && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

/// The document behind a figure, and of which kind it is.
Status read_assessment(TomlReader& reader, Config::Source::Device& device) {
  TALLA_TRY_STATUS(reader.integer("assessed_millibits", device.assessed_millibits, 1, 8000));
  TALLA_TRY_STATUS(reader.text("assessment", device.assessment));
  const toml::node* document = reader.take("assessment");
  if (document != nullptr && !is_sha256(device.assessment)) {
    return reader.refuse(
        document, "assessment",
        "64 digits 0-9 a-f are expected, the SHA-256 of the report or certificate");
  }
  if (document != nullptr && device.assessed_millibits == 0)
    return reader.refuse(document, "assessment", "needs the figure it found, assessed_millibits");
  TALLA_TRY_STATUS(reader.text("assessment_file", device.assessment_file));
  if (device.assessment.empty() != device.assessment_file.empty()) {
    return reader.refuse(reader.take("assessment_file"), "assessment_file",
                         "the document and its digest, assessment, go together: a record that "
                         "names one says that the appliance had it");
  }
  TALLA_TRY_STATUS(reader.text("assessment_kind", device.assessment_kind));
  const toml::node* kind = reader.take("assessment_kind");
  if (device.assessment_kind != "unit" && device.assessment_kind != "type")
    return reader.refuse(kind, "assessment_kind", "must be unit or type");
  if (kind != nullptr && document == nullptr)
    return reader.refuse(kind, "assessment_kind",
                         "says of what kind assessment is, and there is none");
  return {};
}

Status read_device(TomlReader& reader, Config::Source::Device& device, bool needed) {
  TALLA_TRY_STATUS(reader.text("model", device.model, needed));
  TALLA_TRY_STATUS(reader.text("serial", device.serial));
  TALLA_TRY_STATUS(reader.text("port", device.port));
  if (!device.port.empty() && !device.serial.empty())
    return reader.refuse(reader.take("port"), "port", "instead of a serial, not beside one");
  TALLA_TRY_STATUS(reader.text("settings", device.settings));
  TALLA_TRY_STATUS(read_assessment(reader, device));
  return reader.integer("rate", device.rate, 1, 100'000'000);
}

/// Nobody adds up the entropy of two devices on a site's word: a certification says that they are
/// independent.
Status read_independence(TomlReader& reader, Config::Source::Device& device) {
  TALLA_TRY_STATUS(reader.boolean("independent", device.independent));
  TALLA_TRY_STATUS(reader.text("independence", device.independence));
  if (!device.independence.empty() && !is_sha256(device.independence))
    return reader.refuse(reader.take("independence"), "independence",
                         "64 digits 0-9 a-f are expected, the SHA-256 of the certification");
  if (device.independent && device.independence.empty())
    return reader.refuse(
        reader.take("independent"), "independent",
        "true needs independence, the SHA-256 of the certification that states it; "
        "without it the largest device counts");
  return {};
}

/// Several devices: each named so that no two entries can mean the same one.
Status read_devices(const TomlReader& reader, const toml::node& list, Config::Source& source) {
  constexpr std::size_t devices_max = 16;
  const toml::array* array = list.as_array();
  if (source.kind != "usb") return reader.refuse(&list, "device", "is a list for kind = \"usb\"");
  if (array == nullptr || array->empty() || array->size() > devices_max ||
      !array->is_homogeneous<toml::table>()) {
    return reader.refuse(&list, "device", "a list of 1 to 16 tables is expected");
  }
  for (const toml::node& node : *array) {
    TomlReader entry(*node.as_table(), reader.path(), "source.device.", reader.known());
    Config::Source::Device device;
    TALLA_TRY_STATUS(read_device(entry, device, true));
    TALLA_TRY_STATUS(read_independence(entry, device));
    TALLA_TRY_STATUS(entry.boolean("required", device.required));
    TALLA_TRY_STATUS(entry.finish());
    for (const Config::Source::Device& other : source.devices) {
      const std::string& which = device.port.empty() ? device.serial : device.port;
      const std::string& other_one = other.port.empty() ? other.serial : other.port;
      if (other.model == device.model &&
          (other_one.empty() || which.empty() || other_one == which ||
           other.port.empty() != device.port.empty())) {
        return entry.refuse(
            &node, "serial",
            "two devices of one model need a serial each, or a port each, and different ones");
      }
    }
    source.devices.push_back(std::move(device));
  }
  return {};
}

Status read_source(TomlReader& reader, Config::Source& source) {
  TALLA_TRY_STATUS(reader.text("kind", source.kind));
  if (source.kind != "auto" && source.kind != "system" && source.kind != "usb") {
    return reader.refuse(reader.take("kind"), "kind", "must be auto, system or usb");
  }
  TALLA_TRY_STATUS(reader.text("user", source.user));
  const toml::node* list = reader.take("device");
  if (list == nullptr) {
    Config::Source::Device one;
    TALLA_TRY_STATUS(read_device(reader, one, source.kind == "usb"));
    if (!one.model.empty()) source.devices.push_back(std::move(one));
    return {};
  }
  return read_devices(reader, *list, source);
}

Status read_keys(TomlReader& reader, Config::Keys& keys) {
  TALLA_TRY_STATUS(reader.text("log_key", keys.log_key, true));
  TALLA_TRY_STATUS(reader.text("log_statement", keys.log_statement, true));
  TALLA_TRY_STATUS(reader.text("next_log_key", keys.next_log_key));
  TALLA_TRY_STATUS(reader.text("next_log_statement", keys.next_log_statement));
  if (keys.next_log_key.empty() != keys.next_log_statement.empty())
    return reader.refuse(nullptr, "next_log_statement", "and next_log_key: both or none");
  TALLA_TRY_STATUS(reader.text("sealing_key", keys.sealing_key, true));
  TALLA_TRY_STATUS(reader.text("passphrase", keys.passphrase));
  TALLA_TRY_STATUS(reader.text("encrypted_credential", keys.encrypted_credential));
  const bool derived = keys.sealing_key.starts_with(passphrase_prefix);
  if (derived && keys.passphrase.empty()) {
    return reader.refuse(reader.take("sealing_key"), "passphrase",
                         "is missing; sealing_key is derived from it");
  }
  const bool unsealed = keys.sealing_key.starts_with(tpm_prefix);
  if (!derived && !unsealed && !keys.passphrase.empty()) {
    return reader.refuse(reader.take("passphrase"), "passphrase",
                         "is for sealing_key = \"passphrase:PATH\" or \"tpm:PATH\"");
  }
  TALLA_TRY_STATUS(reader.text("tpm_tcti", keys.tpm_tcti));
  if (!unsealed && !keys.tpm_tcti.empty())
    return reader.refuse(reader.take("tpm_tcti"), "tpm_tcti", "is for sealing_key = \"tpm:PATH\"");
  if (!keys.encrypted_credential.empty() && !keys.sealing_key.starts_with("credential:")) {
    return reader.refuse(reader.take("encrypted_credential"), "encrypted_credential",
                         "is for sealing_key = \"credential:NAME\"");
  }
  return {};
}

Status read_ledger(TomlReader& reader, Config::Ledger& ledger) {
  TALLA_TRY_STATUS(reader.text("kind", ledger.kind));
  const bool server = ledger.kind == "postgres";
  if (!server && ledger.kind != "sqlite")
    return reader.refuse(reader.take("kind"), "kind", "must be sqlite or postgres");
  TALLA_TRY_STATUS(reader.text("connection", ledger.connection));
  if (server && ledger.connection.empty())
    return reader.refuse(nullptr, "connection", "is missing, kind = \"postgres\" needs it");
  if (!server && !ledger.connection.empty())
    return reader.refuse(reader.take("connection"), "connection", "is for kind = \"postgres\"");
  return reader.integer("wait_seconds", ledger.wait_seconds, 0, 500);
}

Status read_software(TomlReader& reader, Config::Software& software) {
  TALLA_TRY_STATUS(reader.text("manifest", software.manifest));
  TALLA_TRY_STATUS(reader.text("signer", software.signer));
  TALLA_TRY_STATUS(reader.text("laboratory", software.laboratory));
  if (software.manifest.empty() != software.signer.empty()) {
    return reader.refuse(nullptr, software.manifest.empty() ? "manifest" : "signer",
                         "is missing; a manifest and the key of its signer go together");
  }
  if (software.manifest.empty() && !software.laboratory.empty())
    return reader.refuse(reader.take("laboratory"), "laboratory", "is for a manifest");
  return reader.integer("check_hours", software.check_hours, 1, 24);
}

Status read_limits(TomlReader& reader, Config::Limits& limits) {
  TALLA_TRY_STATUS(reader.integer("requests_per_second", limits.requests_per_second, 1, 1'000'000));
  TALLA_TRY_STATUS(reader.integer("burst", limits.burst, 1, 1'000'000));
  constexpr std::int64_t places_max = 65'536;
  TALLA_TRY_STATUS(reader.integer("connections", limits.connections, 1, places_max));
  TALLA_TRY_STATUS(
      reader.integer("connections_per_client", limits.connections_per_client, 1, places_max));
  TALLA_TRY_STATUS(
      reader.integer("connections_per_address", limits.connections_per_address, 1, places_max));
  TALLA_TRY_STATUS(reader.integer("streams", limits.streams, 1, places_max));
  TALLA_TRY_STATUS(reader.integer("streams_per_client", limits.streams_per_client, 1, places_max));
  TALLA_TRY_STATUS(
      reader.integer("streams_per_address", limits.streams_per_address, 1, places_max));
  TALLA_TRY_STATUS(reader.integer("strangers", limits.strangers, 1, places_max));
  TALLA_TRY_STATUS(reader.integer("stranger_seconds", limits.stranger_seconds, 1, 60));
  TALLA_TRY_STATUS(
      reader.integer("handshakes_per_address", limits.handshakes_per_address, 1, 10'000));
  TALLA_TRY_STATUS(reader.integer("disk_reserve_mib", limits.disk_reserve_mib, 1, 1 << 20));
  TALLA_TRY_STATUS(reader.integer("batch_count_max", limits.batch_count_max, 1, 256));
  TALLA_TRY_STATUS(
      reader.integer("batch_lifetime_seconds", limits.batch_lifetime_seconds, 1, 86400));
  TALLA_TRY_STATUS(reader.integer("second_person_seconds", limits.second_person_seconds, 60, 3600));
  return reader.integer("clock_step_max_seconds", limits.clock_step_max_seconds, 1, 86400);
}

Status read_anchor(TomlReader& reader, Config::Anchor& anchor) {
  TALLA_TRY_STATUS(reader.text("kind", anchor.kind));
  if (anchor.kind != "local" && anchor.kind != "tpm" && anchor.kind != "hsm" &&
      anchor.kind != "witness") {
    return reader.refuse(reader.take("kind"), "kind", "must be local, tpm, hsm or witness");
  }
  TALLA_TRY_STATUS(reader.text("tpm_tcti", anchor.tpm_tcti));
  TALLA_TRY_STATUS(reader.integer("tpm_index", anchor.tpm_index, 0x01800000, 0x01bffffe));
  TALLA_TRY_STATUS(reader.text("tpm_auth", anchor.tpm_auth));
  if (anchor.kind == "tpm" && anchor.tpm_auth.empty()) {
    return reader.refuse(
        nullptr, "tpm_auth",
        "is missing for kind = \"tpm\": a private file with 16 to 32 bytes; make one: "
        "(umask 077; openssl rand -hex 16 | tr -d '\\n' > tpm.auth)");
  }
  TALLA_TRY_STATUS(reader.text("hsm", anchor.hsm));
  if (anchor.kind == "hsm" && anchor.hsm.empty())
    return reader.refuse(nullptr, "hsm", "is missing for kind = \"hsm\"");
  TALLA_TRY_STATUS(reader.integer("interval_seconds", anchor.interval_seconds, 1, 86400));
  TALLA_TRY_STATUS(reader.integer("lost_after_seconds", anchor.lost_after_seconds, 0, 604800));
  if (anchor.lost_after_seconds != 0 && anchor.lost_after_seconds <= anchor.interval_seconds) {
    return reader.refuse(reader.take("lost_after_seconds"), "lost_after_seconds",
                         "must be above interval_seconds, or 0");
  }
  TALLA_TRY_STATUS(reader.integer("witness_seconds", anchor.witness_seconds, 1, 3600));
  TALLA_TRY_STATUS(
      reader.integer("witness_timeout_seconds", anchor.witness_timeout_seconds, 1, 60));
  return reader.integer("witnesses_at_start", anchor.witnesses_at_start, 1, 16);
}

/// The list `[[witness]]`.
Status read_witnesses(TomlReader& reader, Config& config) {
  constexpr std::size_t witnesses_max = 16;
  const toml::node* list = reader.take("witness");
  if (list == nullptr) return {};
  const toml::array* array = list->as_array();
  if (array == nullptr || array->empty() || array->size() > witnesses_max ||
      !array->is_homogeneous<toml::table>()) {
    return reader.refuse(list, "witness", "a list of 1 to 16 tables is expected");
  }
  for (const toml::node& node : *array) {
    TomlReader entry(*node.as_table(), reader.path(), "witness.", reader.known());
    Config::Witness witness;
    TALLA_TRY_STATUS(entry.text("key", witness.key, true));
    TALLA_TRY_STATUS(entry.text("url", witness.url, true));
    TALLA_TRY_STATUS(entry.text("roots", witness.roots));
    TALLA_TRY_STATUS(entry.finish());
    const bool twice =
        std::any_of(config.witnesses.begin(), config.witnesses.end(),
                    [&](const Config::Witness& other) { return other.key == witness.key; });
    if (twice) return entry.refuse(&node, "key", "this witness is listed already");
    if (witness.url.starts_with("https://") && witness.roots.empty())
      return entry.refuse(&node, "roots", "is missing; an https witness shows a certificate");
    config.witnesses.push_back(std::move(witness));
  }
  return {};
}

Status read_egd(TomlReader& reader, Config::Egd& egd) {
  TALLA_TRY_STATUS(reader.text("socket", egd.socket));
  TALLA_TRY_STATUS(reader.text("group", egd.group));
  TALLA_TRY_STATUS(reader.text("address", egd.address));
  if (egd.address != "127.0.0.1" && egd.address != "::1") {
    return reader.refuse(reader.take("address"), "address",
                         "must be 127.0.0.1 or ::1, it answers without certificates");
  }
  TALLA_TRY_STATUS(reader.integer("port", egd.port, 0, 65535));
  TALLA_TRY_STATUS(reader.integer("clients", egd.clients, 1, 1024));
  TALLA_TRY_STATUS(reader.integer("bytes_per_second", egd.bytes_per_second, 1, 1 << 24));
  TALLA_TRY_STATUS(reader.boolean("uncertified", egd.uncertified));
  if (egd.enabled()) return {};
  return reader.refuse(nullptr, "socket", "is missing, and so is port");
}

Status read_kernel_feed(TomlReader& reader, Config::KernelFeed& feed) {
  TALLA_TRY_STATUS(reader.boolean("enabled", feed.enabled));
  TALLA_TRY_STATUS(reader.integer("bytes_per_second", feed.bytes_per_second, 1, 65'536));
  return reader.integer("credit_bits_per_byte", feed.credit_bits_per_byte, 0, 8);
}

Status read_laboratory(TomlReader& reader, Config::Laboratory& laboratory) {
  TALLA_TRY_STATUS(reader.integer("bytes_per_second", laboratory.bytes_per_second, 0, 1'048'576));
  if (laboratory.bytes_per_second == 0 || laboratory.bytes_per_second >= 256) return {};
  return reader.refuse(reader.take("bytes_per_second"), "bytes_per_second",
                       "must be 0 (no samples are set aside) or 256 to 1048576");
}

Status read_severity(TomlReader& reader, std::string_view key, std::string& severity) {
  TALLA_TRY_STATUS(reader.text(key, severity));
  if (severity == "record" || severity == "latch") return {};
  return reader.refuse(reader.take(key), key, "must be record or latch");
}

Status read_monitors(TomlReader& reader, Config::Monitors& monitors) {
  TALLA_TRY_STATUS(reader.boolean("enabled", monitors.enabled));
  TALLA_TRY_STATUS(reader.real("alpha", monitors.alpha, 1e-9, 0.1));
  TALLA_TRY_STATUS(reader.integer("run_length", monitors.run_length, 1000, 1'000'000'000'000));
  TALLA_TRY_STATUS(reader.integer("bits_per_second", monitors.bits_per_second, 0, 1'000'000));
  TALLA_TRY_STATUS(read_severity(reader, "noise", monitors.noise));
  TALLA_TRY_STATUS(read_severity(reader, "bits", monitors.bits));
  TALLA_TRY_STATUS(read_severity(reader, "outcomes", monitors.outcomes));
  TALLA_TRY_STATUS(read_severity(reader, "detectors", monitors.detectors));
  return read_severity(reader, "quality", monitors.quality);
}

Status read_certification(TomlReader& reader, Config::Certification& certification) {
  TALLA_TRY_STATUS(reader.text("folder", certification.folder, true));
  TALLA_TRY_STATUS(reader.text("type_root", certification.type_root, true));
  return reader.text("installation_root", certification.installation_root, true);
}

Status read_all(TomlReader& reader, const std::string& path, Config& config) {
  std::string profile = "development";
  TALLA_TRY_STATUS(reader.text("profile", profile, true));
  if (profile != "development" && profile != "production") {
    return reader.refuse(reader.take("profile"), "profile", "must be development or production");
  }
  config.profile = profile == "production" ? Profile::production : Profile::development;
  TALLA_TRY_STATUS(reader.text("origin", config.origin, true));
  if (!is_origin(config.origin)) {
    return reader.refuse(reader.take("origin"), "origin",
                         "must be 1 to 128 characters of a-z 0-9 . - /");
  }
  TALLA_TRY_STATUS(reader.text("data", config.data_folder, true));
  TALLA_TRY_STATUS(reader.text("tiles", config.tiles_folder));
  TALLA_TRY_STATUS(section(reader, path, "ledger",
                           [&](TomlReader& r) { return read_ledger(r, config.ledger); }));
  TALLA_TRY_STATUS(
      section(reader, path, "api", [&](TomlReader& r) { return read_api(r, config.api); }));
  TALLA_TRY_STATUS(section(reader, path, "health",
                           [&](TomlReader& r) { return read_health(r, config.health); }));
  TALLA_TRY_STATUS(section(reader, path, "public",
                           [&](TomlReader& r) { return read_public(r, config.public_listener); }));
  TALLA_TRY_STATUS(section(reader, path, "source",
                           [&](TomlReader& r) { return read_source(r, config.source); }));
  TALLA_TRY_STATUS(
      section(reader, path, "keys", [&](TomlReader& r) { return read_keys(r, config.keys); }));
  TALLA_TRY_STATUS(section(reader, path, "software",
                           [&](TomlReader& r) { return read_software(r, config.software); }));
  TALLA_TRY_STATUS(section(reader, path, "certification", [&](TomlReader& r) {
    return read_certification(r, config.certification);
  }));
  TALLA_TRY_STATUS(section(reader, path, "limits",
                           [&](TomlReader& r) { return read_limits(r, config.limits); }));
  TALLA_TRY_STATUS(section(reader, path, "monitors",
                           [&](TomlReader& r) { return read_monitors(r, config.monitors); }));
  TALLA_TRY_STATUS(section(reader, path, "anchor",
                           [&](TomlReader& r) { return read_anchor(r, config.anchor); }));
  TALLA_TRY_STATUS(read_witnesses(reader, config));
  TALLA_TRY_STATUS(
      section(reader, path, "egd", [&](TomlReader& r) { return read_egd(r, config.egd); }));
  TALLA_TRY_STATUS(section(reader, path, "kernel_feed",
                           [&](TomlReader& r) { return read_kernel_feed(r, config.kernel_feed); }));
  TALLA_TRY_STATUS(section(reader, path, "laboratory",
                           [&](TomlReader& r) { return read_laboratory(r, config.laboratory); }));
  TALLA_TRY_STATUS(reader.finish());
  if (config.api.certificate.empty()) return reader.refuse(nullptr, "api", "is missing");
  if (config.keys.log_key.empty()) return reader.refuse(nullptr, "keys", "is missing");
  if (config.anchor.kind == "witness" &&
      config.witnesses.size() < config.anchor.witnesses_at_start) {
    return reader.refuse(nullptr, "anchor.kind",
                         "witness needs as many [[witness]] as witnesses_at_start says");
  }
  if (config.profile == Profile::production && config.source.kind == "auto") {
    return reader.refuse(nullptr, "source.kind",
                         "auto is for development; production names its source");
  }
  return {};
}

void resolve_paths(Config& config, const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  const auto resolve = [&folder](std::string& file) {
    if (!file.empty()) file = (folder / file).lexically_normal().string();
  };
  for (std::string* file :
       {&config.data_folder, &config.tiles_folder, &config.api.certificate, &config.api.key,
        &config.api.client_roots, &config.api.enrolment, &config.api.revoked,
        &config.public_listener.certificate, &config.public_listener.key,
        &config.keys.log_statement, &config.keys.next_log_statement,
        &config.keys.encrypted_credential, &config.egd.socket, &config.software.manifest,
        &config.certification.folder, &config.certification.type_root,
        &config.certification.installation_root}) {
    resolve(*file);
  }
  for (std::string* key :
       {&config.keys.log_key, &config.keys.next_log_key, &config.keys.sealing_key,
        &config.keys.passphrase, &config.anchor.tpm_auth}) {
    if (key->starts_with("pkcs11:") || key->starts_with("credential:")) continue;
    std::string_view prefix;
    for (const std::string_view one : {passphrase_prefix, tpm_prefix}) {
      if (key->starts_with(one)) prefix = one;
    }
    std::string file = key->substr(prefix.size());
    resolve(file);
    *key = std::string(prefix) + file;
  }
  for (Config::Source::Device& device : config.source.devices) resolve(device.assessment_file);
  for (Config::Witness& witness : config.witnesses) {
    if (!witness.roots.empty())
      witness.roots = (folder / witness.roots).lexically_normal().string();
  }
}

}  // namespace

Result<Config> parse_config(std::string_view text, const std::string& path,
                            std::vector<KnownKey>* known) {
  TALLA_TRY(const toml::table parsed, parse_toml(text, path));
  Config config;
  TomlReader reader(parsed, path, "", known);
  TALLA_TRY_STATUS(read_all(reader, path, config));
  resolve_paths(config, path);
  return config;
}

Result<Config> load_config(const std::string& path) {
  TALLA_TRY(const std::string text, read_text(path));
  return parse_config(text, path);
}

}  // namespace talla::rngd
