/// \file
/// Draws: specification, batch leaves and outcomes; call.hpp maps them.
///
/// FORMAT.md section 8. Ranges: wheel 2-1024 pockets; 1-8 dice of 2-100 faces; 1-16 lots with
/// bounds 2 to 2^32 - 1; fewer than 2^128 outcomes in all. Errors:
/// FormatErrc::malformed_specification, malformed_body.
/// Secrecy: a batch secret is secret until its DRAW, VOID or BATCH_CLOSE; nothing here keeps it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "format/merkle.hpp"
#include "shuffle/draw.hpp"

namespace talla::certs {

/// What is drawn, as records hold it.
using shuffle::DiceDraw;
using shuffle::DrawSpecification;
using shuffle::LotsDraw;
using shuffle::WheelDraw;

/// As CALL and TABLE_OPEN hold it.
[[nodiscard]] json::Value specification_json(const DrawSpecification& specification);
/// Ranges and the 2^128 bound included.
[[nodiscard]] Result<DrawSpecification> specification_from_json(const json::Value& value);
[[nodiscard]] Status check_specification(const DrawSpecification& specification);

/// Pocket index from 0; dice values from 1; lots from 0.
struct Outcome {
  enum class Form : std::uint8_t { pocket, dice, lots } form = Form::pocket;
  std::vector<std::uint32_t> values;
  bool operator==(const Outcome& other) const = default;
};
[[nodiscard]] json::Value outcome_json(const Outcome& outcome);
/// Errors: malformed_body.
[[nodiscard]] Result<Outcome> outcome_from_json(const json::Value& value);

/// H(0x00 || D("batch-leaf") || field(batch id) || u32 j || secret_j).
[[nodiscard]] Digest batch_leaf_hash(const HashSuite& hashes, std::string_view batch_id,
                                     std::uint32_t index, std::span<const std::uint8_t, 32> secret);

/// An outcome and the words of the tape that gave it.
struct DrawResult {
  Outcome outcome;
  std::uint64_t words_used = 0;      ///< 64 bits each, the refused ones too
  std::uint64_t words_rejected = 0;  ///< of them, redrawn
  Digest tape_digest{};
};

}  // namespace talla::certs
