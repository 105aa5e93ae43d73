/// \file
/// What check_rules of a family asks of its data blocks: the keys, their types, the values that the
/// engine knows, printed or chosen by a parameter.
///
/// Errors: Errc::catalogue_malformed, naming block and key. Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "games/rules.hpp"

namespace talla::games {

/// flag: bool. number, fraction: within [min, max]. choice: one of `values`. text: the id of a bet
/// of the game. numbers: a list, each within [min, max]. cards: a list of card texts, at least min
/// and at most max of them. words: a list that is not empty, each one of `values`.
enum class DataType : std::uint8_t { flag, number, fraction, choice, text, numbers, cards, words };

/// One key of a data block.
struct DataKey {
  std::string_view block;
  std::string_view key;
  DataType type = DataType::flag;
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::vector<std::string_view> values{};  ///< choice, words
  bool required = true;
};

/// A printed value, or a parameter every value of which the engine knows.
[[nodiscard]] Status check_data_value(const GameRules& rules, const json::Value& value,
                                      const DataKey& key);
/// Every key of the block is known, every required one is there. `by_bet`: its further keys are
/// bets of the game, whose objects the family checks itself.
[[nodiscard]] Status check_data_block(const GameRules& rules, const std::string& name,
                                      const DataBlock& block, std::span<const DataKey> keys,
                                      bool by_bet = false);

}  // namespace talla::games
