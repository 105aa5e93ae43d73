// Questions about the state: lists and single facts.
#include "questions.hpp"

#include <algorithm>
#include <charconv>

#include "acts.hpp"
#include "base/check.hpp"
#include "catalogues.hpp"
#include "games/catalogue.hpp"
#include "operations.hpp"
#include "problem.hpp"
#include "schemas.hpp"
#include "seats.hpp"
#include "sight.hpp"
#include "views.hpp"

namespace talla::core {
namespace {

Reply json_reply(json::Object body) {
  Reply reply;
  reply.body = json::canonical(json::Value(std::move(body)));
  return reply;
}

std::string language_of(const Route& route) {
  const auto found = route.query.find("language");
  return found == route.query.end() ? "en" : found->second;
}

}  // namespace

std::int64_t number_of(const Route& route, std::string_view name, std::int64_t fallback) {
  const auto found = route.query.find(name);
  if (found == route.query.end()) return fallback;
  std::int64_t number = 0;
  const auto& text = found->second;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  TALLA_CHECK(read.ec == std::errc{});
  return number;
}

Reply Questions::answer(const Request& request, const Route& route) const {
  const Handler& handler = route.operation->handler;
  if (const auto* file = std::get_if<FileQuestion>(&handler)) {
    auto reply = (this->**file)(request, route);
    return reply ? std::move(*reply) : problem_reply(Refusal(reply.error()));
  }
  const auto* question = std::get_if<Question>(&handler);
  TALLA_CHECK(question != nullptr);
  auto body = (this->**question)(request, route);
  return body ? json_reply(std::move(*body)) : problem_reply(Refusal(body.error()));
}

Result<json::Object> Questions::catalogues(const Request& /*request*/, const Route& route) const {
  const auto language = language_of(route);
  json::Array all;
  for (const auto& catalogue : appliance_.catalogues->built_in())
    all.push_back(games::describe(*catalogue, language));
  return json::Object{{"catalogues", std::move(all)}};
}

Result<json::Object> Questions::game(const Request& /*request*/, const Route& route) const {
  const auto catalogue = appliance_.catalogues->by_id(route.argument("catalogue"));
  if (!catalogue) return not_found("game");
  const auto game = games::find_game(*catalogue, route.argument("game"));
  if (!game && game.error().is(games::Errc::decree_missing)) return tl::unexpected(game.error());
  if (!game) return not_found("game");
  const auto language = language_of(route);
  const auto text = games::describe(*catalogue, **game, language);
  return json::Object(text.object());
}

Result<json::Object> Questions::meters(const Request& request, const Route& /*route*/) const {
  json::Array meters;
  for (const auto& [seq, meter] : appliance_.world().meters)
    meters.emplace_back(shared_meter_view(request.client, meter));
  return json::Object{{"meters", std::move(meters)}};
}

Result<json::Object> Questions::software(const Request& /*request*/, const Route& /*route*/) const {
  auto software = software_.view();
  if (appliance_.effects.software != nullptr && appliance_.effects.software->manifest())
    software["signed_manifest"] = appliance_.effects.software->signed_manifest();
  return json::Object{{"software", std::move(software)}};
}

Result<json::Object> Questions::acts(const Request& /*request*/, const Route& /*route*/) const {
  json::Array acts;
  for (const auto& [seq, act] : appliance_.world().acts)
    acts.emplace_back(act_view(act, appliance_.settings));
  json::Array approvals;
  for (const auto& one : appliance_.world().approvals) approvals.emplace_back(approval_view(one));
  return json::Object{{"acts", std::move(acts)}, {"approvals", std::move(approvals)}};
}

Result<json::Object> Questions::act(const Request& /*request*/, const Route& route) const {
  const auto seq = certs::object_seq("act", route.argument("act"));
  const auto found = seq ? appliance_.world().acts.find(*seq) : appliance_.world().acts.end();
  if (found == appliance_.world().acts.end()) return not_found("act");
  return json::Object{{"act", act_view(found->second, appliance_.settings)}};
}

std::vector<Operation> question_operations() {
  const auto language = optional("language", Schema::one_of({"en", "es"}).otherwise("en"));
  const auto approval = Schema::object(
      {required("act", Schema::one_of(act_names())), required("digest", Schema::digest()),
       required("seq", Schema::number().about("of the ACCESS that confirmed it"))});
  return {
      {.row = {"getCatalogues", "GET", "/v1/catalogues", people_roles.with({Role::lab}), false},
       .handler = &Questions::catalogues,
       .words = {"catalogues", "The catalogues of games that the appliance can play",
                 "With their games, in English or Spanish."},
       .body = {},
       .query = {language},
       .replies = {{Schema::open_object(
           {required("catalogues", Schema::list(Schema::open_object()))})}},
       .example_body = {},
       .example_reply = R"({"catalogues":[]})"},
      {.row = {"getGame", "GET", "/v1/catalogues/{catalogue}/{game}",
               people_roles.with({Role::lab}), false},
       .handler = &Questions::game,
       .words = {"catalogues", "One game: bets, parameters, limits and rules in words",
                 "What a table of it takes, and what the official text says of it."},
       .body = {},
       .query = {language},
       .replies = {{Schema::open_object()}},
       .example_body = {},
       .example_reply = R"({"id":"craps"})"},
      {.row = {"listMeters", "GET", "/v1/meters", staff_roles, false},
       .handler = &Questions::meters,
       .words = {"meters", "The open meters that tables share",
                 "What each holds now, and the tables that share it and the client may see."},
       .body = {},
       .query = {},
       .replies = {{reply_of("Meters", "meters", Schema::list(meter_schema()))}},
       .example_body = {},
       .example_reply =
           R"()"
           R"({"meters":[{"catalogue":)"
           R"("5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("currency":"EUR","game":"caribbean-stud","id":"meter-6","meter":"carrusel",)"
           R"("state":"open","tables":[],"terms":{},"unit":"1","value":500}]})"},
      {.row = {"listActs", "GET", "/v1/acts", overseers, false},
       .handler = &Questions::acts,
       .words = {"people", "Acts of two persons that wait, run or are over of late",
                 "And what was approved and no start has carried out; of each kind the newest."},
       .body = {},
       .query = {},
       .replies = {{reply_of("Acts", "acts", Schema::list(act_schema()),
                             {required("approvals", Schema::list(approval))})}},
       .example_body = {},
       .example_reply =
           R"({"acts":[{"act":"latch-reset","asked":1767225600000000,"asked_by":"talla:officer-1",)"
           R"("expires":1767226200000000,"id":"act-9","state":"asked"}],"approvals":[]})"},
      {.row = {"getAct", "GET", "/v1/acts/{act}", overseers, false},
       .handler = &Questions::act,
       .words = {"people", "One act of two persons",
                 "Its state, who asked for it, and who confirmed it."},
       .body = {},
       .query = {},
       .replies = {{reply_of("ActView", "act", act_schema())}},
       .example_body = {},
       .example_reply =
           R"({"act":{"act":"latch-reset","asked":1767225600000000,"asked_by":"talla:officer-1",)"
           R"("expires":1767226200000000,"id":"act-9","state":"asked"}})"},
  };
}

}  // namespace talla::core
