// Reads what other programs gave as evidence, and says what is not there.
#include "examined.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "folder.hpp"

namespace talla::lab::submit {
namespace {

/// What the long tests count, by the name in their files.
constexpr std::array counted_by_tests{
    std::string_view("false-alarms"), std::string_view("fault-matrix"),
    std::string_view("fuzzing"),      std::string_view("kills"),
    std::string_view("liars"),        std::string_view("simulator")};

/// The file, if it is one of figures.
Result<json::Value> figures_file(const std::string& path) {
  TALLA_TRY(const std::string text, content_of(path));
  TALLA_TRY(json::Value parsed, json::parse(text));
  const json::Value* all = parsed.find("figures");
  const bool good =
      text_of(parsed, "kind") == "talla test figures" &&
      std::ranges::find(counted_by_tests, text_of(parsed, "of")) != counted_by_tests.end() &&
      all != nullptr && all->is_object() && !all->object().empty() &&
      std::ranges::all_of(all->object(), [](const auto& one) { return one.second.is_integer(); });
  if (!good) return fail(SubmitErrc::submit_refused, path + ": no figures of a test");
  return parsed;
}

}  // namespace

json::Value role_matrix(const std::string& out) {
  const std::string file = "evidence/roles/openapi.json";
  const auto text = content_of(out + "/" + file);
  const auto parsed = text ? json::parse(*text) : Result<json::Value>(json::Value());
  const json::Value* paths = text && parsed ? parsed->find("paths") : nullptr;
  if (paths == nullptr || !paths->is_object()) return {};
  json::Array operations;
  std::set<std::string> named;
  for (const auto& [path, methods] : paths->object()) {
    if (!methods.is_object()) continue;
    for (const auto& [method, operation] : methods.object()) {
      const std::string id = text_of(operation, "operationId");
      if (id.empty() || operation.find("x-talla-roles") == nullptr) continue;
      std::string request = method + " " + path;
      std::ranges::transform(
          request.begin(), request.begin() + std::ssize(method), request.begin(),
          [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
      json::Array roles;
      for (const json::Value& one : list_of(operation, "x-talla-roles"))
        if (one.is_string()) {
          named.insert(one.string());
          roles.push_back(one);
        }
      operations.emplace_back(json::Object{
          {"operation", id}, {"request", std::move(request)}, {"roles", std::move(roles)}});
    }
  }
  json::Array roles;
  for (const std::string& one : named) roles.emplace_back(one);
  if (operations.empty()) return {};
  return json::Object{
      {"file", file}, {"operations", std::move(operations)}, {"roles", std::move(roles)}};
}

json::Array test_figures(const std::string& out) {
  json::Array list;
  const std::string folder = "evidence/figures";
  const auto files = files_below(out + "/" + folder, {step_file, messages_file});
  if (!files) return list;
  for (const FileFact& file : *files) {
    const std::string name = folder + "/" + file.name;
    const auto read = figures_file(out + "/" + name);
    if (!read) continue;
    for (const auto& [what, value] : read->find("figures")->object())
      list.emplace_back(json::Object{{"file", name},
                                     {"pointer", "/figures/" + what},
                                     {"value", std::to_string(value.integer())},
                                     {"what", text_of(*read, "of") + ": " + what}});
  }
  return list;
}

json::Array known_answer_figures(const std::string& out) {
  json::Array list;
  const std::string file = "generator/known-answers/" + std::string(known_answers_file);
  const auto text = content_of(out + "/" + file);
  const auto parsed = text ? json::parse(*text) : Result<json::Value>(json::Value());
  if (!text || !parsed) return list;
  const auto& tests = list_of(*parsed, "tests");
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const std::string algorithm = text_of(tests[i], "algorithm");
    const std::string pointer = "/tests/" + std::to_string(i);
    list.emplace_back(json::Object{{"file", file},
                                   {"pointer", pointer + "/result"},
                                   {"value", text_of(tests[i], "result")},
                                   {"what", algorithm + ", " + text_of(tests[i], "mode")}});
    list.emplace_back(json::Object{{"file", file},
                                   {"pointer", pointer + "/module"},
                                   {"value", text_of(tests[i], "module")},
                                   {"what", algorithm + ", module"}});
  }
  return list;
}

json::Array open_evidence(const json::Value& roles, const json::Array& answers,
                          const json::Array& figures) {
  json::Array open;
  if (!roles.is_object())
    open.emplace_back(json::Object{{"what", "role-matrix"},
                                   {"why", "no rngd of the plan told its table of operations"}});
  if (answers.empty())
    open.emplace_back(json::Object{{"what", "known-answers"},
                                   {"why", "no rngd of the plan ran its known answers"}});
  for (const std::string_view one : counted_by_tests) {
    const std::string prefix = std::string(one) + ": ";
    const bool there = std::ranges::any_of(figures, [&](const json::Value& figure) {
      return text_of(figure, "what").starts_with(prefix);
    });
    if (!there)
      open.emplace_back(
          json::Object{{"what", std::string(one)},
                       {"why", "the plan gives no figures of it (evidence.figures)"}});
  }
  return open;
}

}  // namespace talla::lab::submit
