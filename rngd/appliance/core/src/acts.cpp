#include "acts.hpp"

#include <algorithm>

#include "again.hpp"
#include "commands.hpp"
#include "format/body_machine.hpp"
#include "format/domain.hpp"
#include "format/merkle.hpp"
#include "operations.hpp"
#include "people.hpp"
#include "sampling.hpp"
#include "schemas.hpp"
#include "voids.hpp"

namespace talla::core {
namespace {

constexpr std::size_t acts_open_max = 16;

RoleSet roles_among(const std::vector<EnrolledClient>& clients, const certs::Client& person) {
  RoleSet roles;
  for (const auto& client : clients) {
    if (client.id != person.id || client.spki != to_hex(person.spki)) continue;
    for (const auto& name : client.roles) {
      if (const auto role = role_from(name)) roles.add(*role);
    }
  }
  return roles;
}

/// What the act itself asks for, now. It is looked at when it is asked for and again when it is
/// confirmed.
Status act_possible(const Call& call, const Act& act) {
  if (is_signed(act.kind)) TALLA_TRY_STATUS(order_stands(call, act));
  switch (act.kind) {
    case ActKind::latch_reset:
      return call.parts.reset_allowed();
    case ActKind::draw_void:
      return draw_voidable(call, act.object, act.call);
    case ActKind::table_finish:
      return table_judged(call, act.object);
    case ActKind::table_void:
      return table_voidable(call, act.object);
    case ActKind::call_again:
      return call_again_possible(call, act);
    case ActKind::shoe_close:
      return shoe_closable(call, act.object);
    case ActKind::client_enrol:
    case ActKind::client_revoke:
      return key_change_possible(call.world(), act);
    case ActKind::log_key_rotate: {
      TALLA_TRY(const auto next, call.parts.next_log_key());
      if (log_key_body(next) != *act.key)
        return fail(Errc::wrong_state, "the configured next log key is another one");
      return {};
    }
    case ActKind::config_change:
      if (act.digest == call.parts.settings.config_digest)
        return fail(Errc::wrong_state, "this configuration runs already");
      return {};
    case ActKind::software_update:
      return call.parts.update_possible(*act.digest);
    case ActKind::sampling_order:
      return sampling_possible(call, act);
    case ActKind::enrolment_change:
    case ActKind::restore:
      return {};
  }
  return fail(Errc::malformed_request, "act: there is no such act");
}

/// What follows from the confirmation at once; `seq` is its record.
Status carry_out(const Call& call, const Act& act, std::uint64_t seq) {
  const Order order{{act.asked_by.id, call.client.id}, seq};
  if (act.kind == ActKind::draw_void) return void_draw(call, act.object, act.call, order);
  if (act.kind == ActKind::table_void) return void_table(call, act.object, order);
  if (act.kind == ActKind::call_again) return take_order(call, act, seq);
  if (act.kind == ActKind::shoe_close) return close_early(call, act.object, seq);
  if (takes_time(act.kind)) return {};  // begins when its record is durable
  if (changes_key(act.kind)) return change_key(call.tx, act, seq);
  if (approves(act.kind)) keep_approvals(call.tx);
  return {};  // a finished suspension is the record itself
}

/// The KEY that the act asks for: of the configured next log key, of `client` ({id, spki, roles}),
/// or of the enrolled client that `object` names.
Status read_key(const Call& call, Act& act) {
  if (act.kind == ActKind::log_key_rotate) {
    TALLA_TRY(const auto next, call.parts.next_log_key());
    act.key = log_key_body(next);
    act.digest = key_digest(call.parts.hashes, *act.key);
    return {};
  }
  EnrolledClient client;
  if (act.kind == ActKind::client_enrol) {
    TALLA_TRY(client, client_of_request(call.body.at("client")));
  } else {
    const auto& id = call.body.text("object");
    const auto& clients = call.world().clients();
    const auto found = std::ranges::find(clients, id, &EnrolledClient::id);
    if (found == clients.end()) return fail(Errc::not_found, "no enrolled client has this id");
    client = *found;
  }
  act.object = client.id;
  act.key = client_key(client, act.kind == ActKind::client_enrol);
  act.digest = key_digest(call.parts.hashes, *act.key);
  return {};
}

Result<Act> read_act(const Call& call) {
  Act act;
  act.kind = *act_from(call.body.text("act"));
  act.asked_by.id = call.client.id;
  if (changes_key(act.kind)) {
    TALLA_TRY_STATUS(read_key(call, act));
  } else if (approves(act.kind)) {
    act.digest = call.body.digest("digest");
  } else if (act.kind == ActKind::sampling_order) {
    TALLA_TRY(act.object, sampling_object(call));
  } else if (act.kind != ActKind::latch_reset) {
    act.object = call.body.text("object");
  }
  if (is_signed(act.kind)) {
    TALLA_TRY(act.order, signed_order(call, act, call.body.digest("head")));
  } else if (call.body.has("signature")) {
    const auto head = certs::request_key_head(call.parts.hashes, call.tx.author().key);
    TALLA_TRY(act.order, signed_order(call, act, head));
  }
  if (act.kind == ActKind::draw_void)
    act.call = static_cast<std::uint64_t>(call.body.integer("call"));
  return act;
}

/// Words that a screen or a line of the journal shows as they are: what an escape sequence would
/// make of them nobody knows. The text is UTF-8, as all JSON is.
bool of_one_line(std::string_view words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto byte = static_cast<unsigned char>(words[i]);
    if (byte < 0x20 || byte == 0x7f) return false;
    const auto next = i + 1 < words.size() ? static_cast<unsigned char>(words[i + 1]) : 0U;
    if (byte == 0xc2 && next < 0xa0) return false;  // U+0080 to U+009F
  }
  return true;
}

/// How many acts of one person may wait: among all who may ask, so that no one fills the list for
/// the others.
std::size_t share_of_person(const std::vector<EnrolledClient>& clients) {
  const auto may_ask = [](const EnrolledClient& client) {
    return std::ranges::any_of(client.roles, [](const std::string& name) {
      const auto role = role_from(name);
      return role && may({*role}, "askAct");
    });
  };
  const auto persons = static_cast<std::size_t>(std::ranges::count_if(clients, may_ask));
  return std::max<std::size_t>(1, acts_open_max / std::max<std::size_t>(1, persons));
}

/// The open request of that id, in time.
Result<const Act*> waiting_act(const Call& call, const std::string& id) {
  const auto seq = certs::object_seq("act", id);
  const auto* act = seq ? call.world().act(*seq) : nullptr;
  if (act == nullptr) return fail(Errc::not_found, "no such act");
  if (act->stage != ActStage::asked) {
    return fail(Errc::act_over, id + " is " + std::string(stage_name(act->stage)));
  }
  if (act_late(*act, call.parts.settings, call.parts.clock.utc_us())) {
    return fail(Errc::act_over, id + " has expired");
  }
  return act;
}

bool same_person(const Client& client, const certs::Client& other) {
  return client.id == other.id || client.spki == to_hex(other.spki);
}

Done shown(const Call& call, std::uint64_t seq, int status) {
  return Done{{{"act", act_view(*call.world().act(seq), call.parts.settings)}}, status, {}};
}

}  // namespace

