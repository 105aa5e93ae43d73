/// \file
/// What a verdict says first: in words what is proven, then what is not.
///
/// `Verdict::proven` and `Verdict::not_proven` hold clauses, which are notes; they follow from the
/// claim and from what the file lacks (FORMAT.md section 9). The other verifiers have the same
/// clauses from here (`talla docs verdict`, rngd/packaging/pages).
/// Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "verify/notes.hpp"
#include "verify/verdict.hpp"

namespace talla::certs {

/// A clause and the name that FORMAT.md has for it.
struct SummaryClause {
  std::string_view key;
  Note note{};
};
/// All of them: `proven_...`, then `unproven_...`.
[[nodiscard]] std::span<const SummaryClause> summary_clauses();

/// "Proven: ...; ..." in "es" or "en".
[[nodiscard]] std::string proven_line(const Verdict& verdict, std::string_view language);
/// "NOT proven: ...; ..." in "es" or "en".
[[nodiscard]] std::string not_proven_line(const Verdict& verdict, std::string_view language);

}  // namespace talla::certs
