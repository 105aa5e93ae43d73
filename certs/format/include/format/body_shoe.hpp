/// \file
/// Typed bodies of the shoe's kinds (FORMAT.md section 6, "Shoe").
///
/// Each has `to_json` and a strict `from_json`; Errors: FormatErrc::malformed_body, malformed_context.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/json.hpp"
#include "format/context.hpp"

namespace talla::certs {

enum class CutMode : std::uint8_t { table, rotation, none };

struct ShoeCommitBody {
  std::string table;
  std::uint64_t number = 1;  ///< shoe number at the table, from 1 without gaps
  std::uint32_t cards = 0;   ///< n
  std::string deck;          ///< deck specification, canonical text of shuffle ("french52x8")
  Digest root{};
  Digest cut_commitment{};
  Digest tape_mac{};
  std::uint32_t cut_min = 0;  ///< inclusive
  std::uint32_t cut_max = 0;  ///< inclusive, below n
  CutMode cut = CutMode::rotation;
  std::uint32_t stop_depth = 0;  ///< 0: no stop card
  std::string burn;              ///< code of the burn rule, may be empty
  bool covered = false;          ///< disclosure class
  Context context;
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<ShoeCommitBody> from_json(const json::Value& body);
};

struct ShoeCutBody {
  Bytes nonce;  ///< 16 to 64 bytes
  Digest root{};
  Digest secret{};           ///< r
  std::uint32_t offset = 0;  ///< c
  std::uint64_t words_used = 0;
  std::uint64_t words_rejected = 0;
  Digest tape_digest{};
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<ShoeCutBody> from_json(const json::Value& body);
};

/// The opening of one leaf.
struct CardOpening {
  std::uint32_t leaf = 0;
  std::string card;  ///< code
  Digest salt{};
  std::vector<Digest> path;
};

enum class Face : std::uint8_t { open, covered, unseen };

struct CardDealBody {
  std::uint32_t position = 0;  ///< dealt position, from 0
  std::string place;
  Face face = Face::open;
  std::string round;                   ///< empty: none
  std::optional<CardOpening> opening;  ///< exactly when face is open
  Digest ciphertext{};                 ///< covered only
  std::int64_t seat = 0;               ///< covered only
  Digest key{};                        ///< covered only
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<CardDealBody> from_json(const json::Value& body);
};

struct CardOpenBody {
  std::uint32_t position = 0;
  std::string place;
  CardOpening opening;
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<CardOpenBody> from_json(const json::Value& body);
};

enum class ShoeCloseReason : std::uint8_t { stop_card, closed, voided };

/// What a public shoe opens at its close.
struct ShoeDisclosure {
  Digest key{};     ///< K
  Digest secret{};  ///< r
  Bytes tape;
  std::uint64_t words_used = 0;
  std::uint64_t words_rejected = 0;
  Digest tape_digest{};
};

struct ShoeCloseBody {
  std::uint32_t dealt = 0;
  ShoeCloseReason reason = ShoeCloseReason::closed;
  std::optional<ShoeDisclosure> disclosure;  ///< exactly for public shoes
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<ShoeCloseBody> from_json(const json::Value& body);
};

}  // namespace talla::certs
