// Questions that rest on committed records alone.
#include "proofs.hpp"

#include <algorithm>

#include "certs/bundle_maker.hpp"
#include "commands.hpp"
#include "counted_months.hpp"
#include "format/log_end.hpp"
#include "operations.hpp"
#include "problem.hpp"
#include "schemas.hpp"
#include "sight.hpp"

namespace talla::core {
namespace {

Reply text_reply(std::string text) {
  Reply reply;
  reply.body = std::move(text);
  reply.content_type = "text/plain; charset=utf-8";
  return reply;
}

}  // namespace

Proofs::Proofs(const Appliance& appliance, const Events& events, const LogKeyRotation& keys)
    : appliance_(appliance),
      events_(events),
      keys_(keys),
      months_(std::make_shared<CountedMonths>()) {}

std::optional<Reply> Proofs::answer(const Admitted& asked) const {
  const auto* proof = std::get_if<Proof>(&asked.route.operation->handler);
  if (proof == nullptr) return std::nullopt;
  auto reply = (this->**proof)(asked.request, asked.route);
  return reply ? std::move(*reply) : problem_reply(Refusal(reply.error()));
}

Result<Reply> Proofs::checkpoint(const Request& /*request*/, const Route& /*route*/) const {
  TALLA_TRY(auto note, appliance_.effects.log.prover().checkpoint(appliance_.effects.log.size()));
  return text_reply(std::move(note));
}

Result<Reply> Proofs::cosigned(const Request& /*request*/, const Route& /*route*/) const {
  auto cosigned =
      appliance_.effects.cosigned ? appliance_.effects.cosigned(std::nullopt) : std::nullopt;
  if (!cosigned) return not_found("cosigned checkpoint");
  return text_reply(std::move(cosigned->note));
}

Result<Reply> Proofs::log_keys(const Request& /*request*/, const Route& /*route*/) const {
  return keys_.log_keys_reply();
}

Result<certs::LedgerRecord> Proofs::seen_record(const Request& request, const Route& route) const {
  const auto seq = parse_number(route.argument("seq"), json::integer_max);
  if (!seq || *seq >= appliance_.effects.log.size()) return not_found("record");
  TALLA_TRY(auto record, appliance_.effects.log.prover().record(*seq));
  if (!events_.visible(request.client, record) && !events_.seated(request.client, record))
    return not_found("record");
  return record;
}

Status Proofs::before_the_end(const Route& route) const {
  const auto seq = parse_number(route.argument("seq"), json::integer_max);
  const auto& ended = appliance_.settings.ended;
  if (ended && seq && *seq < appliance_.effects.log.size() && *seq >= ended->size)
    return fail(Errc::log_ended, "the record is behind the end of the log: it counts for nothing");
  return {};
}

Result<Reply> Proofs::receipt(const Request& request, const Route& route) const {
  TALLA_TRY(auto record, seen_record(request, route));
  TALLA_TRY(const auto receipt, appliance_.effects.log.prover().receipt_of(std::move(record)));
  Reply reply;
  reply.body = certs::format_receipt(receipt);
  return reply;
}

Result<Reply> Proofs::bundle(const Request& request, const Route& route) const {
  TALLA_TRY_STATUS(before_the_end(route));
  TALLA_TRY(const auto record, seen_record(request, route));
  Reply reply;
  TALLA_TRY(reply.body, bundle_of(record.seq));
  return reply;
}

Result<Reply> Proofs::proof(const Request& request, const Route& route) const {
  TALLA_TRY_STATUS(before_the_end(route));
  TALLA_TRY(auto record, seen_record(request, route));
  Reply reply;
  TALLA_TRY(reply.body, newest_proof(std::move(record)));
  return reply;
}

Result<Reply> Proofs::consistency(const Request& /*request*/, const Route& route) const {
  const auto& log = appliance_.effects.log;
  const std::uint64_t newest = log.size();
  const auto given = route.query.find("to");
  const auto to = given == route.query.end() ? Result<std::uint64_t>(newest)
                                             : parse_number(given->second, newest);
  const auto from = parse_number(route.query.at("from"), newest);
  if (!from || !to || *from == 0 || *from >= *to)
    return fail(Errc::malformed_request,
                "from: expected 1 or more, below `to`; to: at most " + std::to_string(newest));
  certs::ConsistencyFile file{.head = {.origin = log.origin(), .size = *to, .root = {}},
                              .proofs = {{.size = *from, .root = {}, .path = {}}}};
  TALLA_TRY(file.head.root, log.prover().root(*to));
  TALLA_TRY(file.proofs.front().root, log.prover().root(*from));
  TALLA_TRY(file.proofs.front().path, log.prover().consistency(*from, *to));
  Reply reply;
  reply.body = certs::format_consistency(file);
  return reply;
}

/// Of a cosigned checkpoint where one covers the record, else of the newest: the stored receipt
/// stays what it is.
Result<std::string> Proofs::newest_proof(certs::LedgerRecord record) const {
  certs::TlogProof proof{.index = record.seq, .path = {}, .checkpoint = {}};
  auto cosigned =
      appliance_.effects.cosigned ? appliance_.effects.cosigned(record.seq) : std::nullopt;
  const std::uint64_t size = cosigned ? cosigned->size : appliance_.effects.log.size();
  TALLA_TRY(proof.path, appliance_.effects.log.prover().inclusion(record.seq, size));
  if (cosigned) {
    proof.checkpoint = std::move(cosigned->note);
  } else {
    TALLA_TRY(proof.checkpoint, appliance_.effects.log.prover().checkpoint(size));
  }
  return certs::format_receipt(
      {.proof = certs::format_proof(proof), .record = std::move(record.bytes)});
}

Result<std::string> Proofs::bundle_of(std::uint64_t seq) const {
  certs::BundleRequest wanted;
  wanted.claim = seq;
  wanted.size = appliance_.effects.log
                    .size();  // before the keys: they say of every smaller size who signed it
  auto keys = keys_.log_keys();
  wanted.log_key = std::move(keys.present);
  wanted.retired = std::move(keys.retired);
  TALLA_TRY(const auto record, appliance_.effects.log.ledger().record(seq));
  if (record.kind == certs::Kind::settlement) {
    TALLA_TRY(const auto text,
              appliance_.effects.log.ledger().document(certs::documents::state(record.object)));
    if (!text) return not_found("state of this round");
    TALLA_TRY(wanted.state_before, json::parse(*text));
  }
  auto cosigned = appliance_.effects.cosigned ? appliance_.effects.cosigned(seq) : std::nullopt;
  if (cosigned) wanted.size = cosigned->size;
  TALLA_TRY(auto made, certs::make_bundle(appliance_.effects.log, wanted));
  if (cosigned) made.checkpoint = std::move(cosigned->note);
  return certs::format_bundle(made);
}

Result<Reply> Proofs::stored_request(const Request& request, const Route& route) const {
  TALLA_TRY(const auto all,
            appliance_.effects.log.ledger().replies(request.client.id, route.argument("key")));
  const auto path = route.query.find("path");
  std::vector<const certs::StoredReply*> found;
  for (const auto& one : all) {
    // A reply that is just becoming durable is not there yet.
    const auto durable = [this](std::uint64_t seq) { return seq < appliance_.effects.log.size(); };
    if (!std::ranges::all_of(one.seqs, durable)) continue;
    if (path == route.query.end() || one.id.path == path->second) found.push_back(&one);
  }
  if (found.empty()) return not_found("request of this client");
  if (found.size() > 1)
    return fail(Errc::malformed_request, "the key was used on several paths: add path=");
  Reply reply;
  reply.status = found.front()->status;
  TALLA_TRY(reply.body, appliance_.effects.log.prover().reply_body(*found.front()));
  return reply;
}

Result<Reply> Proofs::events(const Request& request, const Route& route) const {
  const auto page = events_.page(request.client, event_query_of(route));
  json::Array events;
  for (const auto& event : page.events) {
    events.emplace_back(json::Object{{"seq", event.seq},
                                     {"kind", event.kind},
                                     {"object", event.object},
                                     {"table", event.table},
                                     {"record", event.record}});
  }
  Reply reply;
  reply.body = json::canonical(json::Value(
      json::Object{{"events", std::move(events)}, {"more", page.more}, {"next", page.next}}));
  return reply;
}

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<Operation> proof_operations() {
  /// Each sees what it may see: a laboratory no record of a table, a seat those of its rounds.
  constexpr RoleSet log_readers{Role::table, Role::auditor,          Role::operator_,
                                Role::seat,  Role::security_officer, Role::inspector,
                                Role::lab,   Role::contributor};
  const auto note = [](const char* words) {
    return OperationReply{Schema::text().about(words), 200, "text/plain"};
  };
  const auto stored = Schema::open_object().about("the stored reply, byte for byte");
  return {
      {.row = {"getRequest", "GET", "/v1/requests/{key}", whoever_is_enrolled, false},
       .handler = &Proofs::stored_request,
       .words = {"log", "The reply that was given under an Idempotency-Key",
                 "Of this client, when its records are durable: the same bytes."},
       .body = {},
       .query = {optional(
           "path", Schema::text(1).about(
                       "the path the key was used with; needed when it was used with several"))},
       .replies = {{stored}, {stored, 201}},
       .example_body = {},
       .example_reply = R"({"receipts":[]})"},
      {.row = {"getEvents", "GET", "/v1/events", log_readers, false},
       .handler = &Proofs::events,
       .words = {"log", "Records of the log after a number, oldest first",
                 "Those that the client may see. One reply looks at 5,000 records at most, so it "
                 "may hold few events or none while `more` is true: the next page is asked for "
                 "with `after` as `next` says. With Accept: text/event-stream the same as "
                 "server-sent events: id is the seq, event the kind, data the record; an id alone "
                 "says how far the log was looked through. A client that lost the connection sends "
                 "Last-Event-ID, or after, and goes on behind it."},
       .body = {},
       .query = {optional("after", Schema::integer(-1, json::integer_max)
                                       .about("seq; -1: from the first")
                                       .otherwise(-1)),
                 optional("limit", Schema::integer(1, 1000).otherwise(100)),
                 optional("table", Schema::id("table").about("records of this table alone")),
                 optional("kind", kind_schema().about("records of this kind alone"))},
       .replies = {{events_schema()},
                   {Schema::text().about("server-sent events"), 200, "text/event-stream"}},
       .example_body = {},
       .example_reply =
           R"({"events":[{"kind":"TABLE_OPEN","object":"table-4","record":"{}","seq":4,)"
           R"("table":"table-4"}],"more":false,"next":4})"},
      {.row = {"getReceipt", "GET", "/v1/receipts/{seq}",
               people_roles.with(contributors).with({Role::lab}), false},
       .handler = &Proofs::receipt,
       .words = {"evidence", "The receipt of a record",
                 "With the checkpoint that it was given with."},
       .body = {},
       .query = {},
       .replies = {{receipt_schema()}},
       .example_body = {},
       .example_reply = R"({"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"})"},
      {.row = {"getBundle", "GET", "/v1/bundles/{seq}",
               people_roles.with(contributors).with({Role::lab}), false},
       .handler = &Proofs::bundle,
       .words =
           {"evidence",
            "Evidence of a card, a draw or a settlement that verifies without the appliance",
            "The record and all that it rests on; of the end of an order for a laboratory's "
            "table its steps, without the outcomes. The header Link names where it can be read "
            "without a certificate, if the appliance has a public listener."},
       .body = {},
       .query = {},
       .replies = {{bundle_schema()}},
       .example_body = {},
       .example_reply =
           R"({"checkpoint":"","claim":19,"log_key":{},"records":[{}],"type":"talla-bundle",)"
           R"("v":2})"},
      {.row = {"getCheckpoint", "GET", "/v1/checkpoint", whoever_is_enrolled, false},
       .handler = &Proofs::checkpoint,
       .words = {"log", "The signed checkpoint of the log", "A C2SP signed note."},
       .body = {},
       .query = {},
       .replies = {note("C2SP tlog-checkpoint")},
       .example_body = {},
       .example_reply = R"("casino.example/talla-1\n")"},
      {.row = {"getCosignedCheckpoint", "GET", "/v1/checkpoint/cosigned",
               people_roles.with({Role::lab}), false},
       .handler = &Proofs::cosigned,
       .words = {"log", "The newest checkpoint with the most cosignatures of witnesses",
                 "404 while there is none."},
       .body = {},
       .query = {},
       .replies = {note("C2SP tlog-checkpoint with cosignatures")},
       .example_body = {},
       .example_reply = R"("casino.example/talla-1\n")"},
      {.row = {"getProof", "GET", "/v1/proofs/{seq}",
               people_roles.with(contributors).with({Role::lab}), false},
       .handler = &Proofs::proof,
       .words = {"evidence", "The newest proof of a record",
                 "Of a cosigned checkpoint that covers it, else of the newest; the receipt stays "
                 "what it was."},
       .body = {},
       .query = {},
       .replies = {{receipt_schema()}},
       .example_body = {},
       .example_reply = R"({"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"})"},
      {.row = {"getConsistency", "GET", "/v1/consistency", people_roles.with({Role::lab}), false},
       .handler = &Proofs::consistency,
       .words = {"evidence", "That a later log has an earlier one as its beginning",
                 "Between two sizes, for who kept a checkpoint: nobody signs it, the hashes prove "
                 "themselves against both roots."},
       .body = {},
       .query = {required("from", Schema::integer(1, json::integer_max)
                                      .about("records of the earlier checkpoint")),
                 optional("to", Schema::integer(2, json::integer_max)
                                    .about("records of the later one; left out: of all"))},
       .replies = {{consistency_schema()}},
       .example_body = {},
       .example_reply =
           R"({"origin":"casino.example/talla-1","proofs":[{"path":[],"root":)"
           R"("6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d","size":1}],)"
           R"("root":"6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d","size":2,)"
           R"("type":"talla-consistency","v":2})"},
      {.row = {"getLogKeys", "GET", "/v1/log-keys", whoever_is_enrolled, false},
       .handler = &Proofs::log_keys,
       .words = {"log", "Every key that has signed the log", "Each announced by the one before."},
       .body = {},
       .query = {},
       .replies = {{log_keys_schema()}},
       .example_body = {},
       .example_reply = R"({"checkpoint":"","log_key":{"chain":[],"signature":"","statement":""},)"
                        R"("type":"talla-log-keys","v":2})"},
  };
}

}  // namespace talla::core
