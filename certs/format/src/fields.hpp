/// \file
/// Reads one JSON object member by member and keeps the first error; `finish` gives the value or
/// that error.
///
/// After an error every getter returns a default, so that a body reads as a plain list of its
/// members.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/json.hpp"
#include "format/bounds.hpp"
#include "format/errc.hpp"

namespace talla::certs {

class Fields {
 public:
  Fields(const json::Value& value, std::string_view where,
         FormatErrc errc = FormatErrc::malformed_body)
      : reader_(value, std::string(where)), where_(where), errc_(errc) {}

  [[nodiscard]] std::string text(std::string_view key);
  [[nodiscard]] std::string filled_text(std::string_view key);
  /// Empty when the member is absent; a present one must not be empty.
  [[nodiscard]] std::string optional_text(std::string_view key);
  [[nodiscard]] std::int64_t integer(std::string_view key, Between range);
  [[nodiscard]] std::uint64_t count(std::string_view key) {
    return static_cast<std::uint64_t>(integer(key, natural));
  }
  [[nodiscard]] std::uint32_t u32(std::string_view key) {
    return static_cast<std::uint32_t>(integer(key, index32));
  }
  [[nodiscard]] std::optional<std::int64_t> optional_integer(std::string_view key, Between range);
  [[nodiscard]] bool boolean(std::string_view key);
  /// 64 characters of hex.
  [[nodiscard]] Digest digest(std::string_view key);
  [[nodiscard]] std::optional<Digest> optional_digest(std::string_view key);
  [[nodiscard]] Bytes base64(std::string_view key);
  /// Array of 1 to 8 DER certificates in base64; what they are is not judged here.
  [[nodiscard]] std::vector<Bytes> certificate_chain(std::string_view key);
  [[nodiscard]] std::vector<std::string> texts(std::string_view key);
  /// Index of the member's text in the list; 0 on error.
  [[nodiscard]] std::size_t word(std::string_view key,
                                 std::initializer_list<std::string_view> words);
  /// Nullptr on error.
  [[nodiscard]] const json::Array* array(std::string_view key);
  [[nodiscard]] const json::Value* object(std::string_view key);
  [[nodiscard]] const json::Value* optional(std::string_view key) { return reader_.optional(key); }
  [[nodiscard]] bool has(std::string_view key) const { return reader_.has(key); }

  /// Takes a nested value; its error becomes this object's.
  template <class T>
  [[nodiscard]] T nested(Result<T>&& value) {
    if (value) return *std::move(value);
    keep(value.error());
    return T{};
  }
  void refuse(std::string_view key, std::string_view why);
  void require(bool condition, std::string_view key, std::string_view why) {
    if (!condition) refuse(key, why);
  }
  [[nodiscard]] Status status();
  template <class T>
  [[nodiscard]] Result<T> finish(T&& value) {
    TALLA_TRY_STATUS(status());
    return std::forward<T>(value);
  }

 private:
  void keep(const Error& error);
  template <class T>
  [[nodiscard]] T take(Result<T>&& value) {
    if (value) return *std::move(value);
    refuse_detail(value.error().detail);
    return T{};
  }
  void refuse_detail(std::string detail);
  /// The member's text where it lies.
  [[nodiscard]] std::string_view view(std::string_view key);

  json::Reader reader_;
  std::string_view where_;
  FormatErrc errc_;
  std::optional<Error> error_;
};

/// Hex array for `path` members.
[[nodiscard]] json::Value path_json(const std::vector<Digest>& path);
[[nodiscard]] json::Value texts_json(const std::vector<std::string>& texts);

}  // namespace talla::certs
