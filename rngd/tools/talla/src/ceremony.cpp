// talla keys ceremony: an offline root, requests out of machines, certificates in, revocation,
// transcript.
#include "certs/ceremony.hpp"

#include <memory>

#include "app.hpp"
#include "certs/files.hpp"
#include "certs/transcript.hpp"
#include "keys_people.hpp"
#include "log_end.hpp"
#include "passphrase.hpp"

namespace talla::cli {

namespace {

struct CeremonyOptions {
  std::string folder;
  std::string passphrase;
  std::string name;
  std::string request;
  std::string out;
  std::string use;
  std::vector<std::string> names;
  std::string reason = "unspecified";
  std::string certificate;
  std::string origin;
  std::string log_key;
  std::string root;
  std::string server;
  std::string log;
  std::string key;
  int days = 0;
  int crl_days = 400;
};
using Shared = std::shared_ptr<CeremonyOptions>;

constexpr int days_max = 36'525;

std::int64_t now_us() {
  SystemClock clock;
  return clock.utc_us();
}

/// What was done, and what comes next.
void done(App& app, const Status& status, const std::string& words, const std::string& next) {
  if (!status) return app.refuse(status.error());
  app.emit(json::Object{{"done", words}, {"next", next}});
  app.say(words);
  app.say("next: " + next);
}

/// Where a certificate of this use goes.
std::string after_signing(const CeremonyOptions& options) {
  if (options.use == "client")
    return "on the appliance: talla keys enrol KEYS/clients.toml " + options.out +
           " --role ROLE, then a restart between rounds; while it runs two persons do it: talla "
           "act "
           "ask client-enrol --certificate " +
           options.out + " --role ROLE";
  if (options.use == "certification")
    return "whoever certifies signs with it: talla-lab certify --help";
  return "when both are signed (--for server and --for log), on the appliance: talla keys ceremony "
         "install KEYS --origin ORIGIN --root root.pem --server SERVER.pem --log LOG.pem";
}

constexpr const char* after_list =
    "take crl.pem to where api.revoked of rngd.toml names it, then on the appliance: systemctl "
    "reload rngd";

Status make_root(const CeremonyOptions& options) {
  TALLA_TRY(SecretBytes passphrase, passphrase_from(options.passphrase, true));
  return certs::make_root({.folder = options.folder,
                           .name = options.name,
                           .passphrase = std::move(passphrase),
                           .days = options.days,
                           .crl_days = options.crl_days,
                           .now_us = now_us()});
}

Status sign_request(const CeremonyOptions& options) {
  TALLA_TRY(SecretBytes passphrase, passphrase_from(options.passphrase, false));
  const auto use = options.use == "server"          ? certs::CertificateUse::server
                   : options.use == "log"           ? certs::CertificateUse::log
                   : options.use == "certification" ? certs::CertificateUse::certification
                                                    : certs::CertificateUse::client;
  TALLA_TRY(const auto view, certs::issue_certificate({.folder = options.folder,
                                                       .passphrase = std::move(passphrase),
                                                       .request_path = options.request,
                                                       .certificate_path = options.out,
                                                       .use = use,
                                                       .names = options.names,
                                                       .days = options.days,
                                                       .now_us = now_us()}));
  static_cast<void>(view);
  return {};
}

Status revoke(const CeremonyOptions& options) {
  TALLA_TRY(SecretBytes passphrase, passphrase_from(options.passphrase, false));
  return certs::revoke_certificate({.folder = options.folder,
                                    .passphrase = std::move(passphrase),
                                    .certificate_path = options.certificate,
                                    .reason = options.reason,
                                    .crl_days = options.crl_days,
                                    .now_us = now_us()});
}

Status renew_list(const CeremonyOptions& options) {
  TALLA_TRY(SecretBytes passphrase, passphrase_from(options.passphrase, false));
  return certs::renew_revocation_list({.folder = options.folder,
                                       .name = {},
                                       .passphrase = std::move(passphrase),
                                       .crl_days = options.crl_days,
                                       .now_us = now_us()});
}

void transcript(App& app, const CeremonyOptions& options) {
  const std::string path = options.folder + "/transcript.txt";
  const auto view = certs::check_transcript(path);
  if (!view) return app.refuse(view.error());
  app.emit(json::Object{{"path", path},
                        {"entries", static_cast<std::int64_t>(view->entries)},
                        {"sha256", to_hex(view->digest)}});
  app.say(view->text);
  app.say(path + ": " + std::to_string(view->entries) + " entries, every digest fits; SHA-256 " +
          to_hex(view->digest));
}

commandline::Option* days(commandline::Command* command, const Shared& options, int fallback) {
  options->days = fallback;
  return command
      ->add_option("--days", options->days,
                   "days of validity (default " + std::to_string(fallback) + ")")
      ->range(1, days_max);
}

void add_passphrase(commandline::Command* command, const Shared& options) {
  command->add_option("--passphrase", options->passphrase,
                      "private file with the root's passphrase, or credential:NAME (default: asked "
                      "at the terminal)");
}

void add_crl_days(commandline::Command* command, const Shared& options) {
  command
      ->add_option("--list-days", options->crl_days,
                   "days until the next list of revoked certificates is due")
      ->range(1, days_max)
      ->capture_default_str();
}

void add_root_commands(commandline::Command& ceremony, App& app) {
  {
    auto options = std::make_shared<CeremonyOptions>();
    auto* command =
        ceremony.add_subcommand("root",
                                "make the offline root: key under a passphrase, certificate, "
                                "empty list of revoked certificates, transcript");
    command->add_option("FOLDER", options->folder, "made if absent; nothing in it is overwritten")
        ->required();
    command->add_option("--name", options->name, "common name of the root")->required();
    add_passphrase(command, options);
    days(command, options, 7305);
    add_crl_days(command, options);
    command->callback([&app, options] {
      done(app, make_root(*options), "root made in " + options->folder,
           "on the appliance: talla keys ceremony request KEYS --origin ORIGIN; witnesses sign "
           "the digest of: talla keys ceremony transcript " +
               options->folder);
    });
  }
  {
    auto options = std::make_shared<CeremonyOptions>();
    auto* command = ceremony.add_subcommand(
        "sign", "give a certificate for a request; its names are yours to say");
    command->add_option("FOLDER", options->folder, "folder of the root")->required();
    command->add_option("REQUEST", options->request, "PKCS#10 request, PEM")->required();
    command->add_option("--out", options->out, "certificate file, never overwritten")->required();
    command
        ->add_option("--for", options->use,
                     "server (an appliance's TLS), log (its log key's statement), client, or "
                     "certification (by a root that is not the appliance's)")
        ->required()
        ->one_of({"server", "log", "client", "certification"});
    command
        ->add_option("--name", options->names,
                     "server: DNS names and addresses; log: the origin; client: the id; "
                     "certification: type:ISSUER, installation:ISSUER or withdrawal:ISSUER")
        ->required();
    add_passphrase(command, options);
    days(command, options, 731);
    command->callback([&app, options] {
      done(app, sign_request(*options), "certificate in " + options->out, after_signing(*options));
    });
  }
  {
    auto options = std::make_shared<CeremonyOptions>();
    auto* command =
        ceremony.add_subcommand("revoke", "put a certificate on the root's list (crl.pem)");
    command->add_option("FOLDER", options->folder, "folder of the root")->required();
    command
        ->add_option("CERTIFICATE", options->certificate,
                     "one that this root gave (FOLDER/issued keeps all)")
        ->required();
    command
        ->add_option(
            "--reason", options->reason,
            "unspecified, keyCompromise, affiliationChanged, superseded or cessationOfOperation")
        ->capture_default_str();
    add_passphrase(command, options);
    add_crl_days(command, options);
    command->callback([&app, options] {
      done(app, revoke(*options), "revoked; new list in " + options->folder + "/crl.pem",
           after_list);
    });
  }
  {
    auto options = std::make_shared<CeremonyOptions>();
    auto* command = ceremony.add_subcommand(
        "list", "make the list of revoked certificates anew, for a later due date");
    command->add_option("FOLDER", options->folder, "folder of the root")->required();
    add_passphrase(command, options);
    add_crl_days(command, options);
    command->callback([&app, options] {
      done(app, renew_list(*options), "new list in " + options->folder + "/crl.pem", after_list);
    });
  }
  {
    auto options = std::make_shared<CeremonyOptions>();
    auto* command = ceremony.add_subcommand(
        "transcript", "check and print the transcript, with the digest that witnesses sign");
    command->add_option("FOLDER", options->folder, "folder of the root")->required();
    command->callback([&app, options] { transcript(app, *options); });
  }
}

void add_machine_commands(commandline::Command& ceremony, App& app) {
  {
    auto options = std::make_shared<CeremonyOptions>();
    auto* command =
        ceremony.add_subcommand("request", "on an appliance: keys and requests for the root");
    command->add_option("FOLDER", options->folder, "made if absent; nothing in it is overwritten")
        ->required();
    command->add_option("--origin", options->origin, "name of the log")->required();
    command->add_option(
        "--log-key", options->log_key,
        "where the log key is (pkcs11: or credential:); without it one is made in FOLDER/log.key");
    command->callback([&app, options] {
      done(app,
           certs::make_appliance_requests({.folder = options->folder,
                                           .origin = options->origin,
                                           .make_log_key = options->log_key.empty()}),
           "keys and requests in " + options->folder,
           "take server.csr and log-certificate.csr of " + options->folder +
               " to the root; there: talla keys ceremony sign ROOT server.csr --for server --name "
               "HOST --out server.pem; talla keys ceremony sign ROOT log-certificate.csr --for log "
               "--name " +
               options->origin + " --out log-certificate.pem");
    });
  }
  {
    auto options = std::make_shared<CeremonyOptions>();
    auto* command = ceremony.add_subcommand(
        "install", "on an appliance: check and install the certificates of the root");
    command->add_option("FOLDER", options->folder, "the folder of the requests")->required();
    command->add_option("--origin", options->origin, "name of the log")->required();
    command->add_option("--root", options->root, "root.pem")->required();
    command->add_option("--server", options->server, "certificate for server.csr")->required();
    command->add_option("--log", options->log, "certificate for log-certificate.csr")->required();
    command->add_option("--log-key", options->log_key,
                        "where the log key is (default: FOLDER/log.key)");
    command->callback([&app, options] {
      done(app,
           certs::install_certificates({.folder = options->folder,
                                        .origin = options->origin,
                                        .root_path = options->root,
                                        .server_path = options->server,
                                        .log_path = options->log,
                                        .log_key = options->log_key,
                                        .now_us = now_us()}),
           "root.pem, server.pem, log-certificate.pem and log-key.json are in " + options->folder,
           "enrol people and tables: talla keys enrol " + options->folder +
               "/clients.toml CLIENT.pem --role ROLE; then rngd --config rngd.toml --check");
    });
  }
  {
    auto options = std::make_shared<CeremonyOptions>();
    auto* command = ceremony.add_subcommand("client-request",
                                            "on a client's machine: key and request for the root");
    command->add_option("KEY", options->key, "key file, mode 0600, never overwritten")->required();
    command->add_option("REQUEST", options->request, "request file, never overwritten")->required();
    command->add_option("--id", options->name, "its id, for people to read; the root decides")
        ->required();
    command->callback([&app, options] {
      done(app, certs::make_request(options->key, options->request, options->name),
           "key in " + options->key + ", request in " + options->request,
           "take " + options->request + " to the root; there: talla keys ceremony sign ROOT " +
               options->request + " --for client --name " + options->name + " --out CLIENT.pem");
    });
  }
}

}  // namespace

void add_ceremony(commandline::Command& keys, App& app) {
  auto* ceremony = keys.add_subcommand(
      "ceremony", "offline root, requests, certificates, revocation, transcript");
  ceremony->require_subcommand();
  add_root_commands(*ceremony, app);
  add_machine_commands(*ceremony, app);
  add_ceremony_end(*ceremony, app);
}

}  // namespace talla::cli
