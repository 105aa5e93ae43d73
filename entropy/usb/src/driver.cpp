#include "usb/driver.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "usb/errors.hpp"

namespace talla::usb {
namespace {

bool is_word(std::string_view text) {
  return !text.empty() && text.size() <= 32 && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

}  // namespace

Result<Settings> parse_settings(std::string_view text) {
  Settings settings;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos || !is_word(one.substr(0, equals)) ||
        !is_word(one.substr(equals + 1))) {
      return fail(UsbErrc::bad_option, "settings are KEY=VALUE, separated by commas");
    }
    if (!settings.emplace(one.substr(0, equals), one.substr(equals + 1)).second) {
      return fail(UsbErrc::bad_option,
                  "setting \"" + std::string(one.substr(0, equals)) + "\" stands twice");
    }
    if (one.size() + 1 == text.size())
      return fail(UsbErrc::bad_option, "settings end with a comma");
    text.remove_prefix(std::min(one.size() + 1, text.size()));
  }
  return settings;
}

void take_back(SecretBytes& samples, std::size_t kept) {
  wipe(samples.data() + kept, samples.size() - kept);
  samples.resize(kept);
}

void Device::pause(unsigned ms) {
  std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

Status Driver::configure(const DeviceInfo& /*info*/, const Settings& settings) {
  if (settings.empty()) return {};
  return fail(UsbErrc::bad_option,
              std::string(model()) + " has no setting \"" + settings.begin()->first + "\"");
}

entropy::SourceDescription Driver::describe(const DeviceInfo& info,
                                            const DriverOptions& options) const {
  const StreamClaim claimed = claim();
  entropy::SourceDescription description;
  description.model = model();
  description.serial = info.serial;
  description.source_class = claimed.source_class;
  description.bits_per_sample = claimed.bits_per_sample;
  description.assessed_millibits_per_sample = options.assessed_millibits_per_sample != 0
                                                  ? options.assessed_millibits_per_sample
                                                  : claimed.millibits_per_sample;
  description.nominal_rate_hz = options.nominal_rate_hz;
  return description;
}

}  // namespace talla::usb
