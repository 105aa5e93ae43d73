/// \file
/// Typed body of ANSWER (FORMAT.md section 6, "Machine"): what an appliance contributes to a call
/// of another log.
///
/// It has `to_json` and a strict `from_json`; Errors: FormatErrc::malformed_body.
#pragma once

#include <string>

#include "base/bytes.hpp"
#include "base/json.hpp"
#include "format/call.hpp"

namespace talla::certs {

/// ANSWER: durable in the contributor's own log before the number is sent. So a contributor that
/// lost its memory, or was restored from a copy, shows what it opened already.
struct AnswerBody {
  CallCore core;       ///< that is answered; log, table and turn are its
  Digest opening{};    ///< leaf hash of that table's TABLE_OPEN
  std::string id;      ///< the contributor's in that core
  CallOpening answer;  ///< the number and the key's signature, as they are sent
  /// Key, count and commitment of the contributor in the core. Precondition: `id` is named there (a
  /// body that was read names it).
  [[nodiscard]] const Contributor& own() const;
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<AnswerBody> from_json(const json::Value& body);
};

}  // namespace talla::certs