namespace {

/// Both ways of judging a suspended table end the suspension.
void judge_table(Editing& edit, const ActStep& step, const certs::Record& record) {
  if (step.kind != ActKind::table_finish && step.kind != ActKind::table_void) return;
  const auto* object = record.body.find("object");
  const auto seq =
      object != nullptr ? certs::object_seq("table", object->string()) : Result<std::uint64_t>(0);
  Table* table = seq ? edit.table(*seq) : nullptr;
  if (table != nullptr) table->suspended = false;
}

}  // namespace

Status apply_access(Editing& edit, const certs::Record& record) {
  const auto step = step_of(record);
  if (!step) return {};
  if (step->stage == ActStage::asked) {
    if (!record.client) return fail(Errc::replay_failed, "nobody asks for an act");
    Act act;
    act.seq = record.seq;
    act.id = certs::object_id("act", record.seq);
    act.kind = step->kind;
    act.asked_by = *record.client;
    act.asked_us = record.time_us;
    if (const auto* object = record.body.find("object")) act.object = object->string();
    if (act.kind == ActKind::draw_void && !record.cites.empty()) act.call = record.cites.front();
    if (const auto* digest = record.body.find("digest")) {
      TALLA_TRY(act.digest, digest_from_hex(digest->string()));
    }
    if (const auto* key = record.body.find("key")) act.key = *key;
    if (is_signed(act.kind)) {
      TALLA_TRY(const auto body, certs::AccessBody::from_json(record.body));
      act.order = body.order;
    }
    TALLA_TRY(act.text, certs::write_record(record));
    edit.add(std::move(act));
    return {};
  }
  if (step->stage == ActStage::confirmed) judge_table(edit, *step, record);
  for (const auto cited : record.cites) {
    Act* act = edit.act(cited);
    if (act == nullptr) continue;
    act->stage = step->stage;
    if (step->stage == ActStage::confirmed && record.client) act->second = record.client->id;
    if (step->stage == ActStage::confirmed) add_approval(edit, *act, record.seq);
    if (const auto* digest = record.body.find("digest"); digest != nullptr && !act->digest) {
      TALLA_TRY(act->digest, digest_from_hex(digest->string()));
    }
  }
  return {};
}

