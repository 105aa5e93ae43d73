// talla shoe: one sealed shoe from commitment to close, at a table that this client settles itself.
#include <memory>

#include "steps.hpp"

namespace talla::cli {

namespace {

struct Options {
  int decks = 8;
  std::string deck;
  std::string catalogue;
  std::string game;
  int deal = 0;
  std::string out;
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

Status work(const App& app, const Options& options, Session& session) {
  json::Value body;
  body["settled_by"] = "client";
  if (options.game.empty()) {
    body["deck"] = options.deck.empty() ? "french52x" + std::to_string(options.decks) : options.deck;
  } else {
    body["catalogue"] = options.catalogue;
    body["game"] = options.game;
  }
  TALLA_TRY(const std::string table, open_table(app, session, body));
  TALLA_TRY(const std::string shoe, seal_and_cut(app, session, table));
  json::Value out;
  out["shoe"] = shoe;
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
  app.say("shoe closed: key and tape are open (record " + std::to_string(seq) + ")");
  out["claim"] = seq;
  TALLA_TRY_STATUS(save_bundle(app, session, seq, options.out));
  TALLA_TRY_STATUS(close_table(app, session, table));
  app.emit(out);
  return {};
}

}  // namespace

void add_shoe(CLI::App& root, App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      root.add_subcommand("shoe", "seal a shoe, cut it, deal open cards, close it, keep the evidence");
  command->add_option("--decks", options->decks, "French decks of 52 cards")
      ->check(CLI::Range(1, 8))
      ->capture_default_str();
  command->add_option("--deck", options->deck,
                      "any deck specification, e.g. spanish40x1 (instead of --decks)");
  auto* catalogue = command->add_option("--catalogue", options->catalogue,
                                        "the shoe of a game: its catalogue, e.g. es-1977");
  auto* game = command->add_option("--game", options->game, "the shoe of a game: its id in that catalogue");
  catalogue->needs(game);
  game->needs(catalogue)->excludes("--deck");
  command->add_option("--deal", options->deal, "cards to deal and open")
      ->check(CLI::Range(0, 416))
      ->capture_default_str();
  command->add_option("--out", options->out, "file for the evidence bundle (.talla)");
  command->callback(
      [&app, options] { with_session(app, [&](Session& session) { return work(app, *options, session); }); });
}

}  // namespace talla::cli
