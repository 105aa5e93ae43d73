/// \file
/// A vector set as a file has it: envelope, names, groups and cases, before anybody answers.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "lab_acvp/acvp.hpp"

namespace talla::lab::acvp {

/// A set, taken out of its envelope.
struct VectorSet {
  json::Value set;
  bool enveloped = false;  ///< Stood behind {"acvVersion":"1.0"}.
};
/// `what` names the file in errors. Errors: acvp_refused for what is no vector set.
[[nodiscard]] Result<VectorSet> read_set(std::string_view text, const std::string& what);
/// The groups; at least one.
[[nodiscard]] Result<const json::Array*> groups_of(const json::Value& set, const std::string& what);
/// The cases of a group; at least one.
[[nodiscard]] Result<const json::Array*> tests_of(const json::Value& group,
                                                  const std::string& where);
/// A number that names a group or a case, for the first time.
[[nodiscard]] Result<std::int64_t> fresh_id(const json::Value& value, std::string_view name,
                                            const std::string& where, std::set<std::int64_t>& seen);
/// A set's groups by tgId, each with its cases by tcId.
struct Numbered {
  const json::Value* group = nullptr;
  std::map<std::int64_t, const json::Value*> tests;
};
[[nodiscard]] Result<std::map<std::int64_t, Numbered>> numbered(const json::Value& set,
                                                                const std::string& what);

}  // namespace talla::lab::acvp
