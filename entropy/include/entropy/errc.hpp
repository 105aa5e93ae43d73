/// \file
/// Errors of the entropy core, numbers 100 to 149 (150 to 199 belong to the USB part). Stable: they
/// reach logs.
#pragma once

#include <cstdint>
#include <string_view>

namespace talla::entropy {

enum class Errc : std::uint16_t {
  /// Options or a source description outside their ranges, or that contradict each other.
  bad_settings = 100,
  test_cannot_fire = 101,  ///< A health test could never raise an alarm with these settings.
  /// Exact arithmetic could not separate a value from its limit (not met in practice).
  undecided = 102,
  /// A source class that this construction or program does not allow, or no source.
  source_refused = 103,
  source_failed = 104,     ///< The operating system or the processor did not deliver.
  source_absent = 105,     ///< A configured source does not exist on this machine.
  crypto_failed = 106,     ///< OpenSSL refused; the context in question is destroyed.
  self_test_failed = 107,  ///< A known answer was not reproduced.
  not_started = 108,       ///< `start` was not called or has not finished.
  /// A health alarm is being worked off; bits come back by themselves after start-up tests.
  suspended = 109,
  latched = 110,    ///< Stopped until an authorised reset with a passed start-up test.
  not_ready = 111,  ///< The wanted bits did not come within the time given; nothing was consumed.
  request_too_large = 112,  ///< More bytes asked than the pool can ever hold at once.
  wrong_process = 113,      ///< Called in a forked child: its copy of the secrets is wiped.
  wrong_state = 114,        ///< The call does not fit the present state.
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(Errc errc);

}  // namespace talla::entropy
