/// \file
/// The words of the report that no catalogue has, in Spanish and English.
#pragma once

#include <string>
#include <string_view>

#include "report/round_report.hpp"

namespace talla::report {

/// Precondition (checked): the key is in the list.
[[nodiscard]] std::string word(Language language, std::string_view key);
/// The same for a code that may be unknown (results, effects): then the code itself.
[[nodiscard]] std::string word_or_code(Language language, std::string_view category,
                                       const std::string& code);
/// "7♠", "10♥", "A♦"; any other code as it is.
[[nodiscard]] std::string card_text(const std::string& code);

}  // namespace talla::report
