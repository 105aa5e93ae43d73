/// \file
/// Problem documents (RFC 9457) in the reader's language: title and detail, in English as they are
/// made, or in Spanish. Codes, members and amounts are the same in both; who asks again with the
/// same key in another language gets the same refusal in that language.
/// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace talla::core {

/// "es" or "en" from a header Accept-Language (RFC 9110, 12.5.4): whichever of the two is
/// preferred; English for anything else.
[[nodiscard]] std::string_view language_of(std::string_view accept_language);

/// The body of a problem document in that language; a body that is none comes back as it is.
[[nodiscard]] std::string problem_text(std::string_view body, std::string_view language);

}  // namespace talla::core
