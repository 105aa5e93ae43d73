#include "client/session.hpp"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "config/ended_files.hpp"
#include "connect.hpp"
#include "evidence.hpp"
#include "format/body_table.hpp"
#include "format/candidates.hpp"
#include "verify/log_end.hpp"
#include "verify/verify.hpp"
#include "words.hpp"

namespace talla::client {

using std::chrono::milliseconds;

std::string_view errc_name(Errc errc) {
  switch (errc) {
    case Errc::appliance_refused:
      return "appliance_refused";
    case Errc::not_believed:
      return "not_believed";
    case Errc::unanswered:
      return "unanswered";
    case Errc::request_pending:
      return "request_pending";
    case Errc::journal_failed:
      return "journal_failed";
    case Errc::malformed_wish:
      return "malformed_wish";
  }
  return "unknown";
}

Result<std::unique_ptr<http::Client>> connect_to(const rngd::ClientFile& file,
                                                 unsigned timeout_seconds) {
  http::ClientOptions options;
  options.host = file.host;
  options.port = file.port;
  options.server_name = file.server_name;
  options.files = {.certificate = file.certificate, .key = file.key, .trusted = file.root};
  options.timeout_seconds = timeout_seconds;
  return http::Client::create(std::move(options));
}

namespace {

constexpr milliseconds pause_first{20};
constexpr milliseconds pause_max{5000};
constexpr milliseconds look_pause_max{500};  // people are asked meanwhile
/// So long a question for the end of a call is left with the appliance.
constexpr unsigned wait_seconds = 5;

Result<std::string> file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) return fail(BaseErrc::io, path + ": cannot be read");
  return text.str();
}

/// Between half of it and all: many tables do not come back at the same moment.
milliseconds spread(milliseconds pause) {
  static thread_local std::minstd_rand random{std::random_device{}()};
  return pause / 2 +
         milliseconds(std::uniform_int_distribution<std::int64_t>(0, pause.count() / 2)(random));
}

/// A call that ended without result, as a problem document says it.
json::Value withheld_problem(const json::Value& ended) {
  const json::Value* missing = ended.find("missing");
  std::string ids;
  for (const json::Value& id : missing != nullptr ? missing->array() : json::Array())
    ids += (ids.empty() ? "" : ", ") + id.string();
  json::Value out;
  out["code"] = ids.empty() ? "voided" : "withheld";
  out["detail"] = ids.empty() ? "the call was ended by order of two persons"
                              : "these contributors did not open: " + ids;
  return out;
}

/// How long the appliance asks to wait; nothing for `retry` never.
std::optional<milliseconds> wait_of(const http::ClientReply& reply, const json::Value& problem) {
  const std::string retry = text(problem, {"retry"});
  if (retry != "same" && retry != "after") return std::nullopt;
  std::int64_t seconds = 1;
  std::from_chars(reply.retry_after.data(), reply.retry_after.data() + reply.retry_after.size(),
                  seconds);
  return std::chrono::seconds(std::clamp<std::int64_t>(seconds, 1, 3600));
}

}  // namespace

class Session::Work {
 public:
  Work(SessionOptions given, rngd::ClientFile read, std::unique_ptr<http::Client> made,
       std::string log_key, std::string roots, std::vector<std::string> ended,
       std::shared_ptr<const certs::CallKey> key, Journal kept)
      : options(std::move(given)),
        file(std::move(read)),
        where(file.host + ":" + std::to_string(file.port)),
        client(std::move(made)),
        evidence(std::move(log_key), std::move(roots), std::move(ended), std::move(key)),
        journal(std::move(kept)) {}

  Result<http::ClientReply> until_answered(const http::Request& request);
  Result<json::Value> get(const std::string& path);
  Result<json::Value> resume();
  /// What the tables keep of their calls.
  json::Object calls() const { return evidence.kept_calls(journal.calls()); }
  Result<certs::Caller*> caller(const std::string& table) {
    return evidence.caller(table, journal.calls(), fetch());
  }
  Result<json::Value> call(Session& session, certs::Caller& caller, const certs::CallWish& wish,
                           const std::string& path);
  Evidence::Fetch fetch() {
    return [this](const std::string& path) { return get(path); };
  }

