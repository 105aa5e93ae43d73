/// \file
/// The types of members: each reads, checks, writes and describes one value. Private to
/// certs_format.
///
/// `read` takes a JSON value, `check` a typed one by the same rules (and that a text is printable,
/// which a record's reader knows of the whole text); `words` is what refusals and the page say.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "describe.hpp"
#include "fields.hpp"
#include "format/bounds.hpp"
#include "format/merkle.hpp"

namespace talla::certs {

/// Any text; `filled`: not empty. With `fits` one of its own spelling, `said` in words.
struct TextType {
  bool filled = true;
  bool (*fits)(std::string_view) = nullptr;
  std::string_view said = "text";
  [[nodiscard]] Problem judge(std::string_view text) const;
  [[nodiscard]] Problem read(const json::Value& value, std::string& out) const;
  [[nodiscard]] Problem check(const std::string& text) const {
    return printable(text) ? judge(text) : expected("printable ASCII");
  }
  [[nodiscard]] json::Value json(const std::string& text) const { return text; }
  void write(TextWriter& out, const std::string& text) const { out.text(text); }
  [[nodiscard]] std::string words() const;
};
inline constexpr TextType any_text{.filled = false};
inline constexpr TextType filled_text{};
[[nodiscard]] constexpr TextType spelled(bool (*fits)(std::string_view), std::string_view said) {
  return {.fits = fits, .said = said};
}

/// Id of an object of one class; `or_zero`: or the text 0.
struct IdType {
  std::string_view of;
  bool or_zero = false;
  [[nodiscard]] Problem judge(std::string_view id) const;
  [[nodiscard]] Problem read(const json::Value& value, std::string& out) const;
  [[nodiscard]] Problem check(const std::string& id) const { return judge(id); }
  [[nodiscard]] json::Value json(const std::string& id) const { return id; }
  void write(TextWriter& out, const std::string& id) const { out.text(id); }
  [[nodiscard]] std::string words() const;
};
[[nodiscard]] constexpr IdType id_of(std::string_view object_class) {
  return {.of = object_class};
}

/// An integer within bounds.
struct IntegerType {
  Between bounds = natural;
  template <class T>
  [[nodiscard]] Problem read(const json::Value& value, T& out) const {
    if (!value.is_integer() || !bounds.holds(value.integer())) return expected(words());
    out = static_cast<T>(value.integer());
    return nullptr;
  }
  template <class T>
  [[nodiscard]] Problem check(const T& value) const {
    if constexpr (std::is_unsigned_v<T> && sizeof(T) == sizeof(std::uint64_t)) {
      if (value > largest_number) return expected(words());
    }
    return bounds.holds(static_cast<std::int64_t>(value)) ? nullptr : expected(words());
  }
  template <class T>
  [[nodiscard]] json::Value json(const T& value) const {
    return value;
  }
  template <class T>
  void write(TextWriter& out, const T& value) const {
    out.number(static_cast<std::uint64_t>(value));
  }
  [[nodiscard]] std::string words() const;
};
inline constexpr IntegerType count_type{};
[[nodiscard]] constexpr IntegerType integer_in(Between bounds) {
  return {.bounds = bounds};
}

struct FlagType {
  [[nodiscard]] Problem read(const json::Value& value, bool& out) const;
  [[nodiscard]] Problem check(bool /*value*/) const { return nullptr; }
  [[nodiscard]] json::Value json(bool value) const { return value; }
  void write(TextWriter& out, bool value) const { out.boolean(value); }
  [[nodiscard]] std::string words() const { return "boolean"; }
};

[[nodiscard]] std::string words_of(std::span<const std::string_view> words);

/// One word for each enumerator, from 0 on (or false and true).
template <std::size_t N>
struct WordType {
  std::array<std::string_view, N> names;
  template <class T>
  [[nodiscard]] Problem read(const json::Value& value, T& out) const {
    for (std::size_t i = 0; value.is_string() && i < N; ++i) {
      if (names[i] != value.string()) continue;
      out = static_cast<T>(i);
      return nullptr;
    }
    return expected(words());
  }
  template <class T>
  [[nodiscard]] Problem check(const T& value) const {
    return static_cast<std::size_t>(value) < N ? nullptr : expected(words());
  }
  template <class T>
  [[nodiscard]] json::Value json(const T& value) const {
    return names.at(static_cast<std::size_t>(value));
  }
  template <class T>
  void write(TextWriter& out, const T& value) const {
    out.text(names[static_cast<std::size_t>(value)]);
  }
  [[nodiscard]] std::string words() const { return words_of(names); }
};
template <class... W>
[[nodiscard]] constexpr auto word(W... names) {
  return WordType<sizeof...(W)>{.names = {std::string_view(names)...}};
}

/// One of a list, kept as its text.
template <std::size_t N>
struct ListedText {
  std::array<std::string_view, N> names;
  [[nodiscard]] Problem check(std::string_view text) const {
    for (const std::string_view name : names)
      if (name == text) return nullptr;
    return expected(words());
  }
  [[nodiscard]] Problem read(const json::Value& value, std::string& out) const {
    if (!value.is_string()) return expected(words());
    out = value.string();
    return check(out);
  }
  [[nodiscard]] json::Value json(const std::string& text) const { return text; }
  void write(TextWriter& out, const std::string& text) const { out.text(text); }
  [[nodiscard]] std::string words() const { return words_of(names); }
};
template <class... W>
[[nodiscard]] constexpr auto one_of(W... names) {
  return ListedText<sizeof...(W)>{.names = {std::string_view(names)...}};
}

/// 32 bytes in hex.
struct DigestType {
  [[nodiscard]] Problem read(const json::Value& value, Digest& out) const;
  [[nodiscard]] Problem check(const Digest& /*digest*/) const { return nullptr; }
  [[nodiscard]] json::Value json(const Digest& digest) const { return to_hex(digest); }
  void write(TextWriter& out, const Digest& digest) const { out.hex(digest); }
  [[nodiscard]] std::string words() const { return "hex, 32 bytes"; }
};
inline constexpr DigestType digest_type{};

struct Base64Type {
  bool filled = false;
  [[nodiscard]] Problem read(const json::Value& value, Bytes& out) const;
  [[nodiscard]] Problem check(const Bytes& bytes) const {
    return filled && bytes.empty() ? expected(words()) : nullptr;
  }
  [[nodiscard]] json::Value json(const Bytes& bytes) const { return to_base64(bytes); }
  void write(TextWriter& out, const Bytes& bytes) const { out.text(to_base64(bytes)); }
  [[nodiscard]] std::string words() const { return filled ? "base64, not empty" : "base64"; }
};

/// Hashes in hex.
struct DigestsType {
  std::size_t most = path_hashes_max;
  [[nodiscard]] Problem read(const json::Value& value, std::vector<Digest>& out) const;
  [[nodiscard]] Problem check(const std::vector<Digest>& hashes) const {
    return hashes.size() <= most ? nullptr : expected(words());
  }
  [[nodiscard]] json::Value json(const std::vector<Digest>& hashes) const {
    return path_json(hashes);
  }
  void write(TextWriter& out, const std::vector<Digest>& hashes) const {
    out.open('[');
    for (const Digest& hash : hashes) out.hex(hash);
    out.close(']');
  }
  [[nodiscard]] std::string words() const {
    return "array of hex, 32 bytes each, at most " + std::to_string(most);
  }
};
inline constexpr DigestsType path_type{};

/// Texts, none empty.
struct TextsType {
  [[nodiscard]] Problem read(const json::Value& value, std::vector<std::string>& out) const;
  [[nodiscard]] Problem check(const std::vector<std::string>& texts) const;
  [[nodiscard]] json::Value json(const std::vector<std::string>& texts) const {
    return texts_json(texts);
  }
  void write(TextWriter& out, const std::vector<std::string>& texts) const;
  [[nodiscard]] std::string words() const { return "array of texts"; }
};
inline constexpr TextsType texts_type{};

/// Dealt positions, ascending.
struct PositionsType {
  bool filled = false;
  [[nodiscard]] Problem read(const json::Value& value, std::vector<std::uint32_t>& out) const;
  [[nodiscard]] Problem check(const std::vector<std::uint32_t>& positions) const;
  [[nodiscard]] json::Value json(const std::vector<std::uint32_t>& positions) const;
  void write(TextWriter& out, const std::vector<std::uint32_t>& positions) const;
  [[nodiscard]] std::string words() const;
};

/// An object that other pages describe, kept as it is.
struct ObjectType {
  [[nodiscard]] Problem read(const json::Value& value, json::Value& out) const;
  [[nodiscard]] Problem check(const json::Value& value) const {
    return value.is_object() && json::is_ascii(value) ? nullptr : expected(words());
  }
  [[nodiscard]] json::Value json(const json::Value& value) const { return value; }
  void write(TextWriter& out, const json::Value& value) const { out.raw(json::canonical(value)); }
  [[nodiscard]] std::string words() const { return "object"; }
};

/// A value with a reader and a writer of its own, which may stand in a bundle or request too.
template <class T>
struct WholeType {
  std::string_view said = "object";
  [[nodiscard]] Problem read(const json::Value& value, T& out) const {
    auto read = T::from_json(value);
    if (!read) return from_error(read.error());
    out = std::move(*read);
    return nullptr;
  }
  [[nodiscard]] Problem check(const T& value) const {
    T same;
    return read(value.to_json(), same);
  }
  [[nodiscard]] json::Value json(const T& value) const { return value.to_json(); }
  void write(TextWriter& out, const T& value) const { out.raw(json::canonical(value.to_json())); }
  [[nodiscard]] std::string words() const { return std::string(said); }

