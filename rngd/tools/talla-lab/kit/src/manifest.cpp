#include "lab_kit/manifest.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <system_error>

namespace talla::lab {
namespace {

std::string reason() {
  return std::error_code(errno, std::generic_category()).message();
}

std::string bcd_text(std::uint16_t bcd) {
  return fmt::format("{:x}.{:02x}", bcd >> 8U, bcd & 0xFFU);
}

Bytes file_content(const char* path) {
  Bytes content;
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return content;
  Bytes block(65'536);
  for (std::size_t size = 0; (size = std::fread(block.data(), 1, block.size(), file)) > 0;)
    content.insert(content.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(size));
  static_cast<void>(std::fclose(file));
  return content;
}

Status write_all(int fd, const std::string& path, ByteView content) {
  while (!content.empty()) {
    const ssize_t put = ::write(fd, content.data(), content.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return fail(LabErrc::file_io, path + ": " + reason());
    content = content.subspan(static_cast<std::size_t>(put));
  }
  if (::fsync(fd) != 0) return fail(LabErrc::file_io, path + ": " + reason());
  return {};
}

json::Object restarts_json(const Wish& wish, const Collection& collection) {
  const RestartMethod method = collection.method.value_or(RestartMethod::reopen);
  json::Object restarts{{"method", method_name(method)},
                        {"sp800_90b_restart_set", restart_set_verdict(method)},
                        {"meaning", restart_set_words(method)},
                        {"rows_repeated", collection.begun_again}};
  if (method == RestartMethod::port_power) restarts["off_ms"] = wish.off_ms;
  if (!collection.weaker_because.empty()) restarts["weaker_because"] = collection.weaker_because;
  return restarts;
}

bool meets_standard(const Wish& wish, const Collection& collection) {
  if (wish.purpose != Purpose::restart) return collection.samples.size() >= sequential_samples;
  return wish.rows == restart_rows && wish.columns == restart_columns &&
         collection.method == RestartMethod::port_power;
}

}  // namespace

std::string utc_text(std::int64_t utc_us) {
  const std::time_t seconds = utc_us / 1'000'000;
  std::tm parts{};
  if (::gmtime_r(&seconds, &parts) == nullptr) return {};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     utc_us % 1'000'000);
}

std::string manifest_path(const std::string& data_path) {
  return data_path + ".manifest.json";
}

json::Object device_json(const usb::FoundDevice& device) {
  const auto& info = device.info;
  return {{"model", device.model},
          {"manufacturer", info.manufacturer},
          {"product", info.product},
          {"serial", info.serial},
          {"usb_id", fmt::format("{:04x}:{:04x}", info.vendor_id, info.product_id)},
          {"firmware_bcd_device", bcd_text(info.release_bcd)},
          {"place", info.place()},
          {"class", entropy::source_class_name(device.description.source_class)},
          {"bits_per_sample", device.description.bits_per_sample},
          {"assessed_millibits_per_sample", device.description.assessed_millibits_per_sample}};
}

json::Object settings_json(const usb::DriverOptions& options) {
  json::Object settings;
  for (const auto& [key, value] : options.settings) settings[key] = value;
  return settings;
}

json::Object software_json(const HashSuite& hashes) {
  const Bytes program = file_content("/proc/self/exe");
  return {{"program", "talla-lab"},
          {"version", TALLA_VERSION},
          {"sha256", program.empty() ? std::string() : to_hex(hashes.sha256({program}))}};
}

json::Value manifest_of(const Wish& wish, const Collection& collection,
                        const std::string& data_name, const HashSuite& hashes) {
  json::Array pieces;
  if (wish.purpose != Purpose::restart) {
    for (const std::size_t length : collection.pieces) pieces.emplace_back(length);
  }
  json::Object device = device_json(collection.device);
  device["assessment_origin"] = collection.origin;
  device["quirks"] = collection.quirks;
  json::Object samples{{"count", collection.samples.size()},
                       {"width_bits", collection.device.description.bits_per_sample},
                       {"layout", "one sample a byte, in the low bits"},
                       {"sets_begun_again", collection.begun_again}};
  if (wish.purpose == Purpose::restart) {
    samples["rows"] = wish.rows;
    samples["columns"] = wish.columns;
  } else {
    samples["consecutive_sets"] = std::move(pieces);
  }
  const std::int64_t ms = collection.streamed_ns / 1'000'000;
  json::Object manifest{
      {"kind", "talla-lab collection"},
      {"format", 1},
      {"standard", "SP 800-90B"},
      {"purpose", purpose_name(wish.purpose)},
      {"as_the_standard_asks", meets_standard(wish, collection)},
      {"software", software_json(hashes)},
      {"time", json::Object{{"began", utc_text(collection.began_us)},
                            {"ended", utc_text(collection.ended_us)},
                            {"reading_ms", ms}}},
      {"device", std::move(device)},
      {"settings", settings_json(wish.options)},
      {"samples", std::move(samples)},
      {"stream", json::Object{{"transfers", collection.stream.transfers},
                              {"stalls", collection.stream.stalls},
                              {"failed_transfers", collection.stream.failures},
                              {"silences", collection.stream.silences},
                              {"dropped_blocks", collection.stream.dropped_blocks}}},
      {"file", json::Object{{"name", data_name},
                            {"bytes", collection.samples.size()},
                            {"sha256", to_hex(hashes.sha256({collection.samples}))}}}};
  if (wish.purpose == Purpose::restart) manifest["restarts"] = restarts_json(wish, collection);
  return manifest;
}

Status check_absent(const std::string& path) {
  struct stat about {};
  if (::lstat(path.c_str(), &about) == 0)
    return fail(LabErrc::file_exists, path + " exists; evidence is never overwritten");
  return {};
}

Status write_new(const std::string& path, ByteView content) {
  TALLA_TRY_STATUS(check_absent(path));
  const std::string part = path + ".part";
  const int fd = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (fd < 0) return fail(LabErrc::file_io, part + ": " + reason());
  auto written = write_all(fd, part, content);
  static_cast<void>(::close(fd));
  // A hard link does not replace what came into being meanwhile.
  if (written && ::link(part.c_str(), path.c_str()) != 0)
    written =
        fail(errno == EEXIST ? LabErrc::file_exists : LabErrc::file_io, path + ": " + reason());
  static_cast<void>(::unlink(part.c_str()));
  return written;
}

Status write_evidence(const std::string& data_path, ByteView data, const json::Value& manifest) {
  TALLA_TRY_STATUS(check_absent(manifest_path(data_path)));
  TALLA_TRY_STATUS(write_new(data_path, data));
  const std::string text = json::canonical(manifest) + "\n";
  auto written = write_new(manifest_path(data_path), as_bytes(text));
  if (!written) static_cast<void>(::unlink(data_path.c_str()));
  return written;
}

}  // namespace talla::lab
