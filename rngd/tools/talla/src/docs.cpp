// talla docs: what the program knows of the evidence it reads, as pages; offline.
#include "app.hpp"
#include "format/described.hpp"
#include "verify/refusals.hpp"
#include "verify/summary.hpp"

namespace talla::cli {

namespace {

json::Value member_json(const certs::MemberText& member) {
  json::Object out{{"member", member.name}, {"type", member.type}, {"meaning", member.meaning}};
  if (!member.presence.empty()) out.emplace("presence", member.presence);
  return out;
}

json::Value table_json(const certs::MemberTable& table) {
  json::Array members;
  for (const certs::MemberText& member : table.members) members.push_back(member_json(member));
  json::Array rules;
  for (const certs::RuleText& rule : table.rules)
    rules.emplace_back(json::Object{{"member", rule.member}, {"words", rule.words}});
  return json::Object{{"name", table.name},
                      {"object", table.object},
                      {"opens", table.opens},
                      {"members", std::move(members)},
                      {"rules", std::move(rules)}};
}

}  // namespace

void add_docs(commandline::Command& root, App& app) {
  auto* docs = root.add_subcommand("docs", "pages that the program itself knows");
  docs->require_subcommand();
  auto* format = docs->add_subcommand(
      "format", "the members of each kind of record, as section 6 of the evidence format has them");
  format->callback([&app] {
    for (const certs::MemberTable& table : certs::member_tables()) app.emit(table_json(table));
    app.say(certs::member_tables_page());
  });
  auto* refusals = docs->add_subcommand(
      "refusals", "each code with which evidence is refused, and its sentence in both languages");
  refusals->callback([&app] {
    for (const certs::EvidenceRefusal& one : certs::evidence_refusals()) {
      app.emit(json::Object{{"code", std::string(one.code)},
                            {"number", one.number},
                            {"en", std::string(one.en)},
                            {"es", std::string(one.es)}});
    }
    app.say(certs::evidence_refusals_page());
  });
  auto* verdict = docs->add_subcommand(
      "verdict", "each clause of what a verdict says first, in both languages");
  verdict->callback([&app] {
    for (const certs::SummaryClause& one : certs::summary_clauses()) {
      const auto& form = certs::note_form(one.note);
      app.emit(json::Object{{"key", std::string(one.key)},
                            {"en", std::string(form.en)},
                            {"es", std::string(form.es)}});
      app.say(std::string(one.key) + ": " + std::string(form.en) + " / " + std::string(form.es));
    }
  });
}

}  // namespace talla::cli
