// What bets were paid, and who may know it: GET /v1/return.
#include "format/bounds.hpp"
#include "format/domain.hpp"
#include "operations.hpp"
#include "problem.hpp"
#include "questions.hpp"
#include "schemas.hpp"
#include "sight.hpp"

namespace talla::core {
namespace {

/// A table asks for its own; a laboratory judges payments, and sees nothing else of a table.
constexpr RoleSet return_readers{Role::table,     Role::auditor,
                                 Role::operator_, Role::security_officer,
                                 Role::inspector, Role::lab};

/// Whether the client may know what every table has paid.
bool sees_all(const Client& client) {
  return client.roles.meets(overseers) || client.roles.has(Role::lab);
}

/// Rows of that place (empty: of every one) that the client may see. Precondition: each has a place
/// and a client, which is empty where several have opened tables.
json::Array seen_rows(const json::Value& rows, const Client& client, const std::string& place) {
  json::Array seen;
  for (const json::Value& row : rows.array()) {
    const bool there = place.empty() || row.find("place")->string() == place;
    if (there && (sees_all(client) || row.find("client")->string() == client.id))
      seen.push_back(row);
  }
  return seen;
}

/// Where that table stands or stood. Errors: not_found, also when it is another client's.
Result<std::string> place_of(const Events& events, const certs::Ledger& ledger,
                             const Client& client, const std::string& table) {
  const auto seq = certs::object_seq("table", table);
  const auto stored = seq ? ledger.record(*seq) : Result<certs::LedgerRecord>(not_found("table"));
  if (!stored || stored->kind != certs::Kind::table_open ||
      (!sees_all(client) && !events.owned(client.id, table)))
    return not_found("table");
  TALLA_TRY(const auto record, certs::parse_record(stored->bytes));
  TALLA_TRY(const auto body, certs::TableOpenBody::from_json(record.body));
  return body.place;
}

Schema side_schema(const char* what) {
  return monitor_side_schema().about(what);
}

Schema bet_schema_of_return() {
  return Schema::object(
      {required("place", Schema::text()),
       required("client", Schema::text().about(
                              "whose tables they are; empty where several have opened some")),
       required("catalogue", Schema::text()),
       required("game", Schema::text()),
       required("bet", Schema::text()),
       optional("on", Schema::text().about("the first of `places` that the bet may lie on")),
       optional("places", Schema::number()),
       required("currency", Schema::text()),
       required("unit", Schema::text()),
       required("rounds", Schema::number()),
       required("staked", Schema::text().about("units, to four places, as all amounts here")),
       required("paid", Schema::text().about("a stake in prison counts half")),
       required("expected", Schema::text()),
       required("deviation", Schema::text()),
       required("theory", Schema::text().about("percent of the stakes, as all shares here")),
       required("practice", Schema::text()),
       required("low", Schema::text().about("three standard deviations below the theory")),
       required("high", Schema::text()),
       required("within", Schema::flag().about("practice is from low to high")),
       required("monitor", Schema::text()),
       optional("process", side_schema("absent when more bets play than are watched")),
       optional("detector", side_schema("the same"))});
}

Schema return_schema() {
  const auto together = Schema::object(
      {required("monitor", Schema::text()), required("rounds", Schema::number()),
       required("process", monitor_side_schema()), required("detector", monitor_side_schema())});
  const auto other =
      Schema::object({required("place", Schema::text()), required("client", Schema::text()),
                      required("game", Schema::text())});
  return Schema::named(
      "Return",
      Schema::object(
          {required("watched", Schema::flag().about("the monitors are switched on")),
           required("bets", Schema::list(bet_schema_of_return())),
           required("not_watched",
                    Schema::list(other).about("games that no law of payment is known of")),
           optional("together",
                    Schema::list(together).about("all places together; for who sees them all")),
           optional("unwatched",
                    Schema::number().about("rounds and bets since the start that nobody looked at "
                                           "though their game has a law; for who sees all"))}));
}

}  // namespace

Result<json::Object> Questions::returns(const Request& request, const Route& route) const {
  const auto asked = route.query.find("table");
  std::string place = asked == route.query.end() ? std::string() : asked->second;
  if (certs::object_seq("table", place)) {
    TALLA_TRY(place, place_of(events_, appliance_.effects.log.ledger(), request.client, place));
  }
  if (appliance_.effects.monitors == nullptr)
    return json::Object{
        {"watched", false}, {"bets", json::Array{}}, {"not_watched", json::Array{}}};
  auto all = appliance_.effects.monitors->returns();
  json::Object out{{"watched", true},
                   {"bets", seen_rows(all["bets"], request.client, place)},
                   {"not_watched", seen_rows(all["not_watched"], request.client, place)}};
  if (!sees_all(request.client)) return out;
  if (place.empty()) out["together"] = std::move(all["together"]);
  out["unwatched"] = std::move(all["unwatched"]);
  return out;
}

std::vector<Operation> return_operations() {
  return {
      {.row = {"getReturn", "GET", "/v1/return", return_readers, false},
       .handler = &Questions::returns,
       .words = {"tables", "What bets were paid, beside what they are worth",
                 "Theory, practice and band of chance of each bet of each place whose game has a "
                 "law of payment. A table's client sees places at which no other client opened a "
                 "table."},
       .body = {},
       .query = {optional("table", Schema::text(1, certs::place_name_length.max)
                                       .about("a place, or the id of a table that stood there"))},
       .replies = {{return_schema()}},
       .example_body = {},
       .example_reply =
           R"({"bets":[{"bet":"docena","catalogue":"es-1977","client":"talla:table-1",)"
           R"("currency":"EUR","deviation":"279.4001","expected":"389.1891",)"
           R"("game":"french-roulette","high":"306.8473 %","low":"0.0000 %",)"
           R"("monitor":"Mesa%207/french-roulette/docena-0f3c9a5e-2/payments","on":"1",)"
           R"("paid":"300.0000","place":"Mesa 7","places":3,"practice":"75.0000 %","rounds":4,)"
           R"("staked":"400.0000","theory":"97.2973 %","unit":"1","within":true}],)"
           R"("not_watched":[],"watched":true})"},
  };
}

}  // namespace talla::core
