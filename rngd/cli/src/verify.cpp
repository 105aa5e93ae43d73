// talla verify: judges evidence bundles and receipts offline, with a trusted root and nothing else.
#include "verify/verify.hpp"

#include <memory>

#include "app.hpp"
#include "config/client_file.hpp"
#include "config/ended_files.hpp"

namespace talla::cli {

namespace {

struct Options {
  std::vector<std::string> files;
  std::string root;
  std::string log_key;
  std::string policy;
  std::string openings;
  std::string known_key;
  std::vector<std::string> ended;
  std::string consistency;
  bool production = false;
};

json::Value to_json(const std::string& file, const certs::Verdict& verdict) {
  json::Value out;
  out["file"] = file;
  out["verified"] = true;
  out["class"] = std::string(certs::verdict_class_name(verdict.verdict_class));
  out["development"] = verdict.development;
  out["origin"] = verdict.origin;
  out["claim"] = verdict.claim;
  out["kind"] = verdict.kind;
  out["time_us"] = verdict.time_us;
  out["time_quality"] = verdict.time_quality;
  out["tree_size"] = verdict.tree_size;
  out["text"] = verdict.claim_text;
  const auto list = [](const std::vector<std::string>& lines) {
    json::Array array;
    for (const std::string& line : lines) array.emplace_back(line);
    return array;
  };
  out["witnessed"] = verdict.witnessed;
  out["witnesses"] = list(verdict.witnesses);
  out["witnessed_s"] = verdict.witnessed_s;
  if (!verdict.ended.empty()) {
    out["ended"] = verdict.ended;
    out["ended_size"] = verdict.ended_size;
    if (!verdict.successor.empty()) out["successor"] = verdict.successor;
  }
  out["checked"] = list(verdict.checked);
  out["not_checked"] = list(verdict.not_checked);
  return out;
}

std::string class_words(const certs::Verdict& verdict) {
  std::string words = verdict.verdict_class == certs::VerdictClass::certified ? "certified source"
                      : verdict.verdict_class == certs::VerdictClass::lab     ? "LABORATORY source"
                                                                              : "uncertified source";
  if (verdict.development) words += ", development keys";
  return words;
}

/// Development keys are no evidence in production: they never end in the code of a certified source.
int code_of(const certs::Verdict& verdict) {
  const int code = certs::exit_code(verdict.verdict_class);
  return code == certs::exit_certified && verdict.development ? certs::exit_uncertified_source : code;
}

void report(const App& app, const std::string& file, const certs::Verdict& verdict) {
  app.emit(to_json(file, verdict));
  app.say("verified: " + verdict.claim_text + " (" + file + "; " + class_words(verdict) + "; log " +
          verdict.origin + ", record " + std::to_string(verdict.claim) + ")");
  for (const std::string& line : verdict.checked) app.say("  checked: " + line);
  for (const std::string& line : verdict.not_checked) app.say("  not checked: " + line);
}

struct Trust {
  std::string roots;
  std::string policy;
  std::string openings;
  std::string known_key;
  std::vector<std::string> ended;
  std::string consistency;
};

Result<certs::Verdict> judge(const std::string& file, const Options& options, const Trust& trust) {
  TALLA_TRY(const std::string content, read_file(file));
  const certs::VerifyOptions how{.production_only = options.production,
                                 .policy = trust.policy,
                                 .openings = trust.openings,
                                 .known_key = trust.known_key,
                                 .ended = trust.ended,
                                 .consistency = trust.consistency};
  if (options.log_key.empty()) return certs::verify_bundle(content, trust.roots, how);
  TALLA_TRY(const std::string log_key, read_file(options.log_key));
  return certs::verify_receipt(content, log_key, trust.roots, how);
}

/// Roots, policy, openings, a known key, ends of logs. A file that is empty would be none.
Result<Trust> load_trust(const std::string& root, const Options& options) {
  Trust trust;
  TALLA_TRY(trust.roots, read_file(root));
  if (!options.openings.empty()) {
    TALLA_TRY(trust.openings, read_file(options.openings));
    if (trust.openings.empty()) return fail(CliErrc::file, options.openings + ": is empty");
  }
  if (!options.known_key.empty()) {
    TALLA_TRY(trust.known_key, read_file(options.known_key));
    if (trust.known_key.empty()) return fail(CliErrc::file, options.known_key + ": is empty");
  }
  TALLA_TRY(trust.ended, rngd::load_ended_files(options.ended));
  if (!options.consistency.empty()) {
    TALLA_TRY(trust.consistency, read_file(options.consistency));
    if (trust.consistency.empty()) return fail(CliErrc::file, options.consistency + ": is empty");
  }
  if (options.policy.empty()) return trust;
  TALLA_TRY(trust.policy, read_file(options.policy));
  if (trust.policy.empty()) return fail(CliErrc::file, options.policy + ": is empty");
  return trust;
}

void run(App& app, const Options& options) {
  std::string root = options.root;
  if (root.empty() && !app.client_folder.empty()) {
    const auto file = rngd::load_client_file(app.client_folder + "/client.toml");
    if (!file) return app.refuse(file.error());
    root = file->root;
  }
  if (root.empty()) {
    return app.refuse(
        Error(CliErrc::usage, "no trusted root: give --root FILE (PEM), or --client FOLDER with client.toml"),
        exit_usage);
  }
  const auto trust = load_trust(root, options);
  if (!trust) return app.refuse(trust.error());
  int worst = exit_ok;
  for (const std::string& file : options.files) {
    const auto verdict = judge(file, options, *trust);
    if (verdict) {
      report(app, file, *verdict);
      worst = worst == exit_refused ? worst : std::max(worst, code_of(*verdict));
    } else {
      app.refuse({CliErrc::receipt_refused, file + ": NOT VALID: " + verdict.error().text()});
      worst = exit_refused;
    }
  }
  app.exit = worst;
}

}  // namespace

void add_verify(CLI::App& root, App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = root.add_subcommand(
      "verify", "check evidence bundles (.talla) offline; says what was and what was not checked");
  command->add_option("FILE", options->files, "bundles, or receipts with --log-key")->required();
  command->add_option("--root", options->root,
                      "trusted root certificates, PEM (default: that of client.toml)");
  command->add_option("--log-key", options->log_key,
                      "the files are receipts; this is the log key statement (JSON), or all keys of the log "
                      "(talla log keys)");
  command->add_option("--known-key", options->known_key,
                      "statement of a key of the log that you know already (JSON): the log must have had it, "
                      "and have announced every later one");
  command->add_option(
      "--policy", options->policy,
      "C2SP tlog-policy: logs, witnesses and the quorum that must have cosigned the checkpoint");
  command
      ->add_option(
          "--openings", options->openings,
          "the auditor's openings of a covered shoe in the bundle (talla openings): checks every card of it")
      ->excludes("--log-key");
  CLI::Option* ended = command->add_option(
      "--ended", options->ended,
      "what the root says about the end of logs: statements (talla keys ceremony end), or a folder of them; "
      "evidence of such a log counts only at its last checkpoint");
  command
      ->add_option("--consistency", options->consistency,
                   "proofs that lead from older checkpoints to the last one (talla log prove)")
      ->needs(ended);
  command->add_flag("--production", options->production, "refuse development keys");
  command->footer(
      "Exit codes: 0 certified source, 3 uncertified source or development keys, 4 laboratory, 1 not valid.\n"
      "With several files the worst one decides.");
  command->callback([&app, options] { run(app, *options); });
}

}  // namespace talla::cli
