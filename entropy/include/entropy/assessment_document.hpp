/// \file
/// The document behind a unit's figure: written by `talla-lab assess --document` over samples of
/// that unit, read by the daemon before it credits the unit.
///
/// Standard: SP 800-90B 3.1.1 (at least 1,000,000 samples), 3.1.3 to 3.1.5.
/// Form:     one canonical JSON object (base/json.hpp) and a line feed; integers alone. What it
///           says of the samples it takes from their manifest (rngd/docs/laboratory.md).
/// Limits:   it is not signed: its SHA-256 stands in the configuration and in every record, and
///           whoever asks for document and samples can compute all of it again.
/// Errors:   Errc::source_refused, what and where, and what would be right.
/// Threads:  plain data.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "entropy/errc.hpp"

namespace talla::entropy {

/// Samples that a figure must rest on (SP 800-90B 3.1.1; 3.1.4.1: 1,000 restarts of 1,000).
inline constexpr std::uint64_t assessed_samples_min = 1'000'000;

/// Choices of a device, key to value.
using DeviceSettings = std::map<std::string, std::string, std::less<>>;

struct AssessmentDocument {
  std::string model;         ///< The driver's name, "chaoskey".
  std::string serial;        ///< Of the unit; empty when it has none.
  std::string source_class;  ///< As source_class_name has it; "raw_physical" alone is credited.
  DeviceSettings settings;   ///< In force while the samples were taken.
  std::string purpose;       ///< "sequential" or "restart".
  std::string track;         ///< "non-iid" or "iid".
  std::uint64_t samples = 0;
  unsigned bits_per_sample = 8;   ///< 1 to 8.
  std::string samples_sha256;     ///< Hex, of the file of samples.
  std::string manifest_sha256;    ///< Hex, of its manifest.
  bool as_standard_asks = false;  ///< What the manifest says of number and way of collecting.
  std::uint32_t millibits = 0;    ///< Assessed min-entropy of a sample, rounded down; 1 to 8,000.
};

/// The document as its file holds it.
[[nodiscard]] std::string text_of(const AssessmentDocument& document);
/// What such a file says. Errors: those of the form above.
[[nodiscard]] Result<AssessmentDocument> read_assessment_document(std::string_view text);

/// What a site says of the unit that it wants credited.
struct AssessedUnit {
  std::string model;
  std::string serial;  ///< Empty: units of this model say no serial number that tells them apart.
  DeviceSettings settings;
  std::uint32_t millibits = 0;
};
/// Whether the document is about that unit, in that setting, and found that figure or more.
[[nodiscard]] Status check_document(const AssessmentDocument& document, const AssessedUnit& unit);

}  // namespace talla::entropy
