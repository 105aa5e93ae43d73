// What a daemon tells a source process over its socket: which device to read, and how.
#include "usb/source_wish.hpp"

#include "base/json.hpp"
#include "usb/errors.hpp"

namespace talla::usb {

namespace {

constexpr std::int64_t wait_s_max = 86'400;
constexpr std::int64_t millibits_max = 8000;

Result<SourceWish> read_wish(json::Reader reader) {
  SourceWish wish;
  TALLA_TRY(wish.device, reader.string("device"));
  TALLA_TRY(wish.settings, reader.string("settings"));
  TALLA_TRY(const std::int64_t millibits, reader.integer("assessed_millibits", 0, millibits_max));
  TALLA_TRY(const std::int64_t rate, reader.integer("rate", 0, UINT32_MAX));
  TALLA_TRY(const std::int64_t wait_s, reader.integer("wait", 0, wait_s_max));
  TALLA_TRY_STATUS(reader.finish());
  wish.assessed_millibits_per_sample = static_cast<std::uint32_t>(millibits);
  wish.nominal_rate_hz = static_cast<std::uint32_t>(rate);
  wish.wait_for_device_s = static_cast<unsigned>(wait_s);
  return wish;
}

}  // namespace

std::string encode_wish(const SourceWish& wish) {
  return json::canonical(
             json::Value(json::Object{{"assessed_millibits", wish.assessed_millibits_per_sample},
                                      {"device", wish.device},
                                      {"rate", wish.nominal_rate_hz},
                                      {"settings", wish.settings},
                                      {"wait", wish.wait_for_device_s}})) +
         "\n";
}

Result<SourceWish> decode_wish(std::string_view line) {
  const auto refused = [](const std::string& why) {
    return fail(UsbErrc::malformed_frame, "what the core asks for: " + why);
  };
  if (line.size() >= wish_bytes_max) return refused("too long");
  const auto value = json::parse(line);
  if (!value || !value->is_object()) return refused("no JSON object");
  auto wish = read_wish(json::Reader(*value, "wish"));
  if (!wish) return refused(wish.error().detail);
  return wish;
}

}  // namespace talla::usb
