// talla shoe: one sealed shoe from commitment to close, at a table that this client settles itself;
// its order may go to a shuffling machine.
#include <chrono>
#include <memory>
#include <thread>

#include "format/bounds.hpp"
#include "steps.hpp"

namespace talla::cli {

namespace {

struct ShoeOptions {
  int decks = 8;
  std::string deck;
  std::string catalogue;
  std::string game;
  int deal = 0;
  int candidates = 1;
  std::string out;
  // Of a release.
  std::string machine;
  std::string machine_key;
  std::string form = "order";
  int compartments = 0;
  bool reverses = false;
  int wait_seconds = 600;
};

std::string cards_of(const json::Value& reply) {
  std::string text;
  const json::Value* cards = reply.find("cards");
  if (cards == nullptr || !cards->is_array()) return text;
  for (const json::Value& card : cards->array()) {
    const json::Value* code = card.find("card");
    if (code != nullptr && code->is_string()) text += (text.empty() ? "" : " ") + code->string();
  }
  return text;
}

/// The base64 between the lines of a PEM public key: its DER SubjectPublicKeyInfo.
Result<std::string> public_key(const std::string& path) {
  constexpr std::string_view begin = "-----BEGIN PUBLIC KEY-----";
  constexpr std::string_view end = "-----END PUBLIC KEY-----";
  TALLA_TRY(const std::string text, read_file(path, 16384));
  const auto from = text.find(begin);
  const auto to = text.find(end);
  if (from == std::string::npos || to == std::string::npos || to < from + begin.size())
    return fail(
        CliErrc::usage,
        path + ": no PEM public key (openssl x509 -in CERTIFICATE -pubkey -noout prints it)");
  std::string key;
  for (const char c : text.substr(from + begin.size(), to - from - begin.size())) {
    if (c != '\n' && c != '\r' && c != ' ') key.push_back(c);
  }
  return key;
}

Status release(const App& app, const ShoeOptions& options, Session& session,
               const std::string& shoe) {
  json::Value body;
  TALLA_TRY(body["key"], public_key(options.machine_key));
  body["machine"] = options.machine;
  body["form"] = options.form;
  if (options.form == "shelf") {
    body["compartments"] = options.compartments;
    if (options.reverses) body["reverses"] = true;
  }
  TALLA_TRY(const json::Value done, session.post("/v1/shoes/" + shoe + "/release", body));
  TALLA_TRY(const std::uint64_t seq, seq_of(session, "SHOE_RELEASE"));
  app.say("order released, once, to " + options.machine + " (record " + std::to_string(seq) + ")");
  return {};
}

/// Waits for the machine's report; an error when it is no match.
Status wait_for_report(const App& app, const ShoeOptions& options, Session& session,
                       const std::string& shoe) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(options.wait_seconds);
  for (;;) {
    TALLA_TRY(const json::Value view, session.get("/v1/shoes/" + shoe));
    TALLA_TRY(const std::string state, text_at(view, {"shoe", "state"}));
    if (state == "voided" || state == "closed")
      return fail(CliErrc::appliance_refused,
                  shoe + " is " + state + ": the machine reported no match");
    if (const auto result = text_at(view, {"shoe", "release", "report", "result"})) {
      app.say("the machine reports: " + *result);
      return *result == "match"
                 ? Status()
                 : fail(CliErrc::appliance_refused, shoe + ": the machine reported " + *result);
    }
    if (std::chrono::steady_clock::now() >= end)
      return fail(CliErrc::appliance_refused,
                  shoe + ": no report of the machine yet; the shoe stays as it is");
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
}

Status shoe_there(const App& app, const ShoeOptions& options, Session& session,
                  const std::string& table) {
  TALLA_TRY(const MixedShoe mixed, seal_and_mix(app, session, table, options.candidates > 1));
  const std::string& shoe = mixed.id;
  json::Value out;
  out["shoe"] = shoe;
  if (!options.machine.empty()) {
    TALLA_TRY_STATUS(release(app, options, session, shoe));
    TALLA_TRY_STATUS(wait_for_report(app, options, session, shoe));
    out["machine"] = options.machine;
  }
  if (options.deal > 0) {
    json::Value deal;
    deal["expected"] = 0;
    deal["until"] = options.deal;
    deal["place"] = "table";
    deal["face"] = "open";
    TALLA_TRY(const json::Value dealt, session.post("/v1/shoes/" + shoe + "/deal", deal));
    const std::string cards = cards_of(dealt);
    app.say(std::to_string(options.deal) + " cards dealt and opened: " + cards);
    out["cards"] = cards;
  }
  TALLA_TRY(const json::Value closed, session.post("/v1/shoes/" + shoe + "/close", json::Value()));
  TALLA_TRY(const std::uint64_t seq, seq_of(session, "SHOE_CLOSE"));
  const bool open = session.record("SHOE_CLOSE")->find("body")->find("key") != nullptr;
  app.say(std::string("shoe closed: ") +
          (open ? "key and tape are open" : "what nobody turned stays closed") + " (record " +
          std::to_string(seq) + ")");
  out["claim"] = seq;
  TALLA_TRY_STATUS(save_bundle(app, session, seq, options.out));
  TALLA_TRY_STATUS(close_table(app, session, table));
  app.emit(out);
  return {};
}

Status run_shoe(const App& app, const ShoeOptions& options, Session& session) {
  json::Value body;
  body["settled_by"] = "client";
  if (options.game.empty()) {
    body["deck"] =
        options.deck.empty() ? "french52x" + std::to_string(options.decks) : options.deck;
  } else {
    body["catalogue"] = options.catalogue;
    body["game"] = options.game;
  }
  if (options.candidates > 1) body["candidates"] = options.candidates;
  TALLA_TRY(const std::string table, open_own_table(app, session, body));
  // A shoe whose order a machine has waits for its report: it is not closed behind its back.
  if (!options.machine.empty()) return shoe_there(app, options, session, table);
  return at_table(app, session, table, [&] { return shoe_there(app, options, session, table); });
}

void add_release_options(commandline::Command& command, ShoeOptions& options) {
  auto* to = command.add_option(
      "--release-to", options.machine,
      "give the order, once and encrypted, to this enrolled shuffling machine; the first card "
      "waits for its report");
  auto* key =
      command.add_option("--machine-key", options.machine_key, "public key of the machine, PEM")
          ->needs(to);
  to->needs(key);
  auto* form =
      command
          .add_option(
              "--form", options.form,
              "order: all at once; targets: card by card; shelf: compartments for a new deck")
          ->one_of({"order", "targets", "shelf"})
          ->capture_default_str()
          ->needs(to);
  auto* compartments =
      command
          .add_option("--compartments", options.compartments,
                      "of a shelf machine, " + certs::bounds_text(certs::shelf_compartments))
          ->range(certs::shelf_compartments.min, certs::shelf_compartments.max)
          ->needs(form);
  command
      .add_flag("--reverses", options.reverses,
                "the compartments of the shelf machine give cards back last in, first out")
      ->needs(compartments);
  command.add_option("--wait", options.wait_seconds, "seconds to wait for the machine's report")
      ->range(0, 86400)
      ->capture_default_str()
      ->needs(to);
}

}  // namespace

void add_shoe(commandline::Command& root, App& app) {
  auto options = std::make_shared<ShoeOptions>();
  auto* command = root.add_subcommand(
      "shoe", "seal a shoe, mix it, deal open cards, close it, keep the evidence");
  command->add_option("--decks", options->decks, "French decks of 52 cards")
      ->range(1, 8)
      ->capture_default_str();
  command->add_option("--deck", options->deck,
                      "any deck specification, e.g. spanish40x1 (instead of --decks)");
  auto* catalogue = command->add_option("--catalogue", options->catalogue,
                                        "the shoe of a game: its catalogue, e.g. es-1977");
  auto* game =
      command->add_option("--game", options->game, "the shoe of a game: its id in that catalogue");
  catalogue->needs(game);
  game->needs(catalogue)->excludes("--deck");
  command->add_option("--deal", options->deal, "cards to deal and open")
      ->range(0, 416)
      ->capture_default_str();
  command
      ->add_option("--candidates", options->candidates,
                   "sealed orders of which the call picks one, the others are opened; above 1 the "
                   "shoe is covered: cards that nobody turned stay closed")
      ->range(certs::mix_candidates.min, certs::mix_candidates.max)
      ->capture_default_str();
  command->add_option("--out", options->out, "file for the evidence bundle (.talla)");
  add_release_options(*command, *options);
  command->callback([&app, options] {
    with_session(app, [&](Session& session) { return run_shoe(app, *options, session); });
  });
}

}  // namespace talla::cli