  SessionOptions options;
  rngd::ClientFile file;
  std::string where;
  std::unique_ptr<http::Client> client;
  Evidence evidence;
  Journal journal;
  json::Value problem;
  std::string link;                         // of the last text
  std::set<std::string> with_contributors;  // tables

 private:
  Error refusal(const http::ClientReply& reply);
  Result<json::Value> await_result(std::uint64_t call);
  Result<bool> asks_contributors(const std::string& table);
  Status take_up_caller(const Asked& asked);
};

/// The words of a refusal, whose document is kept.
Error Session::Work::refusal(const http::ClientReply& reply) {
  auto body = json::parse(reply.body);
  problem = body ? std::move(*body) : json::Value();
  std::string words = text(problem, {"code"});
  if (words.empty()) words = "status " + std::to_string(reply.status);
  if (const std::string detail = text(problem, {"detail"}); !detail.empty()) words += ": " + detail;
  // What persons must end, no later try ends.
  if (!reply.retry_after.empty() && problem.find("ended_by") == nullptr)
    words += " (try again after " + reply.retry_after + " s)";
  return {Errc::appliance_refused, words};
}

/// The same bytes under the same key, again and again, until there is a reply that is not to be
/// asked for again.
Result<http::ClientReply> Session::Work::until_answered(const http::Request& request) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  milliseconds pause = pause_first;
  for (;; pause = std::min(2 * pause, pause_max)) {
    milliseconds wait = spread(pause);
    auto reply = client->send(request);
    const auto passed = std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
    if (reply) {
      if (reply->status >= 200 && reply->status < 300) return reply;
      Error refused = refusal(*reply);
      const bool by_appliance = !text(problem, {"code"}).empty();
      const auto asked_for = wait_of(*reply, problem);
      if (by_appliance && !asked_for) return tl::unexpected<Error>(std::move(refused));
      if (asked_for) wait = std::max(wait, *asked_for);
      if (passed + wait <= options.patience_refused) {
        std::this_thread::sleep_for(wait);
        continue;
      }
      // With nothing to wait for, a refusal is the answer; else it is the last word so far.
      if (options.patience_refused.count() == 0) return tl::unexpected<Error>(std::move(refused));
      return fail(Errc::unanswered, request.method + " " + request.target + ": " + refused.detail);
    }
    const bool absent = reply.error().is(http::Errc::cannot_connect);
    if (absent && !options.wait_for_start) return reply;
    if (passed + wait > options.patience)
      return fail(Errc::unanswered,
                  request.method + " " + request.target + ": " + reply.error().text());
    std::this_thread::sleep_for(wait);
  }
}

Result<json::Value> Session::Work::get(const std::string& path) {
  TALLA_TRY(const http::ClientReply reply, until_answered({.method = "GET",
                                                           .target = path,
                                                           .idempotency_key = {},
                                                           .accept = {},
                                                           .last_event_id = {},
                                                           .body = {},
                                                           .peer = {}}));
  auto body = json::parse(reply.body);
  if (!body) return disbelieve(where + ": the reply is no JSON: " + body.error().detail);
  return body;
}

/// A call that an earlier life of this program had under way: its table's seed is taken up, so that
/// the reply is judged by it.
Status Session::Work::take_up_caller(const Asked& asked) {
  if (asked.path != "/v1/draws" && !asked.path.ends_with("/mix")) return {};
  TALLA_TRY(const json::Value sent, json::parse(asked.body));
  const std::string table = text(sent, {"core", "table"});
  if (table.empty()) return {};
  TALLA_TRY(const certs::Caller* known, caller(table));
  static_cast<void>(known);
  return {};
}

