/// \file
/// Every bound of FORMAT.md that more than one place asks for: lengths, counts and ranges of what
/// records hold.
///
/// The description of a body names them, so do the appliance's readers of requests and the pages.
/// Threads: constants and pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/json.hpp"

namespace talla::certs {

/// Inclusive bounds of an integer, a length or a count.
struct Between {
  std::int64_t min;  ///< taken too
  std::int64_t max;  ///< taken too
  /// Whether a number, or a count, is inside.
  [[nodiscard]] constexpr bool holds(std::int64_t value) const {
    return value >= min && value <= max;
  }
  [[nodiscard]] constexpr bool holds_count(std::size_t count) const {
    return count <= static_cast<std::size_t>(json::integer_max) &&
           holds(static_cast<std::int64_t>(count));
  }
};
/// "16 to 64", or "from 1" where nothing but the largest integer of JSON ends it.
[[nodiscard]] std::string bounds_text(Between bounds);

/// `v` of records, bundles, archives, openings and signed statements (FORMAT.md).
inline constexpr std::int64_t format_version = 2;

/// What members of bodies are held to: any number from 0, from 1, an index of 32 bits.
inline constexpr Between natural{0, json::integer_max};
inline constexpr Between from_one{1, json::integer_max};
inline constexpr Between index32{0, 0xFFFFFFFF};
/// A seat that something is encrypted for.
inline constexpr Between seat_numbers{1, 0xFFFFFFFF};
/// Characters of the name of a table's place in the house.
inline constexpr Between place_name_length{1, 64};
/// Contributors of one call beside the table, and roots that a mix picks from.
inline constexpr Between call_others{0, 64};
inline constexpr Between mix_candidates{1, 8};
/// The same where there is something to pick, and the index of the one that is.
inline constexpr Between several_candidates{2, mix_candidates.max};
inline constexpr Between candidate_index{0, mix_candidates.max - 1};
/// Calls of a round or object that may end in VOID before two persons must agree to another.
inline constexpr Between voids_allowed{0, 16};
/// Seconds in which contributors open.
inline constexpr Between open_within_seconds{1, 3'600};
/// Bytes of the nonce of a challenge, which its client chooses.
inline constexpr Between nonce_bytes{16, 64};
/// Numbered parts of one content.
inline constexpr Between part_counts{2, 64};
/// Cards of one shoe.
inline constexpr Between shoe_cards{1, 1024};
/// A dealt position.
inline constexpr Between shoe_positions{0, shoe_cards.max - 1};
/// Secrets of one batch, and the index of one of them.
inline constexpr Between batch_secrets{1, 256};
inline constexpr Between batch_index{0, batch_secrets.max - 1};
/// Places that a shuffling machine reports on.
inline constexpr Between machine_places{0, 4096};
/// Compartments of a shelf machine.
inline constexpr Between shelf_compartments{2, 256};
/// Draw specifications (FORMAT.md section 8).
inline constexpr Between wheel_pockets{2, 1024};
inline constexpr Between dice_counts{1, 8};
inline constexpr Between die_faces{2, 100};
inline constexpr Between lot_counts{1, 16};
inline constexpr Between lot_bounds{2, 0xFFFFFFFF};
/// Certificates of one chain.
inline constexpr Between chain_certificates{1, 8};

/// Certifications of one bundle.
inline constexpr std::size_t bundle_certifications_max = 16;

}  // namespace talla::certs
