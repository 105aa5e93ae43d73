/// \file
/// The house's JSON: integers, strings, booleans, arrays, objects; no floating point, no null, no
/// duplicate keys.
///
/// `canonical` writes RFC 8785 (JCS) for this subset: keys in byte order, no spaces, integers in
/// decimal. Records, state digests and parameters are always written by it and never re-printed by
/// another library. `parse` reads RFC 8259 text of the subset in any layout; `parse_canonical`
/// accepts only the canonical bytes.
/// Limits:  text at most 8 MiB, nesting at most 32; integers |n| < 2^53 (RFC 7493 section 2.2).
/// Errors:  BaseErrc::malformed_json (what and at which byte), BaseErrc::not_canonical.
/// Threads: values are plain data.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.hpp"

namespace talla::json {

class Value;
struct Member;
/// The elements of an array, in their order.
using Array = std::vector<Value>;

/// The members of an object in byte order of their names, one name once: a map that lies in one
/// piece, because records are read and written by the million and have a few dozen members at most.
/// Names are changed by nobody. An insertion or removal invalidates references and iterators to
/// members. Adding in order of the names is cheap, anywhere else it moves what stands behind.
class Object {
 public:
  using value_type = Member;
  using iterator = std::vector<Member>::iterator;
  using const_iterator = std::vector<Member>::const_iterator;

  Object();
  /// Of two members with one name the first one stays.
  Object(std::initializer_list<Member> members);
  Object(const Object& other);
  Object(Object&& other) noexcept;
  Object& operator=(const Object& other);
  Object& operator=(Object&& other) noexcept;
  ~Object();

  [[nodiscard]] const_iterator begin() const { return members_.begin(); }
  [[nodiscard]] const_iterator end() const { return members_.end(); }
  [[nodiscard]] iterator begin() { return members_.begin(); }
  [[nodiscard]] iterator end() { return members_.end(); }
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const { return members_.empty(); }
  void reserve(std::size_t count);

  [[nodiscard]] const_iterator find(std::string_view key) const;
  [[nodiscard]] iterator find(std::string_view key);
  [[nodiscard]] bool contains(std::string_view key) const { return find(key) != end(); }
  /// Precondition (checked, aborts): there is one.
  [[nodiscard]] const Value& at(std::string_view key) const;
  /// The member for writing; an empty object is made when there is none.
  Value& operator[](std::string_view key);
  /// Adds a member and says true, or leaves the one that is there and says false.
  std::pair<iterator, bool> emplace(std::string_view key, Value value);
  std::pair<iterator, bool> insert_or_assign(std::string_view key, Value value);
  /// How many were removed: 0 or 1.
  std::size_t erase(std::string_view key);
  iterator erase(const_iterator at);
  /// Takes over the members whose names are not here yet.
  void merge(Object other);
  bool operator==(const Object& other) const;

 private:
  friend class PlainReader;  ///< knows that the names come in order
  std::vector<Member> members_;
};

/// Largest magnitude of an integer: 2^53 - 1.
inline constexpr std::int64_t integer_max = (std::int64_t{1} << 53) - 1;

/// One JSON value of the subset.
class Value {
 public:
  Value() : data_(Object{}) {}
  Value(bool value) : data_(value) {}  // NOLINT: literal conversions are the point
  Value(std::string value) : data_(std::move(value)) {}         // NOLINT
  Value(std::string_view value) : data_(std::string(value)) {}  // NOLINT
  Value(const char* value) : data_(std::string(value)) {}       // NOLINT
  Value(Array value) : data_(std::move(value)) {}               // NOLINT
  Value(Object value) : data_(std::move(value)) {}              // NOLINT
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  Value(T value) : data_(checked(value)) {}  // NOLINT

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

/// A member of an object: its key and its value.
struct Member {
  std::string first;
  Value second;
  bool operator==(const Member& other) const = default;
};

// Behind Member, which they need whole.
inline Object::Object() = default;
inline Object::Object(const Object& other) = default;
inline Object::Object(Object&& other) noexcept = default;
inline Object& Object::operator=(const Object& other) = default;
inline Object& Object::operator=(Object&& other) noexcept = default;
inline Object::~Object() = default;
inline Object::iterator Object::erase(const_iterator at) {
  return members_.erase(at);
}
inline std::size_t Object::size() const {
  return members_.size();
}
inline void Object::reserve(std::size_t count) {
  members_.reserve(count);
}
inline bool Object::operator==(const Object& other) const {
  return members_ == other.members_;
}

/// RFC 8785 bytes. Strings may be any UTF-8; records restrict theirs to printable ASCII on top
/// (`is_ascii`).
[[nodiscard]] std::string canonical(const Value& value);
[[nodiscard]] Result<Value> parse(std::string_view text);
[[nodiscard]] Result<Value> parse_canonical(std::string_view text);
/// The same, and tells in passing whether the value is ASCII as `is_ascii` has it.
struct CanonicalText {
  Value value;
  bool ascii = false;
};
[[nodiscard]] Result<CanonicalText> parse_canonical_text(std::string_view text);
/// True when every string and key holds only printable ASCII (0x20 to 0x7e).
[[nodiscard]] bool is_ascii(const Value& value);

/// Reads the members of one object by name and type, remembers which were read, and at the end
/// refuses the rest: the one way the house takes apart a JSON object from outside. Errors name the
/// path (`where`.member).
class Reader {
 public:
  Reader(const Value& value, std::string where);
  [[nodiscard]] Result<std::string> string(std::string_view key);
  /// The string where it lies; valid as long as the value is.
  [[nodiscard]] Result<std::string_view> text(std::string_view key);
  [[nodiscard]] Result<std::int64_t> integer(std::string_view key, std::int64_t min,
                                             std::int64_t max);
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
  [[nodiscard]] std::string path(std::string_view key) const;
  const Value* value_;
  std::string where_;
  std::uint64_t read_ = 0;               ///< a bit for each of the first 64 members
  std::vector<std::size_t> read_later_;  ///< places of the others
};

}  // namespace talla::json
