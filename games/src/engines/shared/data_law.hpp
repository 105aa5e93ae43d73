/// \file
/// The data blocks of a game at one table: each figure either printed in the catalogue or chosen by
/// a parameter of the table ({ parameter = "..." }). What blocks and keys a family has, and that
/// these reads cannot fail, its check_rules says with data_check.hpp.
///
/// Threads: reads immutable tables only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "games/table.hpp"

namespace talla::games {

class DataLaw {
 public:
  /// The table must outlive it; its rules passed the family's check_rules.
  explicit DataLaw(const Table& table) : table_(&table) {}

  [[nodiscard]] const Table& table() const { return *table_; }
  [[nodiscard]] const GameRules& rules() const { return table_->rules(); }

  [[nodiscard]] bool has(std::string_view block) const { return rules().data.contains(block); }
  /// Precondition (checked): the block exists.
  [[nodiscard]] const Citation& cite(std::string_view block) const;
  /// " (12 VII.7.3)": what refusals end with. Precondition (checked): the block exists.
  [[nodiscard]] std::string cited(std::string_view block) const;
  /// The same for one key: the section of the parameter that chooses its value, if one does.
  [[nodiscard]] std::string cited(std::string_view block, std::string_view key) const;
  /// The value of that key, parameters resolved; nullptr when block or key is absent.
  [[nodiscard]] const json::Value* find(std::string_view block, std::string_view key) const;
  /// Preconditions of the getters (checked): block and key exist, the value has that type.
  [[nodiscard]] const std::string& text(std::string_view block, std::string_view key) const;
  [[nodiscard]] bool flag(std::string_view block, std::string_view key) const;
  [[nodiscard]] int number(std::string_view block, std::string_view key) const;
  [[nodiscard]] Fraction fraction(std::string_view block, std::string_view key) const;
  [[nodiscard]] std::vector<int> numbers(std::string_view block, std::string_view key) const;
  [[nodiscard]] bool is(std::string_view block, std::string_view key,
                        std::string_view value) const {
    return text(block, key) == value;
  }
  /// A printed value, or that of the parameter it names.
  [[nodiscard]] const json::Value& resolve(const json::Value& value) const;
  /// The same of everything inside lists and objects.
  [[nodiscard]] json::Value resolved(const json::Value& value) const;
  [[nodiscard]] Fraction fraction_of(const json::Value& value) const;

  /// The stake that such a figure fixes, in table minimums: whole chips, never beyond the largest
  /// that the text allows.
  [[nodiscard]] Units stake_of(const json::Value& value) const;

  /// Precondition (checked): the game has that bet.
  [[nodiscard]] const BetRule& bet(std::string_view kind) const;

 protected:
  [[nodiscard]] const json::Value& need(std::string_view block, std::string_view key) const;

 private:
  const Table* table_;
};

}  // namespace talla::games
