// talla act: what needs two persons: one asks, another confirms. talla latch: one person stops new
// commitments. talla test: the generator is tested as at a start.
#include <chrono>
#include <memory>
#include <thread>

#include "base/bytes.hpp"
#include "certs/keys.hpp"
#include "certs/openssl_hashes.hpp"
#include "format/body_machine.hpp"
#include "format/call.hpp"
#include "format/domain.hpp"
#include "format/lab_table.hpp"
#include "format/merkle.hpp"
#include "members.hpp"
#include "software/manifest.hpp"
#include "steps.hpp"
#include "verify/call_key.hpp"

namespace talla::cli {

namespace {

struct ActOptions {
  std::string name;
  std::string object;
  std::int64_t call = -1;
  std::string id;
  std::string file;
  std::string certificate;
  std::string digest;
  std::string head;
  std::vector<std::string> roles;
  std::string samples;
  std::int64_t bytes = -1;
  std::int64_t count = -1;
  int wait_seconds = 90;
};

std::string act_words(const json::Value& act) {
  std::string words = word_in(act, "id") + ": " + word_in(act, "act") + ", " +
                      word_in(act, "state") + ", asked by " + word_in(act, "asked_by");
  if (act.find("object") != nullptr) words += ", of " + word_in(act, "object");
  if (const auto* client = act.find("client")) {
    words += " with the key " + word_in(*client, "spki").substr(0, 16) + "...";
    for (const json::Value& role : list_in(*client, "roles")) words += " " + word_of(role);
  } else if (act.find("digest") != nullptr) {
    words += ", of " + word_in(act, "digest");
  }
  if (act.find("confirmed_by") != nullptr)
    words += ", confirmed by " + word_in(act, "confirmed_by");
  return words;
}

/// The digest that is asked for or confirmed: of a file, or as it was given; empty when neither
/// was. A manifest of software is meant without its signatures, as SOFTWARE records name it.
Result<std::string> digest_of(const ActOptions& options) {
  if (options.file.empty()) return options.digest;
  TALLA_TRY(std::string content, read_file(options.file));
  if (auto text = software::manifest_text(content)) content = std::move(*text);
  return to_hex(certs::OpensslHashes().sha256({as_bytes(content)}));
}

/// {id, spki, roles} of a certificate: its one URI is the id.
Result<json::Value> client_of(const ActOptions& options) {
  TALLA_TRY(const certs::CertificateView view, certs::view_certificate(options.certificate));
  if (view.names.size() != 1)
    return fail(CliErrc::file,
                options.certificate + ": one alternative name, the client's id, is expected");
  json::Array roles;
  for (const std::string& role : options.roles) roles.emplace_back(role);
  return json::Value(json::Object{
      {"id", view.names.front()}, {"spki", to_hex(view.spki)}, {"roles", std::move(roles)}});
}

/// What a person signs of an act.
struct Signed {
  std::string act;
  std::string object;
  std::string digest;
  Digest head{};
};

/// r || s of this person's key over it, in base64.
Result<std::string> sign_order(Session& session, const Signed& what) {
  TALLA_TRY(const json::Value status, session.get("/v1/status"));
  TALLA_TRY(const std::string origin, text_at(status, {"origin"}));
  TALLA_TRY(const std::string pem, read_file(session.key_file()));
  TALLA_TRY(const certs::CallKey key, certs::CallKey::load(pem));
  return to_base64(
      key.sign(certs::order_statement(origin, what.object, what.head, what.act, what.digest)));
}

/// Of the body of a KEY, as an ACCESS that asks for it has it.
Digest key_digest(const json::Value& key) {
  return certs::OpensslHashes().sha256(
      {as_bytes(certs::domain::key), as_bytes(json::canonical(key))});
}

/// What the log will have as the object of what is asked for.
std::string object_asked(const json::Value& body, const ActOptions& options) {
  if (const json::Value* client = body.find("client")) return word_in(*client, "id");
  if (options.samples.empty()) return options.object;
  const bool of_table = certs::names_lab_table(options.samples);
  return options.samples + ":" + std::to_string(of_table ? options.count : options.bytes) + ":" +
         options.object;
}

/// The digest that the log will have of what is asked for; nothing where only the appliance knows
/// it before: of its next log key, and of the roles that a client loses.
std::optional<std::string> digest_asked(const json::Value& body, const std::string& digest) {
  const std::string act = word_in(body, "act");
  if (act == "log-key-rotate" || act == "client-revoke") return std::nullopt;
  const json::Value* client = body.find("client");
  if (client == nullptr) return digest;
  const json::Value key(json::Object{{"purpose", "client"},
                                     {"id", *client->find("id")},
                                     {"spki", *client->find("spki")},
                                     {"roles", *client->find("roles")},
                                     {"action", "enrol"}});
  return to_hex(key_digest(key));
}

/// A text of a view; empty: it has none.
std::string text_in(const json::Value& view, std::string_view name) {
  return view.find(name) == nullptr ? std::string() : word_in(view, name);
}

/// Whether the client that an act is shown for is the one of the KEY that it asks for.
bool is_client_of(const json::Value& view, const json::Value& key) {
  const json::Value* client = view.find("client");
  return client == nullptr || (member_in(*client, "id") == member_in(key, "id") &&
                               member_in(*client, "spki") == member_in(key, "spki") &&
                               member_in(*client, "roles") == member_in(key, "roles"));
}

/// The request that is confirmed, as the log has it: every word of it is the record's.
Result<Signed> asked_for(Session& session, const std::string& id, const json::Value& view) {
  TALLA_TRY(const std::uint64_t seq, certs::object_seq("act", id));
  TALLA_TRY(const std::string text, session.verified_record(seq));
  TALLA_TRY(const certs::Record record, certs::parse_record(text));
  TALLA_TRY(const auto body, certs::AccessBody::from_json(record.body));
  Signed what{word_in(view, "act"), body.object, {}, {}};
  if (body.digest) what.digest = to_hex(*body.digest);
  const json::Value* key = record.body.find("key");
  const bool same = record.kind == certs::Kind::access && body.what == what.act + ".asked" &&
                    text_in(view, "object") == what.object &&
                    text_in(view, "digest") == what.digest && record.client &&
                    record.client->id == word_in(view, "asked_by");
  if (!same || (key != nullptr && (body.digest != key_digest(*key) || !is_client_of(view, *key))))
    return fail(CliErrc::receipt_refused, id + " is another act in the log than is shown");
  what.head = certs::leaf_hash(certs::OpensslHashes(), as_bytes(text));
  return what;
}

Result<json::Value> act_of(const json::Value& reply) {
  TALLA_TRY(const std::string id, text_at(reply, {"act", "id"}));
  static_cast<void>(id);
  return *reply.find("act");
}

Status show_act(App& app, const json::Value& reply) {
  TALLA_TRY(const json::Value act, act_of(reply));
  app.say(act_words(act));
  app.emit(act);
  return {};
}

/// The head that was given, or that of the table now, of which the object is or belongs to.
Result<std::string> head_of(Session& session, const ActOptions& options) {
  if (!options.head.empty()) return options.head;
  std::string table = options.object;
  const std::string kind = table.substr(0, table.find('-'));
  if (options.call >= 0) {
    TALLA_TRY(const json::Value view, session.get("/v1/calls/" + std::to_string(options.call)));
    TALLA_TRY(table, text_at(view, {"call", "table"}));
  } else if (kind == "round" || kind == "shoe") {
    TALLA_TRY(const json::Value view, session.get("/v1/" + kind + "s/" + table));
    TALLA_TRY(table, text_at(view, {kind, "table"}));
  } else if (kind != "table") {
    return fail(CliErrc::usage, "--head: of the table of " + table);
  }
  TALLA_TRY(const json::Value view, session.get("/v1/tables/" + table));
  return text_at(view, {"table", "head"});
}

Status ask_act(App& app, Session& session, const ActOptions& options) {
  json::Value body;
  body["act"] = options.name;
  if (!options.object.empty()) body["object"] = options.object;
  if (options.call >= 0) body["call"] = options.call;
  if (!options.samples.empty()) body["samples"] = options.samples;
  if (options.bytes >= 0) body["bytes"] = options.bytes;
  if (options.count >= 0) body["count"] = options.count;
  if (!options.certificate.empty()) {
    TALLA_TRY(body["client"], client_of(options));
  }
  TALLA_TRY(const std::string digest, digest_of(options));
  if (!digest.empty()) body["digest"] = digest;
  const std::string key = Session::nonce();
  Signed what{options.name, options.object, digest, {}};
  if (certs::orders_table(options.name)) {
    TALLA_TRY(const std::string head, head_of(session, options));
    TALLA_TRY(what.head, digest_from_hex(head));
    TALLA_TRY(body["signature"], sign_order(session, what));
    body["head"] = head;
  } else if (const auto asked = digest_asked(body, digest)) {
    what.object = object_asked(body, options);
    what.digest = *asked;
    what.head = certs::request_key_head(certs::OpensslHashes(), key);
    TALLA_TRY(body["signature"], sign_order(session, what));
  }
  TALLA_TRY(const json::Value reply, session.post("/v1/acts", body, key));
  TALLA_TRY_STATUS(show_act(app, reply));
  TALLA_TRY(const std::string id, text_at(reply, {"act", "id"}));
  app.say("now the other person, with the other role and in time: talla act confirm " + id);
  return {};
}

/// Confirms, and waits for the end of what takes time.
Status confirm(App& app, Session& session, const ActOptions& options) {
  const std::string path = "/v1/acts/" + options.id;
  json::Value body;
  TALLA_TRY(const std::string digest, digest_of(options));
  if (!digest.empty()) body["digest"] = digest;
  TALLA_TRY(const json::Value asked, session.get(path));
  TALLA_TRY(const json::Value view, act_of(asked));
  TALLA_TRY(Signed what, asked_for(session, options.id, view));
  if (certs::orders_table(what.act)) {
    TALLA_TRY(const std::string head, text_at(view, {"head"}));
    TALLA_TRY(what.head, digest_from_hex(head));
  }
  TALLA_TRY(body["signature"], sign_order(session, what));
  TALLA_TRY(json::Value reply, session.post(path + "/confirm", body));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(options.wait_seconds);
  while (true) {
    TALLA_TRY(const std::string state, text_at(reply, {"act", "state"}));
    TALLA_TRY(const std::string name, text_at(reply, {"act", "act"}));
    const bool runs = state == "confirmed" && (name == "latch-reset" || name == "log-key-rotate");
    if (!runs || std::chrono::steady_clock::now() >= end) {
      TALLA_TRY_STATUS(show_act(app, reply));
      if (state == "failed")
        return fail(CliErrc::appliance_refused,
                    name == "latch-reset"
                        ? "a test was not passed: the latch stands (talla status)"
                        : "the next log key could not be taken: the present one signs on");
      return {};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    TALLA_TRY(reply, session.get(path));
  }
}

Status withdraw(App& app, Session& session, const ActOptions& options) {
  TALLA_TRY(const json::Value reply,
            session.post("/v1/acts/" + options.id + "/withdraw", json::Value(json::Object{})));
  return show_act(app, reply);
}

Status list_acts(App& app, Session& session) {
  TALLA_TRY(const json::Value reply, session.get("/v1/acts"));
  const json::Value* acts = reply.find("acts");
  if (acts == nullptr || !acts->is_array())
    return fail(CliErrc::appliance_refused, "the reply has no acts");
  for (const json::Value& act : acts->array()) app.say(act_words(act));
  if (acts->array().empty()) app.say("no act waits");
  app.emit(*acts);
  for (const json::Value& one : list_in(reply, "approvals"))
    app.say("approved and not carried out: " + word_in(one, "act") + " " + word_in(one, "digest"));
  return {};
}

Status latch(App& app, Session& session, const std::string& reason) {
  json::Object body;
  if (!reason.empty()) body["reason"] = reason;
  TALLA_TRY(const json::Value reply,
            session.post("/v1/generator/latch", json::Value(std::move(body))));
  app.say(
      "latched: no new commitments; what is committed goes on. Two persons end it: talla act ask "
      "latch-reset");
  app.emit(reply);
  return {};
}

/// What has been recorded of a test since `seq`, said once each; whether its known answers are
/// told.
Result<bool> show_findings(App& app, Session& session, std::uint64_t& seq) {
  TALLA_TRY(const json::Value reply,
            session.get("/v1/events?limit=100&after=" + std::to_string(seq)));
  const json::Value* events = reply.find("events");
  if (events == nullptr || !events->is_array())
    return fail(CliErrc::appliance_refused, "the reply has no events");
  bool answered = false;
  for (const json::Value& event : events->array()) {
    TALLA_TRY(const std::int64_t at, integer_at(event, {"seq"}));
    seq = static_cast<std::uint64_t>(at);
    TALLA_TRY(const std::string kind, text_at(event, {"kind"}));
    if (kind != "SELFTEST" && kind != "HEALTH") continue;
    TALLA_TRY(const std::string text, text_at(event, {"record"}));
    TALLA_TRY(const json::Value record, json::parse(text));
    TALLA_TRY(const std::string test, text_at(record, {"body", "test"}));
    answered = answered || test == "generator-known-answers";
    if (kind == "HEALTH") {
      TALLA_TRY(const std::string source, text_at(record, {"body", "source"}));
      app.say("  alarm: " + test + " of " + source);
    } else {
      TALLA_TRY(const std::string result, text_at(record, {"body", "result"}));
      app.say("  " + test + ": " + result);
    }
  }
  return answered;
}

/// Until the generator gives bits again, or is latched.
Status test_generator(App& app, Session& session, int wait_seconds) {
  TALLA_TRY(json::Value reply, session.post("/v1/generator/test", json::Value(json::Object{})));
  TALLA_TRY(std::uint64_t seq, seq_of(session, "ACCESS"));
  app.say("testing: every known answer, and the start-up test of each source");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(wait_seconds);
  bool answered = false;
  std::string state = "testing";
  while (wait_seconds > 0 && (!answered || (state != "operational" && state != "latched"))) {
    if (std::chrono::steady_clock::now() >= end)
      return fail(CliErrc::appliance_refused, "the test runs on: talla status, talla log");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    TALLA_TRY(reply, session.get("/v1/status"));
    TALLA_TRY(state, text_at(reply, {"generator", "state"}));
    TALLA_TRY(const bool told, show_findings(app, session, seq));
    answered = answered || told;
  }
  app.say("generator: " + state);
  app.emit(json::Value(json::Object{{"generator", json::Object{{"state", state}}}}));
  if (state == "latched")
    return fail(CliErrc::appliance_refused, "a test was not passed: the generator is latched");
  return {};
}

void add_digest(commandline::Command& command, ActOptions& options, const std::string& meaning) {
  auto* file =
      command.add_option("--file", options.file,
                         meaning + ", by its file (rngd.toml, clients.toml, software.manifest)");
  command.add_option("--digest", options.digest, meaning + ", by its SHA-256 in hex")
      ->excludes(file);
}

}  // namespace

void add_acts(commandline::Command& root, App& app) {
  auto options = std::make_shared<ActOptions>();
  auto* act =
      root.add_subcommand("act", "what needs two persons: one asks, another confirms in time");
  act->require_subcommand();
  auto* asked = act->add_subcommand("ask", "ask for an act");
  asked
      ->add_option("ACT", options->name,
                   "table-finish, table-void, call-again, shoe-close (inspector and operator or "
                   "security officer); latch-reset, draw-void, log-key-rotate, client-enrol, "
                   "client-revoke, enrolment-change, config-change, software-update, restore, "
                   "sampling-order (security officer and inspector)")
      ->required();
  asked->add_option(
      "--object", options->object,
      "batch-N or shoe-N of a draw-void, table-N of a suspended table, id of a client to revoke, "
      "round-N, shoe-N or batch-N to call for again, shoe-N to close, id of the laboratory of a "
      "sampling-order");
  asked->add_option("--head", options->head,
                    "of an act that both persons sign: head of its table, as its view or the "
                    "refusal names it; without it that of now");
  asked->add_option("--call", options->call, "record of the CALL that is to be void");
  asked->add_option("--certificate", options->certificate,
                    "client-enrol: its certificate, PEM; of an enrolled client its new one");
  asked->add_option("--role", options->roles, "client-enrol: its roles")->needs("--certificate");
  asked->add_option("--samples", options->samples,
                    "sampling-order: bits (conditioned), raw-N of source N, or outcomes of a "
                    "table of class lab, such as lab/es-1977/french-roulette/wheel-37 or "
                    "lab/es-1977/punto-banco/shoe-french52x8");
  asked->add_option("--bytes", options->bytes, "sampling-order: how many bits or raw samples");
  asked->add_option("--count", options->count, "sampling-order: how many outcomes of a table");
  add_digest(*asked, *options, "what is to be approved");
  asked->callback([&app, options] {
    with_session(app, [&](Session& session) { return ask_act(app, session, *options); });
  });
  auto* confirmed = act->add_subcommand("confirm", "confirm an act that somebody else asked for");
  confirmed->add_option("ID", options->id, "act-N")->required();
  add_digest(*confirmed, *options, "what you mean to confirm: anything else is refused");
  confirmed->add_option("--wait", options->wait_seconds, "seconds to wait for the tests of a reset")
      ->range(0, 3600)
      ->capture_default_str();
  confirmed->callback([&app, options] {
    with_session(app, [&](Session& session) { return confirm(app, session, *options); });
  });
  auto* withdrawn = act->add_subcommand("withdraw", "withdraw an act that waits");
  withdrawn->add_option("ID", options->id, "act-N")->required();
  withdrawn->callback([&app, options] {
    with_session(app, [&](Session& session) { return withdraw(app, session, *options); });
  });
  auto* all = act->add_subcommand("list", "acts that wait, run or ended of late");
  all->callback(
      [&app] { with_session(app, [&](Session& session) { return list_acts(app, session); }); });
  auto* stop =
      root.add_subcommand("latch", "stop new commitments at once; only two persons end it");
  auto reason = std::make_shared<std::string>();
  stop->add_option("--reason", *reason, "why, in words: into the record's note");
  stop->callback([&app, reason] {
    with_session(app, [&](Session& session) { return latch(app, session, *reason); });
  });
  auto* test = root.add_subcommand(
      "test", "test the generator now as at a start: known answers, start-up test of each source");
  auto wait_seconds = std::make_shared<int>(options->wait_seconds);
  test->add_option("--wait", *wait_seconds, "seconds to wait for the end; 0: do not wait")
      ->range(0, 3600)
      ->capture_default_str();
  test->callback([&app, wait_seconds] {
    with_session(app,
                 [&](Session& session) { return test_generator(app, session, *wait_seconds); });
  });
}

}  // namespace talla::cli
