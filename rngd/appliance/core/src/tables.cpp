// The commands that open and close tables.
#include <algorithm>

#include "catalogues.hpp"
#include "certs/call_key.hpp"
#include "commands.hpp"
#include "contributions.hpp"
#include "format/body_machine.hpp"
#include "format/bounds.hpp"
#include "format/domain.hpp"
#include "format/game_events.hpp"
#include "format/place_counts.hpp"
#include "operations.hpp"
#include "play.hpp"
#include "resume.hpp"
#include "schemas.hpp"
#include "shuffle/deck.hpp"
#include "views.hpp"

namespace talla::core {
namespace {

using certs::TableOpenBody;

/// Seconds; certs/FORMAT.md section 7 has the range.
constexpr std::uint32_t open_within_default = 20;

/// Deck or range of a catalogue's game, for a client that settles itself.
Result<json::Object> equipment_of(const games::GameRules& game) {
  if (game.shoe) return json::Object{{"deck", game.shoe->deck}};
  if (!game.draw) return fail(Errc::not_settled_here, game.id + " has neither a shoe nor a draw");
  auto specification = certs::specification_of(*game.draw);
  if (!specification)
    return fail(Errc::not_settled_here, game.id + ": " + specification.error().detail);
  return json::Object{{"range", certs::specification_json(*specification)}};
}

Result<TableOpenBody> client_settled(const Call& call) {
  TableOpenBody open;
  open.settled_by_client = true;
  open.game = call.body.text_or("game", {});
  if (call.body.has("catalogue")) {
    const auto& id = call.body.text("catalogue");
    const auto catalogue = call.parts.catalogues.by_id(id);
    if (!catalogue) return tl::unexpected(call.parts.catalogues.unknown(id));
    TALLA_TRY(const auto* game, games::find_game(*catalogue, open.game));
    TALLA_TRY(auto parameters, equipment_of(*game));
    open.catalogue = catalogue->digest;
    open.parameters = std::move(parameters);
    return open;
  }
  json::Object parameters;
  if (call.body.has("deck")) {
    TALLA_TRY(const auto deck, shuffle::DeckSpec::parse(call.body.text("deck")));
    parameters["deck"] = deck.text();
  } else {
    TALLA_TRY(const auto specification, certs::specification_from_json(call.body.at("range")));
    parameters["range"] = certs::specification_json(specification);
  }
  open.parameters = std::move(parameters);
  return open;
}

/// `cites`: what TABLE_OPEN rests on.
Result<TableOpenBody> appliance_settled(const Call& call, std::vector<std::uint64_t>& cites) {
  const auto& catalogue_id = call.body.text("catalogue");
  auto catalogue = call.parts.catalogues.by_id(catalogue_id);
  if (!catalogue) return tl::unexpected(call.parts.catalogues.unknown(catalogue_id));
  TALLA_TRY(auto config,
            games::table_config_from_json(call.body.text("game"), call.body.at("table")));
  TableOpenBody open;
  if (const auto* meters = call.body.find("meters")) {
    for (const auto& [word, id] : meters->object()) {
      open.meters.emplace(word, id.string());
      config.shared_meters.push_back(word);
    }
  }
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
  TALLA_TRY(cites, check_meters(call, table, open));
  return open;
}

}  // namespace

Result<std::uint64_t> add_table_end(Transaction& tx, ObjectSeq seq,
                                    std::optional<std::uint64_t> voided) {
  const auto* table = tx.world().table(seq);
  if (!table->panel.document().empty())
    tx.group().documents.push_back({certs::documents::contributors(table->id), {}});
  if (table->again) tx.group().documents.push_back({certs::documents::order(table->id), {}});
  certs::TableCloseBody body{table->open.place, table->open.opened, table->rounds_count,
                             voided.has_value(), table->counts};
  certs::count(body.counts, body);
  std::vector<std::uint64_t> cites;
  if (table->last_round_end) cites.push_back(*table->last_round_end);
  if (voided) cites.push_back(*voided);
  std::ranges::sort(cites);
  TALLA_TRY(const auto closed,
            tx.add({certs::Kind::table_close, table->id, std::move(cites), body.to_json()}));
  tx.group().documents.push_back({certs::documents::place(body.place), std::to_string(closed)});
  return closed;
}

namespace {

/// TABLE_CLOSE, with BATCH_CLOSE and SHOE_CLOSE before it; its seq, or nothing: run it again in the
/// next group.
Result<std::optional<std::uint64_t>> add_table_close(const Call& call, ObjectSeq seq) {
  const auto* table = call.world().table(seq);
  if (table->open_call && table->open_call->others > 0)
    return fail(Errc::turn_open, "the call before is not answered yet");
  const auto batches = table->open_batches;
  for (const auto batch : batches) {
    if (!call.world().batch(batch)->open_calls.empty()) return std::nullopt;
    TALLA_TRY_STATUS(add_batch_close(call.tx, batch, certs::BatchCloseReason::closed));
  }
  if (const auto shoe = call.world().table(seq)->live_shoe) {
    TALLA_TRY_STATUS(add_shoe_close(call.tx, *shoe));
  }
  TALLA_TRY(const auto closed, add_table_end(call.tx, seq));
  call.tx.group().documents.push_back(
      {certs::documents::resume_point(call.world().table(seq)->id), {}});
  return std::optional(closed);
}

/// How the last table at a place ended.
struct PlaceEnd {
  std::uint64_t seq = 0;  ///< of its TABLE_CLOSE, or of the KEY of the place
  std::uint64_t opened = 1;
  certs::PlaceCounts counts;
  std::string origin;  ///< of the log before, which the KEY is about; empty: it was in this one
};

Result<PlaceEnd> stored_end(const certs::Record& record, const std::string& place) {
  PlaceEnd end{record.seq, 1, {}, {}};
  std::string said;
  if (record.kind == certs::Kind::key) {
    TALLA_TRY(const auto body, certs::KeyBody::from_json(record.body));
    end = {record.seq, body.opened, body.counts, body.origin};
    said = body.place;
  } else {
    TALLA_TRY(const auto body, certs::TableCloseBody::from_json(record.body));
    end = {record.seq, body.opened, body.counts, {}};
    said = body.place;
  }
  if (said != place) return fail(Errc::replay_failed, "a place's end is another place's");
  return end;
}

/// What opens besides the record: the seq its TABLE_OPEN cites, and what it takes over.
struct Predecessor {
  std::vector<std::uint64_t> cites;
  std::shared_ptr<const json::Value> carried;
  std::optional<PlaceEnd> end;  ///< of the place that it stands at
};

/// The end of the last table at a place; nothing: it is the first. Errors: place_taken.
Result<std::optional<PlaceEnd>> end_at(const Call& call, const std::string& place) {
  std::optional<PlaceEnd> end;
  for (const auto& [seq, table] : call.world().base().tables) {
    if (table.open.place != place) continue;
    if (!table.closed) return fail(Errc::place_taken, "another table is open at this place");
    end = PlaceEnd{table.last_seq, table.open.opened, table.counts, {}};  // not durable yet
  }
  if (end) return end;
  TALLA_TRY(const auto stored, call.parts.closed_at(place));
  if (!stored) return end;
  TALLA_TRY(end, stored_end(*stored, place));
  return end;
}

/// Who signs the calls of the table: the client, with the key of its certificate.
Status take_key(const Call& call, TableOpenBody& open) {
  const auto& client = call.client;
  if (!client.chain || client.chain->empty() || !certs::check_call_key(as_bytes(client.public_key)))
    return fail(Errc::no_table_key, "a table signs with its client's certificate, on P-256");
  const auto key = as_bytes(client.public_key);
  open.key.assign(key.begin(), key.end());
  for (const auto& one : *client.chain) {
    if (!certs::chain_certificates.holds_count(open.chain.size() + 1)) break;
    const auto der = as_bytes(one);
    open.chain.emplace_back(der.begin(), der.end());
  }
  return {};
}

/// Whether every shoe of the table keeps what nobody opened: the rules say it, or the client of
/// each shoe.
bool has_covered_shoes(const Call& call, const TableOpenBody& open) {
  if (open.settled_by_client) return open.parameters.find("deck") != nullptr;
  const auto catalogue = call.parts.catalogues.by_digest(open.catalogue);
  const auto* game = catalogue ? catalogue->game(open.game) : nullptr;
  return game != nullptr && game->shoe && game->shoe->covered;
}

/// Who must contribute, how long anybody has to open, what a mix is and picks from.
Status take_policy(const Call& call, TableOpenBody& open) {
  auto& policy = open.policy;
  policy.open_within = open_within_default;
  if (call.body.has("open_within")) policy.open_within = call.body.u32("open_within");
  if (call.body.has("max_voids")) policy.max_voids = call.body.u32("max_voids");
  if (call.body.text_or("mix", "shoe") == "round") policy.mix = certs::MixRule::round;
  if (open.settled_by_client && policy.mix == certs::MixRule::round)
    return fail(Errc::malformed_request,
                "mix: a table that its client settles has no rounds: its shoes are mixed once");
  if (call.body.has("candidates")) policy.candidates = call.body.u32("candidates");
  if (policy.candidates > 1 && !has_covered_shoes(call, open))
    return fail(Errc::malformed_request,
                "candidates: 1 here: roots are picked from where a shoe is covered; of another "
                "every card is seen at its close");
  for (const auto& item : call.body.list("required")) {
    TALLA_TRY(auto key, from_base64(item.string()));
    TALLA_TRY_STATUS(check_contributor_key(key));
    if (key == open.key) return fail(Errc::duplicate, "key: it is the table's");
    policy.required.push_back(std::move(key));
  }
  std::ranges::sort(policy.required);
  if (std::ranges::adjacent_find(policy.required) != policy.required.end())
    return fail(Errc::malformed_request, "required: a key stands twice");
  return {};
}

/// Where the table stands: a name of the house, that of the table it goes on with, or its own id.
Status take_place(const Call& call, const Table* continued, Predecessor& before,
                  TableOpenBody& open) {
  const auto named = call.body.text_or("place", {});
  if (!named.empty() && certs::object_seq("table", named))
    return fail(Errc::malformed_request, "place: not the id of a table");
  open.place = named;
  if (continued != nullptr) {
    if (!named.empty() && named != continued->open.place)
      return fail(Errc::malformed_request,
                  "place: the table that it goes on with stands elsewhere");
    open.place = continued->open.place;
    before.end = PlaceEnd{continued->last_seq, continued->open.opened, continued->counts, {}};
  } else if (!named.empty()) {
    TALLA_TRY(before.end, end_at(call, named));
  } else {
    open.place = certs::object_id("table", call.tx.next_seq());
  }
  if (!before.end) return {};
  open.opened = before.end->opened + 1;
  open.counts = before.end->counts;
  open.predecessor = before.end->origin;
  before.cites.push_back(before.end->seq);
  return {};
}

/// Between rounds and between shoes, and only limits and parameters change: shoe and draws are
/// committed under them.
Status check_continued(const Table& before, const TableOpenBody& open) {
  if (open.settled_by_client || !before.rules)
    return fail(Errc::not_settled_here, "only a table that the appliance settles is continued");
  const bool same = open.catalogue == before.open.catalogue && open.game == before.open.game &&
                    open.currency == before.open.currency && open.unit == before.open.unit &&
                    open.chip == before.open.chip && open.rounding == before.open.rounding &&
                    open.meters == before.open.meters;
  if (!same)
    return fail(Errc::malformed_request,
                "continues: catalogue, game, currency, unit, chip, rounding and meters stay those "
                "of the table");
  return {};
}

/// Closes the table that this one continues. Nothing: run it again in the next group.
Result<std::optional<Predecessor>> close_continued(const Call& call, const std::string& id,
                                                   TableOpenBody& open) {
  TALLA_TRY(const auto* before, working_table(call, id));
  TALLA_TRY_STATUS(check_continued(*before, open));
  if (before->live_round) return fail(Errc::round_open, "limits change between rounds");
  if (before->live_shoe)
    return fail(Errc::shoe_live, "limits change between shoes: close the shoe first");
  Predecessor out;
  out.carried =
      std::make_shared<const json::Value>(before->engine().carried(*before->rules, *before->state));
  TALLA_TRY(const auto next, open_rules(call.parts.catalogues.by_digest(open.catalogue), open));
  if (const auto taken = next.engine().resume(next, *out.carried); !taken) {
    return fail(Errc::wrong_state,
                "what the last round left does not fit: " + taken.error().text());
  }
  open.continues = id;
  open.carried = certs::state_digest(call.parts.hashes, *out.carried);
  TALLA_TRY(const auto closed, add_table_close(call, before->seq));
  if (!closed) return std::nullopt;
  return std::optional(std::move(out));
}

}  // namespace

Outcome open_table(const Call& call) {
  std::size_t open_count = 0;
  for (const auto& [seq, table] : call.world().base().tables) {
    if (!table.closed && table.client == call.client.id) ++open_count;
  }
  const bool continued = call.body.has("continues");
  if (!continued && open_count >= call.parts.settings.tables_per_client_max) {
    return refuse(Errc::limit_exceeded, "this client has too many open tables");
  }
  const bool by_client = call.body.text_or("settled_by", "appliance") == "client";
  Predecessor before;
  TALLA_TRY(auto open, by_client ? client_settled(call) : appliance_settled(call, before.cites));
  if (continued) {
    TALLA_TRY(auto closed, close_continued(call, call.body.text("continues"), open));
    if (!closed) return defer();
    before.carried = std::move(closed->carried);
  }
  const auto* goes_on =
      continued ? call.world().table(*certs::object_seq("table", open.continues)) : nullptr;
  TALLA_TRY_STATUS(take_place(call, goes_on, before, open));
  TALLA_TRY_STATUS(take_key(call, open));
  TALLA_TRY_STATUS(take_policy(call, open));
  const auto catalogue = open.catalogue;
  const bool linked = before.end && before.end->origin.empty();
  const auto follows = linked ? std::optional(before.end->seq) : std::nullopt;
  TALLA_TRY(const auto seq,
            call.tx.add({certs::Kind::table_open, {}, before.cites, open.to_json(), {}, follows},
                        {nullptr, nullptr, {}, before.carried}));
  if (before.carried) {
    const auto id = certs::object_id("table", seq);
    call.tx.group().documents.push_back(
        {certs::documents::state(id), json::canonical(*before.carried)});
  }
  if (catalogue != Digest{}) {
    call.tx.group().catalogues.push_back({catalogue, call.parts.catalogues.file(catalogue)});
  }
  const auto view = table_view(call.parts.hashes, call.world(), *call.world().table(seq), {});
  return Done{{{"table", view}}, 201, {}};
}

Outcome close_table(const Call& call, const std::string& table_id) {
  TALLA_TRY(const auto* table, working_table(call, table_id));
  const auto seq = table->seq;
  if (table->live_round) {
    return refuse(Errc::round_open, "a round is open",
                  {{"round", certs::object_id("round", *table->live_round)}});
  }
  TALLA_TRY(const auto closed, add_table_close(call, seq));
  if (!closed) return defer();
  const auto view = table_view(call.parts.hashes, call.world(), *call.world().table(seq), {});
  return Done{{{"table", view}}, 200, {}};
}

namespace {

/// A game that the appliance settles, or a game's equipment, a deck or a range that the client
/// settles itself.
Schema open_table_schema() {
  const auto catalogue = required("catalogue", Schema::text(1).about("id, e.g. es-1977"));
  const auto game = required("game", Schema::text(1).about("id of the game in its catalogue"));
  const auto client = required("settled_by", Schema::exactly("client"));
  const auto continues = optional(
      "continues", Schema::id("table").about(
                       "a table of the same game goes on as this one, under other limits or "
                       "parameters: it is closed, and what outlives its rounds moves over"));
  const auto place = optional(
      "place", Schema::text(1, certs::place_name_length.max)
                   .about("lasting name of the table in the house, with its room before a / where "
                          "there are several (Sala Goya/Mesa 7): its history there goes on; "
                          "without it the table is a place of its own"));
  const auto within = optional(
      "open_within", Schema::integer(certs::open_within_seconds)
                         .about("seconds in which further contributors open; who has not is left "
                                "out by a VOID")
                         .otherwise(std::int64_t{open_within_default}));
  const auto voids =
      optional("max_voids",
               Schema::integer(certs::voids_allowed)
                   .about("VOIDs of a round, or outside rounds of a shoe or batch, behind which "
                          "two persons must order each further call")
                   .otherwise(std::int64_t{certs::CallPolicy().max_voids}));
  const auto must = optional(
      "required", Schema::list(key_schema(), 1, static_cast<std::size_t>(certs::call_others.max))
                      .about("keys of contributors without whom no call of the table stands"));
  const auto mix = optional(
      "mix", Schema::one_of({"shoe", "round"})
                 .about("when the order of a shoe is mixed: once, or behind the bets of each round "
                        "too, so that nobody knows a card of a round while bets can be made; only "
                        "where the appliance settles")
                 .otherwise("shoe"));
  const auto candidates =
      optional("candidates",
               Schema::integer(certs::mix_candidates)
                   .about("roots that each covered shoe is sealed with: its first call picks one, "
                          "all others are opened, so that a shoe of the wrong composition escapes "
                          "with the probability of one in so many")
                   .otherwise(std::int64_t{1}));
  const auto label = optional("game", Schema::text(0, 64).about("a label for reports"));
  return Schema::either(
      {Schema::object(
           {catalogue, game, required("table", table_settings_schema()),
            optional("settled_by", Schema::exactly("appliance")),
            optional("meters", Schema::map(Schema::id("meter"))
                                   .about("meters that it shares with other tables, on their "
                                          "terms: the game's word and the id")),
            continues, place, within, voids, must, mix, candidates}),
       Schema::object({client, catalogue, game, place, within, voids, must, mix, candidates}),
       Schema::object({client, required("deck", Schema::text(1).about("deck, e.g. french52x8")),
                       label, place, within, voids, must, mix, candidates}),
       Schema::object({client, required("range", specification_schema()), label, place, within,
                       voids, must, mix})});
}

}  // namespace

std::vector<Operation> table_operations() {
  const auto reply = reply_of("TableReply", "table", table_schema(), {receipts_member()});
  return {
      {.row = {"openTable", "POST", "/v1/tables", {Role::table}, true},
       .handler = open_table,
       .words = {"tables", "Open a table",
                 "A game of a catalogue, whose bets the appliance settles by the rules; or the "
                 "equipment of a game, a deck or a range of draws for a client that settles "
                 "itself."},
       .body = Schema::named("OpenTable", open_table_schema()),
       .query = {},
       .replies = {{reply, 201}},
       .example_body = R"({"catalogue":"es-aragon-2010","game":"blackjack",)"
                       R"("table":{"currency":"EUR","min":10,"unit":1}})",
       .example_reply =
           R"({"receipts":[{"proof":"c2sp.org/tlog-proof@v1\n",)"
           R"("record":"{}"}],"table":{"batches":[],)"
           R"("catalogue":"5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("contributors":[],"currency":"EUR","game":"blackjack",)"
           R"("head":"00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff",)"
           R"("id":"table-4","last":4,"max":0,"min":10,"opened":1,)"
           R"("parameters":{},"place":"Mesa 7","policy":{"candidates":1,"max_voids":1,)"
           R"("mix":"shoe","open_within":20,"required":[]},)"
           R"("rounds":0,"settled_by":"appliance","shoes":0,"state":"open","turn":1,)"
           R"("variant":""}})"},
      {.row = {"closeTable", "POST", "/v1/tables/{table}/close", {Role::table}, true},
       .handler = close_table,
       .words = {"tables", "Close a table with its shoe and batches",
                 "Between rounds. What is unused is opened."},
       .body = nothing_schema(),
       .query = {},
       .replies = {{reply}},
       .example_body = "{}",
       .example_reply =
           R"({"receipts":[{"proof":"c2sp.org/tlog-proof@v1\n",)"
           R"("record":"{}"}],"table":{"batches":[],)"
           R"("catalogue":"5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("contributors":[],"currency":"EUR","game":"blackjack",)"
           R"("head":"00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff",)"
           R"("id":"table-4","last":4,"max":0,"min":10,"opened":1,)"
           R"("parameters":{},"place":"Mesa 7","policy":{"candidates":1,"max_voids":1,)"
           R"("mix":"shoe","open_within":20,"required":[]},)"
           R"("rounds":0,"settled_by":"appliance","shoes":0,"state":"closed","turn":1,)"
           R"("variant":""}})"},
  };
}

}  // namespace talla::core
