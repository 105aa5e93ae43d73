/// \file
/// Typed bodies of the draw's kinds (FORMAT.md section 6, "Draw").
///
/// Each has `to_json` and a strict `from_json`; Errors: FormatErrc::malformed_body,
/// malformed_context.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/json.hpp"
#include "format/call.hpp"
#include "format/context.hpp"
#include "format/draw_format.hpp"

namespace talla::certs {

struct BatchCommitBody {
  std::string table;
  std::uint32_t count = 0;  ///< 1 to 256
  Digest root{};
  std::int64_t expires_us = 0;
  Context context;
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<BatchCommitBody> from_json(const json::Value& body);
};

/// DRAW: the opened secret of a CALL and the outcome that follows from it.
struct DrawBody {
  std::uint64_t call = 0;  ///< seq
  std::vector<CallOpening> openings;
  std::uint32_t index = 0;
  Digest secret{};
  std::vector<Digest> path;
  Outcome outcome;
  std::uint64_t words_used = 0;
  std::uint64_t words_rejected = 0;
  Digest tape_digest{};
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<DrawBody> from_json(const json::Value& body);
};

/// A secret with its path in the batch's tree.
struct SecretOpening {
  std::uint32_t index = 0;
  Digest secret{};
  std::vector<Digest> path;
};

/// Why a call has no result: two persons' order, a secret that does not unseal, a core that did not
/// stand any more when it came, or contributors who did not open in time.
enum class VoidCause : std::uint8_t { order, unrecoverable, lapsed, withheld };

/// What one had opened behind a call before two persons voided it.
struct OpenedBefore {
  std::string id;  ///< of others of its core
  Digest value{};
  SignatureP256 signature{};
  bool operator==(const OpenedBefore&) const = default;
};

/// VOID: a call that gives no result to play by, opened where it can be. It ends a CALL, or answers
/// a core that became none: then it carries core and signature, and spends the turn.
struct VoidBody {
  std::uint64_t call = 0;  ///< seq; not for cause `lapsed`
  VoidCause cause = VoidCause::order;
  std::optional<CallBody> lapsed;      ///< what was signed; exactly for cause `lapsed`
  std::vector<std::string> by;         ///< client ids; exactly for cause `order`
  std::vector<std::string> missing;    ///< ids of who did not open; exactly for cause `withheld`
  std::vector<OpenedBefore> openings;  ///< ascending by id; with cause `order` alone
  /// What it would have been, where the secret is opened and every number of its contributors is
  /// known.
  std::optional<Outcome> outcome;
  /// Of the core's index: never for `unrecoverable` or a mix; for `lapsed` where the core names the
  /// next secret of an open batch.
  std::optional<Digest> secret;
  std::vector<Digest> path;  ///< exactly with a secret
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<VoidBody> from_json(const json::Value& body);
};

/// Why a batch takes no more draws.
enum class BatchCloseReason : std::uint8_t { expired, used, closed };

/// Every unused secret: those from `first` on. With the hashes left of them they give the root; a
/// path for each would not fit into a record.
struct BatchCloseBody {
  BatchCloseReason reason = BatchCloseReason::closed;
  std::uint32_t first = 0;  ///< index of the first without a CALL; the count when all were used
  /// The complete subtrees over [0, first), largest first: one for each set bit.
  std::vector<Digest> left;
  std::vector<Digest> secrets;  ///< of first, first + 1, ...
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<BatchCloseBody> from_json(const json::Value& body);
};

}  // namespace talla::certs
