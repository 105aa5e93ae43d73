// Which tables there are, and which there were: by place, game and time.
#include <algorithm>

#include "log_times.hpp"
#include "operations.hpp"
#include "questions.hpp"
#include "schemas.hpp"
#include "seats.hpp"
#include "sight.hpp"
#include "views.hpp"

namespace talla::core {
namespace {

constexpr std::int64_t closed_max = 100;
constexpr std::int64_t closed_default = 20;
/// Records that one reply looks at for closed tables: the sequencer waits for it.
constexpr std::uint64_t closings_looked_at_max = 1000;

/// What a request asks of the list.
struct TableQuery {
  std::string place;
  std::string room;
  std::string label;
  std::string game;
  std::int64_t from_us = 0;                ///< open at this moment or later
  std::int64_t to_us = json::integer_max;  ///< opened before this moment
  bool open = true;
  bool closed = false;
  std::size_t limit = 0;
  std::uint64_t before = 0;  ///< closed in a record below this one
};

std::string text_of(const Route& route, std::string_view name) {
  const auto found = route.query.find(name);
  return found == route.query.end() ? std::string() : found->second;
}

TableQuery query_of(const Route& route, std::uint64_t size) {
  TableQuery query;
  query.place = text_of(route, "place");
  query.room = text_of(route, "room");
  query.label = text_of(route, "label");
  query.game = text_of(route, "game");
  query.from_us = number_of(route, "from", query.from_us);
  query.to_us = number_of(route, "to", query.to_us);
  query.limit = static_cast<std::size_t>(number_of(route, "limit", closed_default));
  query.before = std::min(size, static_cast<std::uint64_t>(
                                    number_of(route, "before", static_cast<std::int64_t>(size))));
  const auto open = text_of(route, "open");
  const bool past = route.query.contains("from") || route.query.contains("to");
  query.open = open != "false";
  query.closed = open == "false" || (open.empty() && past);
  return query;
}

/// "Sala Goya/Mesa 7": a room, and the name of the table in it.
struct PlaceName {
  std::string_view room;  ///< empty: the place names none
  std::string_view label;
};

PlaceName parted(std::string_view place) {
  const auto slash = place.rfind('/');
  if (slash == std::string_view::npos) return {.room = {}, .label = place};
  return {.room = place.substr(0, slash), .label = place.substr(slash + 1)};
}

bool named_so(const TableQuery& query, const certs::TableOpenBody& open) {
  const PlaceName name = parted(open.place);
  return (query.place.empty() || query.place == open.place) &&
         (query.room.empty() || query.room == name.room) &&
         (query.label.empty() || query.label == name.label) &&
         (query.game.empty() || query.game == open.game);
}

/// Since when a table is open. Precondition: its TABLE_OPEN is in the ledger.
Result<std::int64_t> since_of(const certs::Ledger& ledger, ObjectSeq seq) {
  TALLA_TRY(const auto stored, ledger.record(seq));
  TALLA_TRY(const auto record, certs::parse_record(stored.bytes));
  return record.time_us;
}

/// The row of a closed table, or nothing when the query does not ask for it.
Result<std::optional<json::Value>> closed_row(const certs::Ledger& ledger, const TableQuery& query,
                                              const certs::LedgerRecord& stored) {
  TALLA_TRY(const auto closing, certs::parse_record(stored.bytes));
  TALLA_TRY(const auto closed, certs::TableCloseBody::from_json(closing.body));
  TALLA_TRY(const auto seq, certs::object_seq("table", stored.object));
  TALLA_TRY(const auto first, ledger.record(seq));
  TALLA_TRY(const auto opening, certs::parse_record(first.bytes));
  TALLA_TRY(const auto open, certs::TableOpenBody::from_json(opening.body));
  if (!named_so(query, open) || closing.time_us < query.from_us || opening.time_us >= query.to_us)
    return std::optional<json::Value>();
  const auto* rounds = closing.body.find("rounds");
  const auto* reason = closing.body.find("reason");
  json::Object row{{"id", stored.object},
                   {"place", open.place},
                   {"opened", open.opened},
                   {"game", open.game},
                   {"catalogue", to_hex(open.catalogue)},
                   {"currency", open.currency},
                   {"settled_by", open.settled_by_client ? "client" : "appliance"},
                   {"since", opening.time_us},
                   {"until", closing.time_us}};
  row["rounds"] = rounds == nullptr ? json::Value(0) : *rounds;
  row["reason"] = reason == nullptr ? json::Value("") : *reason;
  return std::optional(json::Value(std::move(row)));
}

/// Rows of closed tables, the newest first; `next` and `more` say where the next reply goes on.
struct Closed {
  json::Array rows;
  std::uint64_t next = 0;
  bool more = false;
};

Result<Closed> closed_tables(const certs::Ledger& ledger, const Events& events,
                             const Client& client, const TableQuery& query) {
  Closed found;
  TALLA_TRY(const auto oldest, first_at(ledger, query.from_us));  // closed before: not asked for
  const auto from = query.before > oldest + closings_looked_at_max
                        ? query.before - closings_looked_at_max
                        : oldest;
  found.next = query.before;
  if (from >= query.before) return found;
  TALLA_TRY(const auto page, ledger.records(from, query.before));
  for (auto stored = page.rbegin(); stored != page.rend(); ++stored) {
    if (found.rows.size() == query.limit) {
      found.more = true;
      return found;
    }
    found.next = stored->seq;
    if (stored->kind != certs::Kind::table_close || !events.visible(client, stored->object))
      continue;
    TALLA_TRY(auto row, closed_row(ledger, query, *stored));
    if (row) found.rows.push_back(std::move(*row));
  }
  found.more = found.next > oldest;
  return found;
}

std::vector<SchemaMember> tables_query() {
  const auto time = Schema::number();
  return {optional("place", Schema::text(1, certs::place_name_length.max)
                                .about("at this place alone, percent-encoded")),
          optional("room", Schema::text(1, certs::place_name_length.max)
                               .about("in this room alone: what stands before the last / of a "
                                      "place such as Sala Goya/Mesa 7")),
          optional("label", Schema::text(1, certs::place_name_length.max)
                                .about("of this name in its room: what stands behind it, or the "
                                       "whole place")),
          optional("game", Schema::text(1, 64).about("of this game alone")),
          optional("open", Schema::one_of({"true", "false"}).about("open ones; closed ones")),
          optional("from", time.about("open then or later, microseconds since 1970, UTC")),
          optional("to", time.about("opened before")),
          optional("limit",
                   Schema::integer(1, closed_max).about("closed ones").otherwise(closed_default)),
          optional("before", Schema::number().about("closed before this record"))};
}

std::vector<SchemaMember> closed_members() {
  const auto closed = Schema::named(
      "ClosedTable",
      Schema::object({required("id", Schema::id("table")), required("place", Schema::text()),
                      required("opened", Schema::integer(1, json::integer_max)
                                             .about("which opening of its place it was")),
                      required("game", Schema::text()), required("catalogue", Schema::digest()),
                      required("currency", Schema::text()),
                      required("settled_by", Schema::one_of({"client", "appliance"})),
                      required("since", Schema::number().about("microseconds since 1970, UTC")),
                      required("until", Schema::number()), required("rounds", Schema::number()),
                      required("reason", Schema::text().about("why it was closed"))}));
  return {optional("closed", Schema::list(closed, 0, closed_max).about("the newest first")),
          optional("more", Schema::flag().about("older ones were not looked at")),
          optional("next", Schema::number().about("`before` of the next reply"))};
}

}  // namespace

Result<json::Object> Questions::tables(const Request& request, const Route& route) const {
  const auto& ledger = appliance_.effects.log.ledger();
  const auto query = query_of(route, appliance_.effects.log.size());
  json::Array tables;
  const Overlay world(appliance_.world());
  for (const auto& [seq, table] : appliance_.world().tables) {
    if (!query.open || !named_so(query, table.open)) continue;
    if (!sees(appliance_.world(), request.client, table)) continue;
    if (query.to_us != json::integer_max && seq < appliance_.effects.log.size()) {
      TALLA_TRY(const auto since, since_of(ledger, seq));
      if (since >= query.to_us) continue;
    }
    tables.emplace_back(
        table_view(appliance_.context.hashes, world, table, viewer_of(request.client, nullptr)));
  }
  json::Object reply{{"tables", std::move(tables)}};
  if (!query.closed) return reply;
  TALLA_TRY(auto closed, closed_tables(ledger, events_, request.client, query));
  reply["closed"] = std::move(closed.rows);
  reply["more"] = closed.more;
  reply["next"] = closed.next;
  return reply;
}

std::vector<Operation> table_list_operations() {
  return {
      {.row = {"listTables", "GET", "/v1/tables", staff_roles.with({Role::contributor}), false},
       .handler = &Questions::tables,
       .words =
           {"tables", "The tables that this client may see: open, or in the past",
            "A table sees its own; those who oversee see all. With `open` false, or a time in the "
            "past, `closed` has those that were: one reply looks at 1,000 records at most, so it "
            "may hold few or none while `more` is true, and `next` is the `before` of the next."},
       .body = {},
       .query = tables_query(),
       .replies = {{reply_of("Tables", "tables", Schema::list(table_schema()), closed_members())}},
       .example_body = {},
       .example_reply =
           R"({"tables":[{"batches":[],)"
           R"("catalogue":"5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("contributors":[],"currency":"EUR","game":"blackjack",)"
           R"("head":"00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff",)"
           R"("id":"table-4","last":4,"max":0,"min":10,"opened":1,)"
           R"("parameters":{},"place":"Mesa 7","policy":{"candidates":1,"max_voids":1,)"
           R"("mix":"shoe","open_within":20,"required":[]},)"
           R"("rounds":0,"settled_by":"appliance","shoes":0,"state":"open","turn":1,)"
           R"("variant":""}]})"},
  };
}

}  // namespace talla::core
