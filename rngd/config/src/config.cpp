#include "config/config.hpp"

#include <filesystem>

#include "toml_reader.hpp"

namespace talla::rngd {

std::string_view errc_name(ConfigErrc errc) {
  return errc == ConfigErrc::bad_configuration ? "bad_configuration" : "unknown";
}

namespace {

bool is_origin(std::string_view origin) {
  return !origin.empty() && origin.size() <= 128 && std::all_of(origin.begin(), origin.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '/';
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

Status read_device(TomlReader& reader, Config::Source::Device& device, bool needed) {
  TALLA_TRY_STATUS(reader.text("model", device.model, needed));
  TALLA_TRY_STATUS(reader.text("serial", device.serial));
  TALLA_TRY_STATUS(reader.text("settings", device.settings));
  TALLA_TRY_STATUS(reader.integer("assessed_millibits", device.assessed_millibits, 1, 8000));
  return reader.integer("rate", device.rate, 1, 100'000'000);
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
    TALLA_TRY_STATUS(entry.boolean("independent", device.independent));
    TALLA_TRY_STATUS(entry.boolean("required", device.required));
    TALLA_TRY_STATUS(entry.finish());
    for (const Config::Source::Device& other : source.devices) {
      if (other.model == device.model &&
          (other.serial.empty() || device.serial.empty() || other.serial == device.serial)) {
        return entry.refuse(&node, "serial",
                            "two devices of one model need a serial each, and different ones");
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
    one.independent = true;
    TALLA_TRY_STATUS(read_device(reader, one, source.kind == "usb"));
    if (!one.model.empty()) source.devices.push_back(std::move(one));
    return {};
  }
  return read_devices(reader, *list, source);
}

Status read_keys(TomlReader& reader, Config::Keys& keys) {
  TALLA_TRY_STATUS(reader.text("log_key", keys.log_key, true));
  TALLA_TRY_STATUS(reader.text("log_statement", keys.log_statement, true));
  return reader.text("sealing_key", keys.sealing_key, true);
}

Status read_limits(TomlReader& reader, Config::Limits& limits) {
  TALLA_TRY_STATUS(reader.integer("requests_per_second", limits.requests_per_second, 1, 1'000'000));
  TALLA_TRY_STATUS(reader.integer("burst", limits.burst, 1, 1'000'000));
  TALLA_TRY_STATUS(reader.integer("connections", limits.connections, 1, 65536));
  TALLA_TRY_STATUS(reader.integer("disk_reserve_mib", limits.disk_reserve_mib, 1, 1 << 20));
  TALLA_TRY_STATUS(reader.integer("batch_count_max", limits.batch_count_max, 1, 256));
  TALLA_TRY_STATUS(reader.integer("batch_lifetime_seconds", limits.batch_lifetime_seconds, 1, 86400));
  TALLA_TRY_STATUS(reader.integer("second_person_seconds", limits.second_person_seconds, 60, 3600));
  return reader.integer("clock_step_max_seconds", limits.clock_step_max_seconds, 1, 86400);
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

Status read_all(TomlReader& reader, const std::string& path, Config& config) {
  std::string profile = "development";
  TALLA_TRY_STATUS(reader.text("profile", profile, true));
  if (profile != "development" && profile != "production") {
    return reader.refuse(reader.take("profile"), "profile", "must be development or production");
  }
  config.profile = profile == "production" ? Profile::production : Profile::development;
  TALLA_TRY_STATUS(reader.text("origin", config.origin, true));
  if (!is_origin(config.origin)) {
    return reader.refuse(reader.take("origin"), "origin", "must be 1 to 128 characters of a-z 0-9 . - /");
  }
  TALLA_TRY_STATUS(reader.text("data", config.data_folder, true));
  TALLA_TRY_STATUS(section(reader, path, "api", [&](TomlReader& r) { return read_api(r, config.api); }));
  TALLA_TRY_STATUS(
      section(reader, path, "health", [&](TomlReader& r) { return read_health(r, config.health); }));
  TALLA_TRY_STATUS(
      section(reader, path, "source", [&](TomlReader& r) { return read_source(r, config.source); }));
  TALLA_TRY_STATUS(section(reader, path, "keys", [&](TomlReader& r) { return read_keys(r, config.keys); }));
  TALLA_TRY_STATUS(
      section(reader, path, "limits", [&](TomlReader& r) { return read_limits(r, config.limits); }));
  TALLA_TRY_STATUS(
      section(reader, path, "monitors", [&](TomlReader& r) { return read_monitors(r, config.monitors); }));
  TALLA_TRY_STATUS(section(reader, path, "egd", [&](TomlReader& r) { return read_egd(r, config.egd); }));
  TALLA_TRY_STATUS(section(reader, path, "kernel_feed",
                           [&](TomlReader& r) { return read_kernel_feed(r, config.kernel_feed); }));
  TALLA_TRY_STATUS(reader.finish());
  if (config.api.certificate.empty()) return reader.refuse(nullptr, "api", "is missing");
  if (config.keys.log_key.empty()) return reader.refuse(nullptr, "keys", "is missing");
  if (config.profile == Profile::production && config.source.kind == "auto") {
    return reader.refuse(nullptr, "source.kind", "auto is for development; production names its source");
  }
  return {};
}

void resolve_paths(Config& config, const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  for (std::string* file : {&config.data_folder, &config.api.certificate, &config.api.key,
                            &config.api.client_roots, &config.api.enrolment, &config.keys.log_key,
                            &config.keys.log_statement, &config.keys.sealing_key, &config.egd.socket}) {
    if (!file->empty()) *file = (folder / *file).lexically_normal().string();
  }
}

}  // namespace

Result<Config> parse_config(std::string_view text, const std::string& path, std::vector<KnownKey>* known) {
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
