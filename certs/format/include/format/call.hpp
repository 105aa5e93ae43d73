/// \file
/// Calls: what a draw or a mix is to follow from, fixed before anything is opened (FORMAT.md
/// section 8).
///
/// The core of a call binds the commitment, the rules, the bets and every number that goes into
/// the result. The table's key signs it; C stands for it; the tape follows from C and from the
/// numbers that were opened behind it. So nobody chooses anything when the last number is known.
/// Errors:  FormatErrc::malformed_body, malformed_specification.
/// Threads: plain data and pure functions. Secrecy: a seed is secret for ever, a value until the
///          call that it belongs to is sent (the table) or answered (the others).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "format/checkpoint.hpp"
#include "format/draw_format.hpp"

namespace talla::certs {

/// What is called for: an order for the cards under a root, or the outcome of one secret.
enum class CallUse : std::uint8_t { mix, draw };
/// As cores say it.
[[nodiscard]] std::string_view call_use_word(CallUse use);

/// Of a mix: which commitment it picks from, and how many leaves it orders.
struct MixSpecification {
  std::uint32_t candidates = 1;  ///< roots that it picks from
  std::uint32_t places = 0;      ///< m, the leaves that are not dealt
  bool operator==(const MixSpecification&) const = default;
};
/// What is called for in numbers: that of a draw, or of a mix.
using CallSpecification = std::variant<DrawSpecification, MixSpecification>;

/// One who contributes beside the table, committed before the call.
struct Contributor {
  std::string id;       ///< `seat-N` or an enrolled id
  Bytes key;            ///< SubjectPublicKeyInfo, DER, of a P-256 key
  std::uint32_t t = 1;  ///< counts the calls that name this key at this table
  Digest commit{};      ///< contribution_commit of the value
  bool operator==(const Contributor&) const = default;
};

/// All that a call binds. Its canonical JSON is what is signed and hashed.
struct CallCore {
  std::int64_t v = 2;  ///< version of the format
  std::string type = "talla-call";
  std::string origin;      ///< of the log
  std::string table;       ///< id
  std::uint32_t turn = 1;  ///< at this table, from 1 without gap
  Digest head{};           ///< chain_head of a record of the table that CALL cites
  CallUse use = CallUse::draw;
  std::string object;               ///< id of the shoe or batch
  Digest root{};                    ///< of the batch, or the newest of the shoe
  std::uint32_t at = 0;             ///< draw: index of the secret; mix: cards dealt under root
  std::string round = "0";          ///< id, or "0"
  Digest bets{};                    ///< bets digest
  CallSpecification specification;  ///< of a draw or a mix, as `use` says
  std::string game;                 ///< those of the table, also the three below
  std::string variant;
  Digest catalogue{};
  Digest parameters{};
  Digest value{};                   ///< the table's number
  std::vector<Contributor> others;  ///< ascending by id; ids and keys once
  /// Precondition of both: the `specification` is of this use (a core that was read is).
  [[nodiscard]] const DrawSpecification& draw() const;
  [[nodiscard]] const MixSpecification& mix() const;
  [[nodiscard]] json::Value to_json() const;
  /// Errors: FormatErrc::malformed_body, malformed_specification.
  [[nodiscard]] static Result<CallCore> from_json(const json::Value& value);
  /// The canonical text: what is signed, hashed and stands in the record.
  [[nodiscard]] std::string bytes() const;
  bool operator==(const CallCore&) const = default;
};

/// A signature of ECDSA on P-256 with SHA-256: r || s, 32 bytes each, big-endian.
using SignatureP256 = Signature64;

/// A number that was opened behind a call, in the order of its `others`.
struct CallOpening {
  Digest value{};
  SignatureP256 signature{};  ///< of the contributor's key over opening_statement
  bool operator==(const CallOpening&) const = default;
};

/// Acts of two persons, as they sign them. It lets a table call again:
inline constexpr std::string_view call_again_act = "call-again";
/// It ends an open CALL in VOID.
inline constexpr std::string_view draw_void_act = "draw-void";
/// What a suspended table has open is void.
inline constexpr std::string_view table_void_act = "table-void";
/// It ends a shoe before the rules do.
inline constexpr std::string_view shoe_close_act = "shoe-close";

/// One of two persons who let a table call again.
struct CallOrderer {
  std::string id;             ///< the client's
  Bytes key;                  ///< SubjectPublicKeyInfo, DER, of a P-256 key: the client's
  SignatureP256 signature{};  ///< over order_statement
  bool operator==(const CallOrderer&) const = default;
};

/// What two persons signed so that a round, or outside rounds a shoe or batch, is called for again.
struct CallOrder {
  Digest head{};                ///< chain_head of the table where they signed
  std::vector<CallOrderer> by;  ///< two: who asked, who confirmed
  [[nodiscard]] json::Value to_json() const;
  /// Errors: FormatErrc::malformed_body.
  [[nodiscard]] static Result<CallOrder> from_json(const json::Value& value);
  bool operator==(const CallOrder&) const = default;
};

/// CALL: the last word before a result.
struct CallBody {
  CallCore core;
  SignatureP256 signature{};         ///< of the table's key over call_statement
  std::optional<CallOrder> order{};  ///< under which it stands behind too many VOIDs
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<CallBody> from_json(const json::Value& body);
};

/// C = H(D("core") || core).
[[nodiscard]] Digest call_digest(const HashSuite& hashes, std::string_view core);
/// What the table's key signs: D("call") || core.
[[nodiscard]] Bytes call_statement(std::string_view core);
/// The number of a seed for turn or t `count` under one TABLE_OPEN (`opening`: its leaf hash):
/// HMAC(seed, D("contribution") || opening || u32 count).
[[nodiscard]] Digest contribution_value(const HashSuite& hashes,
                                        std::span<const std::uint8_t, 32> seed,
                                        const Digest& opening, std::uint32_t count);
/// What a contributor hands in before: H(D("contribution-commit") || opening || field(id) || u32 t
/// || value).
[[nodiscard]] Digest contribution_commit(const HashSuite& hashes, const Digest& opening,
                                         std::string_view id, std::uint32_t count,
                                         const Digest& value);
/// What a contributor signs with its value: D("opening") || C || field(id) || u32 t || value.
[[nodiscard]] Bytes opening_statement(const Digest& call, std::string_view id, std::uint32_t count,
                                      const Digest& value);

/// What a person signs who orders an act on `object` (of `call-again` a round, shoe or batch):
/// D("order") || canonical {act, digest, head, object, origin}. `digest`: hex, of what is asked
/// for; an act on a table has none.
[[nodiscard]] Bytes order_statement(std::string_view origin, std::string_view object,
                                    const Digest& head, std::string_view act = call_again_act,
                                    std::string_view digest = {});
/// Whether an act is one on a table, whose order is for a head of its chain.
[[nodiscard]] bool orders_table(std::string_view act);
/// What who asks for another act signs as its `head`: H(D("request-key") || field(key)), `key` the
/// idempotency key of the request, which serves once. Who confirms signs the leaf hash of the
/// ACCESS that asked.
[[nodiscard]] Digest request_key_head(const HashSuite& hashes, std::string_view key);

/// Tape of a draw: key the batch's secret, purpose "draw", inputs C and the values of the openings.
/// The table's own number is bound by C.
[[nodiscard]] Result<DrawResult> map_draw(const HashSuite& hashes,
                                          const DrawSpecification& specification,
                                          std::span<const std::uint8_t, 32> secret,
                                          const Digest& call,
                                          std::span<const CallOpening> openings);
/// The same mapping for a table of class `lab` (format/lab_table.hpp): purpose "lab", the leaf hash
/// of the ACCESS that asked for it in the place of C, no openings.
[[nodiscard]] Result<DrawResult> map_lab_draw(const HashSuite& hashes,
                                              const DrawSpecification& specification,
                                              std::span<const std::uint8_t, 32> secret,
                                              const Digest& asked);

}  // namespace talla::certs
