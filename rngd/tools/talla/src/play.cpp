// talla play: one round at a table that the appliance settles, from bets to settlement.
#include <memory>

#include "format/bounds.hpp"
#include "params.hpp"
#include "play_check.hpp"
#include "play_round.hpp"

namespace talla::cli {

namespace {

struct PlayOptions {
  std::string catalogue;
  std::string game;
  std::string currency;  // empty: the catalogue's
  std::int64_t unit = 1;
  std::int64_t min = 25;
  std::vector<std::string> params;
  std::vector<std::string> bets;
  std::vector<std::string> acts;
  std::string mix = "shoe";
  int candidates = 1;
  std::string out;
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back().push_back(c);
    }
  }
  return parts;
}

/// SEAT:KIND:STAKE or SEAT:KIND:STAKE:POSITION,POSITION
Result<json::Value> bet_of(const std::string& text, std::size_t index) {
  const auto parts = split(text, ':');
  if (parts.size() != 3 && parts.size() != 4) {
    return fail(
        CliErrc::usage,
        "--bet " + text +
            ": SEAT:KIND:STAKE or SEAT:KIND:STAKE:POSITIONS is expected, e.g. 1:pleno:25:17");
  }
  json::Value bet;
  bet["id"] = "b" + std::to_string(index + 1);
  TALLA_TRY(bet["seat"], number(parts[0], "--bet " + text));
  bet["kind"] = parts[1];
  TALLA_TRY(bet["stake"], number(parts[2], "--bet " + text));
  if (parts.size() == 4) {
    json::Array on;
    for (const std::string& position : split(parts[3], ',')) on.emplace_back(position);
    bet["on"] = std::move(on);
  }
  return bet;
}

void report_results(const App& app, const json::Value& settlement, const std::string& currency) {
  const json::Value* body = settlement.find("body");
  const json::Value* results = body == nullptr ? nullptr : body->find("results");
  if (results == nullptr || !results->is_array()) return;
  for (const json::Value& result : results->array()) {
    const auto text = [&](std::string_view key) {
      const json::Value* value = result.find(key);
      return value == nullptr     ? std::string("?")
             : value->is_string() ? value->string()
                                  : json::canonical(*value);
    };
    app.say("  bet " + text("bet") + ", seat " + text("seat") + ", " + text("kind") + " " +
            text("stake") + ": " + text("result") + ", returned " + text("returned") + " " +
            currency + " (" + text("rule") + ")");
  }
}

/// As asked for, else that of the catalogue's amounts.
Result<std::string> currency_of(const PlayOptions& options, Session& session) {
  if (!options.currency.empty()) return options.currency;
  TALLA_TRY(const json::Value reply, session.get("/v1/catalogues"));
  const json::Value* all = reply.find("catalogues");
  if (all == nullptr || !all->is_array())
    return fail(CliErrc::appliance_refused, "the reply has no catalogues");
  std::string names;
  for (const json::Value& one : all->array()) {
    TALLA_TRY(const std::string id, text_at(one, {"id"}));
    if (id == options.catalogue) return text_at(one, {"currency"});
    names += (names.empty() ? "" : ", ") + id;
  }
  return fail(CliErrc::usage,
              "there is no catalogue " + options.catalogue + "; there are: " + names);
}

Result<json::Value> open_body(const PlayOptions& options, const std::string& currency) {
  json::Value table;
  table["currency"] = currency;
  table["unit"] = options.unit;
  table["min"] = options.min;
  TALLA_TRY(table["params"], params_of(options.params));
  json::Value body;
  body["catalogue"] = options.catalogue;
  body["game"] = options.game;
  body["table"] = table;
  if (options.mix != "shoe") body["mix"] = options.mix;
  if (options.candidates > 1) body["candidates"] = options.candidates;
  return body;
}

