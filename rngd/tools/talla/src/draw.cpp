// talla spin, roll, draw: one committed draw at a table that this client settles itself.
#include <memory>

#include "format/bounds.hpp"
#include "format/draw_format.hpp"
#include "steps.hpp"

namespace talla::cli {

namespace {

struct DrawOptions {
  std::string catalogue;
  std::string game;
  std::string out;
  int pockets = 37;
  int dice = 2;
  int faces = 6;
  std::vector<std::int64_t> bounds;
};

json::Value wheel(const DrawOptions& options) {
  json::Value range;
  range["kind"] = "wheel";
  range["pockets"] = options.pockets;
  return range;
}

json::Value dice(const DrawOptions& options) {
  json::Value range;
  range["kind"] = "dice";
  range["count"] = options.dice;
  range["faces"] = options.faces;
  return range;
}

json::Value lots(const DrawOptions& options) {
  json::Array bounds;
  for (const std::int64_t bound : options.bounds) bounds.emplace_back(bound);
  json::Value range;
  range["kind"] = "lots";
  range["bounds"] = std::move(bounds);
  return range;
}

/// The catalogue's draw of a game: its range, and the names of its pockets if it is a wheel.
struct GameDraw {
  json::Value range;
  json::Array pockets;
};

Result<GameDraw> game_draw(Session& session, const DrawOptions& options, std::string_view wanted) {
  TALLA_TRY(const json::Value game,
            session.get("/v1/catalogues/" + options.catalogue + "/" + options.game));
  const json::Value* draw = equipment_of(game, "draw");
  const json::Value* kind = draw == nullptr ? nullptr : draw->find("kind");
  if (kind == nullptr || !kind->is_string()) {
    return fail(CliErrc::usage, options.catalogue + " " + options.game +
                                    " is not decided by one draw; see talla play");
  }
  if (kind->string() != wanted) {
    return fail(CliErrc::usage,
                options.catalogue + " " + options.game + " is drawn as " + kind->string() +
                    (kind->string() == "wheel" ? "; see talla spin" : "; see talla roll"));
  }
  GameDraw out;
  if (kind->string() == "wheel") {
    const json::Value* pockets = draw->find("pockets");
    if (pockets == nullptr || !pockets->is_array())
      return fail(CliErrc::appliance_refused, "the game names no pockets");
    out.pockets = pockets->array();
  }
  return out;
}

Status draw_there(const App& app, const DrawOptions& options, const json::Array& pockets,
                  const std::string& verb, Session& session, const std::string& table) {
  TALLA_TRY(const json::Value reply, draw_once(session, table));
  TALLA_TRY(const std::uint64_t seq, seq_of(session, "DRAW"));
  const json::Value* stated = session.record("DRAW")->find("body")->find("outcome");
  if (stated == nullptr)
    return fail(CliErrc::appliance_refused, "the DRAW record states no outcome");
  const json::Value outcome = *stated;  // the session forgets its records with the next request
  app.say(verb + ": " + drawn_words(outcome, pockets) +
          " (secret committed, call signed, drawn; record " + std::to_string(seq) + ")");
  TALLA_TRY_STATUS(save_bundle(app, session, seq, options.out));
  TALLA_TRY_STATUS(close_table(app, session, table));
  json::Value out;
  out["claim"] = seq;
  out["outcome"] = outcome;
  app.emit(out);
  return {};
}

Status draw_outcome(const App& app, const DrawOptions& options, GameDraw draw,
                    const std::string& verb, Session& session) {
  json::Value body;
  body["settled_by"] = "client";
  if (options.game.empty()) {
    body["range"] = draw.range;
  } else {
    TALLA_TRY(draw, game_draw(session, options, draw.range.find("kind")->string()));
    body["catalogue"] = options.catalogue;
    body["game"] = options.game;
  }
  TALLA_TRY(const std::string table, open_own_table(app, session, body));
  return at_table(app, session, table,
                  [&] { return draw_there(app, options, draw.pockets, verb, session, table); });
}

commandline::Command* add_game_command(commandline::Command& root, const std::string& name,
                                       const std::string& help, DrawOptions& options) {
  auto* command = root.add_subcommand(name, help);
  command->add_option("--out", options.out, "file for the evidence bundle (.talla)");
  return command;
}

void add_game(commandline::Command* command, DrawOptions& options) {
  auto* catalogue =
      command->add_option("--catalogue", options.catalogue, "catalogue id, e.g. es-1977");
  auto* game = command->add_option("--game", options.game, "game id in that catalogue");
  catalogue->needs(game);
  game->needs(catalogue);
}

}  // namespace

void add_spin(commandline::Command& root, App& app) {
  auto options = std::make_shared<DrawOptions>();
  auto* command = add_game_command(
      root, "spin", "spin a wheel: a game's of a catalogue, or one with --pockets", *options);
  add_game(command, *options);
  command->add_option("--pockets", options->pockets, "pockets of a bare wheel")
      ->range(certs::wheel_pockets.min, certs::wheel_pockets.max)
      ->capture_default_str();
  command->callback([&app, options] {
    with_session(app, [&](Session& session) {
      return draw_outcome(app, *options, {wheel(*options), {}}, "wheel spun", session);
    });
  });
}

void add_roll(commandline::Command& root, App& app) {
  auto options = std::make_shared<DrawOptions>();
  auto* command = add_game_command(
      root, "roll", "roll dice: a game's of a catalogue, or any number with --dice", *options);
  add_game(command, *options);
  command->add_option("--dice", options->dice, "number of dice")
      ->range(certs::dice_counts.min, certs::dice_counts.max)
      ->capture_default_str();
  command->add_option("--faces", options->faces, "faces of each")
      ->range(certs::die_faces.min, certs::die_faces.max)
      ->capture_default_str();
  command->callback([&app, options] {
    with_session(app, [&](Session& session) {
      return draw_outcome(app, *options, {dice(*options), {}}, "dice rolled", session);
    });
  });
}

void add_draw(commandline::Command& root, App& app) {
  auto options = std::make_shared<DrawOptions>();
  auto* command = add_game_command(
      root, "draw", "draw lots: one integer from 0 below each bound, all at once", *options);
  command->add_option("--below", options->bounds, "upper bounds, e.g. --below 49 10")
      ->required()
      ->expected(static_cast<int>(certs::lot_counts.min), static_cast<int>(certs::lot_counts.max))
      ->range(static_cast<double>(certs::lot_bounds.min),
              static_cast<double>(certs::lot_bounds.max));
  command->callback([&app, options] {
    with_session(app, [&](Session& session) {
      return draw_outcome(app, *options, {lots(*options), {}}, "lots drawn", session);
    });
  });
}

}  // namespace talla::cli
