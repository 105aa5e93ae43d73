// talla-lab esv: a submission for entropy source validation held against the server's rules.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>

#include "app.hpp"
#include "base/bytes.hpp"
#include "base/json.hpp"
#include "input.hpp"
#include "lab_esv/esv.hpp"

namespace talla::lab {
namespace {

constexpr std::size_t run_bytes_most = std::size_t{8} << 20;

struct EsvOptions {
  std::string run;
  std::string facts;
  bool rules = false;
  bool all = false;
};

Result<std::string> run_text(const std::string& path) {
  auto input = Input::open(path);
  if (!input) return fail(esv::EsvErrc::esv_refused, input.error().detail);
  auto bytes = input->read_all(run_bytes_most);
  if (!bytes) return fail(esv::EsvErrc::esv_refused, bytes.error().detail);
  return std::string(as_text(*bytes));
}

json::Object rule_object(const esv::RuleText& rule) {
  return {{"member", rule.member},
          {"reference", rule.reference},
          {"request", rule.request},
          {"words", rule.words}};
}

void print_rules(const App& app) {
  if (app.json) {
    json::Array list;
    for (const auto& rule : esv::rules()) list.emplace_back(rule_object(rule));
    fmt::print("{}\n", json::canonical(list));
    return;
  }
  for (const auto& rule : esv::rules())
    fmt::print("{}: {}: {}{}\n", rule.request, rule.member, rule.words,
               rule.reference.empty() ? "" : fmt::format(" ({})", rule.reference));
}

void print_findings(const App& app, const std::vector<esv::Finding>& findings, bool all) {
  json::Array list;
  std::array<std::size_t, 4> counts{};
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const esv::Finding& finding = findings[i];
    const esv::RuleText& rule = esv::rules()[i];
    ++counts.at(static_cast<std::size_t>(finding.outcome));
    if (app.json) {
      json::Object one = rule_object(rule);
      json::Array faults;
      for (const std::string& fault : finding.faults) faults.emplace_back(fault);
      one.emplace("faults", std::move(faults));
      one.emplace("outcome", esv::outcome_name(finding.outcome));
      list.emplace_back(std::move(one));
      continue;
    }
    const bool quiet =
        finding.outcome == esv::Outcome::holds || finding.outcome == esv::Outcome::not_asked;
    if (quiet && !all) continue;
    fmt::print("{:<9} {}: {}\n", esv::outcome_name(finding.outcome), rule.request, rule.member);
    for (const std::string& fault : finding.faults) fmt::print("          {}\n", fault);
  }
  if (app.json) {
    fmt::print("{}\n", json::canonical(json::Object{{"rules", std::move(list)}}));
  } else {
    fmt::print("{} rules hold, {} are broken, {} are open, {} are not asked\n", counts[0],
               counts[1], counts[2], counts[3]);
  }
}

Status run_esv(App& app, const EsvOptions& options) {
  if (options.rules) {
    if (!options.run.empty())
      return fail(esv::EsvErrc::esv_refused, "RUN: not together with --rules");
    print_rules(app);
    return {};
  }
  if (options.run.empty()) commandline::fail_required("RUN or --rules");
  TALLA_TRY(const std::string text, run_text(options.run));
  std::string facts;
  if (!options.facts.empty()) {
    TALLA_TRY(facts, run_text(options.facts));
  }
  std::string folder = std::filesystem::path(options.run).parent_path().string();
  if (folder.empty()) folder = ".";
  TALLA_TRY(const auto findings, esv::examine(text, folder, {facts}));
  print_findings(app, findings, options.all);
  for (const esv::Finding& finding : findings) {
    if (finding.outcome == esv::Outcome::broken) app.exit = exit_not_consistent;
  }
  return {};
}

}  // namespace

void add_esv(commandline::Command& root, App& app) {
  auto& esv = *root.add_subcommand(
      "esv", "a submission to NIST (ESV) held against every rule before it is sent");
  auto options = std::make_shared<EsvOptions>();
  esv.add_option("RUN", options->run,
                 "run.json, its files beside it; or one request as it is sent");
  esv.add_option("--certificates", options->facts,
                 "what certificates say: entropy, algorithms, environments; rules that need it are "
                 "open without");
  esv.add_flag("--all", options->all, "rules that hold and rules that are not asked, too");
  esv.add_flag("--rules", options->rules, "the rules themselves");
  esv.footer("Exit 0: no rule is broken; 3: one is.");
  esv.callback([&app, options] {
    const Status status = run_esv(app, *options);
    if (!status) app.refuse({status.error().text()});
  });
}

}  // namespace talla::lab
