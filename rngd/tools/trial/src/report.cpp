// The report of a trial, for the screen and as a file.
#include <fmt/format.h>

#include <algorithm>

#include "trial/trial.hpp"

namespace talla::trial {
namespace {

/// Noise and strings of a device may be anything: a report is printable ASCII.
std::string plain(std::string_view text) {
  std::string out(text);
  std::ranges::replace_if(
      out, [](char c) { return c < 0x20 || c > 0x7e; }, '?');
  return out;
}

/// For the screen; the file has all of it.
std::string cut(std::string_view text) {
  constexpr std::size_t columns = 60;
  std::string out = plain(text.substr(0, columns));
  return text.size() > columns ? out + "..." : out;
}

json::Array lines(const std::vector<std::string>& all) {
  json::Array out;
  for (const std::string& each : all) out.emplace_back(plain(each));
  return out;
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::good:
      return "good";
    case Verdict::differs:
      return "differs";
    case Verdict::failed:
      return "failed";
    case Verdict::not_tried:
      return "not tried";
  }
  return "unknown";
}

Verdict Report::verdict() const {
  Verdict worst = differences.empty() ? Verdict::good : Verdict::differs;
  for (const Stage& stage : stages) {
    if (stage.verdict == Verdict::failed) return Verdict::failed;
    if (stage.verdict == Verdict::differs) worst = Verdict::differs;
  }
  return worst;
}

std::vector<std::string> Report::words() const {
  std::vector<std::string> out;
  const Verdict found = verdict();
  out.emplace_back(found == Verdict::failed ? "It does not work here yet. What failed stands below."
                   : !differences.empty()   ? "It works, and not all is as the emulation has it."
                   : found == Verdict::differs ? "It works; what wants a second look stands below."
                                               : "It works, and answers as the emulation does.");
  for (const Stage& stage : stages) {
    out.push_back(fmt::format("{}: {}", stage.name, verdict_name(stage.verdict)));
    for (const std::string& each : stage.words) out.push_back("  " + plain(each));
  }
  if (!differences.empty()) out.emplace_back("otherwise than the emulation (bytes in hex):");
  for (const Difference& each : differences) {
    out.push_back("  " + plain(each.what));
    out.push_back("    this device: " + plain(each.here));
    out.push_back("    emulation:   " +
                  (each.emulation.empty() ? "was never asked this" : plain(each.emulation)));
  }
  if (found == Verdict::failed && !transcript.exchanges.empty()) {
    constexpr std::size_t last = 12;
    out.emplace_back("the last that was said before the failure:");
    const std::size_t size = transcript.exchanges.size();
    for (std::size_t k = size - std::min(size, last); k < size; ++k) {
      const Exchange& each = transcript.exchanges[k];
      out.push_back(fmt::format("  {} -> {}{}", cut(each.asked), cut(each.answered),
                                each.times > 1 ? fmt::format(" ({} times)", each.times) : ""));
    }
  }
  return out;
}

json::Value Report::to_json() const {
  json::Array all;
  for (const Stage& stage : stages) {
    all.emplace_back(json::Object{{"name", stage.name},
                                  {"verdict", verdict_name(stage.verdict)},
                                  {"words", lines(stage.words)},
                                  {"figures", stage.figures}});
  }
  json::Array others;
  for (const Difference& each : differences) {
    others.emplace_back(json::Object{{"what", plain(each.what)},
                                     {"here", plain(each.here)},
                                     {"emulation", plain(each.emulation)}});
  }
  json::Array said;
  for (const Exchange& each : transcript.exchanges) {
    said.emplace_back(json::Object{
        {"asked", plain(each.asked)}, {"answered", plain(each.answered)}, {"times", each.times}});
  }
  return json::Object{{"type", "talla-device-trial"},
                      {"v", 1},
                      {"machine", plain(machine)},
                      {"settings", plain(settings)},
                      {"model", plain(model)},
                      {"verdict", verdict_name(verdict())},
                      {"device", json::Object{{"says", lines(self_description(device))},
                                              {"serial", plain(device.serial)},
                                              {"port", plain(device.port)},
                                              {"release_bcd", device.release_bcd}}},
                      {"stages", std::move(all)},
                      {"differences", std::move(others)},
                      {"dialogue", std::move(said)},
                      {"dialogue_left_out", transcript.left_out},
                      {"stream", lines(transcript.stream)}};
}

}  // namespace talla::trial
