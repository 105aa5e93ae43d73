// Questions about the state: lists and single facts.
#include "questions.hpp"

#include <algorithm>

#include "acts.hpp"
#include "base/check.hpp"
#include "catalogues.hpp"
#include "games/catalogue.hpp"
#include "operations.hpp"
#include "problem.hpp"
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

Result<std::string> language_of(const Route& route) {
  const auto found = route.query.find("language");
  if (found == route.query.end()) return std::string("en");
  if (found->second != "en" && found->second != "es")
    return fail(Errc::malformed_request, "language: expected en or es");
  return found->second;
}

}  // namespace

Result<std::uint64_t> number_of(const Route& route, std::string_view name, std::uint64_t fallback,
                                std::uint64_t max) {
  const auto found = route.query.find(name);
  if (found == route.query.end()) return fallback;
  return parse_number(found->second, max);
}

Reply Questions::answer(const Request& request, const Route& route) const {
  const Handler& handler = handler_of(route.row->operation);
  if (const auto* file = std::get_if<FileQuestion>(&handler)) {
    auto reply = (this->**file)(request, route);
    return reply ? std::move(*reply) : problem_reply(Refusal(reply.error()));
  }
  const auto* question = std::get_if<Question>(&handler);
  TALLA_CHECK(question != nullptr);
  auto body = (this->**question)(request, route);
  return body ? json_reply(std::move(*body)) : problem_reply(Refusal(body.error()));
}

Result<json::Object> Questions::tables(const Request& request, const Route& /*route*/) const {
  json::Array tables;
  const Overlay world(appliance_.world);
  for (const auto& [seq, table] : appliance_.world.tables) {
    if (!sees(appliance_.world, request.client, table)) continue;
    tables.emplace_back(
        table_view(appliance_.context.hashes, world, table, viewer_of(request.client, nullptr)));
  }
  return json::Object{{"tables", std::move(tables)}};
}

Result<json::Object> Questions::events(const Request& request, const Route& route) const {
  TALLA_TRY(const auto limit, number_of(route, "limit", 100, 1000));
  const auto after = route.query.find("after");
  std::int64_t from = -1;
  if (after != route.query.end() && after->second != "-1") {
    TALLA_TRY(const auto seq, parse_number(after->second, json::integer_max));
    from = static_cast<std::int64_t>(seq);
  }
  json::Array events;
  for (const auto& event : events_.after(request.client, from, std::max<std::uint64_t>(limit, 1))) {
    events.emplace_back(json::Object{{"seq", event.seq},
                                     {"kind", event.kind},
                                     {"object", event.object},
                                     {"table", event.table},
                                     {"record", event.record}});
  }
  return json::Object{{"events", std::move(events)}};
}

Result<json::Object> Questions::catalogues(const Request& /*request*/, const Route& route) const {
  TALLA_TRY(const std::string language, language_of(route));
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
  TALLA_TRY(const std::string language, language_of(route));
  const auto text = games::describe(*catalogue, **game, language);
  return json::Object(text.object());
}

Result<json::Object> Questions::meters(const Request& request, const Route& /*route*/) const {
  json::Array meters;
  for (const auto& [seq, meter] : appliance_.world.meters)
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
  for (const auto& [seq, act] : appliance_.world.acts)
    acts.emplace_back(act_view(act, appliance_.settings));
  json::Array approvals;
  for (const auto& one : appliance_.world.approvals) approvals.emplace_back(approval_view(one));
  return json::Object{{"acts", std::move(acts)}, {"approvals", std::move(approvals)}};
}

Result<json::Object> Questions::act(const Request& /*request*/, const Route& route) const {
  const auto seq = certs::object_seq("act", route.argument("act"));
  const auto found = seq ? appliance_.world.acts.find(*seq) : appliance_.world.acts.end();
  if (found == appliance_.world.acts.end()) return not_found("act");
  return json::Object{{"act", act_view(found->second, appliance_.settings)}};
}

}  // namespace talla::core
