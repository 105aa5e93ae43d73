// talla verify: judges evidence bundles and receipts offline, with a trusted root and nothing else.
#include "verify/verify.hpp"

#include <memory>

#include "trust.hpp"
#include "verify/notes.hpp"
#include "verify/summary.hpp"

namespace talla::cli {

namespace {

struct EvidenceOptions {
  std::vector<std::string> files;
  TrustOptions trust;
  std::string language = "en";
};

json::Value evidence_json(const std::string& file, const certs::Verdict& verdict,
                          std::string_view language) {
  json::Value out;
  out["file"] = file;
  out["verified"] = true;
  out["class"] = std::string(certs::verdict_class_name(verdict.verdict_class));
  if (!verdict.certification.empty()) out["certification"] = verdict.certification;
  out["development"] = verdict.development;
  out["origin"] = verdict.origin;
  out["claim"] = verdict.claim;
  out["kind"] = verdict.kind;
  out["time_us"] = verdict.time_us;
  out["time_quality"] = verdict.time_quality;
  out["tree_size"] = verdict.tree_size;
  out["text"] = certs::claim_in(verdict.claim_text, language);
  out["witnessed"] = verdict.witnessed;
  out["witnesses"] = lines_of(verdict.witnesses);
  out["witnessed_s"] = verdict.witnessed_s;
  if (!verdict.ended.empty()) {
    out["ended"] = verdict.ended;
    out["ended_size"] = verdict.ended_size;
    if (!verdict.successor.empty()) out["successor"] = verdict.successor;
  }
  if (!verdict.unknown_catalogue.empty()) out["unknown_catalogue"] = verdict.unknown_catalogue;
  out["proven"] = lines_in(verdict.proven, language);
  out["not_proven"] = lines_in(verdict.not_proven, language);
  out["checked"] = lines_in(verdict.checked, language);
  out["not_checked"] = lines_in(verdict.not_checked, language);
  return out;
}

/// Behind the first line's other words: rules that nobody here knows.
std::string unknown_rules(const certs::Verdict& verdict, bool spanish) {
  if (verdict.unknown_catalogue.empty()) return {};
  return (spanish ? "; reglas DESCONOCIDAS aquí, catálogo " : "; rules UNKNOWN here, catalogue ") +
         verdict.unknown_catalogue;
}

void report_evidence(const App& app, const std::string& file, const certs::Verdict& verdict) {
  const bool spanish = app.language == "es";
  app.emit(evidence_json(file, verdict, app.language));
  app.say((spanish ? "verificado: " : "verified: ") +
          certs::claim_in(verdict.claim_text, app.language) + ". " +
          certs::proven_line(verdict, app.language) + " (" + file + "; " +
          class_words(verdict, app.language) + (spanish ? "; registro " : "; log ") +
          verdict.origin + (spanish ? ", asiento " : ", record ") + std::to_string(verdict.claim) +
          unknown_rules(verdict, spanish) + ")");
  app.say("  " + certs::not_proven_line(verdict, app.language));
  say_lines(app, verdict);
}

Result<certs::Verdict> judge(const std::string& file, const EvidenceOptions& options,
                             const Trust& trust) {
  TALLA_TRY(const std::string content, read_file(file));
  const certs::VerifyOptions how = trust.options(options.trust.production);
  if (options.trust.log_key.empty()) return certs::verify_bundle(content, trust.roots, how);
  TALLA_TRY(const std::string log_key, read_file(options.trust.log_key));
  return certs::verify_receipt(content, log_key, trust.roots, how);
}

void run_verify(App& app, const EvidenceOptions& options) {
  const auto trust = load_trust(app, options.trust);
  if (!trust) return app.refuse(trust.error());
  int worst = exit_ok;
  for (const std::string& file : options.files) {
    const auto verdict = judge(file, options, *trust);
    if (verdict) {
      report_evidence(app, file, *verdict);
      worst = worst == exit_refused ? worst : std::max(worst, code_of(*verdict));
    } else {
      refuse_evidence(app, file, verdict.error());
      worst = exit_refused;
    }
  }
  app.exit = worst;
}

}  // namespace

void add_verify(commandline::Command& root, App& app) {
  auto options = std::make_shared<EvidenceOptions>();
  auto* command = root.add_subcommand(
      "verify", "check evidence bundles (.talla) offline; says what was and what was not checked");
  command->add_option("FILE", options->files, "bundles, or receipts with --log-key")->required();
  add_trust(*command, options->trust, Judged::evidence);
  add_verdict_language(*command, options->language);
  command->footer(
      "Exit codes: 0 certified, 3 uncertified or development keys, 4 laboratory, 1 not valid.\n"
      "Certified means that a type and an installation certification, under --certification-root, "
      "cover every\n"
      "commitment in the file; what the records say of themselves is never enough.\n"
      "With several files the worst one decides.");
  command->callback([&app, options] {
    app.language = options->language;
    run_verify(app, *options);
  });
}

}  // namespace talla::cli