Result<json::Value> Session::Work::resume() {
  if (!journal.pending()) return json::Value();
  const Asked asked = *journal.pending();
  TALLA_TRY_STATUS(take_up_caller(asked));
  auto reply = until_answered({.method = "POST",
                               .target = asked.path,
                               .idempotency_key = asked.key,
                               .accept = {},
                               .last_event_id = {},
                               .body = asked.body,
                               .peer = {}});
  if (!reply) {
    if (reply.error().is(Errc::appliance_refused)) TALLA_TRY_STATUS(journal.forget(calls()));
    return pass(std::move(reply));
  }
  auto body = json::parse(reply->body);
  if (!body) return disbelieve(where + ": the reply is no JSON: " + body.error().detail);
  TALLA_TRY_STATUS(evidence.check(*body, asked, fetch()));
  if (const auto call = evidence.awaited()) {
    TALLA_TRY(json::Value ended, await_result(*call));
    json::Array receipts = body->find("receipts")->array();
    for (const json::Value& receipt : ended.find("receipts")->array()) receipts.push_back(receipt);
    ended["receipts"] = std::move(receipts);
    *body = std::move(ended);
  }
  if (options.on_reply) options.on_reply(*body);
  TALLA_TRY_STATUS(journal.forget(calls()));
  if (const json::Value* lapsed = body->find("lapsed")) {
    problem = *lapsed;
    return fail(Errc::appliance_refused,
                "the call lapsed: " + text(problem, {"code"}) + ": " + text(problem, {"detail"}));
  }
  if (const json::Value* ended = body->find("void")) {
    problem = withheld_problem(*ended);
    return fail(Errc::appliance_refused,
                text(problem, {"code"}) + ": " + text(problem, {"detail"}));
  }
  return body;
}

/// Asks until everybody has opened, or the call was ended without them.
Result<json::Value> Session::Work::await_result(std::uint64_t call) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const unsigned wait = std::min(wait_seconds, options.timeout_seconds / 2);
  const std::string path = "/v1/calls/" + std::to_string(call) +
                           (wait > 0 ? "?wait=" + std::to_string(wait) : std::string());
  for (milliseconds pause = pause_first;; pause = std::min(2 * pause, look_pause_max)) {
    TALLA_TRY(const json::Value picture, get(path));
    if (at(picture, {"ended"}) != nullptr) {
      const json::Value* receipt = at(picture, {"ended", "receipt"});
      if (receipt == nullptr) return disbelieve("a call that ended in no record");
      return evidence.finish(*receipt, fetch());
    }
    if (Clock::now() - begin + pause > options.patience)
      return fail(Errc::unanswered, "call " + std::to_string(call) + " waits for contributors");
    std::this_thread::sleep_for(spread(pause));
  }
}

Result<bool> Session::Work::asks_contributors(const std::string& table) {
  if (with_contributors.contains(table)) return true;
  TALLA_TRY(const certs::Record opened, evidence.opening(table, fetch()));
  TALLA_TRY(const auto body, certs::TableOpenBody::from_json(opened.body));
  return !body.policy.required.empty();
}

Result<Session> Session::open(SessionOptions options) {
  TALLA_TRY(rngd::ClientFile file, rngd::load_client_file(options.folder + "/client.toml"));
  TALLA_TRY(std::string log_key, file_text(file.log_key));
  TALLA_TRY(std::string roots, file_text(file.root));
  TALLA_TRY(std::vector<std::string> ended,
            rngd::load_ended_files(std::vector{file.ended, options.ended}));
  TALLA_TRY([[maybe_unused]] const auto judged, certs::verify_log_ends(ended, roots));
  TALLA_TRY(const std::string pem, file_text(file.key));
  std::shared_ptr<const certs::CallKey> key;
  if (auto read = certs::CallKey::load(pem))
    key = std::make_shared<const certs::CallKey>(std::move(*read));
  TALLA_TRY(auto client, connect_to(file, options.timeout_seconds));
  TALLA_TRY(Journal journal, Journal::open(options.journal));
  return Session(std::make_unique<Work>(std::move(options), std::move(file), std::move(client),
                                        std::move(log_key), std::move(roots), std::move(ended),
                                        std::move(key), std::move(journal)));
}

