/// \file
/// One settled round on paper: a page for people first (who, where, when, cards as cards with what
/// the rules count of each hand, decisions, each bet with stake, result, net amount and the rule in
/// words, room for signatures, a QR code that leads to the evidence), then what was verified, every
/// record, and the parameters of the table last.
///
/// Both forms are whole in themselves: no script, nothing is loaded, and the same facts give the
/// same bytes. They print on A4. What stands in records is text, never markup. Errors and threads:
/// as round_report.hpp.
#pragma once

#include <string>

#include "report/round_report.hpp"

namespace talla::report {

struct PaperOptions {
  /// SHA-256 of the bundle's file, hex: it ties the paper to the file.
  std::string evidence_digest;
  /// Address of the page that verifies the evidence, for the QR code (213 bytes at most). Empty:
  /// the code has digest, log and record instead, which name the file and nothing else.
  std::string link;
};

/// HTML.
[[nodiscard]] Result<std::string> round_html(const certs::Bundle& bundle,
                                             const certs::Verdict& verdict, Language language,
                                             const PaperOptions& options);
/// PDF 1.4, with the fonts that every reader has.
[[nodiscard]] Result<std::string> round_pdf(const certs::Bundle& bundle,
                                            const certs::Verdict& verdict, Language language,
                                            const PaperOptions& options);

}  // namespace talla::report
