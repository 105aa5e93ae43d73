// Reads the frame of a vector set: envelope, groups, cases and their numbers.
#include "vector_set.hpp"

#include "case.hpp"

namespace talla::lab::acvp {

namespace {

constexpr std::string_view version = "1.0";

}  // namespace

Result<VectorSet> read_set(std::string_view text, const std::string& what) {
  auto parsed = json::parse(text);
  if (!parsed) return refused(what, parsed.error().detail + "; a whole JSON file is expected");
  VectorSet out;
  if (!parsed->is_array()) {
    out.set = std::move(*parsed);
  } else {
    json::Array& parts = parsed->array();
    const json::Value* said = parts.size() == 2 ? parts.front().find("acvVersion") : nullptr;
    if (said == nullptr || !said->is_string() || said->string() != version)
      return refused(what, "a list is to be {\"acvVersion\":\"1.0\"} and one vector set");
    out.set = std::move(parts.back());
    out.enveloped = true;
  }
  if (!out.set.is_object()) return refused(what, "an object is expected");
  return out;
}

Result<const json::Array*> groups_of(const json::Value& set, const std::string& what) {
  const json::Value* groups = set.find("testGroups");
  if (groups == nullptr || !groups->is_array() || groups->array().empty())
    return refused(what, "testGroups is to be a list of one group or more");
  return &groups->array();
}

Result<const json::Array*> tests_of(const json::Value& group, const std::string& where) {
  const json::Value* tests = group.find("tests");
  if (tests == nullptr || !tests->is_array() || tests->array().empty())
    return refused(where, "tests is to be a list of one case or more");
  return &tests->array();
}

Result<std::int64_t> fresh_id(const json::Value& value, std::string_view name,
                              const std::string& where, std::set<std::int64_t>& seen) {
  const json::Value* found = value.find(name);
  if (found == nullptr || !found->is_integer() || found->integer() < 0)
    return refused(where, std::string(name) + " is to be a whole number from 0");
  if (!seen.insert(found->integer()).second)
    return refused(where, std::string(name) + " " + std::to_string(found->integer()) +
                              " is there twice; each is given once");
  return found->integer();
}

Result<std::map<std::int64_t, Numbered>> numbered(const json::Value& set, const std::string& what) {
  std::map<std::int64_t, Numbered> out;
  std::set<std::int64_t> group_ids;
  std::set<std::int64_t> test_ids;
  TALLA_TRY(const json::Array* groups, groups_of(set, what));
  for (std::size_t i = 0; i < groups->size(); ++i) {
    const json::Value& group = (*groups)[i];
    std::string where = what + ", testGroups[" + std::to_string(i) + "]";
    TALLA_TRY(const std::int64_t id, fresh_id(group, "tgId", where, group_ids));
    where += " (tgId " + std::to_string(id) + ")";
    Numbered& one = out[id];
    one.group = &group;
    TALLA_TRY(const json::Array* tests, tests_of(group, where));
    for (std::size_t k = 0; k < tests->size(); ++k) {
      const json::Value& test = (*tests)[k];
      const std::string place = where + ", tests[" + std::to_string(k) + "]";
      TALLA_TRY(const std::int64_t test_id, fresh_id(test, "tcId", place, test_ids));
      one.tests.emplace(test_id, &test);
    }
  }
  return out;
}

}  // namespace talla::lab::acvp