Session::Session(std::unique_ptr<Work> work) : work_(std::move(work)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Result<json::Value> Session::get(const std::string& path) {
  return work_->get(path);
}

Result<std::string> Session::get_text(const std::string& path) {
  TALLA_TRY(http::ClientReply reply, work_->until_answered({.method = "GET",
                                                            .target = path,
                                                            .idempotency_key = {},
                                                            .accept = {},
                                                            .last_event_id = {},
                                                            .body = {},
                                                            .peer = {}}));
  work_->link = std::move(reply.link);
  return std::move(reply.body);
}

const std::string& Session::link() const {
  return work_->link;
}

Result<json::Value> Session::post(const std::string& path, const json::Value& body,
                                  const std::string& key) {
  if (const auto& pending = work_->journal.pending())
    return fail(Errc::request_pending, pending->path + " is not answered yet");
  TALLA_TRY_STATUS(work_->journal.keep(
      {.path = path, .body = json::canonical(body), .key = key.empty() ? nonce() : key},
      work_->calls()));
  return work_->resume();
}

std::string Session::pending() const {
  const auto& pending = work_->journal.pending();
  return pending ? pending->path : std::string();
}

Result<json::Value> Session::resume() {
  return work_->resume();
}

namespace {

/// What the rules of a round ask to be drawn now.
Result<certs::DrawSpecification> draw_due(const json::Value& picture) {
  const json::Value* needs = at(picture, {"table", "needs"});
  const bool listed = needs != nullptr && needs->is_array();
  for (const json::Value& need : listed ? needs->array() : json::Array()) {
    if (text(need, {"need"}) != "draw") continue;
    const std::string kind = text(need, {"kind"});
    json::Value what;
    what["kind"] = kind;
    if (const json::Value* pockets = need.find("pockets");
        kind == "wheel" && pockets != nullptr && pockets->is_array())
      what["pockets"] = pockets->array().size();
    if (const json::Value* faces = need.find("faces"); faces != nullptr && kind == "dice") {
      what["faces"] = *faces;
      if (const json::Value* count = need.find("count")) what["count"] = *count;
    } else if (faces != nullptr && kind == "lots") {
      what["bounds"] = json::Array{*faces};
    }
    return certs::specification_from_json(what);
  }
  return fail(Errc::malformed_wish, "no draw is due");
}

}  // namespace

Result<json::Value> Session::draw(const std::string& table, const json::Object& more) {
  Evidence& evidence = work_->evidence;
  const json::Value wished{json::Object(more)};
  TALLA_TRY(certs::Caller * caller, work_->caller(table));
  TALLA_TRY(const certs::Record opened, evidence.opening(table, work_->fetch()));
  TALLA_TRY(const auto rules, certs::TableOpenBody::from_json(opened.body));
  certs::CallWish wish;
  if (rules.settled_by_client) {
    const json::Value* range = rules.parameters.find("range");
    if (range == nullptr) return fail(Errc::malformed_wish, table + " plays from a shoe");
    TALLA_TRY(wish.specification, certs::specification_from_json(*range));
    const std::string own = text(wished, {"bets"});
    if (own.empty()) {
      TALLA_TRY(wish.bets, evidence.bets_of("0", true, work_->fetch()));
    } else {
      TALLA_TRY(wish.bets, digest_from_hex(own));
    }
  } else {
    wish.round = text(wished, {"round"});
    if (wish.round.empty()) return fail(Errc::malformed_wish, "round: this table draws in rounds");
    TALLA_TRY(const json::Value picture, get("/v1/tables/" + table));
    TALLA_TRY(const auto due, draw_due(picture));
    TALLA_TRY(wish.bets, evidence.bets_of(wish.round, std::holds_alternative<certs::LotsDraw>(due),
                                          work_->fetch()));
    wish.specification = due;
  }
  const BatchPlace& known = evidence.batches[table];
  if (known.index >= known.count || std::chrono::steady_clock::now() >= known.good_until) {
    json::Value sixteen;
    sixteen["count"] = 16;
    TALLA_TRY(const json::Value made, post("/v1/tables/" + table + "/batches", sixteen));
    static_cast<void>(made);
  }
  const BatchPlace& batch = evidence.batches[table];
  wish.object = batch.id;
  TALLA_TRY(wish.root, digest_from_hex(batch.root));
  wish.at = static_cast<std::uint32_t>(batch.index);
  return work_->call(*this, *caller, wish, "/v1/draws");
}

void Session::with_contributors(const std::string& table) {
  work_->with_contributors.insert(table);
}

Result<json::Value> Session::mix(const std::string& shoe) {
  Evidence& evidence = work_->evidence;
  TALLA_TRY(const auto* root, evidence.newest_root(shoe, work_->fetch()));
  const certs::ShoeCommitBody commit = root->commit;
  const std::uint32_t dealt = root->mixed.dealt;
  TALLA_TRY(certs::Caller * caller, work_->caller(commit.table));
  TALLA_TRY(const json::Value picture, get("/v1/tables/" + commit.table));
  certs::CallWish wish;
  wish.use = certs::CallUse::mix;
  wish.object = shoe;
  wish.root = commit.root;
  wish.at = dealt;
  wish.specification =
      certs::MixSpecification{certs::candidates_count(commit), commit.cards - dealt};
  if (const std::string round = text(picture, {"table", "round"}); !round.empty())
    wish.round = round;
  TALLA_TRY(wish.bets, evidence.bets_of(wish.round, true, work_->fetch()));
  return work_->call(*this, *caller, wish, "/v1/shoes/" + shoe + "/mix");
}

Result<json::Value> Session::look(const std::string& shoe, std::uint32_t position,
                                  std::optional<std::uint32_t> recommits) {
  std::string path = "/v1/shoes/" + shoe + "/cards/" + std::to_string(position);
  if (recommits) path += "?recommits=" + std::to_string(*recommits);
  TALLA_TRY(const json::Value reply, get(path));
  const json::Value* card = reply.find("card");
  const json::Value* given = card == nullptr ? nullptr : card->find("position");
  if (given == nullptr || *given != json::Value(position))
    return disbelieve("the copies are of another card");
  TALLA_TRY(const std::string pem, file_text(work_->file.key));
  return work_->evidence.look(shoe, *card, pem, work_->fetch());
}

Result<json::Value> Session::Work::call(Session& session, certs::Caller& caller,
                                        const certs::CallWish& wish, const std::string& path) {
  if (journal.pending()) return fail(Errc::request_pending, "a request is not answered yet");
  certs::CallWish wished = wish;
  TALLA_TRY(const bool asked, asks_contributors(caller.table()));
  // Others may have made records of a round: seats, and the two persons of an order.
  const bool again = caller.needs_order(wish);
  if (asked || again || wish.round != "0" || wish.use == certs::CallUse::mix) {
    TALLA_TRY(const json::Value picture, get("/v1/tables/" + caller.table()));
    TALLA_TRY_STATUS(evidence.rest_on_newest(caller, picture, fetch()));
    if (asked) {
      TALLA_TRY(auto there, contributors_of(picture));
      wished.others = caller.named(wish, std::move(there));
    }
    TALLA_TRY(wished.order, order_of(picture, wish.round == "0" ? wish.object : wish.round));
  }
  auto body = caller.make(wished);
  if (!body) return fail(Errc::malformed_wish, body.error().detail);
  return session.post(path, *body);
}

Result<std::string> Session::bundle(std::uint64_t seq) {
  TALLA_TRY(std::string bundle, get_text("/v1/bundles/" + std::to_string(seq)));
  const auto verdict = certs::verify_bundle(bundle, work_->evidence.trust().roots,
                                            {.ended = work_->evidence.trust().ended});
  if (!verdict) return disbelieve("the evidence is not valid: " + verdict.error().text());
  if (verdict->claim != seq) return disbelieve("the evidence is of another record");
  return bundle;
}

const std::vector<json::Value>& Session::records() const {
  return work_->evidence.values();
}

const json::Value* Session::record(std::string_view kind) const {
  const auto& all = records();
  const auto found = std::find_if(all.rbegin(), all.rend(), [&](const json::Value& one) {
    const json::Value* name = one.find("kind");
    return name != nullptr && name->is_string() && name->string() == kind;
  });
  return found == all.rend() ? nullptr : &*found;
}

const json::Value& Session::problem() const {
  return work_->problem;
}
const std::string& Session::where() const {
  return work_->where;
}
const std::string& Session::certificate_file() const {
  return work_->file.certificate;
}
const std::string& Session::key_file() const {
  return work_->file.key;
}

std::string Session::nonce() {
  std::array<std::uint8_t, 16> bytes{};
  TALLA_CHECK(::getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  return to_hex(bytes);
}

}  // namespace talla::client
