/// \file
/// A noise source that is looked at on its way to the gate. It changes nothing and keeps nothing.
#pragma once

#include <algorithm>

#include "monitor/monitors.hpp"

namespace talla::rngd {

/// The stream's key: model, serial and claimed min-entropy, so that another claim is another
/// stream.
[[nodiscard]] inline std::string noise_key(const entropy::SourceDescription& source) {
  std::string key = source.model + (source.serial.empty() ? "" : "-" + source.serial) + "-" +
                    std::to_string(source.assessed_millibits_per_sample);
  std::ranges::replace_if(
      key,
      [](char c) {
        return !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                 c == '-' || c == '_' || c == '.');
      },
      '_');
  return key;
}

class NoiseTap final : public entropy::NoiseSource {
 public:
  NoiseTap(std::unique_ptr<entropy::NoiseSource> source, Monitors& monitors)
      : source_(std::move(source)), monitors_(monitors), key_(noise_key(source_->description())) {}
  [[nodiscard]] const entropy::SourceDescription& description() const override {
    return source_->description();
  }
  [[nodiscard]] Result<std::size_t> read(std::span<std::uint8_t> samples,
                                         unsigned timeout_ms) override {
    auto got = source_->read(samples, timeout_ms);
    if (got && *got > 0 && *got <= samples.size())
      monitors_.observe_noise(key_, samples.first(*got));
    return got;
  }
  [[nodiscard]] Status renew() override { return source_->renew(); }
  void stop() override { source_->stop(); }
  [[nodiscard]] const std::string& key() const { return key_; }

 private:
  std::unique_ptr<entropy::NoiseSource> source_;
  Monitors& monitors_;
  std::string key_;
};

}  // namespace talla::rngd
