// Answers a prompt group by group, and compares answers of others with what the modules say.
#include "lab_acvp/acvp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "algorithm.hpp"
#include "vector_set.hpp"

namespace talla::lab::acvp {

namespace {

/// A prompt whose every group and case is one that its algorithm's description allows.
struct Prompt {
  json::Value set;
  bool enveloped = false;
  const Algorithm* algorithm = nullptr;
  std::size_t cases = 0;
};

std::string group_place(std::size_t index, std::int64_t id) {
  return fmt::format("testGroups[{}] (tgId {})", index, id);
}

Status check_top(const json::Value& set) {
  static const std::set<std::string, std::less<>> known{"vsId",     "algorithm", "mode",
                                                        "revision", "isSample",  "testGroups"};
  for (const auto& [name, value] : set.object()) {
    if (!known.contains(name)) return refused("prompt", name + " is not known here");
  }
  const json::Value* number = set.find("vsId");
  if (number == nullptr || !number->is_integer())
    return refused("prompt", "vsId is to be a whole number");
  return {};
}

Result<Case> case_at(const json::Value& group, std::size_t index, const std::string& where) {
  const json::Value& test = group.find("tests")->array()[index];
  const json::Value* id = test.find("tcId");
  Case out{&group, &test, nullptr, fmt::format("{}, tests[{}]", where, index)};
  if (!test.is_object()) return refused(out.where, "an object is expected");
  if (id != nullptr && id->is_integer()) out.where += fmt::format(" (tcId {})", id->integer());
  return out;
}

Result<Prompt> read_prompt(std::string_view text) {
  TALLA_TRY(VectorSet read, read_set(text, "prompt"));
  Prompt out{.set = std::move(read.set), .enveloped = read.enveloped};
  TALLA_TRY_STATUS(check_top(out.set));
  TALLA_TRY(out.algorithm, algorithm_of(out.set));
  TALLA_TRY(const json::Array* groups, groups_of(out.set, "prompt"));
  std::set<std::int64_t> group_ids;
  std::set<std::int64_t> test_ids;
  for (std::size_t i = 0; i < groups->size(); ++i) {
    const json::Value& group = (*groups)[i];
    if (!group.is_object())
      return refused(fmt::format("testGroups[{}]", i), "an object is expected");
    TALLA_TRY(const std::int64_t id,
              fresh_id(group, "tgId", fmt::format("testGroups[{}]", i), group_ids));
    const std::string where = group_place(i, id);
    TALLA_TRY_STATUS(check_group(*out.algorithm, group, where));
    TALLA_TRY(const json::Array* tests, tests_of(group, where));
    for (std::size_t k = 0; k < tests->size(); ++k) {
      TALLA_TRY(const Case asked, case_at(group, k, where));
      TALLA_TRY([[maybe_unused]] const std::int64_t test_id,
                fresh_id(*asked.test, "tcId", asked.where, test_ids));
      TALLA_TRY_STATUS(check_test(*out.algorithm, asked));
    }
    out.cases += tests->size();
  }
  return out;
}

/// The private keys of a sample by tgId.
Result<std::map<std::int64_t, SecretBytes>> keys_of(const Algorithm& algorithm,
                                                    std::string_view projection) {
  std::map<std::int64_t, SecretBytes> out;
  if (projection.empty()) return out;
  if (algorithm.work.make_key == nullptr)
    return refused("projection",
                   fmt::format("{} {} takes no keys from one", algorithm.name, algorithm.mode));
  TALLA_TRY(const VectorSet read, read_set(projection, "projection"));
  TALLA_TRY(const auto groups, numbered(read.set, "projection"));
  for (const auto& [id, one] : groups) {
    const Bytes key = given_hex(*one.group, "d");
    if (key.empty())
      return refused(fmt::format("projection, tgId {}", id), "d is missing or no hex");
    out.emplace(id, SecretBytes(key.begin(), key.end()));
  }
  return out;
}

class Responder {
 public:
  Responder(const Prompt& prompt, const Terms& terms) : prompt_(prompt), terms_(terms) {}

