/// \file
/// Known answers of the algorithms that evidence and sealing rest on: SHA-256, HMAC-SHA-256,
/// HKDF-SHA-256, AES-256-GCM (sealing, opening, a false tag refused), ECDH over P-256 and Ed25519.
/// Each is asked of the very functions that the appliance uses, so of the provider that is
/// configured.
///
/// Standards: FIPS 180-4, RFC 4231 case 2, RFC 5869 case 3, SP 800-38D (its authors' test case 16),
///   RFC 5903 8.1, RFC 8032 7.1 test 3.
/// One owner: the generator runs them with its own at a start, at a reset and on demand
///   (`GeneratorOptions::further_known_answers`). Threads: stateless.
#pragma once

#include <span>
#include <string_view>

#include "base/bytes.hpp"
#include "certs/errc.hpp"

namespace talla::certs {

struct KnownAnswer {
  std::string_view algorithm;
  std::string_view mode;  ///< What of it is asked for.
  std::string_view standard;
  std::string_view expected;  ///< Lower-case hex.
  Result<Bytes> (*answer)();
};
/// All of them, in their order.
[[nodiscard]] std::span<const KnownAnswer> known_answers();
/// Errors: crypto_failed, naming the algorithm: it gives another answer, or none.
[[nodiscard]] Status check_known_answer(const KnownAnswer& wanted);
/// Errors: crypto_failed, naming the first algorithm whose answer is another one.
[[nodiscard]] Status check_known_answers(std::span<const KnownAnswer> answers = known_answers());

}  // namespace talla::certs
