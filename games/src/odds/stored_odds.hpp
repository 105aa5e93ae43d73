/// \file
/// Odds of poker that take seconds or minutes to count, as `make_odds` counted them once;
/// `talla odds --count` counts them again. Private to games.
///
/// Law:     the text of all that such a count reads: order of hands, least hand of the bank,
///          payments, multiples. Odds are found under a number made of it, so that a table whose
///          law differs in anything has none.
/// Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engines/shared/data_law.hpp"
#include "games/odds.hpp"

namespace talla::games {

/// One bet under one law; fractions as Ratio::text writes them.
struct StoredOdds {
  std::uint64_t law = 0;
  std::string_view win;
  std::string_view lose;
  std::string_view returned;
  std::string_view square;
  std::string_view staked;
};
/// All of them; written by `make_odds`.
[[nodiscard]] std::span<const StoredOdds> all_stored_odds();
/// Those of this law, if they were counted.
[[nodiscard]] std::optional<Odds> stored_odds(std::string_view law);

/// Pai gow, hands set one way under one law: how many of all deals the client wins and loses.
struct StoredSetting {
  std::uint64_t law = 0;
  std::int64_t win = 0;
  std::int64_t lose = 0;
};
/// All deals of two hands of seven from 53 cards, each as often as both have orders (PaiGowHands).
inline constexpr std::int64_t stored_setting_deals = 297'016'525'123'718'400;
/// All of them; written by `make_odds`.
[[nodiscard]] std::span<const StoredSetting> all_stored_settings();
/// That of this law, if it was counted.
[[nodiscard]] std::optional<StoredSetting> stored_setting(std::string_view law);
/// 64 bits of a law's text (FNV-1a).
[[nodiscard]] std::uint64_t law_number(std::string_view law);

/// The law of a count from `kind`, those of these blocks that the game has, and these bets of a
/// table, parameters resolved.
[[nodiscard]] std::string law_text(const DataLaw& law, std::string_view kind,
                                   std::span<const std::string_view> blocks,
                                   std::span<const std::string> bets);
/// That of this table's bet, played so (a code of `play_words`, or ""); "" where none like it are
/// stored.
[[nodiscard]] std::string counted_law(const Table& table, std::string_view bet,
                                      std::string_view play = {});

}  // namespace talla::games