  [[nodiscard]] static Problem from_error(const Error& error) {
    Problem problem = refused(error.detail);
    for (const FormatErrc errc : {FormatErrc::malformed_context, FormatErrc::malformed_statement,
                                  FormatErrc::malformed_specification})
      if (error.is(errc)) problem->errc = errc;
    return problem;
  }
};

/// A described struct as an object of its own. `listed`: the page lists its members here.
template <class T>
struct NestedType {
  bool listed = true;
  std::string_view said = "object";
  [[nodiscard]] Problem read(const json::Value& value, T& out) const {
    return read_object(value, out);
  }
  [[nodiscard]] Problem check(const T& value) const { return check_object(value); }
  [[nodiscard]] json::Value json(const T& value) const { return object_json(value); }
  void write(TextWriter& out, const T& value) const { write_object(out, value); }
  [[nodiscard]] std::string words() const { return std::string(said); }
  void add_inner(std::vector<MemberText>& out, const std::string& name) const {
    if (listed) add_members<T>(out, name + ".");
  }
};

/// An array of described structs; with `Order` ascending by that member.
template <class T, auto Order = nullptr>
struct ListType {
  bool filled = false;
  static constexpr bool ordered = !std::is_null_pointer_v<decltype(Order)>;
  [[nodiscard]] Problem in_order(const std::vector<T>& list) const {
    if constexpr (ordered) {
      for (std::size_t i = 1; i < list.size(); ++i)
        if (!(list[i - 1].*Order < list[i].*Order)) return expected(words());
    }
    return filled && list.empty() ? expected(words()) : nullptr;
  }
  [[nodiscard]] Problem read(const json::Value& value, std::vector<T>& out) const {
    if (!value.is_array()) return expected(words());
    out.clear();
    out.reserve(value.array().size());
    for (const json::Value& one : value.array())
      if (Problem problem = read_object(one, out.emplace_back()))
        return refused_at("[]", std::move(problem));
    return in_order(out);
  }
  [[nodiscard]] Problem check(const std::vector<T>& list) const {
    for (const T& one : list)
      if (Problem problem = check_object(one)) return refused_at("[]", std::move(problem));
    return in_order(list);
  }
  [[nodiscard]] json::Value json(const std::vector<T>& list) const {
    json::Array out;
    out.reserve(list.size());
    for (const T& one : list) out.push_back(object_json(one));
    return out;
  }
  void write(TextWriter& out, const std::vector<T>& list) const {
    out.open('[');
    for (const T& one : list) write_object(out, one);
    out.close(']');
  }
  [[nodiscard]] std::string words() const {
    std::string text = filled ? "array of objects, not empty" : "array of objects";
    if constexpr (ordered) text += ", ascending by " + std::string(order_name());
    return text;
  }
  void add_inner(std::vector<MemberText>& out, const std::string& name) const {
    add_members<T>(out, name + "[].");
  }

 private:
  /// The name of the row that `Order` is bound to.
  [[nodiscard]] static std::string_view order_name() {
    std::string_view name;
    std::apply(
        [&name](const auto&... row) {
          const auto look = [&name](const auto& one) {
            using Path = typename std::remove_cvref_t<decltype(one)>::Path;
            if constexpr (std::is_same_v<Path, Way<Order>>) name = one.name;
          };
          (look(row), ...);
        },
        Description<T>::rows);
    return name;
  }
};

}  // namespace talla::certs
