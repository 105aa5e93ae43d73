/// \file
/// Typed bodies of the shoe's kinds (FORMAT.md section 6, "Shoe").
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

namespace talla::certs {

/// One of several roots that a shoe is committed with, of which its first mix picks one.
struct ShoeCandidate {
  Digest root{};
  Digest tape_mac{};
  bool operator==(const ShoeCandidate&) const = default;
};

/// SHOE_COMMIT: a shuffled shoe is sealed.
struct ShoeCommitBody {
  std::string table;
  std::uint64_t number = 1;  ///< shoe number at the table, from 1 without gaps
  std::uint32_t cards = 0;   ///< n
  std::string deck;          ///< deck specification, canonical text of shuffle ("french52x8")
  Digest root{};      ///< what its calls name: with candidates shoe_roots_digest of them (mix.hpp)
  Digest tape_mac{};  ///< without candidates
  /// Of a covered shoe: 2 to 8, or none. SHOE_RECOMMIT never has any.
  std::vector<ShoeCandidate> candidates{};
  std::uint32_t stop_depth = 0;  ///< 0: no stop card
  std::string burn;              ///< code of the burn rule, may be empty
  bool covered = false;          ///< disclosure class
  Context context;
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<ShoeCommitBody> from_json(const json::Value& body);
};

/// A shoe is recommitted at most so often: SHOE_CLOSE of a public one opens every root in one
/// record of 60,000 bytes.
inline constexpr std::size_t recommits_max = 48;

/// Cards dealt under a root that was replaced before, that go back at a later SHOE_RECOMMIT.
struct OlderCards {
  std::uint32_t recommits = 0;  ///< SHOE_RECOMMITs before that root: 0 is the root of SHOE_COMMIT
  std::vector<std::uint32_t> positions;  ///< dealt positions under it, ascending, never empty
  bool operator==(const OlderCards&) const = default;
};

/// What is left of a shoe, with cards that went back, committed to anew: positions count from 0
/// again.
struct ShoeRecommitBody {
  ShoeCommitBody commit;  ///< of the m cards; `positions` says m again
  Digest of{};            ///< the root it replaces
  std::string rule;       ///< game number and section that ask for it
  /// Dealt positions of that root whose cards went back, ascending.
  std::vector<std::uint32_t> returned;
  std::vector<OlderCards> older;  ///< of roots replaced before, ascending by root; perhaps none
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<ShoeRecommitBody> from_json(const json::Value& body);
};

/// What a root opens: a public shoe its roots at the close, one with candidates those not picked.
struct ShoeDisclosure {
  Digest key{};  ///< K
  Bytes tape;
  std::uint64_t words_used = 0;
  std::uint64_t words_rejected = 0;
  Digest tape_digest{};
  bool operator==(const ShoeDisclosure&) const = default;
};

/// The order of dealing under one root: it follows from a CALL (mix.hpp).
struct ShoeMixBody {
  std::uint64_t call = 0;  ///< seq
  std::vector<CallOpening> openings;
  Digest root{};
  std::uint64_t words_used = 0;
  std::uint64_t words_rejected = 0;
  Digest tape_digest{};
  /// Index of the candidate that is the shoe from here on; without candidates nothing.
  std::optional<std::uint32_t> picked{};
  std::vector<ShoeDisclosure> opened{};  ///< with it: all other candidates, in their order
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<ShoeMixBody> from_json(const json::Value& body);
};

/// The opening of one leaf.
struct CardOpening {
  std::uint32_t leaf = 0;  ///< index, from 0
  std::string card;        ///< code
  Digest salt{};
  std::vector<Digest> path;
  /// Exactly these four members; inside the ciphertexts of covered cards too (FORMAT.md section 7).
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<CardOpening> from_json(const json::Value& value);
  bool operator==(const CardOpening&) const = default;
};

/// A covered card's opening, encrypted for one seat, as the log knows it.
struct CoveredCopy {
  std::int64_t seat = 0;  ///< 1 to 2^32 - 1
  Digest key{};           ///< SPKI digest of the key it is encrypted to
  Digest ciphertext{};    ///< SHA-256 of the ciphertext
  bool operator==(const CoveredCopy&) const = default;
};

/// How a card is dealt: read by everybody, by the entitled seats alone, or by nobody.
enum class Face : std::uint8_t { open, covered, unseen };

/// CARD_DEAL: the next card of a shoe goes to a place.
struct CardDealBody {
  std::uint32_t position = 0;  ///< dealt position, from 0
  std::string place;
  Face face = Face::open;
  std::string round;                   ///< empty: none
  std::optional<CardOpening> opening;  ///< exactly when face is open
  /// Covered only: one for each entitled seat, ascending; perhaps none.
  std::vector<CoveredCopy> copies;
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<CardDealBody> from_json(const json::Value& body);
};

/// CARD_OPEN: a card that was dealt covered is shown.
struct CardOpenBody {
  std::uint32_t position = 0;  ///< in the order of dealing, from 0
  std::string place;
  CardOpening opening;
  /// SHOE_RECOMMITs before the root that it opens; without a value it opens the newest.
  std::optional<std::uint32_t> recommits{};
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<CardOpenBody> from_json(const json::Value& body);
};

/// Why a shoe takes no more deals.
enum class ShoeCloseReason : std::uint8_t { stop_card, ended, closed, voided };
/// Somebody may have known the coming cards and did not let them come: counted (PlaceCounts).
[[nodiscard]] constexpr bool closes_early(ShoeCloseReason reason) {
  return reason == ShoeCloseReason::closed || reason == ShoeCloseReason::voided;
}

/// SHOE_CLOSE: the last record of a shoe.
struct ShoeCloseBody {
  std::uint32_t dealt = 0;  ///< under the newest root
  ShoeCloseReason reason = ShoeCloseReason::closed;
  /// For public shoes, and for covered ones of which nothing was dealt.
  std::optional<ShoeDisclosure> disclosure;
  /// Of the roots that SHOE_RECOMMITs replaced, oldest first.
  std::vector<ShoeDisclosure> replaced;
  /// All candidates, in their order, of a shoe whose root was never picked.
  std::vector<ShoeDisclosure> candidates{};
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<ShoeCloseBody> from_json(const json::Value& body);
};
/// True when the stop card was asked for and ended the shoe before a card came behind it: then
/// SHOE_CLOSE stands for both.
[[nodiscard]] bool stop_card_ends(const ShoeCommitBody& commit, const ShoeCloseBody& close);

}  // namespace talla::certs
