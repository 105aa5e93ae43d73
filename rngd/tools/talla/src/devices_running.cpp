#include "devices_running.hpp"

#include <fmt/format.h>

#include "members.hpp"
#include "steps.hpp"

namespace talla::cli {

namespace {

const json::Value* sources_of(const json::Value& status) {
  const json::Value* generator = status.find("generator");
  const json::Value* sources = generator == nullptr ? nullptr : generator->find("sources");
  return sources != nullptr && sources->is_array() ? sources : nullptr;
}

std::int64_t count_at(const json::Value& of, std::string_view name) {
  return number_in(of, name).value_or(0);
}
std::string word(const json::Value& of, std::string_view name) {
  return of.find(name) == nullptr ? std::string() : word_in(of, name);
}

std::string health_of(const json::Value& source) {
  return says(source, "lost") ? "lost" : word(source, "verdict");
}

/// What the driver measures of its device, and what it had to overcome; empty where there is
/// nothing to say.
std::string device_text(const json::Value& source) {
  const json::Value* device = source.find("device");
  if (device == nullptr) return {};
  std::string text;
  const auto thousandths = [&](std::string_view name, const char* words, const char* unit) {
    const auto value = count_at(*device, name);
    if (value > 0) text += fmt::format("; {} {}.{:03}{}", words, value / 1000, value % 1000, unit);
  };
  thousandths("gain_permille", "gain", "");
  thousandths("supply_millivolts", "supply", " V");
  const auto variance = count_at(*device, "sample_variance");
  if (variance > 0) text += fmt::format("; variance of its words {}", variance);
  const auto firmware = count_at(*device, "firmware_version");
  if (firmware > 0) text += fmt::format("; firmware version {}", firmware);
  for (const auto& [name, words] :
       {std::pair("blocks_dropped", "blocks dropped"),
        std::pair("stalls_cleared", "stalls cleared"), std::pair("silences", "silences")}) {
    if (const auto count = count_at(*device, name); count > 0)
      text += fmt::format("; {} {}", count, words);
  }
  return text;
}

}  // namespace

Status RunningDevices::look(Session& session) {
  TALLA_TRY(json::Value status, session.get("/v1/status"));
  if (sources_of(status) == nullptr)
    return fail(CliErrc::appliance_refused, "the status of the appliance names no sources");
  before_ = std::exchange(now_, std::move(status));
  return {};
}

std::optional<std::int64_t> RunningDevices::rate_of(std::size_t index) const {
  if (!before_.is_object()) return std::nullopt;
  const json::Value* old = sources_of(before_);
  const auto passed_us = count_at(now_, "time") - count_at(before_, "time");
  if (old == nullptr || index >= old->array().size() || passed_us <= 0) return std::nullopt;
  const auto samples = count_at(sources_of(now_)->array()[index], "samples") -
                       count_at(old->array()[index], "samples");
  constexpr std::int64_t of_a_second = 1'000'000;
  const bool told = samples >= 0 && samples <= INT64_MAX / of_a_second;
  return told ? std::optional(samples * of_a_second / passed_us) : std::nullopt;
}

void RunningDevices::show(App& app) const {
  json::Array configured;
  std::size_t index = 0;
  for (const json::Value& source : sources_of(now_)->array()) {
    const auto rate = rate_of(index++);
    json::Value row = source.is_object() ? source : json::Value(json::Object{});
    row["health"] = health_of(source);
    if (rate) row["rate"] = *rate;
    configured.push_back(std::move(row));
    const std::string serial = word(source, "serial");
    std::string credit = "mixed in, credited with nothing";
    if (says(source, "credited")) {
      credit = fmt::format("{} of {} millibits a sample, {} bits credited",
                           count_at(source, "millibits"), 1000 * count_at(source, "bits"),
                           count_at(source, "credited_bits"));
    }
    const std::string origin = word(source, "assessment");
    if (origin == "assumed" || origin == "stated")
      credit += fmt::format(" (figure {}: the source is uncertified)", origin);
    app.say(fmt::format("in use: {}{}: {}, {}, {}; {} alarms{}{}", word(source, "model"),
                        serial.empty() ? "" : " " + serial, health_of(source),
                        rate ? fmt::format("{} samples/s", *rate) : "rate not known yet", credit,
                        count_at(source, "alarms"), device_text(source),
                        says(source, "required") ? "; required" : ""));
  }
  const std::string state = word(member_in(now_, "generator"), "state");
  app.say("generator: " + state);
  app.emit(json::Object{{"configured", std::move(configured)}, {"generator", state}});
}

}  // namespace talla::cli
