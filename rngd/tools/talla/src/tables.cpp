// talla tables: what stands in the house, and what stood there.
#include <algorithm>
#include <memory>

#include "columns.hpp"
#include "steps.hpp"
#include "times.hpp"

namespace talla::cli {

namespace {

struct TablesOptions {
  std::string place;
  std::string room;
  std::string label;
  std::string game;
  std::string from;
  std::string to;
  bool closed = false;
  int last = 20;
};

Result<std::string> query_of(const TablesOptions& options) {
  std::string query = options.closed ? "?open=false" : "?open=true";
  if (!options.place.empty()) query += "&place=" + escaped(options.place);
  if (!options.room.empty()) query += "&room=" + escaped(options.room);
  if (!options.label.empty()) query += "&label=" + escaped(options.label);
  if (!options.game.empty()) query += "&game=" + escaped(options.game);
  TALLA_TRY(const std::string range, range_query(options.from, options.to));
  return query + range;
}

/// "shoe-18 at 14", "round-21", "bets, deal".
std::string waits_for(const json::Value& table) {
  std::string all;
  const json::Value* needs = table.find("needs");
  if (needs == nullptr || !needs->is_array()) return "its client";
  for (const json::Value& need : needs->array())
    all += (all.empty() ? "" : ", ") + shown(need, "need");
  return all.empty() ? "nothing" : all;
}

std::string now_of(const json::Value& table) {
  std::string now = shown(table, "round");
  const std::string shoe = shown(table, "shoe");
  if (!shoe.empty()) now += (now.empty() ? "" : ", ") + shoe + " at " + shown(table, "position");
  return now.empty() ? "-" : now;
}

Result<const json::Array*> rows_of(const json::Value& reply, std::string_view member) {
  const json::Value* rows = reply.find(member);
  if (rows == nullptr || !rows->is_array())
    return fail(CliErrc::appliance_refused, "the reply has no " + std::string(member));
  return &rows->array();
}

Status print_open(const App& app, const std::string& query, Session& session) {
  TALLA_TRY(const json::Value reply, session.get("/v1/tables" + query));
  TALLA_TRY(const json::Array* tables, rows_of(reply, "tables"));
  std::vector<Cells> rows{{"place", "table", "game", "state", "rounds", "now", "waits for"}};
  for (const json::Value& table : *tables) {
    const std::string game = shown(table, "game");
    rows.push_back({shown(table, "place"), shown(table, "id"), game.empty() ? "-" : game,
                    shown(table, "state"), shown(table, "rounds"), now_of(table),
                    waits_for(table)});
    app.emit(table);
  }
  say_columns(app, "open tables", rows);
  if (tables->empty()) app.say("no open table; talla tables --closed has those of before");
  return {};
}

Status print_closed(const App& app, const TablesOptions& options, const std::string& query,
                    Session& session) {
  std::vector<Cells> rows{{"place", "table", "game", "opened", "closed", "rounds"}};
  std::string before;
  auto left = static_cast<std::size_t>(options.last);
  for (bool more = true; more && left > 0;) {
    TALLA_TRY(const json::Value reply,
              session.get("/v1/tables" + query +
                          "&limit=" + std::to_string(std::min<std::size_t>(left, 100)) + before));
    TALLA_TRY(const json::Array* closed, rows_of(reply, "closed"));
    for (const json::Value& table : *closed) {
      TALLA_TRY(const std::int64_t since, integer_at(table, {"since"}));
      TALLA_TRY(const std::int64_t until, integer_at(table, {"until"}));
      const std::string game = shown(table, "game");
      rows.push_back({shown(table, "place"), shown(table, "id"), game.empty() ? "-" : game,
                      local_time_text(since), local_time_text(until), shown(table, "rounds")});
      app.emit(table);
    }
    left -= std::min(left, closed->size());
    more = shown(reply, "more") == "true";
    TALLA_TRY(const std::int64_t next, integer_at(reply, {"next"}));
    before = "&before=" + std::to_string(next);
  }
  say_columns(app, "closed tables, the newest first", rows);
  if (rows.size() == 1) app.say("no closed table is like that");
  if (rows.size() > 1) app.say("rounds of one: talla log rounds --table TABLE");
  return {};
}

Status print_tables(const App& app, const TablesOptions& options, Session& session) {
  TALLA_TRY(const std::string query, query_of(options));
  return options.closed ? print_closed(app, options, query, session)
                        : print_open(app, query, session);
}

}  // namespace

void add_tables(commandline::Command& root, App& app) {
  auto options = std::make_shared<TablesOptions>();
  auto* command = root.add_subcommand("tables", "the tables that are open, or were");
  command->add_option("--place", options->place,
                      "at this place alone, e.g. \"Mesa 7\" or \"Sala Goya/Mesa 7\"");
  command->add_option("--room", options->room, "in this room alone, e.g. \"Sala Goya\"");
  command->add_option("--label", options->label, "of this name, in whatever room: \"Mesa 7\"");
  command->add_option("--game", options->game, "of this game alone, e.g. blackjack");
  command->add_option("--from", options->from,
                      "open then or later: 23:10, 2026-11-25T23:10 (of this machine's clock) or "
                      "2026-11-25T22:10:00Z");
  command->add_option("--to", options->to, "opened before");
  command->add_flag("--closed", options->closed, "those that are closed, the newest first");
  command->add_option("--last", options->last, "so many closed ones")
      ->range(1, 100'000)
      ->capture_default_str();
  command->callback([&app, options] {
    with_session(app, [&](Session& session) { return print_tables(app, *options, session); });
  });
}

}  // namespace talla::cli
