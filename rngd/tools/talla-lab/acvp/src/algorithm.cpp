// Checks prompts by the descriptions of the algorithms, and writes the registration from them.
#include "algorithm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace talla::lab::acvp {

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

std::string allowed_words(const Allowed& allowed) {
  std::vector<std::string> words;
  if (const auto* texts = std::get_if<Words>(&allowed)) {
    for (const auto text : texts->values) words.push_back(fmt::format("\"{}\"", text));
  } else if (const auto* flags = std::get_if<Flags>(&allowed)) {
    for (const bool flag : flags->values) words.emplace_back(flag ? "true" : "false");
  } else if (const auto* numbers = std::get_if<Numbers>(&allowed)) {
    for (const auto number : numbers->values) words.push_back(std::to_string(number));
  } else {
    const auto& range = std::get<Range>(allowed);
    return fmt::format("{} to {} in steps of {}", range.min, range.max, range.step);
  }
  return joined(words);
}

template <class Values, class Value>
bool has(const Values& values, const Value& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

bool fits(const Allowed& allowed, const json::Value& value) {
  if (const auto* texts = std::get_if<Words>(&allowed))
    return value.is_string() && has(texts->values, std::string_view(value.string()));
  if (const auto* flags = std::get_if<Flags>(&allowed))
    return value.is_bool() && has(flags->values, value.boolean());
  if (!value.is_integer()) return false;
  if (const auto* numbers = std::get_if<Numbers>(&allowed))
    return has(numbers->values, value.integer());
  const auto& range = std::get<Range>(allowed);
  return value.integer() >= range.min && value.integer() <= range.max &&
         (value.integer() - range.min) % range.step == 0;
}

Status check_members(const Algorithm& algorithm, Place place, const json::Value& value,
                     std::string_view type, const std::string& where) {
  for (const Member& member : algorithm.members) {
    if (member.place != place || (!member.only_in.empty() && member.only_in != type)) continue;
    const json::Value* found = member_at(value, member.name);
    if (found == nullptr && member.optional) continue;
    if (found == nullptr)
      return refused(where, fmt::format("{} is missing; it is one of {}", member.name,
                                        allowed_words(member.allowed)));
    if (!fits(member.allowed, *found))
      return refused(where, fmt::format("{} is {}; the module does {}", member.name,
                                        json::canonical(*found), allowed_words(member.allowed)));
  }
  return {};
}

/// Paths of the members of an object, down to what is none.
void add_paths(const json::Value& value, const std::string& prefix, std::set<std::string>& paths) {
  for (const auto& [name, member] : value.object()) {
    if (member.is_object()) {
      add_paths(member, prefix + name + ".", paths);
    } else {
      paths.insert(prefix + name);
    }
  }
}

Status check_names(const json::Value& value, const std::set<std::string>& known,
                   const std::string& where) {
  std::set<std::string> found;
  add_paths(value, "", found);
  for (const std::string& path : found) {
    if (!known.contains(path))
      return refused(where, fmt::format("{} is not known here, and may change what is asked; known "
                                        "are {}",
                                        path, joined({known.begin(), known.end()})));
  }
  return {};
}

/// Members that only an answer has.
bool looks_like_an_answer(const json::Value& group) {
  const json::Value* tests = group.find("tests");
  return group.find("testType") == nullptr && tests != nullptr && tests->is_array();
}

json::Value registered_value(const Member& member) {
  json::Array list;
  if (const auto* texts = std::get_if<Words>(&member.allowed)) {
    for (const auto text : texts->values) list.emplace_back(text);
  } else if (const auto* flags = std::get_if<Flags>(&member.allowed)) {
    for (const bool flag : flags->values) list.emplace_back(flag);
  } else if (const auto* numbers = std::get_if<Numbers>(&member.allowed)) {
    for (const auto number : numbers->values) list.emplace_back(number);
  } else {
    const auto& range = std::get<Range>(member.allowed);
    if (member.spelled == Spelled::largest) return range.max;
    list.emplace_back(
        json::Object{{"increment", range.step}, {"max", range.max}, {"min", range.min}});
  }
  if (member.spelled == Spelled::list) return list;
  return list.front();
}

void put(json::Value& into, std::string_view path, const json::Value& value) {
  const std::size_t dot = path.find('.');
  std::string_view step = path.substr(0, dot);
  const bool in_list = step.ends_with("[]");
  if (in_list) step.remove_suffix(2);
  if (dot == std::string_view::npos) {
    into[step] = value;
    return;
  }
  json::Value& next = into[step];
  if (in_list && !next.is_array()) next = json::Array{json::Object{}};
  put(in_list ? next.array().front() : next, path.substr(dot + 1), value);
}

}  // namespace

