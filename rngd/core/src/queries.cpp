#include <algorithm>

#include "cards.hpp"
#include "catalogues.hpp"
#include "certs/bundle_maker.hpp"
#include "core.hpp"
#include "games/catalogue.hpp"
#include "seats.hpp"
#include "views.hpp"

namespace talla::core {
namespace {

Reply json_reply(json::Object body) {
  Reply reply;
  reply.body = json::canonical(json::Value(std::move(body)));
  return reply;
}

tl::unexpected<Error> not_found(std::string_view what) {
  return fail(Errc::not_found, "no such " + std::string(what));
}

json::Object source_facts(const entropy::Evidence& evidence, const entropy::SourceEvidence& source,
                          const entropy::SourceMetrics& figures) {
  return {{"model", source.model},
          {"serial", source.serial},
          {"class", entropy::source_class_name(source.source_class)},
          {"credited", source.credited && !evidence.uncertified},
          {"verdict", entropy::verdict_name(source.verdict)},
          {"lost", source.lost},
          {"required", source.required},
          {"independent", source.independent},
          {"millibits", source.assessed_millibits_per_sample},
          {"bits", source.bits_per_sample},
          {"nominal_rate", source.nominal_rate_hz},
          {"samples", figures.raw_samples},
          {"credited_bits", evidence.uncertified ? 0 : figures.credited_millibits / 1000},
          {"alarms", figures.level1_events + figures.level2_events}};
}

json::Object source_view(const entropy::Evidence& evidence, std::size_t index,
                         const entropy::SourceMetrics& figures) {
  const auto& source = evidence.sources[index];
  json::Object view = source_facts(evidence, source, figures);
  if (source.source_class != entropy::SourceClass::raw_physical) return view;
  view["assessment"] = entropy::assessment_origin_name(source.assessment.origin);
  if (!source.assessment.digest.empty()) view["assessment_digest"] = source.assessment.digest;
  return view;
}

Result<std::uint64_t> number_of(const Route& route, std::string_view name, std::uint64_t fallback,
                                std::uint64_t max) {
  const auto found = route.query.find(name);
  if (found == route.query.end()) return fallback;
  return parse_number(found->second, max);
}

Result<std::string> language_of(const Route& route) {
  const auto found = route.query.find("language");
  if (found == route.query.end()) return std::string("en");
  if (found->second != "en" && found->second != "es")
    return fail(Errc::malformed_request, "language: expected en or es");
  return found->second;
}

/// A copy of one of its covered cards is for the key of this seat, also when the round is over (PROTOCOL section 4.3).
bool was_dealt_to(const Shoe& shoe, const Client& client) {
  if (!client.roles.has(Role::seat) || client.spki.empty()) return false;
  return std::ranges::any_of(shoe.covered, [&](const auto& entry) {
    return std::ranges::any_of(entry.second.copies,
                               [&](const auto& copy) { return to_hex(copy.key) == client.spki; });
  });
}

}  // namespace

bool Service::Core::sees(const Client& client, const Table& table) const {
  if (table.client == client.id || client.roles.meets(overseers)) return true;
  const auto* round = live_round(table);
  return round != nullptr && seat_of(client, *round).has_value();
}

std::optional<Reply> Service::Core::proof_query(const Request& request) {
  if (failed_ || request.method != "GET") return std::nullopt;
  const auto route = find_route(request.method, request.path);
  if (!route) return std::nullopt;
  switch (route->row->operation) {
    case Operation::get_bundle:
    case Operation::get_receipt:
    case Operation::get_request:
    case Operation::get_checkpoint:
    case Operation::get_cosigned:
    case Operation::get_proof:
    case Operation::get_log_keys:
      break;
    default:
      return std::nullopt;
  }
  if (auto reply = turned_away(request, route)) return reply;
  auto reply = text_query(request, *route);
  return reply ? std::move(*reply) : problem_reply(Refusal(reply.error()));
}

Reply Service::Core::query(const Request& request, const Route& route) {
  if (route.row->operation == Operation::get_openings) {
    auto file = openings_reply(request, route);
    return file ? std::move(*file) : problem_reply(Refusal(file.error()));
  }
  auto body = query_object(request, route);
  return body ? json_reply(std::move(*body)) : problem_reply(Refusal(body.error()));
}

Result<Reply> Service::Core::text_query(const Request& request, const Route& route) {
  Reply reply;
  if (route.row->operation == Operation::get_checkpoint) {
    TALLA_TRY(reply.body, effects_.log.checkpoint(effects_.log.size()));
    reply.content_type = "text/plain; charset=utf-8";
    return reply;
  }
  if (route.row->operation == Operation::get_cosigned) {
    const auto cosigned = effects_.cosigned ? effects_.cosigned(std::nullopt) : std::nullopt;
    if (!cosigned) return not_found("cosigned checkpoint");
    reply.body = cosigned->note;
    reply.content_type = "text/plain; charset=utf-8";
    return reply;
  }
  if (route.row->operation == Operation::get_log_keys) return log_keys_reply();
  if (route.row->operation == Operation::get_request) return stored_request(request, route);
  const auto seq = parse_number(route.argument("seq"), json::integer_max);
  if (!seq || *seq >= effects_.log.size()) return not_found("record");
  const bool proves =
      route.row->operation == Operation::get_bundle || route.row->operation == Operation::get_proof;
  if (settings_.ended && proves && *seq >= settings_.ended->size)
    return fail(Errc::log_ended, "the record is behind the end of the log: it counts for nothing");
  TALLA_TRY(auto record, effects_.log.ledger().record(*seq));
  if (!events_.visible(request.client, record) && !seated(request.client, record)) return not_found("record");
  if (route.row->operation == Operation::get_bundle) {
    TALLA_TRY(reply.body, bundle(request, *seq));
    return reply;
  }
  if (route.row->operation == Operation::get_proof) {
    TALLA_TRY(reply.body, newest_proof(std::move(record)));
    return reply;
  }
  TALLA_TRY(const auto receipt, effects_.log.prover().receipt_of(std::move(record)));
  reply.body = certs::format_receipt(receipt);
  return reply;
}

/// Of a cosigned checkpoint where one covers the record, else of the newest: the stored receipt stays what it is.
Result<std::string> Service::Core::newest_proof(certs::LedgerRecord record) {
  certs::TlogProof proof{.index = record.seq, .path = {}, .checkpoint = {}};
  auto cosigned = effects_.cosigned ? effects_.cosigned(record.seq) : std::nullopt;
  const std::uint64_t size = cosigned ? cosigned->size : effects_.log.size();
  TALLA_TRY(proof.path, effects_.log.inclusion(record.seq, size));
  if (cosigned) {
    proof.checkpoint = std::move(cosigned->note);
  } else {
    TALLA_TRY(proof.checkpoint, effects_.log.checkpoint(size));
  }
  return certs::format_receipt({.proof = certs::format_proof(proof), .record = std::move(record.bytes)});
}

Result<std::string> Service::Core::bundle(const Request& request, std::uint64_t seq) {
  static_cast<void>(request);
  certs::BundleRequest wanted;
  wanted.claim = seq;
  wanted.size = effects_.log.size();  // before the keys: they say of every smaller size who signed it
  auto keys = log_keys();
  wanted.log_key = std::move(keys.present);
  wanted.retired = std::move(keys.retired);
  TALLA_TRY(const auto record, effects_.log.ledger().record(seq));
  if (record.kind == certs::Kind::settlement) {
    TALLA_TRY(const auto text, effects_.log.ledger().draft(state_document(record.object)));
    if (!text) return not_found("state of this round");
    TALLA_TRY(wanted.state_before, json::parse(*text));
  }
  auto cosigned = effects_.cosigned ? effects_.cosigned(seq) : std::nullopt;
  if (cosigned) wanted.size = cosigned->size;
  TALLA_TRY(auto made, certs::make_bundle(effects_.log, wanted));
  if (cosigned) made.checkpoint = std::move(cosigned->note);
  return certs::format_bundle(made);
}

Result<Reply> Service::Core::stored_request(const Request& request, const Route& route) {
  TALLA_TRY(const auto all, effects_.log.ledger().replies(request.client.id, route.argument("key")));
  const auto path = route.query.find("path");
  std::vector<const certs::StoredReply*> found;
  for (const auto& one : all) {
    // A reply that is just becoming durable is not there yet.
    const auto durable = [this](std::uint64_t seq) { return seq < effects_.log.size(); };
    if (!std::ranges::all_of(one.seqs, durable)) continue;
    if (path == route.query.end() || one.id.path == path->second) found.push_back(&one);
  }
  if (found.empty()) return not_found("request of this client");
  if (found.size() > 1) return fail(Errc::malformed_request, "the key was used on several paths: add path=");
  Reply reply;
  reply.status = found.front()->status;
  TALLA_TRY(reply.body, effects_.log.reply_body(*found.front()));
  return reply;
}

Result<json::Object> Service::Core::query_object(const Request& request, const Route& route) {
  switch (route.row->operation) {
    case Operation::list_tables: {
      json::Array tables;
      const Overlay world(world_);
      for (const auto& [seq, table] : world_.tables) {
        if (!sees(request.client, table)) continue;
        tables.emplace_back(table_view(context_.hashes, world, table, viewer_of(request.client, nullptr)));
      }
      return json::Object{{"tables", std::move(tables)}};
    }
    case Operation::get_events: {
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
    case Operation::get_catalogues: {
      TALLA_TRY(const std::string language, language_of(route));
      json::Array all;
      for (const auto& catalogue : catalogues_->built_in())
        all.push_back(games::describe(*catalogue, language));
      return json::Object{{"catalogues", std::move(all)}};
    }
    case Operation::get_game: {
      const auto catalogue = catalogues_->by_id(route.argument("catalogue"));
      if (!catalogue) return not_found("game");
      const auto game = games::find_game(*catalogue, route.argument("game"));
      if (!game && game.error().is(games::Errc::decree_missing)) {
        return tl::unexpected(game.error());
      }
      if (!game) return not_found("game");
      TALLA_TRY(const std::string language, language_of(route));
      const auto text = games::describe(*catalogue, **game, language);
      return json::Object(text.object());
    }
    case Operation::list_rounds:
      return rounds_view(request, route);
    case Operation::list_meters: {
      json::Array meters;
      for (const auto& [seq, meter] : world_.meters)
        meters.emplace_back(shared_meter_view(request.client, meter));
      return json::Object{{"meters", std::move(meters)}};
    }
    case Operation::get_incomplete:
      return incomplete_view(request);
    case Operation::get_status:
      return status_view();
    case Operation::get_software: {
      auto software = software_view();
      if (effects_.software != nullptr && effects_.software->manifest())
        software["signed_manifest"] = effects_.software->signed_manifest();
      return json::Object{{"software", std::move(software)}};
    }
    case Operation::list_acts:
    case Operation::get_act:
      return acts_view(route);
    default:
      return object_view(request, route);
  }
}

Result<json::Object> Service::Core::object_view(const Request& request, const Route& route) {
  const Overlay world(world_);
  const auto& client = request.client;
  const auto find = [&](std::string_view object_class, const auto& map) {
    const auto seq = certs::object_seq(object_class, route.argument(object_class));
    return seq ? map.find(*seq) : map.end();
  };
  if (route.row->operation == Operation::get_table) {
    const auto found = find("table", world_.tables);
    if (found == world_.tables.end()) return past_view(request, "table", route.argument("table"));
    if (!sees(client, found->second)) return not_found("table");
    const auto viewer = viewer_of(client, live_round(found->second));
    return json::Object{{"table", table_view(context_.hashes, world, found->second, viewer)}};
  }
  if (route.row->operation == Operation::get_meter) {
    const auto found = find("meter", world_.meters);
    if (found == world_.meters.end()) return past_view(request, "meter", route.argument("meter"));
    return json::Object{{"meter", shared_meter_view(client, found->second)}};
  }
  if (route.row->operation == Operation::get_release) {
    const auto found = find("shoe", world_.shoes);
    if (found == world_.shoes.end() || !released_to(found->second, client)) return not_found("release");
    return release_of(request, found->second);
  }
  if (route.row->operation == Operation::get_shoe || route.row->operation == Operation::get_card) {
    const auto found = find("shoe", world_.shoes);
    const bool card = route.row->operation == Operation::get_card;
    if (found == world_.shoes.end() && card) return not_found("card of an open shoe");
    if (found == world_.shoes.end()) return past_view(request, "shoe", route.argument("shoe"));
    const bool for_its_key = card ? was_dealt_to(found->second, client) : released_to(found->second, client);
    if (!for_its_key && !sees(client, world_.tables.at(found->second.table))) return not_found("shoe");
    if (card) return card_view(request, route, found->second);
    return json::Object{{"shoe", shoe_view(found->second)}};
  }
  const auto found = find("round", world_.rounds);
  if (found == world_.rounds.end()) return past_view(request, "round", route.argument("round"));
  if (!sees(client, world_.tables.at(found->second.table))) return not_found("round");
  return json::Object{
      {"round", round_view(context_.hashes, world, found->second, viewer_of(client, &found->second))}};
}

json::Object Service::Core::shared_meter_view(const Client& client, const SharedMeter& meter) const {
  json::Array tables;
  for (const auto& [seq, table] : world_.tables) {
    const bool shares =
        std::ranges::any_of(table.open.meters, [&](const auto& entry) { return entry.second == meter.id; });
    if (shares && sees(client, table)) tables.emplace_back(table.id);
  }
  return meter_view(meter, std::move(tables));
}

const Round* Service::Core::live_round(const Table& table) const {
  const auto found = table.live_round ? world_.rounds.find(*table.live_round) : world_.rounds.end();
  return found == world_.rounds.end() ? nullptr : &found->second;
}

Result<json::Object> Service::Core::card_view(const Request& request, const Route& route, const Shoe& shoe) {
  TALLA_TRY(const auto position, parse_number(route.argument("position"), UINT32_MAX));
  TALLA_TRY(const auto recommits, number_of(route, "recommits", shoe.recommits(), UINT32_MAX));
  const auto found =
      shoe.covered.find({static_cast<std::uint32_t>(recommits), static_cast<std::uint32_t>(position)});
  // What is not durable yet is no card yet: its copies are in the running group.
  if (found == shoe.covered.end() || found->second.deal_seq >= effects_.log.size()) {
    return fail(Errc::card_not_covered, "no card was dealt covered at this position");
  }
  TALLA_TRY(auto copies, read_copies(effects_.log.ledger(), effects_.sealer, effects_.log.origin(), shoe,
                                     found->second, request.client));
  json::Object card{{"shoe", shoe.id},
                    {"position", found->first.position},
                    {"place", found->second.place},
                    {"deal", found->second.deal_seq},
                    {"copies", std::move(copies)}};
  if (found->first.recommits != 0) card["recommits"] = found->first.recommits;
  return json::Object{{"card", std::move(card)}};
}

/// Whether this client (role seat) sat in the round that the record belongs to.
bool Service::Core::seated(const Client& client, const certs::LedgerRecord& stored) const {
  if (!client.roles.has(Role::seat)) return false;
  const auto record = certs::parse_record(stored.bytes);
  if (!record) return false;
  const auto* named = record->body.find("round");
  const std::string id = named != nullptr && named->is_string() ? named->string() : record->object;
  const auto seq = certs::object_seq("round", id);
  const auto opening =
      seq ? effects_.log.ledger().record(*seq) : Result<certs::LedgerRecord>(not_found("round"));
  const auto opened =
      opening ? certs::parse_record(opening->bytes) : Result<certs::Record>(not_found("round"));
  if (!opened || opened->kind != certs::Kind::round_open) return false;
  const auto body = certs::RoundOpenBody::from_json(opened->body);
  return body && seat_of(context_.hashes, client, *body).has_value();
}

Result<json::Object> Service::Core::past_view(const Request& request, std::string_view object_class,
                                              const std::string& id) {
  if (!certs::object_seq(object_class, id)) return not_found(object_class);
  TALLA_TRY(const auto chain, effects_.log.ledger().chain(id));
  if (chain.empty()) return not_found(object_class);
  if (!events_.visible(request.client, id) && !seated(request.client, chain.front()))
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
  for (const auto& one : chain) {
    if (one.kind != certs::Kind::settlement) continue;
    TALLA_TRY(const auto settlement, certs::parse_record(one.bytes));
    view["results"] = *settlement.body.find("results");
    view["settlement"] = one.seq;
  }
  return json::Object{{std::string(object_class), std::move(view)}};
}

json::Object Service::Core::status_view() const {
  const auto evidence = effects_.supply.evidence();
  const auto state = ready();
  json::Array reasons;
  for (const auto& reason : state.reasons) reasons.emplace_back(reason);
  json::Array sources;
  const auto figures = effects_.supply.metrics().sources;
  for (std::size_t i = 0; i < evidence.sources.size(); ++i) {
    json::Object view = source_view(evidence, i, i < figures.size() ? figures[i] : entropy::SourceMetrics{});
    auto device = effects_.device ? effects_.device(i) : std::nullopt;
    if (device) view["device"] = std::move(*device);
    sources.emplace_back(std::move(view));
  }
  json::Object status{
      {"origin", effects_.log.origin()},
      {"boot", effects_.log.boot()},
      {"size", effects_.log.size()},
      {"anchor_lag", effects_.log.anchor_lag()},
      {"rollback_protection", settings_.rollback_protection},
      {"sealing", settings_.sealing},
      {"profile", settings_.profile},
      {"version", settings_.version},
      {"time", effects_.clock.utc_us()},
      {"time_quality", time_quality_name(effects_.clock.quality())},
      {"ready", state.ready},
      {"reasons", std::move(reasons)},
      {"generator", json::Object{{"state", entropy::state_name(evidence.state)},
                                 {"construction", entropy::construction_name(evidence.construction)},
                                 {"uncertified", evidence.uncertified},
                                 {"sources", std::move(sources)},
                                 {"reseeds", evidence.reseed_counter},
                                 {"generates", evidence.generate_counter}}},
      {"software", software_view()},
      {"tables", world_.tables.size()}};
  if (effects_.monitors != nullptr) status["monitors"] = effects_.monitors->status();
  return status;
}

}  // namespace talla::core
