/// \file
/// What stood behind a commitment or draw: rules, sources and their health, generator, software,
/// sealing.
///
/// FORMAT.md section 2, "Context". Plain data; the words of each string member are a closed list
/// there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/json.hpp"

namespace talla::certs {

/// One noise source as it fed the commitment.
struct SourceUse {
  std::string model;           ///< driver's model name
  std::string source_class;    ///< raw_physical, conditioned_physical, system, rdseed, lab
  std::int64_t millibits = 0;  ///< assessed min-entropy of one sample, 1/1000 bit; 0: not credited
  std::string verdict;         ///< healthy, startup, alarm, not_tested
  /// Where `millibits` comes from: assumed, stated, unit, type; empty: the record does not say.
  std::string assessment{};
  Digest assessment_digest{};  ///< of the document behind it; with unit and type alone, else zero
  std::string serial{};        ///< of the unit; empty: not said
  [[nodiscard]] bool documented() const { return assessment == "unit" || assessment == "type"; }
  bool operator==(const SourceUse& other) const = default;
};

/// What each kind of rollback protection does not stop, in words of its own (FORMAT.md section 6,
/// CONFIG): `disk-copy` of `local`; `authorisation-holder`, `unproven-device` of `tpm`;
/// `pin-holder`, `token-copy` of `hsm`; `witness-keys` of `witness`. Empty for another word.
[[nodiscard]] std::vector<std::string> rollback_limits(std::string_view protection);

/// The conditions of one commitment or draw, as records carry them.
struct Context {
  Digest catalogue{};   ///< zero: no catalogue
  std::string game;     ///< may be empty
  std::string variant;  ///< may be empty
  Digest parameters{};
  std::string mapping = "talla-map-v1";
  std::string construction;  ///< rbg3-xor or system
  bool uncertified = true;
  std::vector<SourceUse> sources;
  std::uint64_t reseeds = 0;
  std::uint64_t generates = 0;
  Digest software{};
  Digest config{};
  std::string rollback_protection = "local";  ///< local, tpm, hsm, witness
  std::uint64_t anchor_lag = 0;               ///< records since the last anchor
  std::string sealing = "file";               ///< file, credential, tpm, hsm, passphrase

  [[nodiscard]] json::Value to_json() const;
  /// Errors: FormatErrc::malformed_context.
  [[nodiscard]] static Result<Context> from_json(const json::Value& value);
  /// Whether `uncertified` may be false: a credited source that passed its tests, and a document
  /// behind the figure of each credited source that names an origin at all.
  [[nodiscard]] bool may_be_certified() const;
  /// True when a source of class `lab` is named.
  [[nodiscard]] bool lab() const;
  bool operator==(const Context& other) const = default;
};

}  // namespace talla::certs
