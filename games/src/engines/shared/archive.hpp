/// \file
/// One description of a struct's members for both directions: `Writer` makes its JSON, `Loader`
/// reads it back and refuses what Writer would not have written. A member stands in the JSON only
/// while it differs from its default.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "games/errc.hpp"
#include "games/money.hpp"
#include "shuffle/card.hpp"

namespace talla::games {

class Writer {
 public:
  json::Object out;

  void flag(const char* key, bool value) {
    if (value) put(key, true);
  }
  template <class T>
  void number(const char* key, T value, std::int64_t /*max*/ = units_max) {
    if (value != 0) put(key, value);
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
  void cards(const char* key, const std::vector<shuffle::Card>& value) {
    json::Array all;
    for (const auto one : value) all.emplace_back(one.text());
    if (!all.empty()) put(key, std::move(all));
  }
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
  template <class T>
  void list(const char* key, const std::vector<T>& value) {
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
    if (!wanted(key)) return;
    auto read = reader_.integer(key, 1, max);
    if (!read) return refuse(key);
    value = static_cast<T>(*read);
  }
  void text(const char* key, std::string& value) {
    if (!wanted(key)) return;
    auto read = reader_.string(key);
    if (!read || read->empty() || read->size() > 64) return refuse(key);
    value = std::move(*read);
  }
  template <class E>
  void name(const char* key, E& value, std::span<const std::string_view> names) {
    if (!wanted(key)) return;
    auto read = reader_.string(key);
    if (!read) return refuse(key);
    for (std::size_t i = 1; i < names.size(); ++i) {
      if (names[i] == *read) {
        value = static_cast<E>(i);
        return;
      }
    }
    refuse(key);
  }
  void card(const char* key, std::optional<shuffle::Card>& value) {
    if (!wanted(key)) return;
    value = one_card(*reader_.optional(key), key);
  }
  void cards(const char* key, std::vector<shuffle::Card>& value) {
    each(key, [&](const json::Value& one) {
      if (const auto card = one_card(one, key)) value.push_back(*card);
    });
  }
  void texts(const char* key, std::vector<std::string>& value) {
    each(key, [&](const json::Value& one) {
      if (!one.is_string() || one.string().size() > 64) return refuse(key);
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
  void list(const char* key, std::vector<T>& value) {
    each(key, [&](const json::Value& one) { inner(one, key, value.emplace_back()); });
  }

  [[nodiscard]] json::Reader& reader() { return reader_; }
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
  [[nodiscard]] bool wanted(const char* key) const {
    return static_cast<bool>(status_) && reader_.has(key);
  }
  template <class F>
  void each(const char* key, F take) {
    if (!wanted(key)) return;
    auto array = reader_.array(key);
    if (!array || (*array)->empty() || (*array)->size() > list_max) return refuse(key);
    for (const auto& one : **array) take(one);
  }
  template <class T>
  void inner(const json::Value& value, const char* key, T& out) {
    Loader loader(value, where_ + "." + key);
    fields(loader, out);
    if (auto status = loader.finish(); !status && status_) status_ = std::move(status);
  }
  std::optional<shuffle::Card> one_card(const json::Value& value, const char* key) {
    auto card = value.is_string()
                    ? shuffle::Card::parse(value.string())
                    : Result<shuffle::Card>(fail(Errc::state_malformed, "a card is a text"));
    if (card && card->family() == shuffle::CardFamily::french) return *card;
    refuse(key);
    return std::nullopt;
  }

  json::Reader reader_;
  std::string where_;
  Status status_;
};

}  // namespace talla::games
