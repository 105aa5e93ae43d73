/// \file
/// The tape of a call. Private to certs_format.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "format/call.hpp"
#include "shuffle/tape.hpp"

namespace talla::certs {

struct CallTape {
  ByteView key;
  std::string_view purpose;
  std::optional<Digest> first;  ///< input before the values
};
/// Inputs: `first` where there is one, then the values of the openings in their order.
[[nodiscard]] shuffle::Tape call_tape(const HashSuite& hashes, const CallTape& terms,
                                      std::span<const CallOpening> openings);

}  // namespace talla::certs
