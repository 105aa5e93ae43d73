/// \file
/// One description of a struct's members for both directions: `Writer` makes its JSON, `Loader`
/// reads it back and refuses what Writer would not have written. A member stands in the JSON only
/// while it differs from its default, or always (`always_...`). A bound stands in the description
/// alone.
///
/// A description is a function template `fields(A& a, S& s)` that names the members one by one;
/// `written` and `loaded` run it. What holds between members is checked behind it. Where the two
/// directions differ, `if constexpr (A::loads)` says what follows from what was read.
/// Errors:  Errc::state_malformed, with the member's place. Threads: plain values.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "engines/shared/state_json.hpp"
#include "games/bets.hpp"
#include "games/errc.hpp"
#include "games/money.hpp"
#include "games/settlement.hpp"
#include "shuffle/card.hpp"

namespace talla::games {

/// Amounts and counts from `min` to `max`, both included.
struct FigureRange {
  std::int64_t min = 1;
  std::int64_t max = units_max;
};

class Writer {
 public:
  static constexpr bool loads = false;
  json::Object out;

  void flag(const char* key, bool value) {
    if (value) put(key, true);
  }
  template <class T>
  void number(const char* key, T value, std::int64_t /*max*/ = units_max) {
    if (value != 0) put(key, value);
  }
  /// Not written while it is 0.
  template <class T>
  void number_in(const char* key, T value, FigureRange /*range*/) {
    if (value != 0) put(key, value);
  }
  template <class T>
  void always_number(const char* key, T value, FigureRange /*range*/) {
    put(key, value);
  }
  void always_text(const char* key, const std::string& value) { put(key, value); }
  void always_card(const char* key, shuffle::Card value) { put(key, value.text()); }
  template <class E>
  void always_name(const char* key, E value, std::span<const std::string_view> names) {
    put(key, names[static_cast<std::size_t>(value)]);
  }
  void text(const char* key, const std::string& value) {
    if (!value.empty()) put(key, value);
  }
  template <class E>
  void name(const char* key, E value, std::span<const std::string_view> names) {
    if (value != E{}) put(key, names[static_cast<std::size_t>(value)]);
  }
  void card(const char* key, const std::optional<shuffle::Card>& value) {
    if (value) put(key, value->text());
  }
  /// French cards, at most so many.
  void cards(const char* key, const std::vector<shuffle::Card>& value, std::size_t /*most*/ = 0) {
    any_cards(key, value, 0);
  }
  /// Cards, jokers and balls, at most so many.
  void any_cards(const char* key, const std::vector<shuffle::Card>& value, std::size_t /*most*/) {
    if (!value.empty()) put(key, cards_json(value));
  }
  void any_card(const char* key, const std::optional<shuffle::Card>& value) { card(key, value); }
  void texts(const char* key, const std::vector<std::string>& value) {
    if (!value.empty()) put(key, json::Array(value.begin(), value.end()));
  }
  template <class T>
  void numbers(const char* key, const std::vector<T>& value, std::int64_t /*max*/ = units_max) {
    if (!value.empty()) put(key, json::Array(value.begin(), value.end()));
  }
  template <class T>
  void object(const char* key, const T& value) {
    if (value == T{}) return;
    Writer inner;
    fields(inner, const_cast<T&>(value));  // NOLINT: fields only reads through a Writer
    put(key, std::move(inner.out));
  }
  template <class T>
  void optional(const char* key, const std::optional<T>& value) {
    if (!value) return;
    Writer inner;
    fields(inner, const_cast<T&>(*value));  // NOLINT
    put(key, std::move(inner.out));
  }
  void bets(const char* key, const BetBook& value) {
    if (!value.empty()) put(key, value.to_json());
  }
  void settled(const std::vector<Settlement>& value) {
    json::Array all;
    all.reserve(value.size());
    for (const auto& one : value) all.push_back(to_json(one));
    if (!all.empty()) put("settled", std::move(all));
  }
  /// Part of a unit that contributions have left, above 0 and below 1.
  void carry(const char* key, const Fraction& value) {
    if (!value.is_zero()) put(key, value.text());
  }
  /// A member with a form of its own: `write` gives its value, written while `present`.
  template <class W, class R>
  void member(const char* key, bool present, W write, R /*read*/) {
    if (present) put(key, write());
  }
  template <class T>
  void list(const char* key, const std::vector<T>& value, std::size_t /*most*/ = 0) {
    json::Array all;
    all.reserve(value.size());
    for (const auto& one : value) {
      Writer inner;
      fields(inner, const_cast<T&>(one));  // NOLINT
      all.emplace_back(std::move(inner.out));
    }
    if (!all.empty()) put(key, std::move(all));
  }

