/// \file
/// The house's JSON: integers, strings, booleans, arrays, objects; no floating point, no null, no duplicate keys.
///
/// `canonical` writes RFC 8785 (JCS) for this subset: keys in byte order, no spaces, integers in decimal. Records,
/// state digests and parameters are always written by it and never re-printed by another library.
/// `parse` reads RFC 8259 text of the subset in any layout; `parse_canonical` accepts only the canonical bytes.
/// Limits:  text at most 8 MiB, nesting at most 32; integers |n| < 2^53 (RFC 7493 section 2.2).
/// Errors:  BaseErrc::malformed_json (what and at which byte), BaseErrc::not_canonical.
/// Threads: values are plain data.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"

namespace talla::json {

class Value;
using Array = std::vector<Value>;
using Object = std::map<std::string, Value, std::less<>>;

/// Largest magnitude of an integer: 2^53 - 1.
inline constexpr std::int64_t integer_max = (std::int64_t{1} << 53) - 1;

class Value {
 public:
  Value() : data_(Object{}) {}
  Value(bool value) : data_(value) {}                                        // NOLINT: literal conversions are the point
  Value(std::string value) : data_(std::move(value)) {}                      // NOLINT
  Value(std::string_view value) : data_(std::string(value)) {}               // NOLINT
  Value(const char* value) : data_(std::string(value)) {}                    // NOLINT
  Value(Array value) : data_(std::move(value)) {}                            // NOLINT
  Value(Object value) : data_(std::move(value)) {}                           // NOLINT
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  Value(T value) : data_(checked(value)) {}                                  // NOLINT

  [[nodiscard]] bool is_bool() const { return std::holds_alternative<bool>(data_); }
  [[nodiscard]] bool is_integer() const { return std::holds_alternative<std::int64_t>(data_); }
  [[nodiscard]] bool is_string() const { return std::holds_alternative<std::string>(data_); }
  [[nodiscard]] bool is_array() const { return std::holds_alternative<Array>(data_); }
  [[nodiscard]] bool is_object() const { return std::holds_alternative<Object>(data_); }

  /// Precondition of each (checked, aborts): the value is of that type.
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] std::int64_t integer() const;
  [[nodiscard]] const std::string& string() const;
  [[nodiscard]] const Array& array() const;
  [[nodiscard]] Array& array();
  [[nodiscard]] const Object& object() const;
  [[nodiscard]] Object& object();

  /// The member of that name, or nullptr when this is no object or has no such member.
  [[nodiscard]] const Value* find(std::string_view key) const;
  /// Member for writing; the value must be an object (checked).
  Value& operator[](std::string_view key);
  bool operator==(const Value& other) const = default;

 private:
  template <std::integral T>
  static std::int64_t checked(T value) {
    const auto wide = static_cast<std::int64_t>(value);
    require_safe(wide, std::is_unsigned_v<T> && wide < 0);
    return wide;
  }
  static void require_safe(std::int64_t value, bool overflowed);
  std::variant<bool, std::int64_t, std::string, Array, Object> data_;
};

/// RFC 8785 bytes. Strings may be any UTF-8; records restrict theirs to printable ASCII on top (`is_ascii`).
[[nodiscard]] std::string canonical(const Value& value);
[[nodiscard]] Result<Value> parse(std::string_view text);
[[nodiscard]] Result<Value> parse_canonical(std::string_view text);
/// True when every string and key holds only printable ASCII (0x20 to 0x7e).
[[nodiscard]] bool is_ascii(const Value& value);

/// Reads the members of one object by name and type, remembers which were read, and at the end refuses the rest:
/// the one way the house takes apart a JSON object from outside. Errors name the path (`where`.member).
class Reader {
 public:
  Reader(const Value& value, std::string where);
  [[nodiscard]] Result<std::string> string(std::string_view key);
  [[nodiscard]] Result<std::int64_t> integer(std::string_view key, std::int64_t min, std::int64_t max);
  [[nodiscard]] Result<bool> boolean(std::string_view key);
  [[nodiscard]] Result<const Array*> array(std::string_view key);
  [[nodiscard]] Result<const Value*> object(std::string_view key);
  /// The member if present, marked as read; nullptr otherwise.
  [[nodiscard]] const Value* optional(std::string_view key);
  [[nodiscard]] bool has(std::string_view key) const;
  /// Refuses members nobody asked for. Call it last.
  [[nodiscard]] Status finish() const;

 private:
  [[nodiscard]] Result<const Value*> need(std::string_view key);
  const Value* value_;
  std::string where_;
  std::vector<std::string> read_;
};

}  // namespace talla::json
