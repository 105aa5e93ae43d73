/// \file
/// Typed body of ANSWER (FORMAT.md section 6, "Machine"): what an appliance contributes to a call of
/// another log.
///
/// It has `to_json` and a strict `from_json`; Errors: FormatErrc::malformed_body.
#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.hpp"
#include "base/json.hpp"
#include "format/call.hpp"

namespace talla::certs {

/// ANSWER: durable in the contributor's own log before the number is sent. So a contributor that
/// lost its memory, or was restored from a copy, shows what it opened already.
struct AnswerBody {
  std::string origin;      ///< of the log that holds the call
  std::string table;       ///< id there
  Digest opening{};        ///< leaf hash of that table's TABLE_OPEN
  std::uint32_t turn = 1;  ///< of that table
  Digest call{};           ///< C of the core that is answered (call_digest)
  std::string id;          ///< the contributor's in that core
  Bytes key;               ///< SubjectPublicKeyInfo, DER, the contributor's in that core
  std::uint32_t t = 1;     ///< which of the key's numbers at that table
  CallOpening answer;      ///< the number and the key's signature, as they are sent
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<AnswerBody> from_json(const json::Value& body);
};

}  // namespace talla::certs
