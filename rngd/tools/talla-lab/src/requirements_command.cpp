// talla-lab requirements: what laws and standards ask, and where it stands.
#include <fmt/format.h>

#include <memory>

#include "app.hpp"
#include "base/json.hpp"
#include "lab_requirements/requirements.hpp"

namespace talla::lab {
namespace {

struct RequirementOptions {
  bool open = false;
};

json::Array words_of(const std::vector<std::string>& words) {
  json::Array out;
  for (const std::string& word : words) out.emplace_back(word);
  return out;
}

std::string line_of(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out.empty() ? "none" : out;
}

json::Object clause_object(const requirements::Clause& clause) {
  json::Object out{{"asks", clause.asks},           {"clause", clause.clause},
                   {"code", words_of(clause.code)}, {"evidence", words_of(clause.evidence)},
                   {"mark", clause.mark},           {"tests", words_of(clause.tests)}};
  if (!clause.open.empty()) out.emplace("open", clause.open);
  return out;
}

void print_clause(const requirements::Clause& clause) {
  fmt::print("  {} [{}]: {}\n", clause.clause, clause.mark, clause.asks);
  fmt::print("    code      {}\n", line_of(clause.code));
  fmt::print("    tests     {}\n", line_of(clause.tests));
  fmt::print("    evidence  {}\n", line_of(clause.evidence));
  if (!clause.open.empty()) fmt::print("    OPEN      {}\n", clause.open);
}

void print_requirements(const App& app, bool open_alone) {
  json::Array groups;
  std::size_t clauses = 0;
  std::size_t open = 0;
  for (const requirements::Group& group : requirements::groups()) {
    json::Array list;
    bool named = app.json;
    for (const requirements::Clause& clause : group.clauses) {
      ++clauses;
      if (!clause.open.empty()) ++open;
      if (open_alone && clause.open.empty()) continue;
      if (!named) fmt::print("{}. {}\n", group.number, group.name);
      named = true;
      if (app.json) {
        list.emplace_back(clause_object(clause));
      } else {
        print_clause(clause);
      }
    }
    groups.emplace_back(
        json::Object{{"clauses", std::move(list)}, {"name", group.name}, {"number", group.number}});
  }
  if (app.json) {
    fmt::print("{}\n", json::canonical(json::Object{{"groups", std::move(groups)}}));
  } else {
    fmt::print("{} groups, {} clauses, {} of them open\n", requirements::groups().size(), clauses,
               open);
  }
}

}  // namespace

void add_requirements(commandline::Command& root, App& app) {
  auto& command = *root.add_subcommand(
      "requirements",
      "what laws and standards ask: clause, code, test, evidence, and what is open");
  auto options = std::make_shared<RequirementOptions>();
  command.add_flag("--open", options->open, "clauses that are open alone");
  command.callback([&app, options] { print_requirements(app, options->open); });
}

}  // namespace talla::lab
