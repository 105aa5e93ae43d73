/// \file
/// Typed bodies of SHOE_RELEASE and SHUFFLE_REPORT (FORMAT.md section 6, "Shoe").
///
/// Each has `to_json` and a strict `from_json`; Errors: FormatErrc::malformed_body.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "format/checkpoint.hpp"

namespace talla::certs {

/// What the machine is told.
enum class ReleaseForm : std::uint8_t {
  order,    ///< "order": all cards, from the first dealt to the last
  targets,  ///< "targets": one card after the other, each when the one before is in its place
  shelf,    ///< "shelf": the compartment of each card of a new deck, pass by pass
};
[[nodiscard]] std::string_view form_name(ReleaseForm form);

/// The order of a root goes out, once, to one machine.
struct ShoeReleaseBody {
  std::string machine;  ///< enrolled id
  Digest key{};         ///< `order_known_to`: SPKI digest of the machine's key
  Digest ciphertext{};  ///< SHA-256 of all bytes that the machine is ever given
  ReleaseForm form = ReleaseForm::order;
  std::uint32_t compartments = 0;  ///< shelf only: 2 to 256
  bool reverses = false;  ///< shelf only: its compartments give cards back last in, first out
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<ShoeReleaseBody> from_json(const json::Value& body);
};

/// How a machine's run ended: the order it was given, another one, a jam, an opened lid.
enum class ShuffleResult : std::uint8_t { match, mismatch, jam, lid };
[[nodiscard]] std::string_view result_name(ShuffleResult result);

/// What the machine saw; no card in it. All of it but key and signature is what the machine signs
/// (report_statement).
struct ShuffleReportBody {
  std::uint64_t number = 1;      ///< of the reports of this release, from 1
  std::uint32_t recognised = 0;  ///< places whose card it recognised
  ShuffleResult result = ShuffleResult::match;
  /// mismatch: the first place with another card than the order's.
  std::optional<std::uint32_t> position;
  /// `census`: the recognised cards are exactly those of the root; with `seen`.
  std::optional<bool> complete;
  std::optional<Digest> seen;  ///< digest of what was reported place by place; always with match
  std::optional<std::uint32_t> targets;  ///< form targets: how many the machine was given
  Bytes key;                             ///< DER SubjectPublicKeyInfo of the machine's P-256 key
  Signature64 signature{};               ///< of that key over report_statement
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<ShuffleReportBody> from_json(const json::Value& body);
};

}  // namespace talla::certs
