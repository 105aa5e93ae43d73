// What a run came to, from the files of its steps alone.
#include "report.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

#include "certs/files.hpp"
#include "examined.hpp"
#include "folder.hpp"
#include "lab_requirements/requirements.hpp"
#include "plots.hpp"

namespace talla::lab::submit {
namespace {

/// A number that the report shows: in which file of a step, and where in it.
struct Figure {
  std::string_view file;
  std::string_view pointer;
  std::string_view what;
};
constexpr std::array figures{
    Figure{"collect.json", "/samples/count", "samples"},
    Figure{"collect.json", "/device/model", "device"},
    Figure{"collect.json", "/device/serial", "serial"},
    Figure{"raw.bin.manifest.json", "/device/model", "device"},
    Figure{"raw.bin.manifest.json", "/device/serial", "serial"},
    Figure{"assess.json", "/samples", "samples"},
    Figure{"assess.json", "/min_entropy", "min_entropy"},
    Figure{"iid.json", "/verdict", "verdict"},
    Figure{"iid.json", "/min_entropy", "min_entropy"},
    Figure{"restart.json", "/largest_count", "largest_count"},
    Figure{"restart.json", "/cutoff", "cutoff"},
    Figure{"restart.json", "/min_entropy", "min_entropy"},
    Figure{"induced.json", "/passed", "passed"},
    Figure{"judged.json", "/cases", "cases"},
    Figure{"judged.json", "/not_judged", "not_judged"},
    Figure{"sample.json", "/count", "results"},
    Figure{"outcomes.json", "/judged", "tests"},
    Figure{"outcomes.json", "/smallest_adjusted", "smallest_p"},
    Figure{"outcomes.json", "/family_error", "family_error"},
    Figure{"outcomes.json", "/verdict", "verdict"},
    Figure{"made.json", "/files", "files"},
    Figure{"made.json", "/manifest", "manifest"},
    Figure{"checked.json", "/result", "result"},
    Figure{"bits.json", "/bytes", "bytes"},
    Figure{"bits.json", "/sha256", "sha256"},
    Figure{"battery.json", "/verdict", "verdict"},
    Figure{"model.json", "/page", "page"},
    Figure{"counted.json", "/packages", "packages"},
    Figure{"counted.json", "/files", "files"},
    Figure{"counted.json", "/unknown_licences", "unknown_licences"},
    Figure{"counted.json", "/vulnerabilities", "vulnerabilities"},
    Figure{"builds.json", "/first_by", "first_by"},
    Figure{"builds.json", "/second_by", "second_by"},
};

json::Object figure_object(const std::string& what, const std::string& file,
                           const std::string& pointer, const std::string& value) {
  return {{"file", file}, {"pointer", pointer}, {"value", value}, {"what", what}};
}

/// Of each line of odds: the bet and what the house keeps.
void add_odds(const std::string& text, const std::string& file, json::Array& out) {
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  for (std::size_t line = 1; line <= lines; ++line) {
    const std::string edge = text_at(text, "/house_edge", line);
    if (edge.empty()) continue;
    auto figure = figure_object(text_at(text, "/bet", line), file, "/house_edge", edge);
    figure.emplace("line", line);
    out.emplace_back(std::move(figure));
  }
}

/// The number that a text is; 0: it is none.
std::size_t count_in(const std::string& text) {
  std::size_t count = 0;
  static_cast<void>(std::from_chars(text.data(), text.data() + text.size(), count));
  return count;
}

/// Of scenarios: how many passed, as each file's line counts them, and those that did not.
void add_scenarios(const std::string& text, const std::string& file, json::Array& out) {
  std::size_t passed = 0;
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  for (std::size_t line = 1; line <= lines; ++line) {
    const std::string said = text_at(text, "/passed", line);
    if (!text_at(text, "/failed", line).empty()) passed += count_in(said);
    if (said != "false") continue;
    auto figure = figure_object(text_at(text, "/file", line) + ":" + text_at(text, "/line", line),
                                file, "/passed", said);
    figure.emplace("line", line);
    out.emplace_back(std::move(figure));
  }
  out.emplace_back(figure_object("scenarios_passed", file, "", std::to_string(passed)));
}

json::Array figures_of(const std::string& out, const Step& step) {
  json::Array list;
  for (const Figure& one : figures) {
    const auto text = content_of(out + "/" + step.id() + "/" + std::string(one.file));
    if (!text) continue;
    const std::string value = text_at(*text, one.pointer);
    if (!value.empty())
      list.emplace_back(figure_object(std::string(one.what),
                                      step.id() + "/" + std::string(one.file),
                                      std::string(one.pointer), value));
  }
  if (const auto odds = content_of(out + "/" + step.id() + "/odds.jsonl"))
    add_odds(*odds, step.id() + "/odds.jsonl", list);
  if (const auto settled = content_of(out + "/" + step.id() + "/settled.jsonl"))
    add_scenarios(*settled, step.id() + "/settled.jsonl", list);
  if (step.id() == "evidence/figures") return test_figures(out);
  if (step.id() == "generator/known-answers") return known_answer_figures(out);
  return list;
}

/// What a step that did not pass says of the reason: what is named in its own files.
std::string reasons_of(const std::string& folder) {
  struct Place {
    std::string_view file, list, name, what;
  };
  constexpr std::array places{Place{"checked.json", "findings", "path", "what"},
                              Place{known_answers_file, "failures", "algorithm", "why"},
                              Place{"builds.json", "differences", "name", "words"}};
  constexpr std::size_t named_most = 8;
  std::string words;
  for (const Place& place : places) {
    const auto text = content_of(folder + "/" + std::string(place.file));
    const auto parsed = text ? json::parse(*text) : Result<json::Value>(json::Value());
    if (!text || !parsed) continue;
    std::size_t named = 0;
    for (const json::Value& one : list_of(*parsed, place.list)) {
      if (++named > named_most) break;
      words +=
          (words.empty() ? "" : "; ") + text_of(one, place.name) + ": " + text_of(one, place.what);
    }
  }
  constexpr std::size_t said_most = 400;
  if (const auto said = content_of(folder + "/" + messages_file); said && words.empty())
    words = said->substr(0, std::min(said_most, said->find_last_not_of('\n') + 1));
  return words;
}

/// The verdict of a step, and where it stands.
struct Found {
  std::string verdict = "not-run";
  std::string file, sha256, why;
};

Found found_of(const std::string& out, const Step& step) {
  Found found;
  if (const auto record = step_record(out + "/" + step.id())) {
    found.verdict = verdict_name(verdict_of(step, exits_of(*record)));
    found.file = step.id() + "/" + step_file;
    found.sha256 = to_hex(digest_of_text(json::canonical(*record) + "\n"));
    if (found.verdict == verdict_name(Verdict::not_passed))
      found.why = reasons_of(out + "/" + step.id());
    return found;
  }
  const auto text = content_of(out + "/" + step.id() + std::string(failed_ending));
  const auto failed = text ? json::parse(*text) : Result<json::Value>(json::Value());
  if (!text || !failed) return found;
  found.verdict = verdict_name(Verdict::failed);
  found.file = step.id() + std::string(failed_ending);
  found.sha256 = to_hex(digest_of_text(*text));
  found.why = text_of(*failed, "why");
  return found;
}

/// Which steps ran a command of talla-lab, and what came of them.
using Ran = std::map<std::string, std::vector<std::pair<std::string, std::string>>>;

Ran commands_of(const std::vector<Step>& steps, const std::vector<Found>& found) {
  Ran ran;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::set<std::string> names;
    for (const Command& command : steps[i].commands) {
      if (command.program != "talla-lab") continue;
      const auto name = std::ranges::find_if(
          command.arguments, [](const std::string& one) { return !one.starts_with("--"); });
      if (name != command.arguments.end()) names.insert(*name);
    }
    for (const std::string& name : names)
      if (!found[i].file.empty()) ran[name].emplace_back(found[i].file, found[i].verdict);
  }
  return ran;
}

/// A clause as the matrix has it.
json::Value clause_of_matrix(const requirements::Clause& clause) {
  const auto words = [](const std::vector<std::string>& list) {
    json::Array out;
    for (const std::string& one : list) out.emplace_back(one);
    return out;
  };
  json::Object out{{"asks", clause.asks},        {"clause", clause.clause},
                   {"code", words(clause.code)}, {"evidence", words(clause.evidence)},
                   {"mark", clause.mark},        {"tests", words(clause.tests)}};
  if (!clause.open.empty()) out.emplace("open", clause.open);
  return out;
}

void judge_tests(const json::Value& clause, json::Array& open) {
  const json::Value* ran = clause.find("ran");
  for (const json::Value& one : list_of(clause, "tests")) {
    if (!one.is_string()) continue;
    const std::string said = ran == nullptr ? "" : text_of(*ran, one.string());
    if (said == "passed") continue;
    open.emplace_back(one.string() + (ran == nullptr     ? ": no report of the tests was given"
                                      : said == "failed" ? ": the test failed"
                                                         : ": the test did not run"));
  }
}

void judge_evidence(const std::string& out, const json::Value& clause, const Ran& ran,
                    json::Array& shown, json::Array& open) {
  constexpr std::string_view program = "talla-lab ";
  for (const json::Value& value : list_of(clause, "evidence")) {
    if (!value.is_string()) continue;
    const std::string& one = value.string();
    if (!one.starts_with(program)) {
      const std::string page = "evidence/pages/" + one;
      if (content_of(out + "/" + page)) {
        shown.emplace_back(page);
      } else {
        open.emplace_back(one + ": the page is not here");
      }
      continue;
    }
    const auto found = ran.find(one.substr(program.size()));
    if (found == ran.end()) {
      open.emplace_back(one + ": no step of this run did it");
      continue;
    }
    for (const auto& [file, verdict] : found->second) {
      if (verdict == "passed") {
        shown.emplace_back(file);
      } else {
        open.emplace_back(file + ": " + verdict);
      }
    }
  }
}

struct Judged {
  json::Array groups;
  std::size_t clauses = 0;
  std::size_t open = 0;
};

Judged judge_matrix(const std::string& out, const Ran& ran) {
  json::Value matrix;
  const auto text = content_of(out + "/evidence/requirements/requirements.json");
  auto parsed = text ? json::parse(*text) : Result<json::Value>(json::Value());
  if (parsed) matrix = std::move(*parsed);
  Judged judged;
  for (const auto& group : requirements::groups()) {
    json::Array clauses;
    for (const auto& built_in : group.clauses) {
      json::Value clause = clause_of_matrix(built_in);
      for (const json::Value& other : list_of(matrix, "groups"))
        if (text_of(other, "name") == group.name)
          for (const json::Value& one : list_of(other, "clauses"))
            if (text_of(one, "clause") == built_in.clause) clause = one;
      json::Array shown;
      json::Array open;
      if (!text_of(clause, "open").empty()) open.emplace_back(text_of(clause, "open"));
      judge_tests(clause, open);
      judge_evidence(out, clause, ran, shown, open);
      ++judged.clauses;
      if (!open.empty()) ++judged.open;
      clause["shown"] = std::move(shown);
      clause["open"] = std::move(open);
      clauses.emplace_back(std::move(clause));
    }
    judged.groups.emplace_back(json::Object{
        {"clauses", std::move(clauses)}, {"name", group.name}, {"number", group.number}});
  }
  return judged;
}

}  // namespace

