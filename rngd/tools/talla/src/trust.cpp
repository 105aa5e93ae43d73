#include "trust.hpp"

#include "config/client_file.hpp"
#include "config/ended_files.hpp"
#include "verify/notes.hpp"
#include "verify/refusals.hpp"

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
    command
        .add_option("--mine", options.mine,
                    "your own key (a file, PEM or DER) or its SHA-256 in hex: refused unless its "
                    "number is in all that the claim rests on")
        ->excludes("--log-key");
    command
        .add_option("--catalogue", options.catalogues,
                    "a catalogue file that you know: a verdict names every other one that is not "
                    "part of this program")
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
  if (evidence) {
    auto* roots = command.add_option(
        "--certification-root", options.certification_roots,
        "whom you trust to certify: type=FILE (roots of laboratories, PEM), installation=FILE "
        "(roots of regulators); without both nothing is called certified");
    command
        .add_option("--certification", options.certifications,
                    "certifications that you know beside those of the file, or folders of them")
        ->needs(roots);
    command
        .add_option("--withdrawal", options.withdrawals,
                    "withdrawals of certifications (talla-lab certify withdraw), or folders of "
                    "them")
        ->needs(roots);
  }
  command.add_flag("--production", options.production, "refuse development keys");
}

certs::VerifyOptions Trust::options(bool production) const& {
  return {.production_only = production,
          .policy = policy,
          .openings = openings,
          .known_key = known_key,
          .ended = ended,
          .consistency = consistency,
          .mine = mine,
          .catalogues = catalogues,
          .certification = {.type_roots = type_roots,
                            .installation_roots = installation_roots,
                            .more = certifications,
                            .withdrawals = withdrawals}};
}

namespace {

/// KIND=FILE of `--certification-root`, each kind once.
Status load_certification_roots(const std::vector<std::string>& given, Trust& trust) {
  for (const std::string& one : given) {
    const std::size_t at = one.find('=');
    const std::string kind = one.substr(0, at);
    std::string* into = kind == "type"           ? &trust.type_roots
                        : kind == "installation" ? &trust.installation_roots
                                                 : nullptr;
    if (at == std::string::npos || into == nullptr || !into->empty())
      return fail(CliErrc::usage, "--certification-root " + one +
                                      ": type=FILE and installation=FILE are expected, each once");
    TALLA_TRY(*into, read_filled(one.substr(at + 1)));
    if (into->empty()) return fail(CliErrc::usage, "--certification-root " + one + ": no file");
  }
  return {};
}

/// A digest, or the key in a file.
Status load_mine(const std::string& given, Trust& trust) {
  if (given.empty()) return {};
  trust.mine = certs::own_key_of(given);
  if (trust.mine) return {};
  TALLA_TRY(const std::string text, read_filled(given));
  trust.mine = certs::own_key_of(text);
  if (trust.mine) return {};
  return fail(CliErrc::usage,
              "--mine " + given + ": a public key of P-256 (PEM or DER) or 64 digits of hex");
}

}  // namespace

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
  TALLA_TRY_STATUS(load_mine(options.mine, trust));
  for (const std::string& path : options.catalogues) {
    TALLA_TRY(std::string text, read_filled(path));
    trust.catalogues.push_back(std::move(text));
  }
  TALLA_TRY_STATUS(load_certification_roots(options.certification_roots, trust));
  TALLA_TRY(trust.certifications, rngd::load_ended_files(options.certifications));
  TALLA_TRY(trust.withdrawals, rngd::load_ended_files(options.withdrawals));
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
        return spanish ? "certificada" : "certified";
      case certs::VerdictClass::lab:
        if (verdict.lab_table) return spanish ? "mesa de LABORATORIO" : "LABORATORY table";
        return spanish ? "fuente de LABORATORIO" : "LABORATORY source";
      case certs::VerdictClass::uncertified:
        break;
    }
    return spanish ? "sin certificar" : "uncertified";
  };
  std::string words = source();
  if (!verdict.certification.empty()) {
    words += " (" + verdict.certification + ": ";
    words += std::string(certs::refusal_sentence(verdict.certification, language)) + ")";
  }
  if (verdict.development) words += spanish ? ", claves de desarrollo" : ", development keys";
  return words;
}

tl::unexpected<Error> not_valid(const App& app, const std::string& path, const Error& why) {
  return fail(CliErrc::receipt_refused, path + ": " + certs::not_valid_line(why, app.language));
}

void refuse_evidence(App& app, const std::string& path, const Error& why) {
  // What cannot be read is not judged.
  if (why.is(CliErrc::file)) return app.refuse(why);
  const Error error = not_valid(app, path, why).value();
  if (!app.json) return app.refuse(error);
  app.exit = exit_refused;
  app.emit(
      json::Object{{"error", std::string(error.code)},
                   {"detail", error.detail},
                   {"file", path},
                   {"code", std::string(why.code)},
                   {"sentence", std::string(certs::refusal_sentence(why.number, app.language))}});
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
  return code == certs::exit_certified && verdict.development ? certs::exit_uncertified : code;
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
