/// \file
/// Data sets of a generator for SP 800-90B: consecutive samples, and rows of samples right after
/// restarts.
///
/// Standard:    SP 800-90B 3.1.1 (1,000,000 consecutive raw samples, or concatenated sets of at
///              least 1,000 each; for a non-vetted conditioning component its output), 3.1.4.1
///              (1,000 restarts x 1,000 samples).
/// Consecutive: every interruption that the stream engine or the driver counts (stall, failed
///              transfer, silence, dropped block) ends a set; what came in the same read is left
///              out.
/// Restarts:    the device's power is taken away and given back at its hub port; or its port is
///              reset; or it is only closed and opened again, which is not a restart in the
///              standard's sense. One method for all rows.
/// Secrecy:     samples are recorded, so they never feed draws: the device is open here and nowhere
///              else.
/// Threads:     one thread; `Effects::cancelled` may turn true from any.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "lab_kit/errc.hpp"
#include "usb/discover.hpp"
#include "usb/port_control.hpp"

namespace talla::lab {

/// How much is collected, in samples.
inline constexpr std::size_t sequential_samples = 1'000'000;  ///< SP 800-90B 3.1.1
inline constexpr std::size_t restart_rows = 1'000;            ///< 3.1.4.1
inline constexpr std::size_t restart_columns = 1'000;
inline constexpr std::size_t piece_samples_min = 1'000;  ///< 3.1.1, concatenated sets
inline constexpr std::size_t samples_max = std::size_t{1} << 28U;

enum class Purpose : std::uint8_t { sequential, conditioned, restart };
/// "sequential", "conditioned", "restart".
[[nodiscard]] std::string_view purpose_name(Purpose purpose);

/// From the strongest to the weakest.
enum class RestartMethod : std::uint8_t { port_power, port_reset, reopen };
/// "port-power", "port-reset", "reopen".
[[nodiscard]] std::string_view method_name(RestartMethod method);
/// Is a matrix made like that a restart data set of the standard? "yes", "undecided", "no".
[[nodiscard]] std::string_view restart_set_verdict(RestartMethod method);
/// The same in words, for people and the manifest.
[[nodiscard]] std::string_view restart_set_words(RestartMethod method);

/// What is to be collected.
struct Wish {
  Purpose purpose = Purpose::sequential;
  std::string selector = "auto";
  usb::DriverOptions options{};
  std::size_t samples = sequential_samples;  ///< 1,000 to 2^28; sequential and conditioned
  bool pieces = false;  ///< sequential: concatenate sets of at least 1,000 instead of starting over
  std::size_t rows = restart_rows;        ///< 1 to 100,000; restart
  std::size_t columns = restart_columns;  ///< 1 to 100,000; restart
  std::optional<RestartMethod> method{};  ///< none: the strongest that works
  unsigned off_ms = 1'000;                ///< without power, each time
};

/// What was collected, with its origin.
struct Collection {
  Bytes samples;  ///< One a byte, in the low bits; a restart matrix row by row.
  usb::FoundDevice device;
  std::string origin;               ///< Of the entropy claim that was in force.
  std::string quirks;               ///< Of the driver.
  usb::StreamCounters stream;       ///< Summed over all openings.
  std::vector<std::size_t> pieces;  ///< Lengths of the consecutive sets that were concatenated.
  std::uint64_t begun_again = 0;    ///< Sets or rows that were thrown away because of a gap.
  std::optional<RestartMethod> method{};
  /// Why no stronger method was taken; empty when the strongest was, or one was asked for.
  std::string weaker_because;
  std::int64_t began_us = 0;
  std::int64_t ended_us = 0;
  std::int64_t streamed_ns = 0;  ///< Time spent reading.
};

/// What collecting works with; everything outlives it.
struct Effects {
  usb::Transport& transport;
  const usb::Registry& registry;
  usb::PortControl& ports;
  Clock& clock;
  std::function<void(unsigned ms)> sleep;
  std::function<bool()> cancelled;
  std::function<void(std::size_t done)> progress;  ///< Samples so far.
};

/// Errors: bad_wish, wrong_stream, not_consecutive, interrupted, ambiguous, no_restart, and those
///         of the device.
[[nodiscard]] Result<Collection> collect(const Wish& wish, const Effects& effects);

}  // namespace talla::lab
