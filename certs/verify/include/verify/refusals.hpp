/// \file
/// What each code says with which evidence is refused: one sentence in each language.
///
/// A refusal travels as an `Error`: a code, and an English detail for whoever looks into it. The
/// sentence of its code stands here and nowhere else, for the command, for the page of all codes
/// (`talla docs refusals`), for the tables of FORMAT.md a test.
/// Threads: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace talla::certs {

/// One code of FormatErrc, ArchiveErrc, VerifyErrc, CertificationErrc, or of the reading of text
/// and files below them (BaseErrc).
struct EvidenceRefusal {
  std::string_view code;
  std::uint16_t number = 0;  ///< its value in the enum of its module
  std::string_view en;
  std::string_view es;
};
/// All of them, ascending by number.
[[nodiscard]] std::span<const EvidenceRefusal> evidence_refusals();
/// The sentence of a number in "es" or "en"; of one that is none of these, that the evidence could
/// not be judged.
[[nodiscard]] std::string_view refusal_sentence(std::uint16_t number, std::string_view language);
/// The same of a code alone. Of two with one name: the verifier's own.
[[nodiscard]] std::string_view refusal_sentence(std::string_view code, std::string_view language);

/// A refusal taken apart for a reader.
struct RefusalWords {
  std::string sentence;
  std::string_view code;
  std::string where;   ///< the record, the object or the part of the file; empty: not said
  std::string detail;  ///< the rest, in English; perhaps empty
};
/// In "es" or "en".
[[nodiscard]] RefusalWords refusal_words(const Error& error, std::string_view language);
/// "NOT VALID: sentence [code]: where: detail"; in Spanish "NO VÁLIDO: frase [código]: dónde", and
/// behind it the detail, marked as technical and English.
[[nodiscard]] std::string not_valid_line(const Error& error, std::string_view language);

/// The page of all codes: a table of code, number and both sentences.
[[nodiscard]] std::string evidence_refusals_page();

}  // namespace talla::certs
