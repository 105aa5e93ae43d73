/// \file
/// Readings: what the texts leave open, and how each place is read, in the words of the digests
/// that lie beside the catalogues (games/catalogues/readings; own.md there has those that no digest
/// numbers). A figure or parameter of a catalogue names its reading by id: "A11", "H3".
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

/// The files, as bytes under their names ("es-1977", "es-euskadi-2010-a", "own"; the Spanish
/// ones "lecturas-es-1977" and so on).
[[nodiscard]] const std::vector<EmbeddedCatalogue>& embedded_readings();

/// One reading of one text: place, what the text says, how it is read and why; without emphasis
/// marks.
struct Reading {
  std::string id;       ///< "A11", "H3"
  std::string digest;   ///< file it stands in, without extension
  std::string text;     ///< in English
  std::string text_es;  ///< in Spanish
  /// One of our own, that no text's list has.
  [[nodiscard]] bool ours() const { return id.starts_with('H'); }
  /// In "es" or "en".
  [[nodiscard]] const std::string& said(std::string_view language) const {
    return language == "es" ? text_es : text;
  }
};

/// All readings of a text that a digest or the list of our own numbers, in their order; those of
/// our own last.
[[nodiscard]] std::vector<Reading> readings_of(std::string_view catalogue_id);

/// What the figures of one catalogue rest on: the readings of its own text, and those of a text
/// that lends it figures.
class Readings {
 public:
  explicit Readings(const Catalogue& catalogue);
  /// Of the catalogue's own text, in their order.
  [[nodiscard]] const std::vector<Reading>& own() const { return own_; }
  /// Of texts that lend figures, by catalogue; without our own, which stand in `own`.
  [[nodiscard]] const std::map<std::string, std::vector<Reading>>& lent() const { return lent_; }
  /// The reading that a figure of that game rests on, or nullptr.
  [[nodiscard]] const Reading* of(const Citation& cite, const GameRules& game) const;

 private:
  std::vector<Reading> own_;
  std::map<std::string, std::vector<Reading>> lent_;
};

/// The page games/catalogues/READINGS.md (LECTURAS.md in "es"): every reading with its text,
/// alternatives, default and why.
[[nodiscard]] std::string readings_page(
    const std::vector<std::shared_ptr<const Catalogue>>& catalogues, std::string_view language);

}  // namespace talla::games
