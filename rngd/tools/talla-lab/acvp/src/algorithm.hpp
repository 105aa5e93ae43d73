/// \file
/// The description of an algorithm: what a prompt may ask, what is registered, and who answers. The
/// one owner of every bound: the check of a prompt and the registration both follow from it.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "case.hpp"

namespace talla::lab::acvp {

/// The values that a member may have.
struct Words {
  std::vector<std::string_view> values;
};
struct Flags {
  std::vector<bool> values;
};
struct Numbers {
  std::vector<std::int64_t> values;
};
/// From `min` to `max` in steps; lengths are in bits.
struct Range {
  std::int64_t min;
  std::int64_t max;
  std::int64_t step;
};
using Allowed = std::variant<Words, Flags, Numbers, Range>;

/// Where a member stands in a prompt.
enum class Place : std::uint8_t { group, test, nowhere };
/// How its values are registered: as they are in a list, the only one, or the largest alone.
enum class Spelled : std::uint8_t { list, single, largest };

struct Member {
  std::string_view name;  ///< Path in group or test, with dots; of `nowhere` only for reading.
  Place place = Place::group;
  Allowed allowed;
  /// Paths in the registration, with dots; a step that ends in "[]" is a list of one object.
  std::vector<std::string_view> registered;
  Spelled spelled = Spelled::list;
  bool optional = false;
  std::string_view only_in = {};  ///< The one test type that has it; empty: all.
};

/// What the answer of a case turned out to be.
enum class Holds : std::uint8_t { yes, no, unknown };

/// The functions behind an algorithm.
struct Work {
  Result<json::Object> (*answer)(const Case& asked);
  /// For answers that are random; null: an answer equals the module's own.
  Result<Holds> (*holds)(const Case& asked, const Given& given) = nullptr;
  /// For groups with a key of ours; null: none.
  Result<SecretBytes> (*make_key)() = nullptr;
  /// Members of the group's answer that follow from that key.
  Result<json::Object> (*public_members)(const SecretBytes& key) = nullptr;
};

struct Algorithm {
  std::string_view name;
  std::string_view mode;
  std::string_view revision;
  std::string_view module;
  std::string_view vectors;
  std::vector<std::string_view> test_types;
  std::vector<Member> members;
  std::vector<std::string_view> inputs;  ///< Further members of a test: what is computed with.
  Work work;
};

/// All that are answered. One file of the folder gives each part.
[[nodiscard]] const std::vector<Algorithm>& algorithms();
[[nodiscard]] std::vector<Algorithm> hash_algorithms();
[[nodiscard]] std::vector<Algorithm> generator_algorithms();
[[nodiscard]] std::vector<Algorithm> key_algorithms();
[[nodiscard]] std::vector<Algorithm> signature_algorithms();

/// The algorithm of a prompt, or why there is none.
[[nodiscard]] Result<const Algorithm*> algorithm_of(const json::Value& prompt);
/// Whether a group asks for what is described, and nothing else. `where` begins every error.
[[nodiscard]] Status check_group(const Algorithm& algorithm, const json::Value& group,
                                 const std::string& where);
[[nodiscard]] Status check_test(const Algorithm& algorithm, const Case& asked);

}  // namespace talla::lab::acvp
