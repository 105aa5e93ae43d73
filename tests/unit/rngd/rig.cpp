#include "rig.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <sstream>

#include "certs/files.hpp"
#include "certs/key_sources.hpp"
#include "certs/keys.hpp"
#include "certs/signer.hpp"
#include "certs/sqlite_ledger.hpp"
#include "entropy/errc.hpp"
#include "format/body_shoe.hpp"
#include "format/call.hpp"
#include "format/domain.hpp"
#include "format/merkle.hpp"
#include "format/proof.hpp"
#include "operations.hpp"
#include "verify/call_key.hpp"
#include "verify/verify.hpp"

namespace talla::core::test {
namespace {

template <class T>
T must(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << result.error().text();
    std::abort();
  }
  return std::move(*result);
}
void must(Status status) {
  if (!status) {
    ADD_FAILURE() << status.error().text();
    std::abort();
  }
}

/// One key set for all tests of the program: making it is the slow part. Removed with the program.
class KeyFolder {
 public:
  KeyFolder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "talla-rig-keys-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    folder_ = pattern;
    must(certs::init_development_keys({path(), rig_origin, {}, ManualClock().utc_us()}));
  }
  KeyFolder(const KeyFolder&) = delete;
  KeyFolder& operator=(const KeyFolder&) = delete;
  ~KeyFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  [[nodiscard]] std::string path() const { return folder_ + "/keys"; }

 private:
  std::string folder_;
};

std::string key_folder() {
  static const KeyFolder folder;
  return folder.path();
}

/// A pair of files among the development keys.
struct TableKey {
  std::shared_ptr<const certs::CallKey> key;
  std::string certificate;  // DER
};

const TableKey& table_key(const std::string& id) {
  // Never destroyed: Botan's own statics, which a key refers to, end before it.
  static auto& known = *new std::map<std::string, TableKey>;  // NOLINT
  if (const auto found = known.find(id); found != known.end()) return found->second;
  const auto base = key_folder() + "/clients/" + id;
  must(certs::add_development_client({key_folder(), id, {"table"}, ManualClock().utc_us()}));
  auto key = must(certs::CallKey::load(must(certs::read_file(base + ".key"))));
  const auto pem = must(certs::read_file(base + ".pem"));
  const auto begin = pem.find("-----\n") + 6;
  std::string text = pem.substr(begin, pem.find("-----END") - begin);
  std::erase(text, '\n');
  const auto der = must(from_base64(text));
  return known
      .emplace(id, TableKey{std::make_shared<const certs::CallKey>(std::move(key)),
                            {der.begin(), der.end()}})
      .first->second;
}

}  // namespace

Client table_client(const std::string& id) {
  const auto& own = table_key(id);
  const certs::OpensslHashes hashes;
  const Bytes& spki = own.key->spki();
  Client client{id, to_hex(hashes.sha256({spki})), {Role::table}};
  client.public_key.assign(spki.begin(), spki.end());
  client.chain = std::make_shared<const std::vector<std::string>>(1, own.certificate);
  return client;
}

std::string table_key_pem(const std::string& id) {
  static_cast<void>(table_key(id));
  return must(certs::read_file(key_folder() + "/clients/" + id + ".key"));
}

std::string sign_core(const Client& client, const std::string& core) {
  return to_base64(table_key(client.id).key->sign(certs::call_statement(core)));
}

Result<entropy::FullEntropy> FakeSupply::full_entropy(std::size_t n_bytes) {
  if (latched_) return fail(entropy::Errc::latched, "fake latch");
  if (pool_empty) return fail(entropy::Errc::not_ready, "fake pool is empty");
  entropy::FullEntropy bits;
  const certs::OpensslHashes hashes;
  while (bits.bytes.size() < n_bytes) {
    const Bytes input = ByteWriter().u64(counter_++).take();
    for (const auto byte : hashes.sha256({as_bytes("rig"), input})) bits.bytes.push_back(byte);
  }
  bits.bytes.resize(n_bytes);
  if (stuck) std::fill(bits.bytes.begin(), bits.bytes.end(), *stuck);
  given.insert(given.end(), bits.bytes.begin(), bits.bytes.end());
  bits.samples_to_ns = clock_.monotonic_ns() + 1;
  bits.samples_from_ns = bits.samples_to_ns - 1'000'000;
  bits.evidence = evidence();
  return bits;
}

void FakeSupply::latch(entropy::LatchReason reason) {
  if (latched_) return;
  latched_ = reason;
  entropy::Event event;
  event.state = entropy::State::latched;
  event.reason = reason;
  events.push_back(event);
}

void FakeSupply::begin_reset() {
  EXPECT_FALSE(resetting_) << "one reset at a time";
  resetting_ = true;
  ++resets;
}

void FakeSupply::begin_test() {
  EXPECT_FALSE(latched_ || testing) << "what is latched or under test is not tested";
  ++tests;
  entropy::Event tested;
  tested.kind = entropy::EventKind::self_test;
  tested.passed = answers_hold;
  events.push_back(tested);
  if (!answers_hold) return latch(entropy::LatchReason::self_test_failed);
  testing = true;
}