Result<std::uint64_t> add_step(Transaction& tx, const Act& act, ActStage stage) {
  std::vector<std::string> by{act.asked_by.id};
  if (!act.second.empty()) by.push_back(act.second);
  if (tx.author().client && tx.author().client->id != by.front())
    by.push_back(tx.author().client->id);
  std::vector<std::uint64_t> cites;
  if (stage != ActStage::asked) {
    cites.push_back(act.seq);
  } else if (act.kind == ActKind::draw_void) {
    cites.push_back(act.call);
  }
  TALLA_TRY(const auto seq,
            tx.add({certs::Kind::access, {}, std::move(cites), step_body(act, stage, by)}));
  json::Array open;
  for (const auto* one : tx.world().open_acts()) open.emplace_back(one->seq);
  tx.group().documents.push_back(
      {certs::documents::acts(),
       open.empty() ? std::string() : json::canonical(json::Value(std::move(open)))});
  return seq;
}

Result<std::optional<std::uint64_t>> first_of(const std::optional<std::string>& document) {
  if (!document || document->empty()) return std::nullopt;
  TALLA_TRY(const auto list, json::parse(*document));
  if (!list.is_array() || list.array().empty() || !list.array().front().is_integer()) {
    return fail(Errc::replay_failed, "the list of open acts is damaged");
  }
  return static_cast<std::uint64_t>(list.array().front().integer());
}

const Act* running_act(const World& world, ActKind kind) {
  for (const auto& [seq, act] : world.acts) {
    if (act.kind == kind && act.stage == ActStage::confirmed) return &act;
  }
  return nullptr;
}

bool act_late(const Act& act, const Settings& settings, std::int64_t now_us) {
  return now_us >= act.asked_us + settings.act_lifetime_us;
}

json::Object act_view(const Act& act, const Settings& settings) {
  json::Object view{{"id", act.id},
                    {"act", act_name(act.kind)},
                    {"state", stage_name(act.stage)},
                    {"asked_by", act.asked_by.id},
                    {"asked", act.asked_us},
                    {"expires", act.asked_us + settings.act_lifetime_us}};
  if (!act.object.empty()) view["object"] = act.object;
  if (act.kind == ActKind::draw_void) view["call"] = act.call;
  if (!act.second.empty()) view["confirmed_by"] = act.second;
  if (act.digest) view["digest"] = to_hex(*act.digest);
  if (act.order && is_signed(act.kind)) view["head"] = to_hex(act.order->head);
  if (act.key && act.kind != ActKind::log_key_rotate) {
    view["client"] = json::Object{{"id", *act.key->find("id")},
                                  {"spki", *act.key->find("spki")},
                                  {"roles", *act.key->find("roles")}};
  }
  return view;
}

