// What the page calls: bundles and scenarios in, what the rules of the games give out, as JSON.
//
// The page writes UTF-8 to where talla_input says and calls with its size. The answer stands at
// talla_output, talla_output_size bytes, until the next call. A trap leaves the instance unusable:
// the page makes another.
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "evidence.hpp"
#include "game_odds.hpp"
#include "games/catalogue.hpp"
#include "games/errc.hpp"
#include "games/listing.hpp"
#include "games/scenario.hpp"
#include "hashes.hpp"

#define TALLA_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace talla::web {
namespace {

std::string& input() {
  static std::string text;
  return text;
}
std::string& output() {
  static std::string text;
  return text;
}

json::Value refusal(const Error& error) {
  return json::Object{{"code", std::string(error.code)},
                      {"detail", error.detail},
                      {"number", std::int64_t{error.number}}};
}

/// The built-in catalogues, each read once.
Result<std::shared_ptr<const games::Catalogue>> catalogue(std::string_view id) {
  static const PlainHashes hashes;
  static std::map<std::string, std::shared_ptr<const games::Catalogue>, std::less<>> known;
  if (const auto found = known.find(id); found != known.end()) return found->second;
  TALLA_TRY(auto read, games::load_embedded(id, hashes));
  known.emplace(std::string(id), read);
  return read;
}

/// What was checked where the rules give what is recorded, in the verifier's words.
Result<json::Array> settle_bundle(std::string_view text) {
  static const PlainHashes hashes;
  TALLA_TRY(certs::Evidence evidence, certs::open_evidence(hashes, text));
  if (evidence.claim->kind != certs::Kind::settlement)
    return fail(certs::VerifyErrc::unsupported_claim,
                certs::name_of(*evidence.claim) + ": is no settlement");
  TALLA_TRY_STATUS(certs::check_settlement(evidence));
  json::Array checked;
  for (const std::string& line : evidence.verdict.checked) checked.emplace_back(line);
  return checked;
}

const char* language_of(int spanish) {
  return spanish != 0 ? "es" : "en";
}

/// Which game is asked about: {"catalogue","game"}, with or without {"params"}.
struct Asked {
  std::shared_ptr<const games::Catalogue> catalogue;
  std::string game;
  json::Object params;
};
Result<Asked> asked_of(std::string_view text) {
  TALLA_TRY(const auto names, json::parse(text));
  json::Reader reader(names, "game");
  TALLA_TRY(const auto id, reader.string("catalogue"));
  TALLA_TRY(auto game, reader.string("game"));
  json::Object params;
  if (reader.has("params")) {
    TALLA_TRY(const auto* given, reader.object("params"));
    params = given->object();
  }
  TALLA_TRY_STATUS(reader.finish());
  TALLA_TRY(auto read, catalogue(id));
  return Asked{.catalogue = std::move(read), .game = std::move(game), .params = std::move(params)};
}

Result<json::Value> odds_of(std::string_view text) {
  TALLA_TRY(auto asked, asked_of(text));
  TALLA_TRY(const auto table, table_to_ask(asked.catalogue, asked.game, std::move(asked.params)));
  return game_odds(table);
}

/// One game: what a reader is shown of it, and its rules sentence by sentence.
Result<json::Value> game_of(std::string_view text, std::string_view language) {
  TALLA_TRY(const auto asked, asked_of(text));
  const auto& read = asked.catalogue;
  const auto* rules = read->game(asked.game);
  if (rules == nullptr) return fail(games::Errc::game_unknown, read->id + " has no " + asked.game);
  json::Array lines;
  for (const auto& line : games::rule_lines(*read, *rules, language))
    lines.push_back(games::to_json(line));
  return json::Value(json::Object{{"base", rules->base},
                                  {"currency", read->currency},
                                  {"game", games::describe(*read, *rules, language)},
                                  {"rules", std::move(lines)}});
}

std::size_t answer(const json::Value& value) {
  output() = json::canonical(value);
  return output().size();
}

}  // namespace
}  // namespace talla::web

using namespace talla;  // NOLINT(google-build-using-namespace): the calls below are the page's

/// Room for so many bytes of the next call's text.
TALLA_EXPORT(talla_input) char* talla_input(std::size_t size) {
  web::input().assign(size, '\0');
  return web::input().data();
}

TALLA_EXPORT(talla_output) const char* talla_output() {
  return web::output().data();
}

/// The text is a bundle whose evidence holds: {"alike":true,"checked":[lines]} or {"alike":false,
/// "refused":{"code","detail","number"}}. Gives the size of the answer.
TALLA_EXPORT(talla_settle_bundle) std::size_t talla_settle_bundle() {
  auto checked = web::settle_bundle(web::input());
  if (!checked)
    return web::answer(json::Object{{"alike", false}, {"refused", web::refusal(checked.error())}});
  return web::answer(json::Object{{"alike", true}, {"checked", std::move(*checked)}});
}

/// The text is scenarios, as `talla settle` takes them: an array, for each one what it came to
/// (games::to_json) or {"error":{"code","detail","number"},"passed":false}. `spanish`: the words of
/// refusals. Gives the size of the answer.
TALLA_EXPORT(talla_run_scenarios) std::size_t talla_run_scenarios(int spanish) {
  json::Array outcomes;
  for (const games::ScenarioLine& line : games::read_scenarios(web::input())) {
    if (!line.scenario) {
      outcomes.push_back(
          json::Object{{"error", web::refusal(line.scenario.error())}, {"passed", false}});
      continue;
    }
    outcomes.push_back(games::to_json(games::run_scenario(*line.scenario, web::catalogue),
                                      web::language_of(spanish)));
  }
  return web::answer(outcomes);
}

/// The text is the id of a catalogue: {"catalogues":[ids of all],"games":games::list_games of that
/// one, empty where there is none}. Gives the size of the answer.
TALLA_EXPORT(talla_list_games) std::size_t talla_list_games(int spanish) {
  json::Array ids;
  for (const games::EmbeddedCatalogue& one : games::embedded_catalogues()) ids.emplace_back(one.id);
  const auto read = web::catalogue(web::input());
  json::Array listed;
  if (read) listed = games::list_games(**read, web::language_of(spanish));
  return web::answer(json::Object{{"catalogues", std::move(ids)}, {"games", std::move(listed)}});
}

/// The text is {"catalogue","game"}: {"base","currency","game":games::describe,"rules":[
/// games::RuleLine]} or {"refused":{"code","detail","number"}}. Gives the size of the answer.
TALLA_EXPORT(talla_describe_game) std::size_t talla_describe_game(int spanish) {
  const auto described = web::game_of(web::input(), web::language_of(spanish));
  if (!described) return web::answer(json::Object{{"refused", web::refusal(described.error())}});
  return web::answer(*described);
}

/// The text is {"catalogue","game","params"}: its odds at those (web::game_odds), up to some
/// seconds of work, or {"refused":{"code","detail","number"}}. Gives the size of the answer.
TALLA_EXPORT(talla_game_odds) std::size_t talla_game_odds() {
  const auto odds = web::odds_of(web::input());
  if (!odds) return web::answer(json::Object{{"refused", web::refusal(odds.error())}});
  return web::answer(*odds);
}
