/// \file
/// NIST's entropy source validation (ESV): a submission is held against every rule of the server
/// before it is sent.
///
/// Rules:    those of NIST's validation server for the requests registerEntropySource,
///           registerRandomBitGenerator and certify, in our own words (`rules()`), and what its
///           client asks of data files and documents.
/// Input:    `run.json` of the client: `entropyAssessment`, `dataFiles`, `randomBitGenerators`,
///           `supportingDocumentation`, `certify`; paths are relative to its folder. Or a bare
///           request, `[{"esvVersion":"1.0"}, {...}]`.
/// Not said: whether certificates, environments and modules exist is known to the server alone.
///           Rules that need it are judged by `Facts`, or left open and shown as such.
/// Errors:   EsvErrc::esv_refused: the file is none of these. A broken rule is a finding, no error.
/// Threads:  no shared state.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace talla::lab::esv {

/// Number 887 of the appliance's range.
enum class EsvErrc : std::uint16_t { esv_refused = 887 };
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(EsvErrc errc);

/// One rule.
struct RuleText {
  std::string_view request;    ///< registerEntropySource, ..., or "files".
  std::string_view member;     ///< What it is about.
  std::string_view words;      ///< What must hold.
  std::string_view reference;  ///< Clause that the rule names; or empty.
};
/// All of them, in the order of findings.
[[nodiscard]] std::span<const RuleText> rules();

/// What became of a rule.
enum class Outcome : std::uint8_t {
  holds,
  broken,
  open,       ///< Only the server knows.
  not_asked,  ///< The submission has nothing that the rule is about.
};
/// "holds", "broken", "open", "not asked".
[[nodiscard]] std::string_view outcome_name(Outcome outcome);

/// One rule of one submission.
struct Finding {
  Outcome outcome = Outcome::not_asked;
  std::vector<std::string> faults;  ///< Where, what, and what would be right; of broken and open.
};

/// What the server knows of certificates, as a file of the laboratory says it: JSON of
/// `{"entropy": {"E1": {"environments": [{"id": 1, "full_entropy": true}], "physical": true}},
/// "algorithms": {"A1": [1, 2]}, "environments": [1, 2]}`. Empty text: nothing is known.
struct Facts {
  std::string_view text;
};

/// One finding for each of `rules()`. `folder`: where relative paths begin.
[[nodiscard]] Result<std::vector<Finding>> examine(std::string_view text, const std::string& folder,
                                                   const Facts& facts);

}  // namespace talla::lab::esv
