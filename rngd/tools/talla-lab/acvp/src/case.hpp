/// \file
/// One case of a prompt as its module reads it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/json.hpp"
#include "base/secret.hpp"
#include "lab_acvp/acvp.hpp"

namespace talla::lab::acvp {

/// `acvp_refused`: "where: what".
[[nodiscard]] tl::unexpected<Error> refused(const std::string& where, const std::string& what);
/// A member by its path with dots, or null.
[[nodiscard]] const json::Value* member_at(const json::Value& value, std::string_view path);

struct Case {
  const json::Value* group;
  const json::Value* test;
  const SecretBytes* key;  ///< Of the group, where its algorithm has one; else null.
  std::string where;       ///< "testGroups[0] (tgId 1), tests[2] (tcId 3)"

  [[nodiscard]] std::string_view type() const;
  /// Members of the group, or of the test where the group has none of that name.
  [[nodiscard]] Result<std::string_view> text(std::string_view path) const;
  [[nodiscard]] Result<std::int64_t> number(std::string_view path) const;
  [[nodiscard]] Result<bool> flag(std::string_view path) const;
  /// Hex of the test; either case, whole bytes.
  [[nodiscard]] Result<Bytes> hex(std::string_view path) const;
  /// The same, of exactly so many bits.
  [[nodiscard]] Result<Bytes> hex_of_bits(std::string_view path, std::int64_t bits) const;
  /// The same, of so many bits as the member `length` says.
  [[nodiscard]] Result<Bytes> hex_as_long_as(std::string_view path, std::string_view length) const;

 private:
  [[nodiscard]] const json::Value* find(std::string_view path) const;
};

/// What somebody answered to a case: his group and his test.
struct Given {
  const json::Value* group;
  const json::Value* test;
};
/// Hex of an answer; empty where it is none.
[[nodiscard]] Bytes given_hex(const json::Value& answer, std::string_view name);

/// Bytes as NIST writes them: hex in upper case.
[[nodiscard]] std::string upper_hex(ByteView bytes);
/// Hex of either case, whole bytes.
[[nodiscard]] Result<Bytes> bytes_of_hex(std::string_view hex);

}  // namespace talla::lab::acvp
