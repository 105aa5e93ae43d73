// A whole appliance on simulated time: opened, asked, crashed and opened again.
#include "rig.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "certs/key_sources.hpp"
#include "certs/keys.hpp"
#include "must.hpp"
#include "operations.hpp"

namespace talla::core::test {

std::string Got::code() const {
  const auto* lapsed = json.find("lapsed");
  const auto* found = (lapsed == nullptr ? json : *lapsed).find("code");
  return found == nullptr ? std::string() : found->string();
}

const json::Value& Got::at(std::initializer_list<std::string_view> keys) const {
  const json::Value* value = &json;
  for (const auto key : keys) {
    const auto* next = value->find(key);
    if (next == nullptr) {
      ADD_FAILURE() << "no member " << key << " in " << body;
      std::abort();
    }
    value = next;
  }
  return *value;
}

std::vector<certs::Record> Got::records() const {
  std::vector<certs::Record> all;
  for (const auto& receipt : at({"receipts"}).array()) {
    all.push_back(must(certs::parse_record(receipt.find("record")->string())));
  }
  return all;
}

certs::Record Got::record(certs::Kind kind) const {
  for (const auto& record : records()) {
    if (record.kind == kind) return record;
  }
  ADD_FAILURE() << "no " << certs::kind_name(kind) << " in " << body;
  std::abort();
}

Rig::Rig(Settings wanted, std::string vfs, std::unique_ptr<certs::Anchor> anchor)
    : RigDisk(std::move(vfs), std::move(anchor)) {
  settings = std::move(wanted);
  settings.version = "test";
  settings.disk_reserve_bytes = 0;
  settings.client_rate_per_s = 0;
  for (const Client* person : {&officer, &inspector, &operator_}) {
    EnrolledClient enrolled{person->id, person->spki, {}};
    for (const auto role : {Role::security_officer, Role::inspector, Role::operator_}) {
      if (person->roles.has(role)) enrolled.roles.emplace_back(role_name(role));
    }
    settings.clients.push_back(std::move(enrolled));
  }
  log_keys = {{.key = keys() + "/log.key", .statement = keys() + "/log-key.json"}};
  open();
}

Rig::~Rig() {
  crash();
}

void Rig::crash() {
  service_.reset();
  close_log();
}

void Rig::open() {
  try_open([](const Error& error) { must(Status(tl::unexpected<Error>(error))); });
}

Result<Effects> Rig::effects() {
  TALLA_TRY(auto chosen, open_log_with(clock, log_keys));
  MonitorHook* const hook = monitors ? monitors(ledger()) : nullptr;
  Effects effects{.clock = clock,
                  .hashes = hashes(),
                  .log = log(),
                  .sealer = sealer(),
                  .supply = supply,
                  .log_key = std::move(chosen.log_key),
                  .monitors = hook,
                  .software = software,
                  .retired_keys = {},
                  .next_log_key = {},
                  .certification = certification};
  effects.retired_keys = std::move(chosen.retired);
  tile_writer.reset();
  if (!tiles.empty()) {
    TALLA_TRY(tile_writer, certs::TileWriter::open(log(), tiles));
    effects.tiles = &*tile_writer;
  }
  if (log_keys.size() > 1) {
    effects.next_log_key = [source = log_keys[1]]() -> Result<NextLogKey> {
      TALLA_TRY(auto signer, certs::open_log_signer(source.key));
      TALLA_TRY(auto log_key,
                certs::load_log_key(source.statement, rig_origin, signer->public_key()));
      return NextLogKey{std::move(signer), std::move(log_key)};
    };
  }
  return effects;
}

Effects Rig::open_log() {
  return must(effects());
}

void Rig::try_open(const std::function<void(const Error&)>& refused) {
  auto around = effects();
  if (!around) return refused(around.error());
  auto made = Service::create(settings, std::move(*around));
  if (!made) return refused(made.error());
  service_ = std::move(*made);
  service_->serving();
}

void Rig::restart() {
  crash();
  open();
}

Request Rig::request(std::string method, std::string path, std::string body, std::string key) {
  if (method == "POST" && key.empty()) key = "key-" + std::to_string(keys_++);
  return {std::move(method), std::move(path), std::move(body), client, std::move(key)};
}

std::shared_ptr<std::optional<Reply>> Rig::send(Request request) {
  auto slot = std::make_shared<std::optional<Reply>>();
  service_->submit(std::move(request), [slot](Reply reply) {
    EXPECT_FALSE(slot->has_value()) << "answered twice";
    *slot = std::move(reply);
  });
  return slot;
}

namespace {

/// What is answered is what the operation's row says.
void expect_as_described(const Route& route, const Reply& reply, const json::Value& body) {
  const Operation& operation = *route.operation;
  for (const auto& one : operation.replies) {
    if (one.status != reply.status || !reply.content_type.starts_with(one.content_type)) continue;
    const auto fits = one.body.check(body, std::string(operation.row.id));
    EXPECT_TRUE(fits) << fits.error().text() << "\n" << reply.body;
    return;
  }
  ADD_FAILURE() << operation.row.id << " does not describe " << reply.status;
}

}  // namespace

Got Rig::ask(Request request) {
  const auto route = find_route(request.method, request.path);
  const auto slot = send(std::move(request));
  service_->run_until_idle();
  Got got;
  if (!slot->has_value()) {
    ADD_FAILURE() << "no reply";
    return got;
  }
  got.status = (*slot)->status;
  got.body = (*slot)->body;
  got.retry_after_s = (*slot)->retry_after_s;
  if ((*slot)->content_type != "text/plain; charset=utf-8") {
    got.json = must(json::parse(got.body));
    if (got.status < 300) expect_as_described(*route, **slot, got.json);
  }
  return got;
}

Got Rig::post(const std::string& path, const std::string& body, std::string key) {
  return ask(request("POST", path, body, std::move(key)));
}
Got Rig::post_as(const Client& who, const std::string& path, const std::string& body,
                 std::string key) {
  auto asked = request("POST", path, body, std::move(key));
  asked.client = who;
  return ask(std::move(asked));
}
std::string Rig::order_signature(const Client& who, const std::string& act,
                                 const std::string& object, const std::string& head,
                                 const std::string& digest) {
  const auto at = digest_from_hex(head);
  if (!at) return "AA==";
  return to_base64(
      table_call_key(who.id)->sign(certs::order_statement(rig_origin, object, *at, act, digest)));
}

Got Rig::ask_order(const Client& who, const std::string& act, const std::string& object,
                   const std::string& table, json::Object more) {
  const auto seen = get("/v1/tables/" + table);
  const auto head = seen.status == 200 ? seen.text({"table", "head"}) : std::string(64, '0');
  more["act"] = act;
  more["object"] = object;
  more["head"] = head;
  more["signature"] = order_signature(who, act, object, head);
  return post_as(who, "/v1/acts", json::canonical(json::Value(std::move(more))));
}

Got Rig::confirm_order(const Client& who, const Got& asked) {
  if (asked.status != 201) return asked;
  const auto signature = order_signature(
      who, asked.text({"act", "act"}), asked.text({"act", "object"}), asked.text({"act", "head"}));
  return post_as(who, "/v1/acts/" + asked.text({"act", "id"}) + "/confirm",
                 json::canonical(json::Value(json::Object{{"signature", signature}})));
}

Got Rig::reset_latch() {
  const auto asked = post_as(officer, "/v1/acts", R"({"act":"latch-reset"})");
  EXPECT_EQ(asked.status, 201) << asked.body;
  return post_as(inspector, "/v1/acts/" + asked.text({"act", "id"}) + "/confirm");
}
Got Rig::get(const std::string& path) {
  return ask(request("GET", path));
}

std::string Rig::nonce() {
  const Bytes counter = ByteWriter().u64(nonces_++).take();
  return to_hex(hashes().sha256({as_bytes("nonce"), counter}));
}

std::string Rig::open_table(const std::string& body) {
  const auto opened = post("/v1/tables", body);
  EXPECT_EQ(opened.status, 201) << opened.body;
  return opened.text({"table", "id"});
}

Got Rig::deal_ready_shoe(const std::string& table) {
  const auto made = post("/v1/tables/" + table + "/shoes");
  EXPECT_EQ(made.status, 201) << made.body;
  const auto shoe = made.text({"shoe", "id"});
  const auto mixed = post("/v1/shoes/" + shoe + "/mix", mix_body(shoe));
  EXPECT_EQ(mixed.status, 200) << mixed.body;
  return mixed;
}

void Rig::alarm() {
  entropy::Event event;
  event.kind = entropy::EventKind::health;
  event.level = 1;
  event.test = entropy::HealthTest::repetition_count;
  event.monotonic_ns = clock.monotonic_ns() + 1000;
  event.suspect_from_ns = 1;
  event.utc_us = clock.utc_us();
  event.dropped_samples = 8192;
  supply.events.push_back(event);
}

}  // namespace talla::core::test
