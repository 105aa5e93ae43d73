// Reads the members of one case of a prompt.
#include "case.hpp"

#include <algorithm>

namespace talla::lab::acvp {

std::string_view errc_name(AcvpErrc errc) {
  return errc == AcvpErrc::acvp_refused ? "acvp_refused" : "acvp_failed";
}

tl::unexpected<Error> refused(const std::string& where, const std::string& what) {
  return fail(AcvpErrc::acvp_refused, where + ": " + what);
}

const json::Value* member_at(const json::Value& value, std::string_view path) {
  const json::Value* at = &value;
  while (at != nullptr && !path.empty()) {
    const std::size_t dot = path.find('.');
    at = at->find(path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
  }
  return at;
}

const json::Value* Case::find(std::string_view path) const {
  const json::Value* in_group = member_at(*group, path);
  return in_group != nullptr ? in_group : member_at(*test, path);
}

std::string_view Case::type() const {
  const json::Value* found = group->find("testType");
  return found != nullptr && found->is_string() ? std::string_view(found->string())
                                                : std::string_view{};
}

Result<std::string_view> Case::text(std::string_view path) const {
  const json::Value* found = find(path);
  if (found == nullptr || !found->is_string())
    return refused(where, std::string(path) + " is missing or no text");
  return std::string_view(found->string());
}

Result<std::int64_t> Case::number(std::string_view path) const {
  const json::Value* found = find(path);
  if (found == nullptr || !found->is_integer())
    return refused(where, std::string(path) + " is missing or no whole number");
  return found->integer();
}

Result<bool> Case::flag(std::string_view path) const {
  const json::Value* found = find(path);
  if (found == nullptr || !found->is_bool())
    return refused(where, std::string(path) + " is missing or neither true nor false");
  return found->boolean();
}

Result<Bytes> Case::hex(std::string_view path) const {
  const json::Value* found = member_at(*test, path);
  if (found == nullptr || !found->is_string())
    return refused(where, std::string(path) + " is missing or no text");
  auto bytes = bytes_of_hex(found->string());
  if (!bytes) return refused(where, std::string(path) + " is no hex of whole bytes");
  return bytes;
}

Result<Bytes> Case::hex_of_bits(std::string_view path, std::int64_t bits) const {
  TALLA_TRY(Bytes bytes, hex(path));
  if (bits >= 0 && bits % 8 == 0 && bytes.size() == static_cast<std::size_t>(bits / 8))
    return bytes;
  return refused(where, std::string(path) + " has " + std::to_string(bytes.size() * 8) +
                            " bits, and " + std::to_string(bits) + " are announced");
}

Result<Bytes> Case::hex_as_long_as(std::string_view path, std::string_view length) const {
  TALLA_TRY(const std::int64_t bits, number(length));
  return hex_of_bits(path, bits);
}

Bytes given_hex(const json::Value& answer, std::string_view name) {
  const json::Value* found = answer.find(name);
  if (found == nullptr || !found->is_string()) return {};
  return bytes_of_hex(found->string()).value_or(Bytes{});
}

std::string upper_hex(ByteView bytes) {
  std::string hex = to_hex(bytes);
  for (char& digit : hex) {
    if (digit >= 'a' && digit <= 'f') digit = static_cast<char>(digit - 'a' + 'A');
  }
  return hex;
}

Result<Bytes> bytes_of_hex(std::string_view hex) {
  std::string lower(hex);
  for (char& digit : lower) {
    if (digit >= 'A' && digit <= 'F') digit = static_cast<char>(digit - 'A' + 'a');
  }
  return from_hex(lower);
}

}  // namespace talla::lab::acvp
