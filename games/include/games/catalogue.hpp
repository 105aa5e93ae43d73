/// \file
/// Loading catalogue files: strict schema, digest, listing. The file format is documented in
/// games/catalogues/docs.
///
/// Errors:  Errc::catalogue_malformed with line and key; nothing is loaded in part.
/// Threads: pure functions; what is built in is read once.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "games/rules.hpp"

namespace talla::games {

/// A file compiled into the program.
struct EmbeddedCatalogue {
  std::string_view id;  ///< file name without extension, equal to [catalogue] id
  ByteView bytes;
};
/// The built-in files, sorted by id.
[[nodiscard]] const std::vector<EmbeddedCatalogue>& embedded_catalogues();

/// Parses and checks one file (at most 4 MiB): unknown keys, missing citations, dangling references
/// (limits of unknown bets, conditions on unknown parameters), texts for codes that do not exist,
/// and what each game's engine refuses. Games whose family has no engine are kept (they can be
/// listed, not opened).
[[nodiscard]] Result<std::shared_ptr<const Catalogue>> load_catalogue(ByteView file,
                                                                      const HashSuite& hash);
/// The built-in one. Errors: catalogue_unknown.
[[nodiscard]] Result<std::shared_ptr<const Catalogue>> load_embedded(std::string_view id,
                                                                     const HashSuite& hash);

/// The built-in one with that digest; nullptr: there is none. Valid for the program's life; `hash`
/// is asked the first time alone. Thread-safe.
[[nodiscard]] const Catalogue* built_in_catalogue(const Digest& digest, const HashSuite& hash);
/// The numbers of the wheel of a game in it, in the order of its pockets; nullptr: there is no such
/// catalogue, game or wheel.
[[nodiscard]] const std::vector<std::string>* wheel_numbers(const Digest& catalogue,
                                                            std::string_view game,
                                                            const HashSuite& hash);

/// Texts that `es` or `en` lacks, as "en bet caballo"; empty in a finished catalogue.
[[nodiscard]] std::vector<std::string> missing_texts(const Catalogue& catalogue);

/// What `talla catalogue show` prints: all games of a catalogue, or one game with bets, covers,
/// payouts, limits, actions, places, error codes and parameters, with citations and the texts of
/// `language`.
[[nodiscard]] json::Value describe(const Catalogue& catalogue, std::string_view language);
[[nodiscard]] json::Value describe(const Catalogue& catalogue, const GameRules& game,
                                   std::string_view language);

}  // namespace talla::games
