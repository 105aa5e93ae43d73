/// \file
/// Family "circle-poker": one data block read key by key. A value is printed (`players_min = 4`) or
/// stands in a parameter of the table (`{ parameter = "fee" }`), whose every allowed value must be
/// one the engine knows.
///
/// Errors: Errc::catalogue_malformed, naming block and key. Threads: one thread.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "games/rules.hpp"

namespace talla::games::circle {

class Figures {
 public:
  /// `params` may be null: then a parameter counts with the first value it allows.
  [[nodiscard]] static Result<Figures> of(const GameRules& rules, const Params* params,
                                          std::string_view block);

  [[nodiscard]] bool has(std::string_view key) const { return block_->value.find(key) != nullptr; }
  [[nodiscard]] Result<std::string> word(std::string_view key,
                                         std::initializer_list<std::string_view> known);
  /// One of two words; true for the first.
  [[nodiscard]] Result<bool> either(std::string_view key, std::string_view yes,
                                    std::string_view no);
  [[nodiscard]] Result<bool> flag(std::string_view key);
  [[nodiscard]] Result<std::int64_t> number(std::string_view key, std::int64_t min,
                                            std::int64_t max);
  /// A fraction in [0, max], or a parameter of type integer or fraction.
  [[nodiscard]] Result<Fraction> fraction(std::string_view key, std::int64_t max);
  [[nodiscard]] Result<const json::Array*> list(std::string_view key);
  [[nodiscard]] Result<const json::Value*> object(std::string_view key);
  /// A fraction that stands by itself or in a parameter.
  [[nodiscard]] Result<Fraction> fraction_of(const json::Value& value, std::string_view key,
                                             std::int64_t max);
  [[nodiscard]] const Citation& cite() const { return block_->cite; }
  /// Refuses keys that nobody asked for.
  [[nodiscard]] Status finish() const;
  [[nodiscard]] tl::unexpected<Error> wrong(std::string_view key, const std::string& why) const;

 private:
  Figures(const GameRules& rules, const Params* params, std::string_view name,
          const DataBlock& block)
      : rules_(&rules), params_(params), name_(name), block_(&block) {}
  [[nodiscard]] Result<const json::Value*> need(std::string_view key);
  /// The parameter that a value names, or nullptr for a printed value.
  [[nodiscard]] Result<const ParameterRule*> parameter(const json::Value& value,
                                                       std::string_view key) const;

  const GameRules* rules_;
  const Params* params_;
  std::string name_;
  const DataBlock* block_;
  std::vector<std::string> read_;
};

}  // namespace talla::games::circle
