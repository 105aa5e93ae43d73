// talla-lab esv: a submission for entropy source validation held against the server's rules, and
// carried through at a server.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>

#include "app.hpp"
#include "base/bytes.hpp"
#include "base/json.hpp"
#include "input.hpp"
#include "lab_esv/esv.hpp"
#include "lab_esv/send.hpp"

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

struct SendOptions {
  esv::SendWish wish;
  std::string facts;
  bool no_certify = false;
  bool given = false;  ///< The command was `esv send`.
};

Status run_send(App& app, SendOptions options) {
  if (!options.facts.empty()) {
    TALLA_TRY(const std::string facts, run_text(options.facts));
    options.wish.facts = facts;
  }
  options.wish.certify = !options.no_certify;
  if (!app.json && !app.quiet)
    options.wish.say = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
  TALLA_TRY(const esv::SendEnd end, esv::send(options.wish));
  if (!end.passed) app.exit = exit_not_consistent;
  if (app.json) {
    fmt::print("{}\n", json::canonical(end.told));
  } else {
    fmt::print("{}\n", !end.passed ? "not passed: what the server said stands in the "
                                     "state file"
                       : options.wish.certify
                           ? "the server took the request for a certificate"
                           : "the server has all of it; no certificate was asked "
                             "for");
  }
  return {};
}

std::shared_ptr<const SendOptions> add_esv_send(commandline::Command& esv, App& app) {
  auto& send = *esv.add_subcommand(
      "send",
      "carry a submission through at a server: register, upload, certify; goes on where it "
      "was cut");
  auto options = std::make_shared<SendOptions>();
  esv::SendWish& wish = options->wish;
  send.add_option("RUN", wish.run, "run.json, or the folder that has it")->required();
  send.add_option("--server", wish.server, "https://HOST[:PORT]/esv/v1")->required();
  send.add_option("--certificate", wish.certificate, "your certificate, PEM")->required();
  send.add_option("--key", wish.key, "its key, PEM")->required();
  send.add_option("--root", wish.root, "roots of the server's certificate, PEM")->required();
  send.add_option("--totp", wish.totp, "file with the secret of the one-time passwords, base64")
      ->required();
  send.add_option("--state", wish.state,
                  "what the server has already, with its tokens (default: esv-state.json beside "
                  "the run file)");
  send.add_option("--certificates", options->facts, "what certificates say, as of talla-lab esv");
  send.add_flag("--no-certify", options->no_certify, "end behind the documents");
  send.add_option("--wait", wish.wait_seconds, "seconds for the server's tests of the data files")
      ->capture_default_str();
  send.add_option("--poll", wish.poll_seconds, "seconds between two questions for them")
      ->capture_default_str();
  send.footer(
      "Exit 0: the server took it; 3: a data file or the request did not pass; 1: nothing was "
      "sent, the connection broke, or the server refused: the same line goes on.");
  send.callback([&app, options] {
    options->given = true;
    const Status status = run_send(app, *options);
    if (!status) app.refuse({status.error().text()});
  });
  return options;
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
  esv.callback([&app, options, sending = add_esv_send(esv, app)] {
    if (sending->given) return;
    const Status status = run_esv(app, *options);
    if (!status) app.refuse({status.error().text()});
  });
}

}  // namespace talla::lab
