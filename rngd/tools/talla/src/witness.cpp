// talla witness: a C2SP witness for inspector and regulator: its keys, its configuration, the
// program itself.
#include "certs/witness.hpp"

#include <csignal>
#include <filesystem>
#include <memory>

#include "app.hpp"
#include "certs/files.hpp"
#include "certs/keys.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/signer.hpp"
#include "config/ended_files.hpp"
#include "config/witness_file.hpp"
#include "http/server.hpp"
#include "verify/botan_hashes.hpp"
#include "verify/log_end.hpp"
#include "witness_pages.hpp"

namespace talla::cli {

namespace {

struct WitnessOptions {
  std::string folder;
  std::string name;
  std::vector<std::string> logs;
  std::string address = "127.0.0.1";
  int port = 8450;
  std::string config;
};

std::string witness_file(const WitnessOptions& options) {
  std::string text =
      "# A witness: cosigns checkpoints of the logs below, one history of each (C2SP "
      "tlog-witness).\nname = "
      "\"" +
      options.name +
      "\"\nkey = \"witness.key\"\n# What was cosigned last. Lost or put back from a copy, a second "
      "history "
      "could be cosigned: "
      "then make a new witness.\nstate = \"witness.state\"\n# Statements of a log that contradict "
      "what was "
      "cosigned are kept here.\nconflicts = \"conflicts\"\n"
      "# What the root says about the end of logs: beyond it nothing is cosigned.\n#ended = "
      "\"ended\"\n#ended_roots = "
      "\"root.pem\"\naddress = \"" +
      options.address + "\"\nport = " + std::to_string(options.port) +
      "\n\n# Plain HTTP without it. client_roots asks clients for certificates "
      "too.\n#[tls]\n#certificate = "
      "\"server.pem\"\n#key = \"server.key\"\n#client_roots = \"clients-ca.pem\"\n";
  for (const std::string& log : options.logs) text += "\n[[log]]\nkey = \"" + log + "\"\n";
  if (options.logs.empty())
    text +=
        "\n# Verifier key of each log, as `talla log key` prints it.\n#[[log]]\n#key = "
        "\"casino.example/appliance-1+...\"\n";
  return text;
}

void print_witness_key(const App& app, const certs::VerifierKey& key) {
  app.say(certs::format_verifier_key(key));
  app.emit(json::Object{{"key", certs::format_verifier_key(key)}, {"name", key.name}});
}

Status init_witness(const App& app, const WitnessOptions& options) {
  const certs::OpensslHashes hashes;
  if (!certs::origin_valid(options.name))
    return fail(CliErrc::usage, "--name: 1 to 200 printable characters without space and '+'");
  for (const std::string& log : options.logs) {
    TALLA_TRY(const certs::VerifierKey key, certs::parse_verifier_key(hashes, log));
    if (key.type != certs::KeyType::log)
      return fail(CliErrc::usage, "--log: " + log + " is no key of a log");
  }
  TALLA_TRY_STATUS(certs::create_folder(options.folder));
  TALLA_TRY_STATUS(certs::create_folder(options.folder + "/conflicts"));
  TALLA_TRY_STATUS(certs::create_ed25519_key(options.folder + "/witness.key"));
  TALLA_TRY(const auto signer, certs::load_log_signer(options.folder + "/witness.key"));
  const certs::VerifierKey key =
      certs::make_verifier_key(hashes, options.name, certs::KeyType::witness, signer->public_key());
  TALLA_TRY_STATUS(certs::Witness::create_state(hashes, options.folder + "/witness.state", key));
  TALLA_TRY_STATUS(
      certs::create_public_file(options.folder + "/witness.toml", witness_file(options)));
  print_witness_key(app, key);
  return {};
}

/// Everything a running witness rests on; the file outlives it.
struct Running {
  certs::OpensslHashes hashes;
  certs::BotanEd25519 verifier;
  SystemClock clock;
  std::unique_ptr<certs::Ed25519Signer> signer;
  std::unique_ptr<certs::Witness> witness;
};

/// What the root says about the end of these logs.
Status take_ends(const App& app, const rngd::WitnessFile& file,
                 std::vector<certs::WitnessedLog>& logs) {
  if (file.ended.empty()) return {};
  TALLA_TRY(const auto texts, rngd::load_ended_files(file.ended));
  TALLA_TRY(const std::string roots, read_file(file.ended_roots));
  TALLA_TRY(const auto ends, certs::verify_log_ends(texts, roots));
  for (certs::WitnessedLog& log : logs) {
    const certs::EndedLog* end = certs::end_of(ends, log.origin);
    if (end == nullptr) continue;
    log.last = end->last;
    app.say("ended " + log.origin + ": nothing is cosigned but its last checkpoint of " +
            std::to_string(end->last.size) + " records");
  }
  return {};
}

Status open_witness(const App& app, const rngd::WitnessFile& file, Running& running) {
  TALLA_TRY(running.signer, certs::load_log_signer(file.key));
  certs::Witness::Options options{
      .name = file.name, .state_path = file.state, .conflicts_folder = file.conflicts, .logs = {}};
  for (const auto& log : file.logs) {
    TALLA_TRY(certs::VerifierKey key, certs::parse_verifier_key(running.hashes, log.key));
    if (key.type != certs::KeyType::log)
      return fail(CliErrc::usage, log.key + " is no key of a log");
    const std::string origin = log.origin.empty() ? key.name : log.origin;
    const auto same = std::find_if(options.logs.begin(), options.logs.end(),
                                   [&](const auto& one) { return one.origin == origin; });
    if (same == options.logs.end()) {
      options.logs.push_back({.origin = origin, .keys = {std::move(key)}});
    } else {
      same->keys.push_back(std::move(key));
    }
  }
  TALLA_TRY_STATUS(take_ends(app, file, options.logs));
  TALLA_TRY(
      running.witness,
      certs::Witness::open(
          {.hashes = running.hashes,
           .verifier = running.verifier,
           .signer = *running.signer,
           .clock = running.clock,
           .say =
               [&app](std::string_view event, std::string_view origin, std::string_view words) {
                 app.say(std::string(event) + " " + std::string(origin) + ": " +
                         std::string(words));
                 app.emit(json::Object{{"detail", words}, {"event", event}, {"origin", origin}});
               }},
          std::move(options)));
  return {};
}

/// Serves until SIGTERM or SIGINT.
Status serve(const App& app, const WitnessOptions& options) {
  TALLA_TRY(const rngd::WitnessFile file, rngd::load_witness_file(options.config));
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGTERM);
  ::sigaddset(&signals, SIGINT);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  Running running;
  TALLA_TRY_STATUS(open_witness(app, file, running));
  http::ServerOptions listener;
  listener.address = file.address;
  listener.port = file.port;
  listener.tls = !file.tls.certificate.empty();
  listener.files = {
      .certificate = file.tls.certificate, .key = file.tls.key, .trusted = file.tls.client_roots};
  listener.threads = file.threads;
  listener.shares.connections = file.connections;
  listener.shares.connections_per_address = file.connections;
  TALLA_TRY(const auto server, http::Server::create(listener, [witness = running.witness.get()](
                                                                  const http::Request& request,
                                                                  const http::Respond& respond) {
              respond(witness_page(*witness, request));
            }));
  app.say("witness " + certs::format_verifier_key(running.witness->key()) + " listens on " +
          file.address + ":" + std::to_string(server->port()));
  app.emit(json::Object{{"event", "listening"},
                        {"key", certs::format_verifier_key(running.witness->key())},
                        {"port", server->port()}});
  int signal = 0;
  ::sigwait(&signals, &signal);
  server->stop();
  return {};
}

Status show_witness_key(const App& app, const WitnessOptions& options) {
  TALLA_TRY(const rngd::WitnessFile file, rngd::load_witness_file(options.config));
  TALLA_TRY(const auto signer, certs::load_log_signer(file.key));
  print_witness_key(app, certs::make_verifier_key(certs::OpensslHashes(), file.name,
                                                  certs::KeyType::witness, signer->public_key()));
  return {};
}

}  // namespace

