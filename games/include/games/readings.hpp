/// \file
/// Readings: what the texts leave open, and how each place is read, in the words of the digests
/// that lie beside the catalogues (games/catalogues/readings, and "Readings of our own" of
/// games/catalogues/README.md). A figure or parameter of a catalogue names its reading by id:
/// "A11", "H3".
///
/// Threads: pure functions; the texts are read once.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "games/catalogue.hpp"

namespace talla::games {

/// The files, as bytes under their names ("es-1977", "es-euskadi-2010-a", "README").
[[nodiscard]] const std::vector<EmbeddedCatalogue>& embedded_readings();

/// One reading of one text.
struct Reading {
  std::string id;      ///< "A11", "H3"
  std::string digest;  ///< file it stands in, without extension
  /// Place, what the text says, how it is read and why; in English, without emphasis marks.
  std::string text;
};

/// All readings of a text that a digest or the list of our own numbers, in their order; those of
/// our own last.
[[nodiscard]] std::vector<Reading> readings_of(std::string_view catalogue_id);
/// The reading that a figure of that game rests on, or nullptr. `all`: readings_of that game's
/// catalogue.
[[nodiscard]] const Reading* reading_of(const std::vector<Reading>& all, std::string_view id,
                                        const GameRules& game);

/// The page games/catalogues/READINGS.md: every reading with its text, alternatives, default and
/// why.
[[nodiscard]] std::string readings_page(
    const std::vector<std::shared_ptr<const Catalogue>>& catalogues);

}  // namespace talla::games
