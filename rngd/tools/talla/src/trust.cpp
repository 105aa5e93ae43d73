#include "trust.hpp"

#include "config/client_file.hpp"
#include "config/ended_files.hpp"
#include "verify/notes.hpp"

namespace talla::cli {

void add_trust(commandline::Command& command, TrustOptions& options, Judged judged) {
  const bool evidence = judged == Judged::evidence;
  command.add_option("--root", options.root,
                     "trusted root certificates, PEM (default: that of client.toml)");
  if (evidence) {
    command.add_option(
        "--log-key", options.log_key,
        "the files are receipts; this is the log key statement (JSON), or all keys of the log "
        "(talla log keys)");
  }
  const std::string known =
      "statement of a key of the log that you know already (JSON): the log must have had it";
  command.add_option("--known-key", options.known_key,
                     known + (evidence ? ", and have announced every later one" : ""));
  command.add_option(
      "--policy", options.policy,
      "C2SP tlog-policy: logs, witnesses and the quorum that must have cosigned the checkpoint");
  if (evidence) {
    command
        .add_option(
            "--openings", options.openings,
            "the auditor's openings of a covered shoe in the bundle (talla openings): checks every "
            "card of it")
        ->excludes("--log-key");
  }
  std::string ends = "what the root says about the end of logs: statements";
  ends += evidence ? " (talla keys ceremony end), or a folder of them; "
                     "evidence of such a log counts only at its last checkpoint"
                   : ", or a folder of them (talla keys ceremony end)";
  auto* ended = command.add_option("--ended", options.ended, ends);
  command
      .add_option("--consistency", options.consistency,
                  "proofs that lead from older checkpoints to the last one (talla log prove)")
      ->needs(ended);
  command.add_flag("--production", options.production, "refuse development keys");
}

certs::VerifyOptions Trust::options(bool production) const& {
  return {.production_only = production,
          .policy = policy,
          .openings = openings,
          .known_key = known_key,
          .ended = ended,
          .consistency = consistency};
}

Result<Trust> load_trust(const App& app, const TrustOptions& options) {
  std::string root = options.root;
  if (root.empty() && !app.client_folder.empty()) {
    TALLA_TRY(const auto file, rngd::load_client_file(app.client_folder + "/client.toml"));
    root = file.root;
  }
  if (root.empty())
    return fail(CliErrc::usage,
                "no trusted root: give --root FILE (PEM), or --client FOLDER with client.toml");
  Trust trust;
  TALLA_TRY(trust.roots, read_file(root));
  TALLA_TRY(trust.policy, read_filled(options.policy));
  TALLA_TRY(trust.openings, read_filled(options.openings));
  TALLA_TRY(trust.known_key, read_filled(options.known_key));
  TALLA_TRY(trust.ended, rngd::load_ended_files(options.ended));
  TALLA_TRY(trust.consistency, read_filled(options.consistency));
  return trust;
}

Result<std::string> read_filled(const std::string& path) {
  if (path.empty()) return std::string();
  TALLA_TRY(std::string text, read_file(path));
  if (text.empty()) return fail(CliErrc::file, path + ": is empty");
  return text;
}

void add_verdict_language(commandline::Command& command, std::string& language) {
  command.add_option("--language", language, "es or en: what was checked and what was not")
      ->one_of({"es", "en"})
      ->capture_default_str();
}

std::string class_words(const certs::Verdict& verdict, std::string_view language) {
  const bool spanish = language == "es";
  const auto source = [&]() -> std::string {
    switch (verdict.verdict_class) {
      case certs::VerdictClass::certified:
        return spanish ? "fuente certificada" : "certified source";
      case certs::VerdictClass::lab:
        return spanish ? "fuente de LABORATORIO" : "LABORATORY source";
      case certs::VerdictClass::uncertified_source:
        break;
    }
    return spanish ? "fuente no certificada" : "uncertified source";
  };
  if (!verdict.development) return source();
  return source() + (spanish ? ", claves de desarrollo" : ", development keys");
}

void say_lines(const App& app, const certs::Verdict& verdict) {
  const bool spanish = app.language == "es";
  const auto say = [&](const std::vector<std::string>& lines, const std::string& label) {
    for (const auto& line : lines) app.say(label + certs::note_text(line, app.language));
  };
  say(verdict.checked, spanish ? "  comprobado: " : "  checked: ");
  say(verdict.not_checked, spanish ? "  no comprobado: " : "  not checked: ");
}

int code_of(const certs::Verdict& verdict) {
  const int code = certs::exit_code(verdict.verdict_class);
  return code == certs::exit_certified && verdict.development ? certs::exit_uncertified_source
                                                              : code;
}

json::Array lines_of(const std::vector<std::string>& lines) {
  json::Array array;
  for (const std::string& line : lines) array.emplace_back(line);
  return array;
}

json::Array lines_in(const std::vector<std::string>& lines, std::string_view language) {
  json::Array array;
  for (const std::string& line : lines) array.emplace_back(certs::note_text(line, language));
  return array;
}

}  // namespace talla::cli