Outcome ask_act(const Call& call) {
  TALLA_TRY(const auto act, read_act(call));
  const std::string name(act_name(act.kind));
  if (!roles_of(act.kind).takes(call.client.roles))
    return refuse(Errc::forbidden, "no role of this client takes part in " + name,
                  roles_told(roles_of(act.kind).both(), call.client.roles));
  const auto open = call.world().open_acts();
  for (const auto* other : open) {
    if (other->kind == act.kind && other->object == act.object && other->call == act.call &&
        other->digest == act.digest)
      return refuse(Errc::act_pending, other->id + " asks for it already", {{"act", other->id}});
  }
  if (open.size() >= acts_open_max) return refuse(Errc::limit_exceeded, "too many acts wait");
  const auto share = share_of_person(call.world().clients());
  const auto own = std::ranges::count_if(
      open, [&](const Act* other) { return same_person(call.client, other->asked_by); });
  if (static_cast<std::size_t>(own) >= share) {
    return refuse(Errc::limit_exceeded, std::to_string(own) +
                                            " of your acts wait, the share of one "
                                            "person; withdraw one or have one confirmed");
  }
  TALLA_TRY_STATUS(act_possible(call, act));
  TALLA_TRY(const auto seq, add_step(call.tx, act, ActStage::asked));
  return shown(call, seq, 201);
}

Outcome confirm_act(const Call& call, const std::string& act_id) {
  TALLA_TRY(const auto* act, waiting_act(call, act_id));
  if (!call.tx.durable(act->seq)) return defer();
  if (call.body.has("digest") && act->digest != call.body.digest("digest"))
    return refuse(Errc::wrong_state, act_id + " asks for something else than what is confirmed");
  if (same_person(call.client, act->asked_by))
    return refuse(Errc::same_person,
                  "another person with another certificate must confirm " + act_id);
  // Whoever asked must have the role still: the enrolment of today counts, not that of the request.
  const auto first = roles_among(call.world().clients(), act->asked_by);
  if (!roles_of(act->kind).takes(first, call.client.roles)) {
    return refuse(Errc::forbidden,
                  "the two persons do not have the two roles that " +
                      std::string(act_name(act->kind)) + " asks for",
                  roles_told(roles_of(act->kind).both(), call.client.roles));
  }
  TALLA_TRY_STATUS(act_possible(call, *act));
  const Act wanted = *act;
  Act step = wanted;
  step.order.reset();
  if (is_signed(wanted.kind)) {
    if (!call.body.has("signature"))
      return refuse(Errc::order_signature, "signature: " + std::string(act_name(wanted.kind)) +
                                               " is signed by the second person too");
    TALLA_TRY(step.order, signed_order(call, wanted, wanted.order->head));
  } else if (call.body.has("signature")) {
    const auto asked = certs::leaf_hash(call.parts.hashes, as_bytes(wanted.text));
    TALLA_TRY(step.order, signed_order(call, wanted, asked));
  }
  TALLA_TRY(const auto added, add_step(call.tx, step, ActStage::confirmed));
  TALLA_TRY_STATUS(carry_out(call, wanted, added));
  return shown(call, wanted.seq, 200);
}

Outcome withdraw_act(const Call& call, const std::string& act_id) {
  TALLA_TRY(const auto* act, waiting_act(call, act_id));
  if (!roles_of(act->kind).takes(call.client.roles))
    return refuse(Errc::forbidden,
                  "no role of this client takes part in " + std::string(act_name(act->kind)),
                  roles_told(roles_of(act->kind).both(), call.client.roles));
  if (!call.tx.durable(act->seq)) return defer();
  const auto seq = act->seq;
  TALLA_TRY_STATUS(add_step(call.tx, *act, ActStage::withdrawn));
  return shown(call, seq, 200);
}

Outcome latch_generator(const Call& call) {
  auto reason = call.body.text_or("reason", {});
  if (!of_one_line(reason))
    return refuse(Errc::malformed_request, "reason: one line, without control characters");
  if (call.parts.supply.latched())
    return refuse(Errc::wrong_state, "the generator is latched already");
  certs::AccessBody body;
  body.what = "generator-latch";
  body.by = {call.client.id};
  TALLA_TRY_STATUS(call.tx.add({.kind = certs::Kind::access,
                                .object = {},
                                .cites = {},
                                .body = body.to_json(),
                                .typed = {},
                                .note = std::move(reason)}));
  call.parts.stop_commitments();
  return Done{{{"generator", json::Object{{"state", "latched"}}}}, 200, {}};
}