  Result<json::Object> all() {
    TALLA_TRY(keys_, keys_of(*prompt_.algorithm, terms_.projection));
    json::Array out;
    const json::Array& groups = prompt_.set.find("testGroups")->array();
    for (std::size_t i = 0; i < groups.size(); ++i) {
      TALLA_TRY(json::Object group, answer_group(groups[i], i));
      out.emplace_back(std::move(group));
    }
    json::Object response;
    for (const auto& [name, value] : prompt_.set.object()) {
      if (name != "testGroups") response.emplace(name, value);
    }
    response.emplace("testGroups", std::move(out));
    return response;
  }

 private:
  Result<json::Object> answer_group(const json::Value& group, std::size_t index) {
    const Work& work = prompt_.algorithm->work;
    const std::int64_t id = group.find("tgId")->integer();
    const std::string where = group_place(index, id);
    json::Object out;
    SecretBytes key;
    if (work.make_key != nullptr) {
      TALLA_TRY(key, key_of(id, where));
      TALLA_TRY(out, work.public_members(key));
    }
    json::Array tests;
    const std::size_t count = group.find("tests")->array().size();
    for (std::size_t k = 0; k < count; ++k) {
      TALLA_TRY(Case asked, case_at(group, k, where));
      asked.key = &key;
      TALLA_TRY(json::Object answer, work.answer(asked));
      answer.emplace("tcId", *asked.test->find("tcId"));
      tests.emplace_back(std::move(answer));
      if (terms_.progress) terms_.progress(++done_, prompt_.cases);
    }
    out.emplace("tgId", id);
    out.emplace("tests", std::move(tests));
    return out;
  }

  Result<SecretBytes> key_of(std::int64_t group, const std::string& where) {
    if (terms_.projection.empty()) return prompt_.algorithm->work.make_key();
    const auto found = keys_.find(group);
    if (found == keys_.end()) return refused(where, "the projection has no such group");
    return found->second;
  }

  const Prompt& prompt_;
  const Terms& terms_;
  std::map<std::int64_t, SecretBytes> keys_;
  std::size_t done_ = 0;
};

/// Equal but for the case of hex; `testPassed` true says no more than the members beside it.
bool same(const json::Value& a, const json::Value& b) {
  if (a.is_string() && b.is_string()) {
    const auto left = bytes_of_hex(a.string());
    const auto right = bytes_of_hex(b.string());
    return left && right ? *left == *right : a == b;
  }
  if (a.is_array() && b.is_array()) {
    if (a.array().size() != b.array().size()) return false;
    for (std::size_t i = 0; i < a.array().size(); ++i) {
      if (!same(a.array()[i], b.array()[i])) return false;
    }
    return true;
  }
  if (a.is_object() && b.is_object()) {
    if (a.object().size() != b.object().size()) return false;
    return std::ranges::all_of(a.object(), [&](const auto& member) {
      const json::Value* other = b.find(member.first);
      return other != nullptr && same(member.second, *other);
    });
  }
  return a == b;
}

/// Without the number, and without `testPassed` true where something else is answered.
json::Object bare(const json::Value& answer) {
  json::Object out = answer.object();
  out.erase("tcId");
  const auto passed = out.find("testPassed");
  if (passed != out.end() && out.size() > 1 && passed->second == json::Value(true))
    out.erase("testPassed");
  return out;
}

/// What was expected instead, short enough to read.
std::string expected(const json::Object& answer) {
  constexpr std::size_t most = 200;
  std::string text = json::canonical(answer);
  if (text.size() > most) text = text.substr(0, most) + "...";
  return "expected " + text;
}

class Judge {
 public:
  Judge(const Algorithm& algorithm, const Terms& terms) : algorithm_(algorithm), terms_(terms) {}

  Status one(const Case& asked, const Given& given) {
    ++judgement_.cases;
    TALLA_TRY(const std::optional<std::string> fault, fault_of(asked, given));
    if (fault) {
      judgement_.differences.push_back({.group = asked.group->find("tgId")->integer(),
                                        .test = asked.test->find("tcId")->integer(),
                                        .what = *fault});
    }
    return {};
  }
  [[nodiscard]] Judgement take() { return std::move(judgement_); }
  void told(std::size_t total) {
    if (terms_.progress) terms_.progress(judgement_.cases, total);
  }