 private:
  void put(const char* key, json::Value value) { out.insert_or_assign(key, std::move(value)); }
};

class Loader {
 public:
  static constexpr bool loads = true;

  Loader(const json::Value& value, std::string where)
      : reader_(value, where), where_(std::move(where)) {}

  void flag(const char* key, bool& value) {
    if (!wanted(key)) return;
    auto read = reader_.boolean(key);
    if (!read || !*read) return refuse(key);
    value = true;
  }
  template <class T>
  void number(const char* key, T& value, std::int64_t max = units_max) {
    number_in(key, value, {1, max});
  }
  template <class T>
  void number_in(const char* key, T& value, FigureRange range) {
    if (!wanted(key)) return;
    always_number(key, value, range);
    if (value == 0) refuse(key);
  }
  template <class T>
  void always_number(const char* key, T& value, FigureRange range) {
    if (!status_) return;
    auto read = reader_.integer(key, range.min, range.max);
    if (!read) return refuse(key);
    value = static_cast<T>(*read);
  }
  void text(const char* key, std::string& value) {
    if (wanted(key)) always_text(key, value);
  }
  void always_text(const char* key, std::string& value) {
    if (!status_) return;
    auto read = reader_.string(key);
    if (!read || read->empty() || read->size() > text_max) return refuse(key);
    value = std::move(*read);
  }
  void always_card(const char* key, shuffle::Card& value) {
    if (!status_) return;
    const auto* text = reader_.optional(key);
    auto card = text == nullptr ? std::nullopt : one_card(*text, key, false);
    if (!card) return refuse(key);
    value = *card;
  }
  template <class E>
  void always_name(const char* key, E& value, std::span<const std::string_view> names) {
    if (!status_) return;
    auto read = reader_.string(key);
    const auto at = read ? std::ranges::find(names, *read) : names.end();
    if (at == names.end()) return refuse(key);
    value = static_cast<E>(at - names.begin());
  }
  template <class E>
  void name(const char* key, E& value, std::span<const std::string_view> names) {
    if (!wanted(key)) return;
    always_name(key, value, names);
    if (value == E{}) refuse(key);
  }
  void card(const char* key, std::optional<shuffle::Card>& value) {
    if (!wanted(key)) return;
    value = one_card(*reader_.optional(key), key, true);
  }
  void any_card(const char* key, std::optional<shuffle::Card>& value) {
    if (!wanted(key)) return;
    value = one_card(*reader_.optional(key), key, false);
  }
  void cards(const char* key, std::vector<shuffle::Card>& value, std::size_t most = list_max) {
    each(
        key,
        [&](const json::Value& one) {
          if (const auto card = one_card(one, key, true)) value.push_back(*card);
        },
        most);
  }
  void any_cards(const char* key, std::vector<shuffle::Card>& value, std::size_t most) {
    each(
        key,
        [&](const json::Value& one) {
          if (const auto card = one_card(one, key, false)) value.push_back(*card);
        },
        most);
  }
  void texts(const char* key, std::vector<std::string>& value) {
    each(key, [&](const json::Value& one) {
      if (!one.is_string() || one.string().size() > text_max) return refuse(key);
      value.push_back(one.string());
    });
  }
  template <class T>
  void numbers(const char* key, std::vector<T>& value, std::int64_t max = units_max) {
    each(key, [&](const json::Value& one) {
      if (!one.is_integer() || one.integer() < 1 || one.integer() > max) return refuse(key);
      value.push_back(static_cast<T>(one.integer()));
    });
  }
  template <class T>
  void object(const char* key, T& value) {
    if (!wanted(key)) return;
    inner(*reader_.optional(key), key, value);
    if (value == T{}) refuse(key);
  }
  template <class T>
  void optional(const char* key, std::optional<T>& value) {
    if (!wanted(key)) return;
    inner(*reader_.optional(key), key, value.emplace());
  }
  template <class T>
  void list(const char* key, std::vector<T>& value, std::size_t most = list_max) {
    each(
        key, [&](const json::Value& one) { inner(one, key, value.emplace_back()); }, most);
  }
  void bets(const char* key, BetBook& value) {
    if (!wanted(key)) return;
    auto book = BetBook::from_json(*reader_.optional(key));
    if (!book) return refuse_as(std::move(book).error());
    if (book->empty()) return refuse(key);
    value = std::move(*book);
  }
  void settled(std::vector<Settlement>& value) {
    each("settled", [&](const json::Value& one) {
      auto read = settlement_from_json(one);
      if (!read) return refuse_as(std::move(read).error());
      value.push_back(std::move(*read));
    });
  }
  void carry(const char* key, Fraction& value) {
    if (!wanted(key)) return;
    const auto text = reader_.string(key);
    const auto read = text ? Fraction::parse_canonical(*text) : Result<Fraction>(Fraction());
    if (!read || *read <= Fraction(0) || *read >= Fraction(1) || read->text() != *text)
      return refuse(key);
    value = *read;
  }
  /// `read` takes the member's value and says false when it does not fit.
  template <class W, class R>
  void member(const char* key, bool /*present*/, W /*write*/, R read) {
    if (wanted(key) && !read(*reader_.optional(key))) refuse(key);
  }
  [[nodiscard]] Status finish() {
    if (!status_) return status_;
    auto rest = reader_.finish();
    if (!rest) return fail(Errc::state_malformed, rest.error().detail);
    return {};
  }
  void refuse(const std::string& key) {
    if (status_) status_ = fail(Errc::state_malformed, where_ + "." + key + " does not fit");
  }