/// What it finds stands in SELFTEST and HEALTH records behind the ACCESS.
Outcome test_generator(const Call& call) {
  auto& supply = call.parts.supply;
  if (supply.latched())
    return refuse(Errc::wrong_state,
                  "the generator is latched: the reset that two persons ask for tests it");
  if (supply.evidence().state != entropy::State::operational)
    return refuse(Errc::wrong_state, "the generator is under test already");
  certs::AccessBody body;
  body.what = "generator-test";
  body.by = {call.client.id};
  TALLA_TRY_STATUS(call.tx.add({certs::Kind::access, {}, {}, body.to_json()}));
  supply.begin_test();
  return Done{{{"generator", json::Object{{"state", "testing"}}}}, 200, {}};
}

namespace {

Schema order_signature_schema() {
  return Schema::base64().about(
      "r || s of this client's P-256 key over the order (certs/FORMAT.md section 8)");
}

/// What each act names: nothing, an object, a client or a digest.
Schema ask_schema() {
  std::vector<std::string> digests;
  std::vector<std::string> alone;
  for (const auto& name : act_names()) {
    const auto kind = *act_from(name);
    if (approves(kind)) digests.push_back(name);
    if (kind == ActKind::latch_reset || kind == ActKind::log_key_rotate) alone.push_back(name);
  }
  const auto named = [](ActKind kind) {
    return required("act", Schema::exactly(std::string(act_name(kind))));
  };
  const auto head = required("head", Schema::digest().about("of its table, as its view has it"));
  const auto signature = required("signature", order_signature_schema());
  const auto signed_too = optional("signature", order_signature_schema());
  return Schema::either(
      {Schema::object({required("act", Schema::one_of(std::move(alone))), signed_too}),
       Schema::object({named(ActKind::table_finish),
                       required("object", Schema::id("table").about("a suspended one")),
                       signed_too}),
       Schema::object({named(ActKind::table_void),
                       required("object", Schema::id("table").about("a suspended one")), head,
                       signature}),
       Schema::object(
           {named(ActKind::draw_void),
            required("object", Schema::either({Schema::id("batch"), Schema::id("shoe")})),
            required("call", Schema::number().about("seq of the open CALL")), head, signature}),
       Schema::object({named(ActKind::shoe_close),
                       required("object", Schema::id("shoe").about(
                                              "of a table that the appliance settles, between "
                                              "rounds")),
                       head, signature}),
       Schema::object(
           {named(ActKind::call_again),
            required("object",
                     Schema::either({Schema::id("round"), Schema::id("shoe"), Schema::id("batch")})
                         .about("whose calls ended in VOID: the round, outside rounds the shoe or "
                                "batch")),
            head, signature}),
       Schema::object({named(ActKind::client_enrol), required("client", client_to_enrol_schema()),
                       signed_too}),
       Schema::object({named(ActKind::client_revoke),
                       required("object", Schema::text(1, 128).about("id of the client")),
                       signed_too}),
       Schema::object(
           {named(ActKind::sampling_order),
            required("object", Schema::text(1, 128).about("id of the laboratory that gets them")),
            required("samples",
                     Schema::text(1, samples_name_most)
                         .about("bits: conditioned; raw-N: of the source at that place in the "
                                "status; lab/CATALOGUE/GAME/ and wheel-N, dice-KxS, lots-B or "
                                "shoe-DECK: outcomes of a table of class lab")),
            optional("bytes", Schema::integer(certs::sample_bytes.min, certs::sample_bytes.max)
                                  .about("of bits and raw samples")),
            optional("count", Schema::integer(certs::lab_draws.min, certs::lab_draws.max)
                                  .about("outcomes of a table; of shoes at most " +
                                         std::to_string(certs::lab_shoes.max))),
            signed_too}),
       Schema::object({required("act", Schema::one_of(std::move(digests))),
                       required("digest", Schema::digest().about(
                                              "SHA-256 of the file that the next start shall "
                                              "read, digest of the manifest, or of what "
                                              "describes the backup")),
                       signed_too})});
}

}  // namespace

