// Whether what a table signed stands: its turn, its head, its rules.
#include "calls.hpp"

#include <algorithm>
#include <set>

#include "again.hpp"
#include "base/check.hpp"
#include "certs/call_key.hpp"
#include "format/bounds.hpp"
#include "format/domain.hpp"
#include "schemas.hpp"
#include "voids.hpp"

namespace talla::core {
namespace {

using certs::CallUse;
using certs::Kind;

/// Where a call of this use is sent: its reply is bound to that path.
std::string call_path(const certs::CallCore& core) {
  return core.use == CallUse::draw ? std::string(draws_path) : "/v1/shoes/" + core.object + "/mix";
}

/// The seq of the record that `head` is of. Between it and the call stands nothing but commitments
/// and ends of other objects. Nothing: no such record.
std::optional<std::uint64_t> head_record(const Table& table, const certs::CallCore& core) {
  for (auto head = table.heads.rbegin(); head != table.heads.rend(); ++head) {
    if (head->head == core.head) return head->seq;
    if (head->object == core.object) return std::nullopt;
  }
  return std::nullopt;
}

Outcome standing_reply(const Call& call, const certs::Record& made, const std::string& path) {
  if (!call.tx.durable(made.seq)) return defer();
  const certs::ReplyKey id{made.client ? made.client->id : std::string(), "POST", path, made.key};
  TALLA_TRY(const auto stored, call.parts.stored_reply(id));
  if (!stored) return defer();  // its outcome is under way
  TALLA_TRY(auto body, json::parse(stored->head));
  Done done{.body = body.object(), .status = stored->status};
  done.seqs = stored->seqs;
  return done;
}

/// A core of a turn that is over, or under way: the same one, or another.
Outcome earlier_turn(const Call& call, const Table& table, const certs::CallCore& core) {
  const auto mismatch = [&] {
    return refuse(Errc::core_mismatch, "another core of this turn stands",
                  {{"turn", table.next_turn()}});
  };
  if (table.last_call && table.last_call->digest == call.signed_call->digest &&
      !call.tx.durable(table.last_call->seq))
    return defer();
  // Its CALL or VOID is of its object; a VOID that opens nothing is of the table.
  std::optional<certs::Record> made;
  for (const auto& object : {core.object, core.table}) {
    const auto chain = call.parts.chain(object);
    if (!chain) continue;  // no such object
    for (const auto& stored : *chain) {
      if (stored.kind != Kind::call && stored.kind != Kind::void_call) continue;
      TALLA_TRY(auto record, certs::parse_record(stored.bytes));
      if (stored.kind == Kind::call) {
        TALLA_TRY(const auto body, certs::CallBody::from_json(record.body));
        if (body.core == core) made = std::move(record);
        continue;
      }
      TALLA_TRY(const auto body, certs::VoidBody::from_json(record.body));
      if (body.lapsed && body.lapsed->core == core) {
        made = std::move(record);
      } else if (made && body.call == made->seq && body.cause == certs::VoidCause::unrecoverable) {
        return refuse(Errc::wrong_state, "the call is void: its sealed secret does not open",
                      {{"call", made->seq}});
      }
    }
  }
  return made ? standing_reply(call, *made, call_path(core)) : mismatch();
}

/// What a core spends for a key is kept as long as its table is open.
bool names_too_many(const Table& table, const certs::CallCore& core) {
  const auto& counted = table.panel.counted();
  const auto fresh = std::ranges::count_if(
      core.others, [&](const auto& one) { return !counted.contains(one.key); });
  return counted.size() + static_cast<std::size_t>(fresh) > Panel::keys_max;
}

/// The batch of this table whose next secret the core names.
const Batch* batch_named_next(const Call& call, const certs::CallCore& core) {
  const auto seq = certs::object_seq("batch", core.object);
  const auto* batch = seq ? call.world().batch(*seq) : nullptr;
  const bool next = batch != nullptr && batch->commit->table == core.table &&
                    !batch->progress.closed && core.root == batch->commit->root &&
                    core.at == batch->progress.next && core.at < batch->commit->count;
  return next ? batch : nullptr;
}

}  // namespace

Result<SignedCall> signed_call_of(const HashSuite& hashes, const Client& client,
                                  const json::Value& body) {
  SignedCall made;
  const auto* said = body.find("core");
  auto read = said == nullptr ? fail(Errc::malformed_request, "core: is missing")
                              : certs::CallCore::from_json(*said);
  if (!read) return fail(Errc::malformed_request, read.error().detail);
  made.body.core = std::move(*read);
  TALLA_TRY(const auto signature, from_base64(body.find("signature")->string()));
  if (signature.size() != made.body.signature.size())
    return fail(Errc::call_signature, "signature: 64 bytes, r || s, in base64");
  std::ranges::copy(signature, made.body.signature.begin());
  made.text = made.body.core.bytes();
  made.digest = certs::call_digest(hashes, made.text);
  if (!certs::call_signature_holds(as_bytes(client.public_key), certs::call_statement(made.text),
                                   made.body.signature))
    return fail(Errc::call_signature, "the core is not signed by the key of this client");
  return made;
}

Schema core_schema() {
  const auto id = Schema::text(1, 64);
  const auto specification = Schema::either(
      {specification_schema(),
       Schema::object(
           {required("candidates",
                     Schema::integer(certs::mix_candidates).about("roots that a mix picks from")),
            required("places",
                     Schema::integer(certs::shoe_cards).about("leaves that it orders"))})});
  return Schema::named(
      "Core",
      Schema::object(
          {required("v", Schema::exactly(2)), required("type", Schema::exactly("talla-call")),
           required("origin", Schema::text(1).about("of the log")),
           required("table", Schema::id("table")),
           required("turn", Schema::integer(1, std::int64_t{UINT32_MAX})
                                .about("the next of the table, from 1 without gap")),
           required("head", Schema::digest().about("of the table's newest record")),
           required("use", Schema::one_of({"draw", "mix"})),
           required("object", Schema::text(1).about("the batch or the shoe")),
           required("root", Schema::digest().about("of the batch, or the newest of the shoe")),
           required("at", Schema::number().about("draw: index of the next unused secret; mix: "
                                                 "cards dealt under this root")),
           required("round", Schema::text(1).about("the open round, or 0")),
           required("bets", Schema::digest().about("of the closed bets, or of an empty list")),
           required("specification", specification.about("of the draw, or of the mix")),
           required("game", Schema::text()), required("variant", Schema::text()),
           required("catalogue", Schema::digest()),
           required("parameters", Schema::digest().about("of TABLE_OPEN's parameters")),
           required("value", Schema::digest().about("the table's number for this turn")),
           required(
               "others",
               Schema::list(Schema::open_object(), 0,
                            static_cast<std::size_t>(certs::call_others.max))
                   .about(
                       "further contributors, each as the table's view has it: ascending by id"))})
          .about("all that a result follows from (certs/FORMAT.md section 8)"));
}

Schema call_schema() {
  return Schema::object(
      {required("core", core_schema()),
       required("signature",
                Schema::base64().about("r || s of the table's key over the core's statement"))});
}

Digest bets_so_far(const HashSuite& hashes, const Round* round) {
  return round != nullptr && round->bets_closed ? round->bets_digest
                                                : certs::bets_digest(hashes, json::Array{});
}

Status core_says(bool same, const char* member) {
  if (same) return {};
  return fail(Errc::core_mismatch,
              "core." + std::string(member) + ": not what the appliance has for this call");
}

tl::expected<std::variant<CallDue, CallAgain>, Failure> judge_call(const Call& call, CallUse use) {
  TALLA_CHECK(call.signed_call != nullptr);
  const auto& core = call.signed_call->body.core;
  TALLA_TRY_STATUS(core_says(core.use == use, "use"));
  TALLA_TRY_STATUS(core_says(core.origin == call.tx.origin(), "origin"));
  TALLA_TRY(const auto* table, working_table(call, core.table));
  if (to_hex(table->client_key) != call.client.spki)
    return refuse(Errc::call_signature,
                  "the table was opened with another key: close it and open it again");
  const auto next = table->next_turn();
  if (core.turn < next) {
    auto again = earlier_turn(call, *table, core);
    if (!again) return tl::unexpected<Failure>(std::move(again.error()));
    return std::move(*again);
  }
  if (core.turn != next) return refuse(Errc::turn_gap, "not the next turn", {{"turn", next}});
  if (table->open_call)
    return refuse(Errc::turn_open, "the call before is not answered yet",
                  {{"call", table->open_call->seq}});
  if (names_too_many(*table, core))
    return refuse(Errc::limit_exceeded,
                  "core.others: calls of this table have named too many keys: close it and open it "
                  "again");
  return CallDue{table};
}

tl::expected<std::uint64_t, Failure> head_of_call(const Call& call, const Table& table) {
  const auto& core = call.signed_call->body.core;
  const auto& open = table.open;
  TALLA_TRY_STATUS(core_says(core.game == open.game, "game"));
  TALLA_TRY_STATUS(core_says(core.variant == open.variant, "variant"));
  TALLA_TRY_STATUS(core_says(core.catalogue == open.catalogue, "catalogue"));
  TALLA_TRY_STATUS(core_says(core.parameters == table.parameters, "parameters"));
  TALLA_TRY_STATUS(others_stand(table, core));
  TALLA_TRY_STATUS(keeps_contributors(table, core));
  const auto cites = head_record(table, core);
  if (!cites)
    return refuse(Errc::head_wrong, "not the head of this table's newest record",
                  {{"head", to_hex(table.heads.back().head)}});
  if (!call.tx.durable(*cites)) return defer();
  return *cites;
}

Status others_stand(const Table& table, const certs::CallCore& core) {
  const auto& others = core.others;
  std::set<Bytes> keys{table.open.key};
  for (std::size_t i = 0; i < others.size(); ++i) {
    const auto& one = others[i];
    if (i > 0 && others[i - 1].id >= one.id)
      return fail(Errc::others_order, "core.others: ids do not ascend, each once");
    if (!keys.insert(one.key).second)
      return fail(Errc::duplicate, "core.others: a key stands twice, or is the table's");
    const auto next = table.panel.next_of(one.id);
    if (!next || next->key != one.key)
      return fail(Errc::contributor_unknown,
                  "core.others: " + one.id + " has handed in no such commitment here");
    if (next->t != one.t)
      return fail(Errc::t_gap, "core.others: " + one.id + " counts on with another number");
    if (next->commit != one.commit)
      return fail(Errc::commit_mismatch,
                  "core.others: the commitment of " + one.id + " is another one");
  }
  const auto named = [&](const Bytes& key) {
    return std::ranges::find(others, key, &certs::Contributor::key) != others.end();
  };
  if (!std::ranges::all_of(table.open.policy.required, named))
    return fail(Errc::required_missing, "core.others: a key that the table requires is missing");
  return {};
}

Outcome lapse(const Call& call, const Failure& why) {
  const auto& error = why.refusal.error;
  if (why.defer || error.is(Errc::secret_unusable) || error.is(Errc::void_limit))
    return tl::unexpected<Failure>(why);
  const auto& signed_call = call.signed_call->body;
  const auto& core = signed_call.core;
  const auto* batch = batch_named_next(call, core);
  if (batch != nullptr && !batch->secrets)
    return refuse(Errc::secret_unusable, "the batch's sealed secrets do not open");
  auto body = certs::void_lapsed_unopened(signed_call);
  if (batch != nullptr) {
    TALLA_TRY(body, batch->secrets->void_lapsed(batch->progress, signed_call));
  }
  json::Object told{{"table", core.table},
                    {"turn", core.turn},
                    {"code", std::string(error.code)},
                    {"detail", error.detail}};
  if (!why.refusal.current.empty()) told["now"] = why.refusal.current;
  if (body.outcome) told["outcome"] = certs::outcome_json(*body.outcome);
  TALLA_TRY(
      const auto seq,
      call.tx.add({Kind::void_call, body.secret ? core.object : core.table, {}, body.to_json()}));
  told["seq"] = seq;
  call.parts.count(voids_metric(core.table));
  return Done{{{"lapsed", std::move(told)}}, 200, {}};
}

Done waits_for_others(const Call& call, std::uint64_t seq) {
  const auto& core = call.signed_call->body.core;
  const auto table_seq = certs::object_seq("table", core.table);
  const auto* table = call.world().table(*table_seq);
  return Done{
      {{"call",
        json::Object{{"seq", seq},
                     {"table", core.table},
                     {"turn", core.turn},
                     {"object", core.object},
                     {"until", table->open_call->until_us(table->open.policy.open_within)}}}},
      200,
      {}};
}

Schema called_reply() {
  return reply_of(
      "Called", "call",
      Schema::object(
          {required("seq", Schema::number().about("of its CALL: GET /v1/calls/{seq}")),
           required("table", Schema::id("table")), required("turn", Schema::number()),
           required("object", Schema::text()),
           required("until", Schema::number().about("microseconds since 1970, UTC: who has not "
                                                    "opened then may be left out"))})
          .about("the call stands, and its further contributors are waited for: the result comes "
                 "with the last of them, or a VOID that names who opened nothing"),
      {receipts_member()});
}

Schema lapsed_reply() {
  return reply_of(
      "Lapsed", "lapsed",
      Schema::object(
          {required("seq", Schema::number()), required("table", Schema::id("table")),
           required("turn", Schema::number().about("that it has spent")),
           required("code", Schema::text().about("why the core does not stand: a problem's code")),
           required("detail", Schema::text()),
           optional("now", Schema::open_object().about("what stands instead, as a problem says")),
           optional("outcome", outcome_schema().about("what it would have been: the secret that "
                                                      "it named is open and spent"))})
          .about("the core does not stand: a VOID in the log carries it, and its turn is spent"),
      {receipts_member()});
}

}  // namespace talla::core