/// SEAT:DO, SEAT:DO:BET or SEAT:DO:BET:AMOUNT, BET perhaps empty.
Result<Decision> decision_of(const std::string& text) {
  const auto parts = split(text, ':');
  if (parts.size() < 2 || parts.size() > 4 || parts[1].empty()) {
    return fail(CliErrc::usage,
                "--act " + text + ": SEAT:DO[:BET[:AMOUNT]] is expected, e.g. 1:stand");
  }
  Decision decision;
  TALLA_TRY(decision.seat, number(parts[0], "--act " + text));
  decision.action["do"] = parts[1];
  if (parts.size() > 2 && !parts[2].empty()) decision.action["bet"] = parts[2];
  if (parts.size() > 3) {
    TALLA_TRY(decision.action["amount"], number(parts[3], "--act " + text));
  }
  return decision;
}

Status play_there(const App& app, const PlayOptions& options, RoundPlan plan,
                  const std::string& currency, Session& session, const std::string& table) {
  TALLA_TRY(const json::Value settlement, play_round(app, session, table, std::move(plan)));
  TALLA_TRY(const std::int64_t seq, integer_at(settlement, {"seq"}));
  app.say("settled (record " + std::to_string(seq) + "):");
  report_results(app, settlement, currency);
  app.emit(settlement);
  TALLA_TRY_STATUS(save_bundle(app, session, static_cast<std::uint64_t>(seq), options.out));
  TALLA_TRY_STATUS(close_table(app, session, table));
  app.say(options.out.empty() ? "next: the rule behind each payment: talla dispute --table " +
                                    table + " --round 1; to keep the evidence: --out FILE"
                              : "next: talla verify " + options.out +
                                    "; the round in full: talla dispute " + options.out);
  return {};
}

Status run_play(const App& app, const PlayOptions& options, Session& session) {
  TALLA_TRY(const std::string currency, currency_of(options, session));
  TALLA_TRY(const json::Value body, open_body(options, currency));
  RoundPlan plan;
  for (std::size_t i = 0; i < options.bets.size(); ++i) {
    TALLA_TRY(json::Value bet, bet_of(options.bets[i], i));
    plan.bets.push_back(std::move(bet));
  }
  for (const std::string& act : options.acts) {
    TALLA_TRY(Decision decision, decision_of(act));
    plan.decisions.push_back(std::move(decision));
  }
  TALLA_TRY_STATUS(check_bets(body, plan));
  TALLA_TRY(const std::string table, open_table(app, session, body));
  return at_table(app, session, table, [&] {
    return play_there(app, options, std::move(plan), currency, session, table);
  });
}

}  // namespace

void add_play(commandline::Command& root, App& app) {
  auto options = std::make_shared<PlayOptions>();
  auto* command = root.add_subcommand("play",
                                      "play one round of a catalogue's game: bets, cards or draws, "
                                      "decisions, settlement, evidence");
  command->add_option("--catalogue", options->catalogue, "catalogue id, e.g. es-1977")->required();
  command->add_option("--game", options->game, "game id in that catalogue, e.g. punto-banco")
      ->required();
  command
      ->add_option(
          "--bet", options->bets,
          "SEAT:KIND:STAKE[:POSITIONS], e.g. 1:banca:100 or 2:pleno:25:17; as often as needed")
      ->required();
  command->add_option("--act", options->acts,
                      "SEAT:DO[:BET[:AMOUNT]], a decision when it is due, e.g. 1:stand; a seat "
                      "without one is timed out");
  command
      ->add_option("--mix", options->mix,
                   "when the shoe is mixed: shoe: once; round: behind the bets too, so that nobody "
                   "knows a card while bets can be made")
      ->one_of({"shoe", "round"})
      ->capture_default_str();
  command
      ->add_option("--candidates", options->candidates,
                   "of a game with covered cards: sealed orders of which the call picks one, the "
                   "others are opened")
      ->range(certs::mix_candidates.min, certs::mix_candidates.max)
      ->capture_default_str();
  command->add_option("--currency", options->currency,
                      "ISO 4217, historic ones too; without it that of the catalogue");
  command->add_option("--unit", options->unit, "units in one of the currency")
      ->capture_default_str();
  command->add_option("--min", options->min, "table minimum, in units")->capture_default_str();
  command->add_option("--param", options->params,
                      "NAME=VALUE, a parameter of the game (see talla catalogue show)");
  command->add_option("--out", options->out, "file for the evidence bundle (.talla)");
  command->callback([&app, options] {
    with_session(app, [&](Session& session) { return run_play(app, *options, session); });
  });
}

}  // namespace talla::cli