 private:
  static constexpr std::size_t list_max = 4096;
  static constexpr std::size_t text_max = 160;
  [[nodiscard]] bool wanted(const char* key) const {
    return static_cast<bool>(status_) && reader_.has(key);
  }
  void refuse_as(const Error& error) {
    if (status_) status_ = fail(Errc::state_malformed, error.detail);
  }
  template <class F>
  void each(const char* key, F take, std::size_t most = list_max) {
    if (!wanted(key)) return;
    auto array = reader_.array(key);
    if (!array || (*array)->empty() || (*array)->size() > most) return refuse(key);
    for (const auto& one : **array) take(one);
  }
  template <class T>
  void inner(const json::Value& value, const char* key, T& out) {
    Loader loader(value, where_ + "." + key);
    fields(loader, out);
    if (auto status = loader.finish(); !status && status_) status_ = std::move(status);
  }
  std::optional<shuffle::Card> one_card(const json::Value& value, const char* key, bool french) {
    auto card = value.is_string()
                    ? shuffle::Card::parse(value.string())
                    : Result<shuffle::Card>(fail(Errc::state_malformed, "a card is a text"));
    if (card && (!french || card->family() == shuffle::CardFamily::french)) return *card;
    refuse(key);
    return std::nullopt;
  }

  json::Reader reader_;
  std::string where_;
  Status status_;
};

/// The JSON of a struct by its description `describe(archive, struct)`.
template <class S, class F>
[[nodiscard]] json::Value written(const S& value, F describe) {
  Writer writer;
  describe(writer, const_cast<S&>(value));  // NOLINT: a Writer only reads
  return std::move(writer.out);
}
/// Reads it back. `where` begins the place that a refusal names.
template <class S, class F>
[[nodiscard]] Result<S> loaded(const json::Value& value, const std::string& where, F describe) {
  if (!value.is_object()) return fail(Errc::state_malformed, where + " is an object");
  Loader loader(value, where);
  S out;
  describe(loader, out);
  TALLA_TRY_STATUS(loader.finish());
  return out;
}

}  // namespace talla::games
