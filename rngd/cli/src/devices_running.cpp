#include "devices_running.hpp"

#include <fmt/format.h>

#include "steps.hpp"

namespace talla::cli {

namespace {

const json::Value* sources_of(const json::Value& status) {
  const json::Value* generator = status.find("generator");
  const json::Value* sources = generator == nullptr ? nullptr : generator->find("sources");
  return sources != nullptr && sources->is_array() ? sources : nullptr;
}

std::int64_t number(const json::Value& of, std::string_view name) {
  const json::Value* found = of.find(name);
  return found != nullptr && found->is_integer() ? found->integer() : 0;
}
bool flag(const json::Value& of, std::string_view name) {
  const json::Value* found = of.find(name);
  return found != nullptr && found->is_bool() && found->boolean();
}
std::string word(const json::Value& of, std::string_view name) {
  const json::Value* found = of.find(name);
  return found != nullptr && found->is_string() ? found->string() : std::string();
}

std::string health_of(const json::Value& source) {
  return flag(source, "lost") ? "lost" : word(source, "verdict");
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
  const auto passed_us = number(now_, "time") - number(before_, "time");
  if (old == nullptr || index >= old->array().size() || passed_us <= 0) return std::nullopt;
  const auto samples =
      number(sources_of(now_)->array()[index], "samples") - number(old->array()[index], "samples");
  return samples < 0 ? std::nullopt : std::optional(samples * 1'000'000 / passed_us);
}

void RunningDevices::show(App& app) const {
  json::Array configured;
  std::size_t index = 0;
  for (const json::Value& source : sources_of(now_)->array()) {
    const auto rate = rate_of(index++);
    json::Value row = source;
    row["health"] = health_of(source);
    if (rate) row["rate"] = *rate;
    configured.push_back(std::move(row));
    const std::string serial = word(source, "serial");
    std::string credit = "mixed in, credited with nothing";
    if (flag(source, "credited")) {
      credit = fmt::format("{} of {} millibits a sample, {} bits credited", number(source, "millibits"),
                           1000 * number(source, "bits"), number(source, "credited_bits"));
    }
    app.say(fmt::format("in use: {}{}: {}, {}, {}; {} alarms{}", word(source, "model"),
                        serial.empty() ? "" : " " + serial, health_of(source),
                        rate ? fmt::format("{} samples/s", *rate) : "rate not known yet", credit,
                        number(source, "alarms"), flag(source, "required") ? "; required" : ""));
  }
  const std::string state = word(*now_.find("generator"), "state");
  app.say("generator: " + state);
  app.emit(json::Object{{"configured", std::move(configured)}, {"generator", state}});
}

}  // namespace talla::cli
