// talla verify: judges evidence bundles and receipts offline, with a trusted root and nothing else.
#include "verify/verify.hpp"

#include <memory>

#include "app.hpp"
#include "config/client_file.hpp"

namespace talla::cli {

namespace {

struct Options {
  std::vector<std::string> files;
  std::string root;
  std::string log_key;
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

Result<certs::Verdict> judge(const std::string& file, const Options& options, const std::string& roots) {
  TALLA_TRY(const std::string content, read_file(file));
  if (options.log_key.empty())
    return certs::verify_bundle(content, roots, {.production_only = options.production});
  TALLA_TRY(const std::string log_key, read_file(options.log_key));
  return certs::verify_receipt(content, log_key, roots, {.production_only = options.production});
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
  const auto roots = read_file(root);
  if (!roots) return app.refuse(roots.error());
  int worst = exit_ok;
  for (const std::string& file : options.files) {
    const auto verdict = judge(file, options, *roots);
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
                      "the files are receipts; this is the log key statement (JSON)");
  command->add_flag("--production", options->production, "refuse development keys");
  command->footer(
      "Exit codes: 0 certified source, 3 uncertified source or development keys, 4 laboratory, 1 not valid.\n"
      "With several files the worst one decides.");
  command->callback([&app, options] { run(app, *options); });
}

}  // namespace talla::cli
