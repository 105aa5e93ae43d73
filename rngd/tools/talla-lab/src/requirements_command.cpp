// talla-lab requirements: what laws and standards ask, and where it stands.
#include <fmt/format.h>

#include <memory>

#include "app.hpp"
#include "base/json.hpp"
#include "input.hpp"
#include "lab_requirements/requirements.hpp"
#include "lab_requirements/tests.hpp"

namespace talla::lab {
namespace {

struct RequirementOptions {
  bool open = false;
  std::vector<std::string> tests;
};
constexpr std::size_t report_bytes_most = std::size_t{256} << 20;

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

/// What became of each test of a clause.
json::Object ran_object(const requirements::Clause& clause, const requirements::TestsRun& ran) {
  json::Object out;
  for (const std::string& test : clause.tests)
    out.insert_or_assign(test, std::string(outcome_name(ran.of(test))));
  return out;
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

/// A line for each test of a clause that did not pass; how many there are.
std::size_t print_tests(const App& app, const requirements::Clause& clause,
                        const requirements::TestsRun& ran) {
  std::size_t missing = 0;
  for (const std::string& test : clause.tests) {
    const auto outcome = ran.of(test);
    if (outcome == requirements::Outcome::passed) continue;
    ++missing;
    if (!app.json) fmt::print("    TEST      {}: {}\n", test, outcome_name(outcome));
  }
  return missing;
}

/// How many named tests did not pass.
std::size_t print_requirements(const App& app, bool open_alone, const requirements::TestsRun* ran) {
  std::size_t missing = 0;
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
        json::Object object = clause_object(clause);
        if (ran != nullptr) object.emplace("ran", ran_object(clause, *ran));
        list.emplace_back(std::move(object));
      } else {
        print_clause(clause);
      }
      if (ran != nullptr) missing += print_tests(app, clause, *ran);
    }
    groups.emplace_back(
        json::Object{{"clauses", std::move(list)}, {"name", group.name}, {"number", group.number}});
  }
  if (app.json) {
    fmt::print("{}\n", json::canonical(json::Object{{"groups", std::move(groups)}}));
  } else {
    fmt::print("{} groups, {} clauses, {} of them open\n", requirements::groups().size(), clauses,
               open);
    if (ran != nullptr) fmt::print("{} named tests did not run and pass\n", missing);
  }
  return missing;
}

stats::Result<bool> run_requirements(App& app, const RequirementOptions& options) {
  requirements::TestsRun ran;
  for (const std::string& path : options.tests) {
    auto input = Input::open(path);
    if (!input) return tl::unexpected(input.error());
    const auto bytes = input->read_all(report_bytes_most);
    if (!bytes) return tl::unexpected(bytes.error());
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    if (const auto added = ran.add(text, path); !added) return stats::refuse(added.error().detail);
  }
  const std::size_t missing =
      print_requirements(app, options.open, options.tests.empty() ? nullptr : &ran);
  if (missing > 0) app.exit = exit_not_consistent;
  return true;
}

}  // namespace

void add_requirements(commandline::Command& root, App& app) {
  auto& command = *root.add_subcommand(
      "requirements",
      "what laws and standards ask: clause, code, test, evidence, and what is open");
  auto options = std::make_shared<RequirementOptions>();
  command.add_flag("--open", options->open, "clauses that are open alone");
  command.add_option("--tests", options->tests,
                     "JUnit reports of the suite (tests/run, ctest --output-junit): which of the "
                     "named tests ran and passed");
  command.footer("Exit 3: a test that is named did not run, or failed.");
  command.callback([&app, options] {
    if (const auto done = run_requirements(app, *options); !done) app.refuse(done.error());
  });
}

}  // namespace talla::lab