json::Value report_of(const std::string& out, const PlanFile& plan) {
  const auto steps = steps_of(plan);
  std::vector<Found> found;
  json::Array list;
  json::Array deviations;
  std::map<std::string, std::size_t> counts;
  for (const Step& step : steps) {
    found.push_back(found_of(out, step));
    const Found& one = found.back();
    ++counts[one.verdict];
    json::Object entry{{"about", step.about},
                       {"about_es", step.about_es},
                       {"figures", figures_of(out, step)},
                       {"plots", plots_of(out, step)},
                       {"step", step.id()},
                       {"verdict", one.verdict}};
    if (!one.file.empty()) {
      entry.emplace("file", one.file);
      entry.emplace("sha256", one.sha256);
    }
    if (!one.why.empty()) entry.emplace("why", one.why);
    list.emplace_back(std::move(entry));
    if (one.verdict != "passed")
      deviations.emplace_back(
          json::Object{{"step", step.id()}, {"verdict", one.verdict}, {"why", one.why}});
  }
  Judged judged = judge_matrix(out, commands_of(steps, found));
  json::Value roles = role_matrix(out);
  json::Array open = open_evidence(roles, known_answer_figures(out), test_figures(out));
  const std::size_t open_count = open.size();
  const auto text = content_of(out + "/" + plan_copy);
  return json::Object{{"deviations", std::move(deviations)},
                      {"format", 1},
                      {"kind", "talla-lab report"},
                      {"laboratory", plan.laboratory.name},
                      {"open_evidence", std::move(open)},
                      {"plan_sha256", text ? to_hex(digest_of_text(*text)) : ""},
                      {"requirements", std::move(judged.groups)},
                      {"roles", std::move(roles)},
                      {"seed", plan.seed},
                      {"steps", std::move(list)},
                      {"summary", json::Object{{"clauses", judged.clauses},
                                               {"clauses_open", judged.open},
                                               {"evidence_open", open_count},
                                               {"failed", counts["failed"]},
                                               {"more_data", counts["more-data"]},
                                               {"not_passed", counts["not-passed"]},
                                               {"not_run", counts["not-run"]},
                                               {"passed", counts["passed"]},
                                               {"steps", steps.size()}}},
                      {"title", plan.title}};
}

Status write_reports(const std::string& out, const PlanFile& plan) {
  const json::Value report = report_of(out, plan);
  TALLA_TRY_STATUS(certs::replace_file(out + "/" + report_file, json::canonical(report) + "\n"));
  for (const std::string& language : {std::string("en"), std::string("es")}) {
    TALLA_TRY_STATUS(
        certs::replace_file(out + "/report-" + language + ".html", report_html(report, language)));
    TALLA_TRY_STATUS(
        certs::replace_file(out + "/report-" + language + ".pdf", report_pdf(report, language)));
  }
  return {};
}

}  // namespace talla::lab::submit
