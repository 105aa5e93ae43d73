/// \file
/// What two persons order for a laboratory beside play (FORMAT.md section 15): conditioned bits,
/// raw samples, or outcomes of a table of class `lab`, which nobody plays at.
///
/// Such a table has no TABLE_OPEN, no chain and no money: it stands in the `object` of its order
/// alone. Its outcomes come by the mapping of play from bits of their own; those of a draw through
/// a tape of purpose `lab`, so that none can be told as a DRAW.
/// Errors:  FormatErrc::malformed_specification; the tape's (tape_exhausted: more bits are needed).
/// Threads: pure functions. Secrecy: bits and outcomes are the laboratory's until it shows them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "format/bounds.hpp"
#include "format/draw_format.hpp"
#include "shuffle/deck.hpp"

namespace talla::games {
class Table;
}

namespace talla::certs {

/// The act of two persons that orders samples.
inline constexpr std::string_view sampling_act = "sampling-order";
/// Bytes of conditioned bits or raw samples, draws, and shoes of one order: a laboratory file stays
/// below the longest JSON text.
inline constexpr Between sample_bytes{64, 10'485'760};
inline constexpr Between lab_draws{1, 80'000};
inline constexpr Between lab_shoes{1, 3'000};
/// Sources whose raw samples can be asked for, by their place in the status.
inline constexpr std::size_t raw_sources_max = 8;

/// A table of class `lab`, by a game of a catalogue at its own settings.
struct LabTable {
  std::string catalogue;  ///< its id, 1 to 64 of `a-z 0-9 -`
  std::string game;       ///< the same
  std::variant<DrawSpecification, shuffle::DeckSpec> drawn;

  /// `lab/es-1977/french-roulette/wheel-37`; behind the game `wheel-N`, `dice-KxS`, `lots-B-B...`
  /// or `shoe-DECK`.
  [[nodiscard]] std::string text() const;
  /// Nothing: not spelled as `text` does it.
  [[nodiscard]] static std::optional<LabTable> parse(std::string_view text);
  /// That of a game's table; `shoe`: its shoe where it has one, else its draw. Nothing: it has
  /// neither of them, or another draw than records have.
  [[nodiscard]] static std::optional<LabTable> of(const games::Table& table,
                                                  std::string_view catalogue, bool shoe);
  [[nodiscard]] const shuffle::DeckSpec* shoe() const {
    return std::get_if<shuffle::DeckSpec>(&drawn);
  }
  [[nodiscard]] Between counts() const { return shoe() != nullptr ? lab_shoes : lab_draws; }
  /// Bits of one outcome, in bytes; a shoe takes 8 more as often as a word is refused.
  [[nodiscard]] std::size_t outcome_bytes() const;
};
/// Whether a text would name such a table, well or badly.
[[nodiscard]] bool names_lab_table(std::string_view object);

/// What an order asks for, as the `object` of its records says it: `bits:BYTES:CLIENT`,
/// `raw-N:BYTES:CLIENT`, `lab/...:COUNT:CLIENT`.
struct SampleOrder {
  std::string samples;     ///< `bits`, `raw-N`, or the text of a table
  std::int64_t count = 0;  ///< bytes, or outcomes of a table
  std::string client;      ///< id of the laboratory
  bool operator==(const SampleOrder&) const = default;

  [[nodiscard]] std::string text() const;
  /// Nothing: this is no object of an order. Ranges are those above.
  [[nodiscard]] static std::optional<SampleOrder> parse(std::string_view object);
  /// Nothing: of bits or raw samples.
  [[nodiscard]] std::optional<LabTable> table() const { return LabTable::parse(samples); }
};
/// Place of its source; nothing: no raw samples.
[[nodiscard]] std::optional<std::size_t> raw_source_of(std::string_view samples);
/// All names but those of tables.
[[nodiscard]] std::vector<std::string> sample_names();

/// One outcome of a table from exactly these bits, as its line says it: `17`, `3 5`, `7H TS ...`.
/// `asked`: leaf hash of the ACCESS that asked.
/// Errors: malformed_specification where bits are left over.
[[nodiscard]] Result<std::string> lab_outcome(const HashSuite& hashes, const LabTable& table,
                                              ByteView bits, const Digest& asked);
/// The line of a laboratory file: bits in hex, a space, the outcome, LF.
[[nodiscard]] std::string lab_line(ByteView bits, std::string_view outcome);

}  // namespace talla::certs
