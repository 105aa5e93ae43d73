#include "commands.hpp"
#include "format/game_events.hpp"
#include "play.hpp"
#include "shuffle/deck.hpp"
#include "views.hpp"

namespace talla::core {
namespace {

using certs::TableOpenBody;

/// A label for people's reports: printable ASCII, at most 64 characters.
Status check_label(const std::string& label) {
  if (label.size() > 64 || !json::is_ascii(json::Value(label))) {
    return fail(Errc::malformed_request, "game: at most 64 printable ASCII characters");
  }
  return {};
}

/// Deck or range of a catalogue's game, for a client that settles itself.
Result<json::Object> equipment_of(const games::GameRules& game) {
  if (game.shoe) return json::Object{{"deck", game.shoe->deck}};
  if (!game.draw) return fail(Errc::not_settled_here, game.id + " has neither a shoe nor a draw");
  auto specification = certs::specification_of(*game.draw);
  if (!specification) return fail(Errc::not_settled_here, game.id + ": " + specification.error().detail);
  return json::Object{{"range", certs::specification_json(*specification)}};
}

Result<TableOpenBody> client_settled(const Call& call, json::Reader& reader) {
  TableOpenBody open;
  open.settled_by_client = true;
  json::Object parameters;
  if (reader.has("catalogue")) {
    TALLA_TRY(const auto id, reader.string("catalogue"));
    TALLA_TRY(open.game, reader.string("game"));
    const auto catalogue = call.parts.catalogues.by_id(id);
    if (!catalogue) return fail(games::Errc::catalogue_unknown, "no catalogue " + id);
    const auto* game = catalogue->game(open.game);
    if (game == nullptr) return fail(games::Errc::game_unknown, id + " has no game " + open.game);
    TALLA_TRY(parameters, equipment_of(*game));
    open.catalogue = catalogue->digest;
    open.parameters = std::move(parameters);
    return open;
  }
  if (reader.has("deck")) {
    TALLA_TRY(auto text, reader.string("deck"));
    TALLA_TRY(const auto deck, shuffle::DeckSpec::parse(text));
    parameters["deck"] = deck.text();
  } else {
    TALLA_TRY(const auto* range, reader.object("range"));
    TALLA_TRY(const auto specification, certs::specification_from_json(*range));
    parameters["range"] = certs::specification_json(specification);
  }
  if (reader.has("game")) {
    TALLA_TRY(open.game, reader.string("game"));
    TALLA_TRY_STATUS(check_label(open.game));
  }
  open.parameters = std::move(parameters);
  return open;
}

Result<TableOpenBody> appliance_settled(const Call& call, json::Reader& reader) {
  TALLA_TRY(auto catalogue_id, reader.string("catalogue"));
  TALLA_TRY(auto game, reader.string("game"));
  TALLA_TRY(const auto* settings, reader.object("table"));
  auto catalogue = call.parts.catalogues.by_id(catalogue_id);
  if (!catalogue) return fail(games::Errc::catalogue_unknown, "no catalogue " + catalogue_id);
  TALLA_TRY(auto config, games::table_config_from_json(std::move(game), *settings));
  TableOpenBody open;
  open.catalogue = catalogue->digest;
  TALLA_TRY(const auto table, games::Table::open(std::move(catalogue), std::move(config)));
  open.game = table.config().game;
  open.parameters = table.params().json();
  open.currency = table.currency().code;
  open.unit = table.currency().unit.text();
  open.chip = table.currency().chip;
  open.rounding = games::rounding_name(table.currency().rounding);
  open.min = table.min();
  open.max = table.config().max.value_or(0);
  return open;
}

}  // namespace

Outcome open_table(const Call& call) {
  std::size_t open_count = 0;
  for (const auto& [seq, table] : call.world().base().tables) {
    if (!table.closed && table.client == call.client.id) ++open_count;
  }
  if (open_count >= call.parts.settings.tables_per_client_max) {
    return refuse(Errc::limit_exceeded, "this client has too many open tables");
  }
  json::Reader reader(call.body, "table");
  std::string settled_by = "appliance";
  if (reader.has("settled_by")) {
    TALLA_TRY(settled_by, reader.string("settled_by"));
  }
  if (settled_by != "appliance" && settled_by != "client") {
    return refuse(Errc::malformed_request, "settled_by: expected appliance or client");
  }
  TALLA_TRY(auto open,
            settled_by == "client" ? client_settled(call, reader) : appliance_settled(call, reader));
  TALLA_TRY_STATUS(reader.finish());
  const auto catalogue = open.catalogue;
  TALLA_TRY(const auto seq, call.tx.add({certs::Kind::table_open, {}, {}, open.to_json()}));
  if (catalogue != Digest{}) {
    call.tx.group().catalogues.push_back({catalogue, call.parts.catalogues.file(catalogue)});
  }
  const auto view = table_view(call.parts.hashes, call.world(), *call.world().table(seq), {});
  return Done{{{"table", view}}, 201, {}};
}

Outcome close_table(const Call& call, const std::string& table_id) {
  TALLA_TRY_STATUS(json::Reader(call.body, "close").finish());
  TALLA_TRY(const auto* table, working_table(call, table_id));
  const auto seq = table->seq;
  if (table->live_round) {
    return refuse(Errc::round_open, "a round is open",
                  {{"round", certs::object_id("round", *table->live_round)}});
  }
  const auto batches = table->open_batches;
  for (const auto batch : batches) {
    if (!call.world().batch(batch)->open_intents.empty()) return defer();
    TALLA_TRY_STATUS(add_batch_close(call.tx, batch, certs::BatchCloseReason::closed));
  }
  if (const auto shoe = call.world().table(seq)->live_shoe) {
    TALLA_TRY_STATUS(add_shoe_close(call.tx, *shoe));
  }
  const json::Object body{{"rounds", call.world().table(seq)->rounds_count}, {"reason", "closed"}};
  TALLA_TRY(const auto closed, call.tx.add({certs::Kind::table_close, table_id, {}, body}));
  static_cast<void>(closed);
  const auto view = table_view(call.parts.hashes, call.world(), *call.world().table(seq), {});
  return Done{{{"table", view}}, 200, {}};
}

}  // namespace talla::core
