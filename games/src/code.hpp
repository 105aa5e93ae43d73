/// \file
/// Codes (ids of bets, kinds, positions, pockets) compared and hashed in registers: they are short,
/// and most comparisons find them different.
///
/// Threads: pure functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace talla::games {

/// A code of a file, written as a text or as a number. Precondition: it is one of them.
[[nodiscard]] inline std::string code_text(const json::Value& value) {
  return value.is_integer() ? std::to_string(value.integer()) : value.string();
}

/// The first eight bytes and the length of a code, to compare it in one step. Codes up to eight
/// bytes are equal exactly when their keys are; longer ones are compared in full.
class CodeKey {
 public:
  explicit CodeKey(std::string_view code)
      : head_(first_eight(code.data(), code.size())), size_(code.size()) {}
  [[nodiscard]] std::uint64_t head() const { return head_; }
  [[nodiscard]] bool whole() const { return size_ <= sizeof(head_); }
  [[nodiscard]] std::uint64_t mixed() const {
    std::uint64_t mixed = (head_ + size_) * 0x9e3779b97f4a7c15U;
    mixed ^= mixed >> 29U;
    return mixed * 0xbf58476d1ce4e5b9U;
  }
  bool operator==(const CodeKey&) const = default;

 private:
  template <class T>
  static std::uint64_t load(const char* from) {
    T value = 0;
    std::memcpy(&value, from, sizeof(value));
    return value;
  }
  /// In registers: two loads that may overlap, or three bytes.
  static std::uint64_t first_eight(const char* code, std::size_t size) {
    if (size >= 8) return load<std::uint64_t>(code);
    if (size >= 4)
      return load<std::uint32_t>(code) | load<std::uint32_t>(code + size - 4) << (8 * (size - 4));
    if (size == 0) return 0;
    return load<std::uint8_t>(code) | load<std::uint8_t>(code + size / 2) << (8 * (size / 2)) |
           load<std::uint8_t>(code + size - 1) << (8 * (size - 1));
  }
  std::uint64_t head_ = 0;
  std::uint64_t size_ = 0;
};

/// The same bytes at both places. Precondition: sizeof(T) bytes stand there.
template <class T>
[[nodiscard]] inline bool same_bytes(const char* left, const char* right) {
  T one = 0;
  T other = 0;
  std::memcpy(&one, left, sizeof(T));
  std::memcpy(&other, right, sizeof(T));
  return one == other;
}

/// Equality. Most codes differ in length or in their last letter ("b1", "b2"); equal ones take two
/// loads that may overlap.
[[nodiscard]] inline bool same_code(std::string_view left, std::string_view right) {
  const auto size = left.size();
  if (size != right.size()) return false;
  const char* a = left.data();
  const char* b = right.data();
  if (size > 16) return std::memcmp(a, b, size) == 0;
  if (size >= 8)
    return same_bytes<std::uint64_t>(a + size - 8, b + size - 8) && same_bytes<std::uint64_t>(a, b);
  if (size >= 4)
    return same_bytes<std::uint32_t>(a + size - 4, b + size - 4) && same_bytes<std::uint32_t>(a, b);
  return size == 0 || (a[size - 1] == b[size - 1] && a[0] == b[0] && a[size / 2] == b[size / 2]);
}

/// Equality of lists in their order.
[[nodiscard]] inline bool same_list(const std::vector<std::string>& left,
                                    const std::vector<std::string>& right) {
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!same_code(left[i], right[i])) return false;
  }
  return true;
}

}  // namespace talla::games
