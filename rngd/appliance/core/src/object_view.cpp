// Questions about one object: open in the state, or past in the ledger.
#include <algorithm>

#include "cards.hpp"
#include "operations.hpp"
#include "past_round.hpp"
#include "questions.hpp"
#include "schemas.hpp"
#include "seats.hpp"
#include "sight.hpp"
#include "views.hpp"

namespace talla::core {
namespace {

/// The object that the route names; null when it is not in the state.
template <class T>
const T* named(const ObjectMap<T>& map, const Route& route, std::string_view object_class) {
  const auto seq = certs::object_seq(object_class, route.argument(object_class));
  const auto found = seq ? map.find(*seq) : map.end();
  return found == map.end() ? nullptr : &found->second;
}

}  // namespace

Result<json::Object> Questions::table(const Request& request, const Route& route) const {
  const auto* table = named(appliance_.world().tables, route, "table");
  if (table == nullptr) return past_view(request, "table", route.argument("table"));
  if (!sees(appliance_.world(), request.client, *table)) return not_found("table");
  const Overlay world(appliance_.world());
  const auto viewer = viewer_of(request.client, live_round(appliance_.world(), *table));
  return json::Object{{"table", table_view(appliance_.context.hashes, world, *table, viewer)}};
}

Result<json::Object> Questions::meter(const Request& request, const Route& route) const {
  const auto* meter = named(appliance_.world().meters, route, "meter");
  if (meter == nullptr) return past_view(request, "meter", route.argument("meter"));
  return json::Object{{"meter", shared_meter_view(request.client, *meter)}};
}

Result<json::Object> Questions::shoe(const Request& request, const Route& route) const {
  const auto* shoe = named(appliance_.world().shoes, route, "shoe");
  if (shoe == nullptr) return past_view(request, "shoe", route.argument("shoe"));
  const bool seen =
      released_to(*shoe, request.client) ||
      sees(appliance_.world(), request.client, appliance_.world().tables.at(shoe->table));
  if (!seen) return not_found("shoe");
  return json::Object{{"shoe", shoe_view(*shoe)}};
}

Result<json::Object> Questions::card(const Request& request, const Route& route) const {
  const auto* shoe = named(appliance_.world().shoes, route, "shoe");
  if (shoe == nullptr) return not_found("card of an open shoe");
  const bool seen =
      was_dealt_to(*shoe, request.client) ||
      sees(appliance_.world(), request.client, appliance_.world().tables.at(shoe->table));
  if (!seen) return not_found("shoe");
  return card_view(request, route, *shoe);
}

Result<json::Object> Questions::round(const Request& request, const Route& route) const {
  const auto* round = named(appliance_.world().rounds, route, "round");
  if (round == nullptr) return past_view(request, "round", route.argument("round"));
  if (!sees(appliance_.world(), request.client, appliance_.world().tables.at(round->table)))
    return not_found("round");
  const Overlay world(appliance_.world());
  const auto viewer = viewer_of(request.client, round);
  return json::Object{{"round", round_view(appliance_.context.hashes, world, *round, viewer)}};
}

json::Object Questions::shared_meter_view(const Client& client, const SharedMeter& meter) const {
  json::Array tables;
  for (const auto& [seq, table] : appliance_.world().tables) {
    const bool shares = std::ranges::any_of(
        table.open.meters, [&](const auto& entry) { return entry.second == meter.id; });
    if (shares && sees(appliance_.world(), client, table)) tables.emplace_back(table.id);
  }
  return meter_view(meter, std::move(tables));
}

Result<json::Object> Questions::card_view(const Request& request, const Route& route,
                                          const Shoe& shoe) const {
  TALLA_TRY(const auto position, parse_number(route.argument("position"), UINT32_MAX));
  const auto recommits = number_of(route, "recommits", std::int64_t{shoe.recommits()});
  const auto found = shoe.covered.find(
      {static_cast<std::uint32_t>(recommits), static_cast<std::uint32_t>(position)});
  // What is not durable yet is no card yet: its copies are in the running group.
  if (found == shoe.covered.end() || found->second.deal_seq >= appliance_.effects.log.size()) {
    return fail(Errc::card_not_covered, "no card was dealt covered at this position");
  }
  TALLA_TRY(auto copies,
            read_copies(appliance_.effects.log.ledger(), appliance_.effects.sealer,
                        appliance_.effects.log.origin(), shoe, found->second, request.client));
  json::Object card{{"shoe", shoe.id},
                    {"position", found->first.position},
                    {"place", found->second.place},
                    {"deal", found->second.deal_seq},
                    {"copies", std::move(copies)}};
  if (found->first.recommits != 0) card["recommits"] = found->first.recommits;
  return json::Object{{"card", std::move(card)}};
}

Result<json::Object> Questions::past_view(const Request& request, std::string_view object_class,
                                          const std::string& id) const {
  if (!certs::object_seq(object_class, id)) return not_found(object_class);
  TALLA_TRY(const auto chain, appliance_.effects.log.ledger().chain(id));
  if (chain.empty()) return not_found(object_class);
  if (!events_.visible(request.client, id) && !events_.seated(request.client, chain.front()))
    return not_found(object_class);
  json::Array records;
  for (const auto& one : chain) {
    records.emplace_back(json::Object{{"seq", one.seq}, {"kind", certs::kind_name(one.kind)}});
  }
  TALLA_TRY(const auto first, certs::parse_record(chain.front().bytes));
  TALLA_TRY(const auto last, certs::parse_record(chain.back().bytes));
  json::Object view{{"id", id},
                    {"state", object_class == "round" ? "ended" : "closed"},
                    {"opening", first.body},
                    {"closing", last.body},
                    {"records", std::move(records)}};
  if (object_class == "round") {
    TALLA_TRY(auto past,
              past_round(appliance_.effects.log.ledger(), *appliance_.catalogues, chain, true));
    view["bets"] = std::move(past.bets);
    view["cards"] = std::move(past.cards);
    if (past.outcome) view["outcome"] = std::move(*past.outcome);
    if (past.settlement) {
      json::Array results;
      for (const auto& result : past.results) results.push_back(result.to_json());
      view["results"] = std::move(results);
      view["settlement"] = *past.settlement;
    }
  }
  return json::Object{{std::string(object_class), std::move(view)}};
}

namespace {

/// GET /v1/shoes/{shoe}/cards/{position}.
Operation card_operation() {
  const auto card = Schema::object(
      {required("shoe", Schema::id("shoe")), required("position", Schema::number()),
       required("place", place_schema()),
       required("deal", Schema::number().about("seq of its CARD_DEAL")),
       optional("recommits", Schema::number()),
       required("copies", Schema::list(Schema::object({required("seat", Schema::number()),
                                                       required("ciphertext", Schema::base64())}))
                              .about("for the client's own key (certs/FORMAT.md section 7)"))});
  return {.row = {"getCard",
                  "GET",
                  "/v1/shoes/{shoe}/cards/{position}",
                  {Role::table, Role::seat},
                  false},
          .handler = &Questions::card,
          .words = {"shoes", "The copies of a covered card that the client's own key opens",
                    "Until the shoe closes. Positions count from 0 again under each root."},
          .body = {},
          .query = {optional("recommits",
                             Schema::integer(0, std::int64_t{certs::recommits_max})
                                 .about("how often the shoe was shuffled again before the card was "
                                        "dealt; without it the newest root"))},
          .replies = {{reply_of("CardReply", "card", card)}},
          .example_body = {},
          .example_reply = R"({"card":{"copies":[{"ciphertext":"BGAhKz3d","seat":2}],"deal":12,)"
                           R"("place":"hand-2","position":3,"shoe":"shoe-5"}})",
          .beside_flights = true};
}

}  // namespace

std::vector<Operation> object_operations() {
  constexpr RoleSet people_and_machines{Role::table,   Role::auditor,          Role::operator_,
                                        Role::seat,    Role::security_officer, Role::inspector,
                                        Role::shuffler};
  const auto view = [](const char* name, const char* member, const Schema& schema) {
    return reply_or_past(member, reply_of(name, member, schema));
  };
  return {
      {.row = {"getTable", "GET", "/v1/tables/{table}", people_roles.with(contributors), false},
       .handler = &Questions::table,
       .words = {"tables", "One table: state, what it needs, the view of the caller's role",
                 "Of a closed one what its records tell."},
       .body = {},
       .query = {},
       .replies = {{view("TableView", "table", table_schema())}},
       .example_body = {},
       .example_reply =
           R"({"table":{"batches":[],)"
           R"("catalogue":"5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("contributors":[],"currency":"EUR","game":"blackjack",)"
           R"("head":"00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff",)"
           R"("id":"table-4","last":4,"max":0,"min":10,"opened":1,)"
           R"("parameters":{},"place":"Mesa 7","policy":{"candidates":1,"max_voids":1,)"
           R"("mix":"shoe","open_within":20,"required":[]},)"
           R"("rounds":0,"settled_by":"appliance","shoes":0,"state":"open","turn":1,)"
           R"("variant":""}})",
       .beside_flights = true},
      {.row = {"getMeter", "GET", "/v1/meters/{meter}", staff_roles, false},
       .handler = &Questions::meter,
       .words = {"meters", "One meter that tables share", "Of a closed one what its records tell."},
       .body = {},
       .query = {},
       .replies = {{view("MeterView", "meter", meter_schema())}},
       .example_body = {},
       .example_reply =
           R"()"
           R"({"meter":{"catalogue":)"
           R"("5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("currency":"EUR","game":"caribbean-stud","id":"meter-6","meter":"carrusel",)"
           R"("state":"open","tables":[],"terms":{},"unit":"1","value":500}})",
       .beside_flights = true},
      {.row = {"getShoe", "GET", "/v1/shoes/{shoe}", people_and_machines, false},
       .handler = &Questions::shoe,
       .words = {"shoes", "One shoe: its state and the position that deal expects",
                 "Of a closed one what its records tell."},
       .body = {},
       .query = {},
       .replies = {{view("ShoeView", "shoe", shoe_schema())}},
       .example_body = {},
       .example_reply =
           R"({"shoe":{"cards":416,"deck":"french52x8","id":"shoe-5",)"
           R"("number":1,"position":0,)"
           R"("root":"5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("state":"committed","stop_card_out":false,"stop_depth":60,"table":"table-4"}})",
       .beside_flights = true},
      card_operation(),
      {.row = {"getRound", "GET", "/v1/rounds/{round}", people_roles, false},
       .handler = &Questions::round,
       .words = {"rounds", "One round: what it needs, bets, cards, results",
                 "Of an ended one what its records tell, with its bets, cards and draw."},
       .body = {},
       .query = {},
       .replies = {{view("RoundView", "round", round_schema())}},
       .example_body = {},
       .example_reply = R"({"round":{"bets":[],"cards":[],"id":"round-9","number":1,"results":[],)"
                        R"("state":"betting","table":"table-4","withdrawn":[]}})",
       .beside_flights = true},
  };
}

}  // namespace talla::core