const std::vector<Algorithm>& algorithms() {
  static const std::vector<Algorithm> all = [] {
    std::vector<Algorithm> out;
    for (auto part :
         {generator_algorithms(), hash_algorithms(), key_algorithms(), signature_algorithms()})
      std::move(part.begin(), part.end(), std::back_inserter(out));
    return out;
  }();
  return all;
}

Result<const Algorithm*> algorithm_of(const json::Value& prompt) {
  const auto word = [&prompt](std::string_view name) {
    const json::Value* found = prompt.find(name);
    return found != nullptr && found->is_string() ? found->string() : std::string{};
  };
  const std::string name = word("algorithm");
  const std::string mode = word("mode");
  const std::string revision = word("revision");
  if (name.empty()) return refused("prompt", "algorithm is missing: this is no ACVP vector set");
  std::vector<std::string> near;
  for (const Algorithm& one : algorithms()) {
    if (one.name != name) continue;
    if (one.mode == mode && one.revision == revision) return &one;
    near.push_back(
        fmt::format("{}{}{} {}", one.name, one.mode.empty() ? "" : " ", one.mode, one.revision));
  }
  for (const Unanswered& one : unanswered()) {
    if (one.algorithm == name && (one.mode.empty() || one.mode == mode))
      return refused("prompt", fmt::format("algorithm {}{}{}: {}", name, mode.empty() ? "" : " ",
                                           mode, one.why));
  }
  const std::string asked =
      fmt::format("algorithm {}, mode {}, revision {}", name, mode.empty() ? "none" : mode,
                  revision.empty() ? "none" : revision);
  if (!near.empty())
    return refused("prompt", asked + ": not one of this appliance; it has " + joined(near));
  std::set<std::string> names;
  for (const Algorithm& one : algorithms()) names.emplace(one.name);
  return refused("prompt", asked + ": not one of this appliance; its algorithms are " +
                               joined({names.begin(), names.end()}));
}

Status check_group(const Algorithm& algorithm, const json::Value& group, const std::string& where) {
  if (looks_like_an_answer(group))
    return refused(where,
                   "there is no testType: these are answers (a response, or expected results), and "
                   "a prompt is expected");
  const json::Value* type = group.find("testType");
  std::vector<std::string> types;
  for (const auto one : algorithm.test_types) types.emplace_back(one);
  if (type == nullptr || !type->is_string() || !has(types, type->string()))
    return refused(where, "testType is to be one of " + joined(types));
  TALLA_TRY_STATUS(check_members(algorithm, Place::group, group, type->string(), where));
  std::set<std::string> known{"tgId", "testType", "tests"};
  for (const Member& member : algorithm.members) {
    if (member.place == Place::group) known.emplace(member.name);
  }
  return check_names(group, known, where);
}

Status check_test(const Algorithm& algorithm, const Case& asked) {
  TALLA_TRY_STATUS(check_members(algorithm, Place::test, *asked.test, asked.type(), asked.where));
  std::set<std::string> known{"tcId"};
  for (const auto input : algorithm.inputs) known.emplace(input);
  for (const Member& member : algorithm.members) {
    if (member.place == Place::test) known.emplace(member.name);
  }
  return check_names(*asked.test, known, asked.where);
}

std::string registration() {
  json::Array list;
  for (const Algorithm& one : algorithms()) {
    json::Value entry{json::Object{{"algorithm", one.name}, {"revision", one.revision}}};
    if (!one.mode.empty()) entry["mode"] = one.mode;
    for (const Member& member : one.members) {
      for (const auto path : member.registered) put(entry, path, registered_value(member));
    }
    list.push_back(std::move(entry));
  }
  return json::canonical(json::Array{json::Object{{"acvVersion", "1.0"}},
                                     json::Object{{"algorithms", std::move(list)}}}) +
         "\n";
}

std::vector<Answered> answered() {
  std::vector<Answered> out;
  for (const Algorithm& one : algorithms())
    out.push_back({one.name, one.mode, one.revision, one.module, one.vectors});
  return out;
}

}  // namespace talla::lab::acvp
