/// \file
/// What the emulated devices say of themselves and in their set-up dialogue: all that anybody here
/// has ever seen answer.
///
/// `reference.cpp` is written by the test that compares it with the emulation (tests/unit/trial).
/// Numbers within text ("Version 2") and noise are not compared: `normal` turns digits of lines of
/// text into '#', long answers into their length, and an error into its code.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trial/transcript.hpp"
#include "usb/device_info.hpp"

namespace talla::trial {

struct Reference {
  std::string_view name;   ///< Of the emulated device, "BitBabblerWhite".
  std::string_view model;  ///< Of the driver.
  /// Lines: what it says of itself, then "asked => normal answer" of its set-up.
  std::string_view text;
};
/// What the emulation showed, one for each model.
[[nodiscard]] std::span<const Reference> references();

/// What a device says of itself, one fact a line: ids, names, interfaces with their endpoints.
[[nodiscard]] std::vector<std::string> self_description(const usb::DeviceInfo& info);
[[nodiscard]] std::string normal(std::string_view answer);
/// The lines of `Reference::text` for this device and the set-up of this transcript.
[[nodiscard]] std::vector<std::string> reference_lines(const usb::DeviceInfo& info,
                                                       const Transcript& transcript);

/// One thing that is otherwise than in the emulation.
struct Difference {
  std::string what;       ///< Who or what was asked.
  std::string here;       ///< As it came, bytes and all.
  std::string emulation;  ///< What the emulation says; empty: it was never asked.
};
/// Of all references of this model the one with the fewest differences. `with_dialogue`: false
/// where settings make the driver say other things than its defaults do.
[[nodiscard]] std::vector<Difference> differences(std::string_view model,
                                                  const usb::DeviceInfo& info,
                                                  const Transcript& transcript, bool with_dialogue);

}  // namespace talla::trial
