/// \file
/// Errors of a client of the appliance, 890-899.
#pragma once

#include <cstdint>
#include <string_view>

namespace talla::client {

enum class Errc : std::uint16_t {
  /// A problem document (Session::problem): nothing was done under this request.
  appliance_refused = 890,
  /// The reply does not follow from the signed log, or is about something else.
  not_believed = 891,
  /// No answer in time: whether it was done is not known, and the request stays pending.
  unanswered = 892,
  request_pending = 893,  ///< Another request is pending: Session::resume first.
  journal_failed = 894,   ///< The journal cannot be read or written: nothing was sent.
  malformed_wish = 895,   ///< What the caller asks for cannot be sent.
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(Errc errc);

}  // namespace talla::client
