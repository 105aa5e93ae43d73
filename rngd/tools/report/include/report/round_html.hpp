/// \file
/// One settled round on paper: a page for people first (who, where, when, cards as cards,
/// decisions, each bet with stake, result, net amount and the rule in words, room for signatures),
/// then what was verified, every record, and the parameters of the table last.
///
/// The page is whole in itself: no script, nothing is loaded. It prints on A4. What stands in
/// records is escaped. Errors and threads: as round_report.hpp.
#pragma once

#include <string>

#include "report/round_report.hpp"

namespace talla::report {

/// HTML in `language`. `evidence_digest` is the SHA-256 of the bundle's file, hex: it ties the
/// paper to the file.
[[nodiscard]] Result<std::string> round_html(const certs::Bundle& bundle,
                                             const certs::Verdict& verdict, Language language,
                                             const std::string& evidence_digest);

}  // namespace talla::report
