// talla keys enrol, renew, remove, passphrase, tpm, token: who may come in, and where an
// appliance's own keys are.
#include "keys_people.hpp"

#include <memory>

#include "certs/enrolment_file.hpp"
#include "certs/key_sources.hpp"
#include "certs/next_log_key.hpp"
#include "certs/passphrase.hpp"
#include "certs/pkcs11_keys.hpp"
#include "certs/secret_source.hpp"
#include "certs/tpm_key.hpp"
#include "passphrase.hpp"

namespace talla::cli {

namespace {

struct PeopleOptions {
  std::string file;
  std::string certificate;
  std::string id;
  std::vector<std::string> roles;
  std::string passphrase;
  std::string uri;
  std::string kind;
  std::string tcti;
};

constexpr const char* at_next_start = "; the daemon reads it at its next start";

void say_id(App& app, const Result<std::string>& id, const std::string& what) {
  if (!id) return app.refuse(id.error());
  app.emit(json::Object{{"id", *id}, {"done", what}});
  app.say(*id + " " + what + at_next_start);
}

Status make_token_key(const PeopleOptions& options) {
  TALLA_TRY(const certs::Pkcs11Uri uri, certs::parse_pkcs11_uri(options.uri));
  TALLA_TRY(const auto token, certs::Pkcs11Token::open(uri));
  const certs::Pkcs11Name name{.label = uri.object, .id = uri.id};
  return options.kind == "log" ? token->generate_ed25519(name) : token->generate_aes256(name);
}

Status make_passphrase_file(const PeopleOptions& options) {
  TALLA_TRY(const SecretBytes passphrase, passphrase_from(options.passphrase, true));
  return certs::make_passphrase_key(options.file, passphrase);
}

/// A passphrase is the exception here: none is asked for at the terminal.
Status make_tpm_file(const PeopleOptions& options) {
  certs::TpmKeyPlace place{.path = options.file, .tcti = options.tcti, .passphrase = {}};
  if (!options.passphrase.empty()) {
    TALLA_TRY(place.passphrase, certs::read_secret_line(options.passphrase));
  }
  return certs::make_tpm_key(place);
}

}  // namespace

void add_people(commandline::Command& keys, App& app) {
  auto options = std::make_shared<PeopleOptions>();
  auto* enrol = keys.add_subcommand("enrol", "enrol a client by its certificate");
  enrol->add_option("ENROLMENT", options->file, "clients.toml, made if absent")->required();
  enrol
      ->add_option("CERTIFICATE", options->certificate,
                   "its certificate, PEM; the URI in it is its id")
      ->required();
  enrol
      ->add_option("--role", options->roles,
                   "table, seat, contributor, shuffler, operator, security-officer, inspector, "
                   "auditor or lab")
      ->required();
  enrol->callback([&app, options] {
    say_id(app,
           certs::enrol_client({.enrolment_path = options->file,
                                .certificate_path = options->certificate,
                                .roles = options->roles}),
           "is enrolled");
  });

  auto* renew = keys.add_subcommand(
      "renew", "enrol a client's new key in the place of its old one; roles stay");
  renew->add_option("ENROLMENT", options->file, "clients.toml")->required();
  renew->add_option("CERTIFICATE", options->certificate, "its new certificate, PEM")->required();
  renew->callback([&app, options] {
    say_id(app, certs::renew_client(options->file, options->certificate), "has a new key");
  });

  auto* remove = keys.add_subcommand(
      "remove", "take a client out (its certificate stays good until the root revokes it)");
  remove->add_option("ENROLMENT", options->file, "clients.toml")->required();
  remove->add_option("ID", options->id, "its id")->required();
  remove->callback([&app, options] {
    const Status done = certs::remove_client(options->file, options->id);
    say_id(app,
           done ? Result<std::string>(options->id)
                : Result<std::string>(tl::unexpected<Error>(done.error())),
           "is out");
  });
}

void add_key_places(commandline::Command& keys, App& app) {
  auto options = std::make_shared<PeopleOptions>();
  const auto done = [&app](const Status& status, const std::string& words) {
    if (!status) return app.refuse(status.error());
    app.emit(json::Object{{"done", words}});
    app.say(words);
  };
  auto* passphrase = keys.add_subcommand(
      "passphrase", "make the parameters of a sealing key that a passphrase gives (scrypt)");
  passphrase
      ->add_option("FILE", options->file,
                   "never overwritten; sealing_key = \"passphrase:FILE\" names it")
      ->required();
  passphrase->add_option(
      "--passphrase", options->passphrase,
      "private file with it, or credential:NAME (default: asked at the terminal)");
  passphrase->callback([done, options] {
    done(make_passphrase_file(*options), "parameters in " + options->file +
                                             "; next: in [keys] of rngd.toml sealing_key = "
                                             "\"passphrase:" +
                                             options->file +
                                             "\" and passphrase, where it is read at each start");
  });

  auto* tpm =
      keys.add_subcommand("tpm", "draw a sealing key that this machine's TPM 2 alone opens");
  tpm->add_option("FILE", options->file, "never overwritten; sealing_key = \"tpm:FILE\" names it")
      ->required();
  tpm->add_option(
      "--tcti", options->tcti,
      "how the TPM is reached: device:/dev/tpmrm0 (default: the first that tpm2-tss finds)");
  tpm->add_option(
      "--passphrase", options->passphrase,
      "private file with a passphrase that it asks for too, or credential:NAME (default: none)");
  tpm->callback([done, options] {
    done(make_tpm_file(*options), "sealed in " + options->file +
                                      "; next: in [keys] of rngd.toml sealing_key = \"tpm:" +
                                      options->file + "\" and the same tpm_tcti");
  });

  auto* token =
      keys.add_subcommand("token", "make a key inside a PKCS#11 token; it never leaves it");
  token
      ->add_option(
          "URI", options->uri,
          "pkcs11: URI (RFC 7512) with token, object or id, and ?module-path= and pin-source=")
      ->required();
  token->add_option("--for", options->kind, "log (Ed25519) or sealing (AES-256)")
      ->required()
      ->one_of({"log", "sealing"});
  token->callback([done, options] {
    done(make_token_key(*options), "made; the configuration names it by the same URI");
  });

  auto next = std::make_shared<certs::NextLogKeyOptions>();
  auto* log = keys.add_subcommand(
      "next-log",
      "make the next key of a log and its statement, for `talla act ask log-key-rotate`");
  log->add_option("STATEMENT", next->statement_path, "statement of the present key (log-key.json)")
      ->required();
  log->add_option("--certificate", next->certificate_path, "certificate that signs statements, PEM")
      ->required();
  log->add_option("--certificate-key", next->certificate_key_path, "its key")->required();
  auto* made =
      log->add_option("--key", next->key_path, "key file to make, mode 0600, never overwritten");
  log->add_option("--log-key", next->log_key,
                  "where the next key is already (pkcs11: or credential:)")
      ->excludes(made);
  log->add_option("--out", next->out_path, "statement to write, never overwritten")->required();
  log->callback([done, next] {
    if (next->key_path.empty() == next->log_key.empty())
      return done(fail(CliErrc::usage, "give --key or --log-key"), "");
    const auto digest = certs::make_next_log_key(*next);
    if (!digest) return done(tl::unexpected<Error>(digest.error()), "");
    done({}, "statement in " + next->out_path +
                 ", for keys.next_log_statement; the act's digest is " + to_hex(*digest));
  });
}

}  // namespace talla::cli