 private:
  Result<std::optional<std::string>> fault_of(const Case& asked, const Given& given) {
    if (algorithm_.work.holds != nullptr) {
      TALLA_TRY(const Holds holds, algorithm_.work.holds(asked, given));
      if (holds == Holds::unknown) ++judgement_.not_judged;
      if (holds != Holds::no) return std::optional<std::string>();
      return std::optional<std::string>("does not hold: " + expected_members(asked));
    }
    TALLA_TRY(const json::Object own, algorithm_.work.answer(asked));
    if (same(json::Value(own), json::Value(bare(*given.test)))) return std::optional<std::string>();
    return std::optional<std::string>(expected(own));
  }

  [[nodiscard]] std::string expected_members(const Case& asked) const {
    return fmt::format("what the answer gives for {} {} is refused by the module ({})",
                       algorithm_.name, algorithm_.mode.empty() ? asked.type() : algorithm_.mode,
                       algorithm_.module);
  }

  const Algorithm& algorithm_;
  const Terms& terms_;
  Judgement judgement_;
};

/// The same numbers on both sides, none more and none less.
Status check_numbers(const json::Value& prompt, const std::map<std::int64_t, Numbered>& given) {
  TALLA_TRY(const auto asked, numbered(prompt, "prompt"));
  for (const auto& [id, group] : given) {
    const auto found = asked.find(id);
    if (found == asked.end())
      return refused("answers", fmt::format("tgId {} is not in the prompt", id));
    for (const auto& [test, value] : group.tests) {
      if (!found->second.tests.contains(test))
        return refused("answers", fmt::format("tgId {}: tcId {} is not in the prompt", id, test));
    }
  }
  for (const auto& [id, group] : asked) {
    const auto found = given.find(id);
    if (found == given.end())
      return refused("answers", fmt::format("tgId {} of the prompt has no answer", id));
    for (const auto& [test, value] : group.tests) {
      if (!found->second.tests.contains(test))
        return refused("answers",
                       fmt::format("tgId {}: tcId {} of the prompt has no answer", id, test));
    }
  }
  return {};
}

/// Names of the two sets are one another's; NIST's answers leave out mode and revision at times.
Status check_same_set(const json::Value& prompt, const json::Value& answers) {
  for (const std::string_view name : {"algorithm", "vsId", "mode", "revision"}) {
    const json::Value* said = answers.find(name);
    const json::Value* asked = prompt.find(name);
    const bool may_be_absent = name == "mode" || name == "revision";
    if (said == nullptr && (may_be_absent || asked == nullptr)) continue;
    if (said == nullptr || asked == nullptr || *said != *asked)
      return refused("answers", fmt::format("{} is {}, and that of the prompt is {}", name,
                                            said != nullptr ? json::canonical(*said) : "missing",
                                            asked != nullptr ? json::canonical(*asked) : "none"));
  }
  return {};
}

}  // namespace

Result<std::string> respond(std::string_view prompt, const Terms& terms) {
  TALLA_TRY(const Prompt read, read_prompt(prompt));
  TALLA_TRY(json::Object response, Responder(read, terms).all());
  if (!read.enveloped) return json::canonical(json::Value(std::move(response))) + "\n";
  return json::canonical(json::Array{json::Object{{"acvVersion", "1.0"}}, std::move(response)}) +
         "\n";
}

Result<Judgement> judge(std::string_view prompt, std::string_view answers, const Terms& terms) {
  TALLA_TRY(const Prompt read, read_prompt(prompt));
  TALLA_TRY(const VectorSet given, read_set(answers, "answers"));
  TALLA_TRY_STATUS(check_same_set(read.set, given.set));
  TALLA_TRY(const auto groups, numbered(given.set, "answers"));
  TALLA_TRY_STATUS(check_numbers(read.set, groups));
  Judge judge(*read.algorithm, terms);
  const json::Array& asked_groups = read.set.find("testGroups")->array();
  for (std::size_t i = 0; i < asked_groups.size(); ++i) {
    const json::Value& group = asked_groups[i];
    const std::int64_t id = group.find("tgId")->integer();
    const Numbered& theirs = groups.at(id);
    for (std::size_t k = 0; k < group.find("tests")->array().size(); ++k) {
      TALLA_TRY(const Case asked, case_at(group, k, group_place(i, id)));
      const Given answer{theirs.group, theirs.tests.at(asked.test->find("tcId")->integer())};
      TALLA_TRY_STATUS(judge.one(asked, answer));
      judge.told(read.cases);
    }
  }
  return judge.take();
}

}  // namespace talla::lab::acvp
