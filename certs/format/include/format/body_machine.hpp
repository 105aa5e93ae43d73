/// \file
/// Typed bodies of the machine's kinds (FORMAT.md section 6, "Machine").
///
/// Each has `to_json` and a strict `from_json`; Errors: FormatErrc::malformed_body,
/// malformed_context, malformed_statement.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/json.hpp"
#include "format/body_draw.hpp"
#include "format/body_end.hpp"
#include "format/log_key.hpp"

namespace talla::certs {

struct PowerBody {
  bool stop = false;   ///< event `stop`, else `start`
  bool clean = false;  ///< start only: the stop before was logged
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<PowerBody> from_json(const json::Value& body);
};

/// SOFTWARE: which program writes the log from here on.
struct SoftwareBody {
  std::string version;
  Digest digest{};                 ///< SHA-256 of the program file
  std::optional<Digest> manifest;  ///< digest of the signed manifest of the start
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<SoftwareBody> from_json(const json::Value& body);
};

/// CONFIG: the configuration of a start, the limits of its protection against rollback, and the
/// certifications that the appliance has from here on.
struct ConfigBody {
  Digest digest{};
  bool production = false;                   ///< profile `production`, else `development`
  std::vector<std::string> rollback_limits;  ///< those of one kind of protection; empty: none
  std::optional<Digest> settings;            ///< of the members that a certification covers
  std::vector<Digest> certifications;        ///< texts that the appliance has; empty: none
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<ConfigBody> from_json(const json::Value& body);
};

/// What a KEY record is about.
enum class KeyPurpose : std::uint8_t { log, client, predecessor, place };
/// What became of a secret of the log before.
enum class SecretFate : std::uint8_t { opened, kept, lost };

/// The key and the tape behind one root of a shoe of the log before.
struct OpenedRoot {
  Digest key{};  ///< K
  Bytes tape;
};

/// KEY: a key of the log, a client let in or put out, or a secret or a place of the log before.
struct KeyBody {
  KeyPurpose purpose = KeyPurpose::log;
  std::optional<LogKey> log_key;  ///< purpose log
  Bytes predecessor;              ///< purpose log: last checkpoint of the origin before; or empty
  std::string id;                 ///< purpose client: who
  Digest spki{};
  std::vector<std::string> roles;
  bool revoke = false;     ///< action `revoke`, else `enrol`
  std::string origin;      ///< purpose predecessor or place: the log before
  std::string object;      ///< purpose predecessor: object id there
  std::uint64_t commit{};  ///< `seq` there of the record that committed to the secret
  SecretFate result = SecretFate::opened;
  std::optional<OpenedRoot> root;       ///< opened: one of these three
  std::optional<BatchCloseBody> close;  ///< of the batch there
  std::optional<DrawBody> draw;         ///< of a CALL that was open there
  std::string place;                    ///< purpose place: name of the house
  std::uint64_t opened = 0;             ///< how often a table was opened there
  PlaceCounts counts;                   ///< up to the end of that log
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<KeyBody> from_json(const json::Value& body);
};

/// SELFTEST: how a test of the generator or of the appliance ended.
struct SelftestBody {
  std::string test;
  bool failed = false;  ///< result `fail`, else `pass`
  std::uint64_t count = 0;
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<SelftestBody> from_json(const json::Value& body);
};

/// HEALTH: an alarm of a health test or a monitor.
struct HealthBody {
  std::string source;  ///< model, or a monitor
  std::string test;
  std::uint32_t level = 1;               ///< 1 or 2
  std::uint64_t dropped = 0;             ///< samples wiped
  std::int64_t last_good_us = 0;         ///< begin of the window
  std::int64_t alarm_us = 0;             ///< end of the window
  std::vector<std::string> overlapping;  ///< object ids whose commitment used samples of it
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<HealthBody> from_json(const json::Value& body);
};

/// What made the generator take a new seed.
enum class ReseedCause : std::uint8_t { startup, request, timer };
/// RESEED: a new seed of the generator.
struct ReseedBody {
  std::uint64_t counter = 0;  ///< of the generator
  ReseedCause cause = ReseedCause::startup;
  std::uint64_t assessed_millibits = 0;
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<ReseedBody> from_json(const json::Value& body);
};

/// What a person signs with a step of an act, section 8 of FORMAT.md.
struct AccessOrder {
  Digest head{};  ///< of the table, as CallOrder has it; without a table of the request
  Bytes key;      ///< SubjectPublicKeyInfo, DER, of the record's client
  SignatureP256 signature{};
  bool operator==(const AccessOrder&) const = default;
};

/// ACCESS: what somebody asked for beyond play, and whether it was allowed.
struct AccessBody {
  std::string what;
  bool refused = false;         ///< result `refused`, else `allowed`
  std::string object;           ///< empty: none
  std::vector<std::string> by;  ///< client ids; empty: none
  std::optional<Digest> digest;
  std::optional<KeyBody> key;  ///< the KEY that is asked for
  std::optional<AccessOrder> order;
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<AccessBody> from_json(const json::Value& body);
};

}  // namespace talla::certs