std::optional<Status> FakeSupply::take_reset() {
  if (!resetting_ || !reset_passes) return std::nullopt;
  resetting_ = false;
  const auto before = latched_.value_or(entropy::LatchReason::none);
  latched_.reset();
  entropy::Event tested;
  tested.kind = entropy::EventKind::self_test;
  tested.passed = true;
  events.push_back(tested);
  if (!*reset_passes) {
    latch(before);
    return Status(fail(entropy::Errc::latched, "the start-up test failed"));
  }
  entropy::Event seeded;
  seeded.kind = entropy::EventKind::reseed;
  seeded.reseed_counter = 2;
  events.push_back(seeded);
  return Status();
}

entropy::Evidence FakeSupply::evidence() const {
  entropy::Evidence evidence;
  evidence.state = latched_  ? entropy::State::latched
                   : testing ? entropy::State::suspended
                             : entropy::State::operational;
  entropy::SourceEvidence source;
  source.model = model;
  source.source_class = entropy::SourceClass::system;
  source.assessed_millibits_per_sample = 8000;
  source.credited = true;
  source.verdict = entropy::Verdict::good;
  evidence.sources.push_back(std::move(source));
  evidence.reseed_counter = 1;
  evidence.generate_counter = counter_;
  return evidence;
}

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

