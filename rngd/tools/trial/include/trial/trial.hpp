/// \file
/// A real generator tried in a minute: each stage of its use for ten seconds, judged against what
/// the emulation showed.
///
/// Stages, in order: enumerate (what is attached and what it says of itself), detach (the kernel's
/// driver lets go, the set-up dialogue), raw read, rate, health (the appliance's own gate with the
/// claimed entropy), estimate (SP 800-90B estimators against the claim; no assessment), stall (what
/// answers a stall is done in earnest, again and again), unplug (whoever stands there pulls it
/// out). A stage that fails ends the trial; what is left is said to be not tried. The report says
/// in plain words what was seen, and shows the bytes wherever the device answers otherwise than the
/// emulated one of its model does. Raw noise goes into it as far as `Transcript` says; nothing may
/// be drawn from the device meanwhile.
/// Threads: one. Time is the clock's that is passed in.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "base/json.hpp"
#include "trial/reference.hpp"
#include "trial/transcript.hpp"
#include "usb/discover.hpp"

namespace talla::trial {

struct Options {
  std::string device = "auto";  ///< Selector (usb/discover.hpp).
  /// Of the device, as they were given; the dialogue is compared without any alone.
  std::string settings{};
  usb::DriverOptions driver{};  ///< With those settings.
  unsigned stage_ms = 10'000;   ///< 100 to 600,000.
  bool unplug = true;           ///< Ask for it to be pulled out.
  /// So many are estimated; an assessment takes a million and restarts.
  std::size_t samples_max = 250'000;
  std::string machine{};  ///< Kernel and program, for the report.
};

/// How a stage of the trial ended.
enum class Verdict : std::uint8_t { good, differs, failed, not_tried };
[[nodiscard]] std::string_view verdict_name(Verdict verdict);

/// One stage, for people and in numbers.
struct Stage {
  std::string name;
  Verdict verdict = Verdict::not_tried;
  std::vector<std::string> words;  ///< Sentences for a person.
  json::Object figures{};          ///< The same in numbers.
};

/// The whole trial.
struct Report {
  std::string machine;
  std::string settings;
  usb::DeviceInfo device{};  ///< As it says itself; empty where none was found.
  std::string model;
  std::vector<Stage> stages;
  std::vector<Difference> differences;
  Transcript transcript;

  /// Of the worst stage; differences make a good trial one that differs.
  [[nodiscard]] Verdict verdict() const;
  /// Lines for a person, verdict first.
  [[nodiscard]] std::vector<std::string> words() const;
  /// Everything, for who builds the driver.
  [[nodiscard]] json::Value to_json() const;
};

/// Is told what begins, in words; "pull the device out now" among them.
using Tell = std::function<void(const std::string&)>;

/// Runs all stages; a stage that fails is said in the report.
[[nodiscard]] Report try_device(usb::Transport& transport, const usb::Registry& registry,
                                Clock& clock, const Options& options, const Tell& tell);

}  // namespace talla::trial