void add_witness(commandline::Command& root, App& app) {
  auto options = std::make_shared<WitnessOptions>();
  auto* witness = root.add_subcommand(
      "witness",
      "a witness of inspector or regulator: cosigns checkpoints, never two histories of one log");
  witness->require_subcommand();
  auto* make = witness->add_subcommand(
      "init", "make its key, an empty state and witness.toml; prints its verifier key");
  make->add_option("FOLDER", options->folder, "made if absent; nothing in it is overwritten")
      ->required();
  make->add_option("--name", options->name,
                   "its name, a URL without scheme: inspector.example/witness")
      ->required();
  make->add_option("--log", options->logs, "verifier key of a log, as talla log key prints it");
  make->add_option("--address", options->address, "address to listen on")->capture_default_str();
  make->add_option("--port", options->port, "port; 0 takes any")
      ->range(0, 65535)
      ->capture_default_str();
  make->callback([&app, options] { app.finish(init_witness(app, *options)); });
  auto* start = witness->add_subcommand("run", "serve POST /add-checkpoint until SIGTERM");
  start->add_option("CONFIG", options->config, "its witness.toml")->required();
  start->callback([&app, options] { app.finish(serve(app, *options)); });
  auto* key =
      witness->add_subcommand("key", "print its verifier key, for rngd.toml and policy files");
  key->add_option("CONFIG", options->config, "its witness.toml")->required();
  key->callback([&app, options] { app.finish(show_witness_key(app, *options)); });
  witness->footer(
      "The appliance names the witness in [[witness]] of its rngd.toml; `talla verify --policy "
      "FILE` then "
      "asks for its\n"
      "cosignature. Logs, address and certificates stand in witness.toml.");
}

}  // namespace talla::cli