RigDisk::RigDisk(std::string vfs) : vfs_(std::move(vfs)) {
  std::string pattern = (std::filesystem::temp_directory_path() / "talla-rig-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) std::abort();
  folder_ = pattern;
  sealer_ = must(certs::Sealer::load(keys() + "/sealing.key"));
  anchor_ = std::make_unique<certs::FileAnchor>(folder_ + "/anchor.json");
}

RigDisk::~RigDisk() {
  close_log();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

Rig::Rig(Settings wanted, std::string vfs) : RigDisk(std::move(vfs)) {
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

std::string RigDisk::keys() {
  return key_folder();
}

std::string RigDisk::all_files() const {
  std::stringstream all;
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    all << std::ifstream(entry.path(), std::ios::binary).rdbuf();
  return all.str();
}

void Rig::crash() {
  service_.reset();
  close_log();
}

void RigDisk::close_log() {
  log_.reset();
  ledger_.reset();
}

void RigDisk::lose_seals() {
  const auto path = folder_ + "/other.key";
  std::ofstream(path, std::ios::binary) << std::string(32, 'k');
  std::filesystem::permissions(
      path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  sealer_ = must(certs::Sealer::load(path));
}

void Rig::open() {
  try_open([](const Error& error) { must(Status(tl::unexpected<Error>(error))); });
}

Result<certs::ChosenLogKey> RigDisk::open_log_with(
    Clock& clock, const std::vector<certs::LogKeySource>& log_keys) {
  certs::SqliteLedgerOptions options;
  options.path = folder_ + "/ledger.sqlite";
  options.origin = rig_origin;
  options.vfs = vfs_;
  options.wal_pages_max =
      64;  // so that the write-ahead log is copied into the file again and again
  options.young_keys_max = 24;  // and keys into the index
  ledger_ = must(certs::open_sqlite_ledger(options));
  TALLA_TRY(auto chosen, certs::choose_log_key(*ledger_, rig_origin, log_keys));
  signer_ = chosen.signer;
  log_ = must(certs::Log::open({hashes_, *ledger_, *signer_, clock, anchor_.get()},
                               {.origin = rig_origin}));
  return chosen;
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

certs::Mix mix_in(const Got& reply) {
  const certs::OpensslHashes hashes;
  const auto body = certs::ShoeMixBody::from_json(reply.record(certs::Kind::shoe_mix).body);
  const auto call = certs::CallBody::from_json(reply.record(certs::Kind::call).body);
  EXPECT_TRUE(body.has_value() && call.has_value());
  const auto mix = certs::mix_of(hashes, call->core, *body);
  EXPECT_TRUE(mix.has_value());
  return mix.value_or(certs::Mix{});
}

Rig::OpenBatch Rig::open_batch(const std::string& table, int count) {
  const auto made =
      post("/v1/tables/" + table + "/batches", R"({"count":)" + std::to_string(count) + "}");
  EXPECT_EQ(made.status, 201) << made.body;
  return {table, made.text({"batch", "id"}), made.text({"batch", "root"})};
}

std::vector<certs::Record> RigDisk::records(certs::Kind kind) {
  std::vector<certs::Record> all;
  for (std::uint64_t seq = 0; seq < log_->size(); ++seq) {
    auto record = must(certs::parse_record(must(ledger_->record(seq)).bytes));
    if (record.kind == kind) all.push_back(std::move(record));
  }
  return all;
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

json::Object Rig::core_of(const std::string& table, const std::string& round) {
  const auto got = get("/v1/tables/" + table);
  EXPECT_EQ(got.status, 200) << got.body;
  json::Value bets{json::Array{}};
  if (!round.empty()) {
    const auto played = get("/v1/rounds/" + round);
    if (played.text({"round", "state"}) != "betting") bets = played.at({"round", "bets"});
  }
  return {
      {"v", 2},
      {"type", "talla-call"},
      {"origin", rig_origin},
      {"table", table},
      {"turn", got.at({"table", "turn"})},
      {"head", got.at({"table", "head"})},
      {"round", round.empty() ? "0" : round},
      {"bets", to_hex(certs::bets_digest(hashes(), bets))},
      {"game", got.at({"table", "game"})},
      {"variant", got.at({"table", "variant"})},
      {"catalogue", got.at({"table", "catalogue"})},
      {"parameters", to_hex(certs::parameters_digest(hashes(), got.at({"table", "parameters"})))},
      {"value", nonce()},
      {"others", json::Array{}}};
}

std::string Rig::signed_core(json::Object core) {
  const json::Value said(std::move(core));
  return json::canonical(json::Value(
      json::Object{{"core", said}, {"signature", sign_core(client, json::canonical(said))}}));
}

json::Value specification_due(const json::Value& view) {
  if (const auto* range = view.find("parameters")->find("range")) return *range;
  const auto* needs = view.find("needs");
  for (const auto& need : needs == nullptr ? json::Array() : needs->array()) {
    if (need.find("need")->string() != "draw") continue;
    const auto kind = need.find("kind")->string();
    if (kind == "wheel")
      return json::Object{{"kind", kind}, {"pockets", need.find("pockets")->array().size()}};
    if (kind == "dice")
      return json::Object{
          {"kind", kind}, {"count", *need.find("count")}, {"faces", *need.find("faces")}};
    return json::Object{{"kind", kind}, {"bounds", json::Array{*need.find("faces")}}};
  }
  return json::Object{{"kind", "wheel"}, {"pockets", 37}};  // none is due
}

std::string Rig::draw_body(const OpenBatch& batch, int index, const std::string& round) {
  auto core = core_of(batch.table, round);
  core["use"] = "draw";
  core["object"] = batch.id;
  core["root"] = batch.root;
  core["at"] = index;
  core["specification"] = specification_due(get("/v1/tables/" + batch.table).at({"table"}));
  return signed_core(std::move(core));
}

json::Object Rig::mix_core(const std::string& shoe) {
  const auto got = get("/v1/shoes/" + shoe);
  EXPECT_EQ(got.status, 200) << got.body;
  const auto table = got.text({"shoe", "table"});
  const auto view = get("/v1/tables/" + table);
  const auto* round = view.at({"table"}).find("round");
  auto core = core_of(table, round == nullptr ? std::string() : round->string());
  core["use"] = "mix";
  core["object"] = shoe;
  core["root"] = got.at({"shoe", "root"});
  core["at"] = 0;
  core["specification"] = json::Object{{"candidates", 1}, {"places", got.at({"shoe", "cards"})}};
  return core;
}

std::string Rig::mix_body(const std::string& shoe) {
  return signed_core(mix_core(shoe));
}

certs::Caller Rig::caller(const std::string& table) {
  const auto got = get("/v1/receipts/" + std::to_string(*certs::object_seq("table", table)));
  const auto& bytes = got.at({"record"}).string();
  auto made = must(certs::Caller::open(table_key(client.id).key, must(certs::parse_record(bytes)),
                                       certs::leaf_hash(hashes(), as_bytes(bytes))));
  const auto last = get("/v1/tables/" + table).number({"table", "last"});
  const auto newest = get("/v1/receipts/" + std::to_string(last)).at({"record"}).string();
  must(made.rest_on(must(certs::parse_record(newest)),
                    certs::leaf_hash(hashes(), as_bytes(newest))));
  return made;
}

void take_reply(certs::Caller& caller, const std::string& body) {
  const auto reply = must(json::parse(body));
  const certs::OpensslHashes hashes;
  for (const auto& receipt : reply.find("receipts")->array()) {
    const auto& bytes = receipt.find("record")->string();
    must(caller.take(must(certs::parse_record(bytes)), certs::leaf_hash(hashes, as_bytes(bytes))));
  }
}

std::string wheel_call(certs::Caller& caller, const Rig::OpenBatch& batch, int index) {
  certs::CallWish wish;
  wish.object = batch.id;
  wish.root = must(digest_from_hex(batch.root));
  wish.at = static_cast<std::uint32_t>(index);
  wish.bets = certs::bets_digest(certs::OpensslHashes(), json::Array{});
  wish.specification = certs::DrawSpecification(certs::WheelDraw{37});
  return json::canonical(must(caller.make(wish)));
}

Result<certs::Verdict> Rig::judge(std::uint64_t seq, const std::string& openings) {
  const auto bundle = get("/v1/bundles/" + std::to_string(seq));
  EXPECT_EQ(bundle.status, 200) << bundle.body;
  const auto root = must(certs::read_file(keys() + "/ca.pem"));
  return certs::verify_bundle(bundle.body, root, {.openings = openings});
}

void Rig::verify(std::uint64_t seq) {
  const auto verdict = judge(seq);
  ASSERT_TRUE(verdict.has_value()) << verdict.error().text();
  EXPECT_EQ(verdict->claim, seq);
}

}  // namespace talla::core::test
