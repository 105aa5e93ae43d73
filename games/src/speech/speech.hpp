/// \file
/// The codes of catalogues as sentences, in es and en: values of parameters, outcomes that a
/// payment hangs on, effects of errors, what a bet is on, and the members of data blocks.
///
/// A phrase is found by its key: "value/PARAMETER/VALUE", "when/OUTCOME", "effect/EFFECT",
/// "covers/WORD" and, for data blocks, "FAMILY/BLOCK.MEMBER" or "FAMILY/BLOCK.MEMBER=VALUE"; "{}"
/// stands for the value, "*" for the name of any bet ("{bet}" in the sentence), "[MEMBER]" for a
/// member of the objects of a list. An empty sentence is left out. No catalogue's text is here:
/// names of bets, parameters and places come from the catalogue's own tables.
/// Threads: pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "games/rules.hpp"

namespace talla::games::speech {

struct Phrase {
  std::string_view key;
  std::string_view es;
  std::string_view en;
};
/// The parts of the phrase book, one for each file of this folder that holds phrases.
[[nodiscard]] std::span<const Phrase> value_phrases();
[[nodiscard]] std::span<const Phrase> outcome_phrases();
[[nodiscard]] std::span<const Phrase> wheel_and_row_phrases();
[[nodiscard]] std::span<const Phrase> card_phrases();
[[nodiscard]] std::span<const Phrase> bank_phrases();
[[nodiscard]] std::span<const Phrase> monte_phrases();
[[nodiscard]] std::span<const Phrase> house_poker_phrases();
[[nodiscard]] std::span<const Phrase> second_bet_phrases();
[[nodiscard]] std::span<const Phrase> circle_phrases();
[[nodiscard]] std::span<const Phrase> tournament_phrases();

/// Speaks about one game.
class Speaker {
 public:
  Speaker(const Catalogue& catalogue, const GameRules& game, std::string_view language)
      : catalogue_(&catalogue), game_(&game), language_(language) {}

  /// "Name of the parameter" in quotes, from the catalogue's texts.
  [[nodiscard]] std::string parameter(const std::string& id) const;
  /// The same with what holds when the table says nothing.
  [[nodiscard]] std::string chosen(const std::string& id) const;
  /// A value of that parameter in words; a figure or an unknown value stays as it is written.
  [[nodiscard]] std::string value(const std::string& parameter_id, const json::Value& value) const;
  /// "while «parameter» is value".
  [[nodiscard]] std::string condition(const Condition& when) const;
  /// The bets' names, with commas.
  [[nodiscard]] std::string bets(const std::vector<std::string>& ids) const;
  /// An outcome, effect or word of `covers`; the code itself when there is no phrase.
  [[nodiscard]] std::string word(std::string_view kind, const std::string& code) const;
  /// One sentence for each member of a data block.
  [[nodiscard]] std::vector<std::string> block(const std::string& name,
                                               const json::Value& value) const;

 private:
  [[nodiscard]] std::optional<std::string> phrase(std::string_view key) const;
  [[nodiscard]] std::string spoken(const json::Value& value) const;
  [[nodiscard]] std::optional<std::string> sentence(const std::string& path,
                                                    const std::string& end) const;
  bool rows(const std::string& path, const json::Value& value, std::vector<std::string>& out) const;
  void members(const std::string& path, const json::Value& value,
               std::vector<std::string>& out) const;

  const Catalogue* catalogue_;
  const GameRules* game_;
  std::string_view language_;
};

}  // namespace talla::games::speech
