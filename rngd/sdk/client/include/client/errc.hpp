/// \file
/// Errors of a client of the appliance, 880-889.
#pragma once

#include <cstdint>
#include <string_view>

namespace talla::client {

enum class Errc : std::uint16_t {
  /// A problem document (Session::problem): nothing was done under this request.
  appliance_refused = 880,
  /// The reply does not follow from the signed log, or is about something else.
  not_believed = 881,
  /// No answer in time: whether it was done is not known, and the request stays pending.
  unanswered = 882,
  request_pending = 883,  ///< Another request is pending: Session::resume first.
  journal_failed = 884,   ///< The journal cannot be read or written: nothing was sent.
  malformed_wish = 885,   ///< What the caller asks for cannot be sent.
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(Errc errc);

}  // namespace talla::client
