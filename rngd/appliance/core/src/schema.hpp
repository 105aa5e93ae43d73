/// \file
/// What a JSON value of the interface may be: the one description that requests are checked by and
/// that the OpenAPI document (core/openapi.hpp) is written from, so that both say the same.
///
/// Errors:  malformed_request, or what the schema names instead, with the path of the member and
///          what would be right.
/// Threads: values are immutable and shared.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "core/errc.hpp"
#include "format/bounds.hpp"

namespace talla::core {

struct SchemaMember;
class SchemaKind;

/// Where a value does not fit, and what would.
struct Misfit {
  std::string path;  ///< of the member, below the value
  std::string expected;
  std::optional<Errc> errc;  ///< what the schema names instead of malformed_request
};

class Schema {
 public:
  /// A whole number in this closed range.
  [[nodiscard]] static Schema integer(std::int64_t min, std::int64_t max);
  [[nodiscard]] static Schema integer(certs::Between bounds) {
    return integer(bounds.min, bounds.max);
  }
  /// A count, a seq or an amount: from 0.
  [[nodiscard]] static Schema number() { return integer(0, json::integer_max); }
  /// So many characters.
  [[nodiscard]] static Schema text(std::size_t min = 0, std::size_t max = text_max);
  /// So many bytes in lower-case hex.
  [[nodiscard]] static Schema hex(std::size_t bytes_min, std::size_t bytes_max);
  [[nodiscard]] static Schema hex(certs::Between bytes) {
    return hex(static_cast<std::size_t>(bytes.min), static_cast<std::size_t>(bytes.max));
  }
  /// SHA-256 in hex.
  [[nodiscard]] static Schema digest() { return hex(32, 32); }
  /// Bytes in base64.
  [[nodiscard]] static Schema base64();
  /// "table-17": the id of an object of that class.
  [[nodiscard]] static Schema id(std::string object_class);
  [[nodiscard]] static Schema one_of(std::vector<std::string> words);
  [[nodiscard]] static Schema flag();
  [[nodiscard]] static Schema exactly(json::Value value);
  [[nodiscard]] static Schema list(Schema items, std::size_t min = 0, std::size_t max = list_max);
  /// These members and no others.
  [[nodiscard]] static Schema object(std::vector<SchemaMember> members);
  /// Names that the schema does not tell, each with such a value.
  [[nodiscard]] static Schema map(Schema values);
  /// An object whose further members are not described here.
  [[nodiscard]] static Schema open_object(std::vector<SchemaMember> members);
  [[nodiscard]] static Schema open_object();
  /// Exactly one of them.
  [[nodiscard]] static Schema either(std::vector<Schema> forms);
  /// Written once, under this name.
  [[nodiscard]] static Schema named(std::string name, const Schema& what);

  /// The same with what it is, for people.
  [[nodiscard]] Schema about(std::string words) const;
  /// The same, or an empty text.
  [[nodiscard]] Schema or_empty() const;
  /// What it is taken for where it is left out.
  [[nodiscard]] Schema otherwise(json::Value value) const;
  /// The error of a value that does not fit.
  [[nodiscard]] Schema refused_as(Errc errc) const;
  /// The same object with more members.
  [[nodiscard]] Schema with(std::vector<SchemaMember> members) const;

  /// `path`: name of the value in the refusal; may be empty.
  [[nodiscard]] Status check(const json::Value& value, const std::string& path) const;
  /// JSON Schema (draft 2020-12); what is named goes into `components` and is referred to.
  [[nodiscard]] json::Value to_json(json::Object& components) const;

  static constexpr std::size_t text_max = std::size_t{1} << 23U;  ///< as json::parse takes it
  static constexpr std::size_t list_max = std::size_t{1} << 23U;

 private:
  explicit Schema(std::shared_ptr<const SchemaKind> kind) : kind_(std::move(kind)) {}
  friend std::optional<Misfit> misfit(const Schema& schema, const json::Value& value);

  std::shared_ptr<const SchemaKind> kind_;
  std::string words_{};
  bool empty_too_ = false;
  std::optional<json::Value> otherwise_{};
  std::optional<Errc> errc_{};
};

struct SchemaMember {
  std::string name;
  Schema schema;
  bool required = true;
};
[[nodiscard]] inline SchemaMember required(std::string name, Schema schema) {
  return {std::move(name), std::move(schema), true};
}
[[nodiscard]] inline SchemaMember optional(std::string name, Schema schema) {
  return {std::move(name), std::move(schema), false};
}

}  // namespace talla::core
