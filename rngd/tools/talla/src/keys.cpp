// talla keys: the development key set of an appliance, its clients, and what the certificates say.
#include "certs/keys.hpp"

#include <filesystem>
#include <memory>

#include "app.hpp"
#include "keys_people.hpp"

namespace talla::cli {

namespace {

struct KeySetOptions {
  std::string folder;
  std::string origin = "talla.local/development";
  std::vector<std::string> names;
  int port = 8443;
  int health_port = 8444;
  std::string id;
  std::vector<std::string> roles;
  std::string request;
  std::string out;
};

std::string daemon_file(const KeySetOptions& options) {
  return "# Development appliance: keys of this folder, the best source found, SQLite ledger.\n"
         "profile = \"development\"\n"
         "origin = \"" +
         options.origin +
         "\"\n"
         "data = \"data\"\n\n"
         "[api]\naddress = \"127.0.0.1\"\nport = " +
         std::to_string(options.port) +
         "\ncertificate = \"server.pem\"\nkey = \"server.key\"\nclient_roots = "
         "\"ca.pem\"\nenrolment = "
         "\"clients.toml\"\n\n"
         "[health]\nport = " +
         std::to_string(options.health_port) +
         "\n\n[source]\nkind = \"auto\"\n\n"
         "[keys]\nlog_key = \"log.key\"\nlog_statement = \"log-key.json\"\nsealing_key = "
         "\"sealing.key\"\n";
}

std::string client_file(const std::string& id, int port) {
  return "host = \"127.0.0.1\"\nport = " + std::to_string(port) +
         "\nserver_name = \"localhost\"\ncertificate = \"../clients/" + id +
         ".pem\"\nkey = \"../clients/" + id +
         ".key\"\nroot = \"../ca.pem\"\nlog_key = \"../log-key.json\"\n";
}

Status add_client(const KeySetOptions& options, const std::string& id,
                  const std::vector<std::string>& roles, const std::string& folder) {
  SystemClock clock;
  TALLA_TRY_STATUS(certs::add_development_client(
      {.folder = options.folder, .id = id, .roles = roles, .now_us = clock.utc_us()}));
  std::error_code error;
  std::filesystem::create_directories(options.folder + "/" + folder, error);
  return write_file(options.folder + "/" + folder + "/client.toml", client_file(id, options.port));
}

Status init_keys(const App& app, const KeySetOptions& options) {
  SystemClock clock;
  TALLA_TRY_STATUS(certs::init_development_keys({.folder = options.folder,
                                                 .origin = options.origin,
                                                 .server_names = options.names,
                                                 .now_us = clock.utc_us()}));
  TALLA_TRY_STATUS(add_client(options, "talla:table-1", {"table"}, "client"));
  TALLA_TRY_STATUS(add_client(options, "talla:auditor-1", {"auditor"}, "auditor"));
  TALLA_TRY_STATUS(add_client(options, "talla:operator-1", {"operator"}, "operator"));
  TALLA_TRY_STATUS(add_client(options, "talla:officer-1", {"security-officer"}, "officer"));
  TALLA_TRY_STATUS(add_client(options, "talla:inspector-1", {"inspector"}, "inspector"));
  TALLA_TRY_STATUS(write_file(options.folder + "/rngd.toml", daemon_file(options)));
  app.say("development keys, certificates and rngd.toml made in " + options.folder +
          " (marked OU=development; production refuses them)");
  app.say(
      "folders of people and of a table, each with its client.toml: client, auditor, operator, "
      "officer, inspector");
  app.say("next: rngd --config " + options.folder + "/rngd.toml --check; rngd --config " +
          options.folder + "/rngd.toml &; talla --client " + options.folder +
          "/client status --wait 30");
  return {};
}

/// Of a client that was added: where its key is, and when it counts.
Status added(App& app, const Status& status, const std::string& id, const std::string& certificate,
             const std::string& enrolment) {
  if (!status) return status;
  app.emit(json::Object{{"id", id}, {"certificate", certificate}, {"enrolment", enrolment}});
  app.say(id + " is enrolled in " + enrolment + "; certificate in " + certificate);
  app.say(
      "next: bring it to its machine, and restart the daemon between rounds: it reads the list "
      "at its start");
  return {};
}

void show_keys(App& app, const KeySetOptions& options) {
  const auto views = certs::show_keys(options.folder);
  if (!views) return app.refuse(views.error());
  for (const certs::CertificateView& view : *views) {
    json::Value out;
    json::Array names;
    std::string words;
    for (const std::string& name : view.names) {
      names.emplace_back(name);
      words += " " + name;
    }
    out["path"] = view.path;
    out["subject"] = view.subject;
    out["names"] = std::move(names);
    out["spki"] = to_hex(view.spki);
    out["not_before_us"] = view.not_before_us;
    out["not_after_us"] = view.not_after_us;
    out["development"] = view.development;
    out["authority"] = view.authority;
    app.emit(out);
    app.say(view.path + ": " + view.subject + (words.empty() ? "" : ";" + words) + "; key " +
            to_hex(view.spki).substr(0, 16) + "..." + (view.development ? "; DEVELOPMENT" : ""));
  }
}

}  // namespace

void add_keys(commandline::Command& root, App& app) {
  auto options = std::make_shared<KeySetOptions>();
  auto* keys = root.add_subcommand(
      "keys", "keys, certificates and enrolment: development sets, ceremony, tokens");
  keys->require_subcommand();

  auto* make = keys->add_subcommand(
      "init",
      "make a whole development set: root, server, log key, sealing key, five clients, rngd.toml");
  make->add_option("FOLDER", options->folder, "made if absent; nothing in it is overwritten")
      ->required();
  make->add_option("--origin", options->origin, "name of the log")->capture_default_str();
  make->add_option("--name", options->names, "further DNS names or addresses of the server");
  make->add_option("--port", options->port, "port of the API")
      ->range(1, 65535)
      ->capture_default_str();
  make->add_option("--health-port", options->health_port, "port of the local health page")
      ->range(1, 65535)
      ->capture_default_str();
  make->callback([&app, options] { app.finish(init_keys(app, *options)); });

  auto* add = keys->add_subcommand(
      "client",
      "add a client: key, certificate, enrolment (the daemon reads it at its next start)");
  add->add_option("FOLDER", options->folder, "folder of the set")->required();
  add->add_option("ID", options->id, "its id, the certificate's URI, e.g. talla:table-7")
      ->required();
  add->add_option("--role", options->roles, "table, auditor, operator, ...")->required();
  add->add_option("--request", options->request,
                  "sign this PKCS#10 request instead of making a key");
  add->add_option("--out", options->out, "certificate file, with --request")->needs("--request");
  add->callback([&app, options] {
    SystemClock clock;
    const std::string list = options->folder + "/clients.toml";
    if (options->request.empty()) {
      const Status made = certs::add_development_client({.folder = options->folder,
                                                         .id = options->id,
                                                         .roles = options->roles,
                                                         .now_us = clock.utc_us()});
      return app.finish(
          added(app, made, options->id,
                options->folder + "/clients/" + options->id + ".pem, its key beside it", list));
    }
    const std::string out = options->out.empty() ? options->request + ".pem" : options->out;
    const Status issued = certs::issue_development_client({.folder = options->folder,
                                                           .request_path = options->request,
                                                           .certificate_path = out,
                                                           .id = options->id,
                                                           .roles = options->roles,
                                                           .now_us = clock.utc_us()});
    app.finish(added(app, issued, options->id, out, list));
  });

  auto* list = keys->add_subcommand("show", "print every certificate of a set");
  list->add_option("FOLDER", options->folder, "folder of the set")->required();
  list->callback([&app, options] { show_keys(app, *options); });

  add_people(*keys, app);
  add_key_places(*keys, app);
  add_ceremony(*keys, app);
}

}  // namespace talla::cli