std::vector<Operation> act_operations() {
  constexpr RoleSet persons{Role::operator_, Role::security_officer, Role::inspector};
  const auto reply = reply_of("ActReply", "act", act_schema(), {receipts_member()});
  const auto generator = [](const char* name, const char* state) {
    return reply_of(name, "generator", Schema::object({required("state", Schema::exactly(state))}),
                    {receipts_member()});
  };
  return {
      {.row = {"askAct", "POST", "/v1/acts", persons, true},
       .handler = ask_act,
       .words = {"people", "Ask for an act that takes two persons",
                 "Another person with the other role confirms it within the time limit. "
                 "table-finish, table-void, shoe-close and call-again: inspector and operator or "
                 "security officer; all others: security officer and inspector. draw-void, "
                 "table-void, shoe-close and call-again are signed by both; of all others the log "
                 "says who signed and who came by the connection alone."},
       .body = Schema::named("AskAct", ask_schema()),
       .query = {},
       .replies = {{reply, 201}},
       .example_body = R"({"act":"latch-reset"})",
       .example_reply =
           R"({"act":{"act":"latch-reset","asked":1767225600000000,"asked_by":"talla:officer-1",)"
           R"("expires":1767226200000000,"id":"act-9","state":"asked"},)"
           R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"}]})"},
      {.row = {"confirmAct", "POST", "/v1/acts/{act}/confirm", persons, true},
       .handler = confirm_act,
       .words = {"people", "Confirm an act, as the second person",
                 "Another client with another certificate than who asked. A reset, a rotation of "
                 "the log key and a sampling order run on: ask until they are done or failed."},
       .body = Schema::object(
           {optional("digest", Schema::digest().about("what is meant to be confirmed: another one "
                                                      "than the act's is refused")),
            optional("signature", order_signature_schema())}),
       .query = {},
       .replies = {{reply}},
       .example_body = "{}",
       .example_reply =
           R"({"act":{"act":"latch-reset","asked":1767225600000000,"asked_by":"talla:officer-1",)"
           R"("expires":1767226200000000,"id":"act-9","state":"confirmed"},)"
           R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"}]})"},
      {.row = {"withdrawAct", "POST", "/v1/acts/{act}/withdraw", persons, true},
       .handler = withdraw_act,
       .words = {"people", "Withdraw an act that nobody has confirmed",
                 "Whoever asked, or whoever could have confirmed."},
       .body = nothing_schema(),
       .query = {},
       .replies = {{reply}},
       .example_body = "{}",
       .example_reply =
           R"({"act":{"act":"latch-reset","asked":1767225600000000,"asked_by":"talla:officer-1",)"
           R"("expires":1767226200000000,"id":"act-9","state":"withdrawn"},)"
           R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"}]})"},
      {.row = {"latchGenerator", "POST", "/v1/generator/latch", persons, true},
       .handler = latch_generator,
       .words = {"people", "Stop new commitments at once",
                 "One person latches the generator; two persons end it (act latch-reset)."},
       .body = Schema::object({optional(
           "reason", Schema::text(1, 500).about("why, in that person's words, one line: the note "
                                                "of the ACCESS; the status shows it"))}),
       .query = {},
       .replies = {{generator("LatchReply", "latched")}},
       .example_body = R"({"reason":"smoke in the hall"})",
       .example_reply = R"({"generator":{"state":"latched"},)"
                        R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"}]})"},
      {.row = {"testGenerator", "POST", "/v1/generator/test", {Role::operator_, Role::lab}, true},
       .handler = test_generator,
       .words = {"people", "Have the generator tested now",
                 "Known answers and the start-up tests of each source. What is found stands in "
                 "SELFTEST and HEALTH records."},
       .body = nothing_schema(),
       .query = {},
       .replies = {{generator("TestReply", "testing")}},
       .example_body = "{}",
       .example_reply = R"({"generator":{"state":"testing"},)"
                        R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"}]})"},
  };
}

}  // namespace talla::core
