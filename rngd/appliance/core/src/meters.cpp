// Meters that several tables feed and win from: opened, moved by rounds, closed.
#include <algorithm>

#include "catalogues.hpp"
#include "commands.hpp"
#include "format/domain.hpp"
#include "format/game_events.hpp"
#include "operations.hpp"
#include "play.hpp"
#include "schemas.hpp"
#include "views.hpp"

namespace talla::core {
namespace {

using certs::MeterOpenBody;

constexpr std::size_t meters_max = 256;

/// Ids of the open tables that share the meter, for a refusal; empty: none does.
std::string tables_of(const World& world, const std::string& meter) {
  std::string out;
  for (const auto& [seq, table] : world.tables) {
    const bool shares = std::ranges::any_of(
        table.open.meters, [&](const auto& entry) { return entry.second == meter; });
    if (shares && !table.closed) out += (out.empty() ? "" : ", ") + table.id;
  }
  return out;
}

Result<const SharedMeter*> open_meter_of(const Call& call, const std::string& id) {
  const auto seq = certs::object_seq("meter", id);
  const auto* meter = seq ? call.world().meter(*seq) : nullptr;
  if (meter == nullptr || meter->closed)
    return fail(Errc::not_found, "no open meter " + id.substr(0, 40));
  return meter;
}

/// METER_CLOSE of a meter that no open table shares; its seq.
Result<std::uint64_t> add_meter_close(const Call& call, const SharedMeter& meter) {
  const auto tables = tables_of(call.world().base(), meter.id);
  if (!tables.empty()) return fail(Errc::meter_in_use, meter.id + " is shared by " + tables);
  const certs::MeterCloseBody body{meter.value};
  TALLA_TRY(const auto seq, call.tx.add({certs::Kind::meter_close, meter.id, {}, body.to_json()}));
  return seq;
}

/// Game, money and terms of the request, as a table with these settings has them; `value` is what
/// the terms begin with.
Result<MeterOpenBody> read_meter(const Call& call) {
  MeterOpenBody out;
  const auto& catalogue_id = call.body.text("catalogue");
  out.meter = call.body.text("meter");
  auto catalogue = call.parts.catalogues.by_id(catalogue_id);
  if (!catalogue) return tl::unexpected(call.parts.catalogues.unknown(catalogue_id));
  TALLA_TRY(auto config,
            games::table_config_from_json(call.body.text("game"), call.body.at("table")));
  out.catalogue = catalogue->digest;
  TALLA_TRY(const auto table, games::Table::open(std::move(catalogue), std::move(config)));
  auto terms = table.engine().meter_terms(table, out.meter);
  if (!terms) {
    return fail(Errc::malformed_request, "meter: such a table has no meter " +
                                             out.meter.substr(0, 40) + " that tables share");
  }
  out.game = table.config().game;
  out.currency = table.currency().code;
  out.unit = table.currency().unit.text();
  out.terms = std::move(*terms);
  out.value = out.terms.find("opening")->integer();
  return out;
}

/// The meter whose rest the new one takes over is closed; what METER_OPEN cites.
Result<std::uint64_t> take_over(const Call& call, MeterOpenBody& body) {
  TALLA_TRY(const auto* before, open_meter_of(call, body.continues));
  const auto& open = before->open;
  if (open.meter != body.meter || open.game != body.game || open.currency != body.currency ||
      open.unit != body.unit)
    return fail(Errc::malformed_request, "continues: meter, game, currency and unit stay");
  body.value = before->value;
  return add_meter_close(call, *before);
}

}  // namespace

Outcome open_meter(const Call& call) {
  if (call.world().base().meters.size() >= meters_max)
    return refuse(Errc::limit_exceeded, "too many meters are open");
  TALLA_TRY(auto body, read_meter(call));
  if (call.body.has("value") && call.body.has("continues"))
    return refuse(Errc::malformed_request,
                  "value: what a continued meter left is what the new one begins with");
  if (call.body.has("value")) {
    const auto value = call.body.integer("value");
    if (value < body.value)
      return refuse(Errc::malformed_request, "value: at least what the terms begin with");
    body.value = value;
  }
  body.continues = call.body.text_or("continues", {});
  std::vector<std::uint64_t> cites;
  if (!body.continues.empty()) {
    TALLA_TRY(const auto closed, take_over(call, body));
    cites.push_back(closed);
  }
  const auto catalogue = body.catalogue;
  TALLA_TRY(const auto seq,
            call.tx.add({certs::Kind::meter_open, {}, std::move(cites), body.to_json()}));
  call.tx.group().catalogues.push_back({catalogue, call.parts.catalogues.file(catalogue)});
  return Done{{{"meter", meter_view(*call.world().meter(seq), {})}}, 201, {}};
}

Outcome close_meter(const Call& call, const std::string& meter_id) {
  TALLA_TRY(const auto* meter, open_meter_of(call, meter_id));
  const auto seq = meter->seq;
  TALLA_TRY_STATUS(add_meter_close(call, *meter));
  return Done{{{"meter", meter_view(*call.world().meter(seq), {})}}, 200, {}};
}

Result<std::vector<std::uint64_t>> check_meters(const Call& call, const games::Table& rules,
                                                const certs::TableOpenBody& open) {
  std::vector<std::uint64_t> cites;
  for (const auto& [word, id] : open.meters) {
    TALLA_TRY(const auto* meter, open_meter_of(call, id));
    const auto& body = meter->open;
    const bool same = body.meter == word && body.catalogue == open.catalogue &&
                      body.game == open.game && body.variant == open.variant &&
                      body.currency == open.currency && body.unit == open.unit;
    if (!same)
      return fail(Errc::malformed_request, "meters: " + id + " is of another game, meter or money");
    const auto terms = rules.engine().meter_terms(rules, word);
    if (!terms || *terms != body.terms) {
      return fail(Errc::meter_terms_differ, id + ": stake, contribution, prizes and beginning of " +
                                                word + " must be those of the meter");
    }
    cites.push_back(meter->seq);
  }
  return cites;
}

Status read_meters(Transaction& tx, ObjectSeq round_seq) {
  const auto* round = tx.world().round(round_seq);
  const auto* table = tx.world().table(round->table);
  if (table->open.meters.empty()) return {};
  // The rules say first what they make of the amounts, so that each record holds both sides of its
  // move.
  auto trial = driver_of(*table, nullptr);
  std::vector<std::pair<std::string, certs::MeterBody>> moves;
  for (;;) {
    const auto needs = trial.needs();
    const auto* due = games::find_need<games::ReadMeter>(needs);
    if (due == nullptr) break;
    const auto& id = table->open.meters.at(due->meter);
    TALLA_TRY(const auto seq, certs::object_seq("meter", id));
    const auto* meter = tx.world().meter(seq);
    if (meter == nullptr || meter->closed) return fail(Errc::wrong_state, id + " is closed");
    certs::MeterBody body;
    body.meter = due->meter;
    body.round = round->id;
    body.before = meter->value;
    TALLA_TRY_STATUS(trial.apply(certs::meter_event(body)));
    moves.emplace_back(id, std::move(body));
  }
  const auto moved = trial.meters();
  const std::vector<std::uint64_t> cites{round->bets_closed.value_or(round_seq)};
  for (auto& [id, body] : moves) {
    const auto after = std::ranges::find(moved, body.meter, &games::Meter::id);
    if (after == moved.end())
      return fail(Errc::replay_failed, "the rules do not know the meter they read");
    body.contribution = after->contribution;
    body.award = after->award;
    body.after = after->value;
    TALLA_TRY_STATUS(tx.add({certs::Kind::meter, id, cites, body.to_json()}));
  }
  return {};
}

std::vector<Operation> meter_operations() {
  const auto reply = reply_of("MeterReply", "meter", meter_schema(), {receipts_member()});
  return {
      {.row = {"openMeter", "POST", "/v1/meters", {Role::operator_}, true},
       .handler = open_meter,
       .words = {"meters", "Open a meter that several tables share",
                 "A carrousel or a common jackpot. The settings are those of a table that is to "
                 "share it; they give the terms, which are the same at every such table."},
       .body = Schema::object(
           {required("catalogue", Schema::text(1).about("id, e.g. es-aragon-2010")),
            required("game", Schema::text(1)),
            required("meter", Schema::text(1).about("the game's word for it")),
            required("table", table_settings_schema()),
            optional("value", Schema::integer(0, games::units_max)
                                  .about("what it begins with, units; without it what the terms "
                                         "say, which is the least")),
            optional("continues", Schema::id("meter").about("a meter that no table shares any "
                                                            "more: it is closed, and what is "
                                                            "left in it goes over"))}),
       .query = {},
       .replies = {{reply, 201}},
       .example_body = R"({"catalogue":"es-aragon-2010","game":"caribbean-stud",)"
                       R"("meter":"carrusel","table":{"currency":"EUR","min":10,)"
                       R"("params":{"carrousel":true},"unit":1},"value":500})",
       .example_reply =
           R"()"
           R"({"meter":{"catalogue":)"
           R"("5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("currency":"EUR","game":"caribbean-stud","id":"meter-6","meter":"carrusel",)"
           R"("state":"open","tables":[],"terms":{},"unit":"1","value":500},)"
           R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"}]})"},
      {.row = {"closeMeter", "POST", "/v1/meters/{meter}/close", {Role::operator_}, true},
       .handler = close_meter,
       .words = {"meters", "Close a meter that no open table shares", "What is in it stays."},
       .body = nothing_schema(),
       .query = {},
       .replies = {{reply}},
       .example_body = "{}",
       .example_reply =
           R"()"
           R"({"meter":{"catalogue":)"
           R"("5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("currency":"EUR","game":"caribbean-stud","id":"meter-6","meter":"carrusel",)"
           R"("state":"closed","tables":[],"terms":{},"unit":"1","value":500},)"
           R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"}]})"},
  };
}

}  // namespace talla::core
