// talla software challenge: does a running appliance run what was signed, under
// a nonce of ours?
#include <memory>

#include "certs/openssl_hashes.hpp"
#include "format/bounds.hpp"
#include "software.hpp"
#include "software/check.hpp"
#include "steps.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::cli {

namespace {

struct ChallengeOptions {
  std::string file;
  std::vector<std::string> signers;
  std::string root;
  std::string nonce;
};

/// What the files of a reference answer to the same nonce.
Status compare_answer(App& app, const ChallengeOptions& options, const json::Value& reply) {
  TALLA_TRY(const auto manifest, open_signed(options.file, options.signers));
  TALLA_TRY(const auto digest, text_at(reply, {"challenge", "manifest"}));
  if (digest != to_hex(manifest.digest)) {
    return fail(software::Errc::mismatch, "the appliance runs under another manifest: " + digest +
                                              ", not " + to_hex(manifest.digest));
  }
  TALLA_TRY(const auto answer, text_at(reply, {"challenge", "answer"}));
  TALLA_TRY(const auto nonce_text, text_at(reply, {"challenge", "nonce"}));
  TALLA_TRY(const auto nonce, from_hex(nonce_text));
  const certs::BotanHashes hashes;
  const auto report =
      software::check_files(hashes, manifest, {.root = options.root, .nonce = nonce, .go_on = {}});
  if (!report.findings.empty()) {
    return fail(software::Errc::mismatch,
                "the reference itself is not as signed: " + report.findings.front().path + ": " +
                    report.findings.front().what);
  }
  if (answer != to_hex(report.answer))
    return fail(software::Errc::mismatch,
                "the reference gives another answer: " + to_hex(report.answer));
  app.say("the reference gives the same answer; " + signed_by(manifest));
  return {};
}

Status challenge(App& app, Session& session, const ChallengeOptions& options) {
  const std::string nonce =
      options.nonce.empty() ? Session::nonce() + Session::nonce() : options.nonce;
  TALLA_TRY(const auto reply,
            session.post("/v1/software/challenge", json::Object{{"nonce", nonce}}));
  TALLA_TRY(const auto back, text_at(reply, {"challenge", "nonce"}));
  if (back != nonce) return fail(software::Errc::mismatch, "answered to another nonce");
  TALLA_TRY(const auto result, text_at(reply, {"challenge", "result"}));
  TALLA_TRY(const auto answer, text_at(reply, {"challenge", "answer"}));
  TALLA_TRY(const auto digest, text_at(reply, {"challenge", "manifest"}));
  const auto* findings = reply.find("challenge")->find("findings");
  app.emit(reply);
  app.say("nonce " + nonce + "\nanswer " + answer + "\nmanifest " + digest);
  if (findings != nullptr && findings->is_array()) {
    for (const auto& one : findings->array()) {
      TALLA_TRY(const auto path, text_at(one, {"path"}));
      TALLA_TRY(const auto what, text_at(one, {"what"}));
      app.say(path + ": " + what);
    }
  }
  if (result != "good")
    return fail(software::Errc::mismatch, "the appliance's software is not what its manifest says");
  app.say("the appliance finds everything as signed");
  return options.file.empty() ? Status() : compare_answer(app, options, reply);
}

}  // namespace

void add_software_challenge(commandline::Command& software, App& app) {
  auto asked = std::make_shared<ChallengeOptions>();
  auto* ask = software.add_subcommand("challenge",
                                      "let a running appliance hash its software under a fresh "
                                      "nonce; compare with a reference installation");
  ask->add_option(
      "--nonce", asked->nonce,
      certs::bounds_text(certs::nonce_bytes) + " bytes in hex (default: 32 random ones)");
  auto* file =
      ask->add_option("--manifest", asked->file, "the signed manifest you know, to compare with");
  ask->add_option("--signer", asked->signers, "verifier key that must have signed it")->needs(file);
  ask->add_option("--reference", asked->root,
                  "folder with a copy of every file of it (default: this system)")
      ->needs(file);
  ask->callback([&app, asked] {
    with_session(app, [&](Session& session) { return challenge(app, session, *asked); });
  });
}

}  // namespace talla::cli
