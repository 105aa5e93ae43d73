// A contributor at work: from the records of a table to what it opens there.
#include "contributing.hpp"

#include <filesystem>
#include <utility>

#include "base/bytes.hpp"
#include "certs/files.hpp"
#include "format/merkle.hpp"
#include "http/client.hpp"
#include "steps.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::cli {
namespace {

using certs::Joined;
using certs::Joiner;
using certs::Kind;

constexpr std::uint32_t refill_below = 8;  // commitments ahead

/// A record as it was received.
struct Received {
  certs::Record record;
  Digest leaf{};
};

Result<Received> received(const std::string& bytes) {
  TALLA_TRY(auto record, certs::parse_record(bytes));
  return Received{std::move(record), certs::leaf_hash(certs::BotanHashes(), as_bytes(bytes))};
}

/// What ends a call or asks for an answer is believed by its receipt alone.
bool needs_receipt(Kind kind) {
  return kind == Kind::call || kind == Kind::draw || kind == Kind::shoe_mix ||
         kind == Kind::void_call;
}

}  // namespace

Result<Contributing> Contributing::open(const App& app, Session& session,
                                        ContributeOptions options) {
  Contributing made(app, session, std::move(options));
  TALLA_TRY(const std::string pem, read_file(session.key_file()));
  auto key = certs::CallKey::load(pem);
  if (!key) return fail(CliErrc::usage, session.key_file() + ": " + key.error().detail);
  made.key_ = std::make_shared<const certs::CallKey>(std::move(*key));
  TALLA_TRY(const json::Value status, session.get("/v1/status"));
  TALLA_TRY(made.id_, text_at(status, {"client", "id"}));
  TALLA_TRY_STATUS(certs::create_folder(made.options_.state));
  if (!made.options_.record.empty()) {
    TALLA_TRY(made.own_, OwnLog::open(made.options_.record, made.options_.state));
  } else if (OwnLog::known(made.options_.state)) {
    return fail(CliErrc::usage, made.options_.state +
                                    " is of a program that records what it opens "
                                    "in its own appliance: give --record");
  }
  return made;
}

std::string Contributing::file_of(const std::string& table) const {
  return options_.state + "/" + table + ".json";
}

Status Contributing::keep(const std::string& table, const Joiner& joiner) const {
  const std::string text = json::canonical(joiner.kept());
  return certs::replace_private_file(file_of(table), as_bytes(text));
}

Result<std::vector<std::string>> Contributing::open_tables() {
  if (!options_.tables.empty()) return options_.tables;
  TALLA_TRY(const json::Value list, session_->get("/v1/tables"));
  const json::Value* tables = list.find("tables");
  if (tables == nullptr || !tables->is_array())
    return fail(CliErrc::appliance_refused, "the reply has no tables");
  std::vector<std::string> ids;
  for (const json::Value& table : tables->array()) {
    TALLA_TRY(const std::string id, text_at(table, {"id"}));
    TALLA_TRY(const std::string state, text_at(table, {"state"}));
    if (state != "closed") ids.push_back(id);
  }
  return ids;
}

Result<Contributing::Following*> Contributing::following(const std::string& table) {
  if (const auto found = tables_.find(table); found != tables_.end()) return &found->second;
  TALLA_TRY(const std::uint64_t seq, certs::object_seq("table", table));
  TALLA_TRY(const std::string bytes, session_->verified_record(seq));
  TALLA_TRY(const Received opening, received(bytes));
  if (!std::filesystem::exists(file_of(table))) {
    TALLA_TRY(auto joiner, Joiner::open(key_, id_, opening.record, opening.leaf));
    return &tables_.emplace(table, Following{std::move(joiner)}).first->second;
  }
  TALLA_TRY(const auto text, certs::read_private_file(file_of(table)));
  TALLA_TRY(const json::Value kept,
            json::parse(std::string_view(reinterpret_cast<const char*>(text.data()), text.size())));
  TALLA_TRY(auto joiner, Joiner::restore(key_, id_, opening.record, opening.leaf, kept));
  TALLA_TRY(const std::int64_t from, integer_at(kept, {"from"}));
  if (static_cast<std::uint64_t>(from) > opening.record.seq) {
    TALLA_TRY(const std::string first, session_->verified_record(static_cast<std::uint64_t>(from)));
    TALLA_TRY(const Received begin, received(first));
    TALLA_TRY_STATUS(joiner.begin_at(begin.record, begin.leaf));
  }
  return &tables_.emplace(table, Following{std::move(joiner)}).first->second;
}

Status Contributing::take(Following& following, const std::string& bytes) {
  TALLA_TRY(const Received one, received(bytes));
  if (needs_receipt(one.record.kind)) {
    TALLA_TRY(const std::string proven, session_->verified_record(one.record.seq));
    if (proven != bytes)
      return fail(CliErrc::receipt_refused,
                  "record " + std::to_string(one.record.seq) + " is another one in the log");
  }
  return following.joiner.take(one.record, one.leaf);
}

/// Everything that is new at the table; a closed table is left.
Status Contributing::follow(const std::string& table, Following& following) {
  for (bool more = true; more;) {
    TALLA_TRY(const json::Value page,
              session_->get("/v1/events?after=" + std::to_string(following.joiner.last()) +
                            "&limit=1000&table=" + table));
    const json::Value* events = page.find("events");
    const json::Value* rest = page.find("more");
    if (events == nullptr || !events->is_array() || rest == nullptr || !rest->is_bool())
      return fail(CliErrc::appliance_refused, "the reply has no events");
    for (const json::Value& event : events->array()) {
      TALLA_TRY(const std::string bytes, text_at(event, {"record"}));
      TALLA_TRY(const std::string kind, text_at(event, {"kind"}));
      TALLA_TRY_STATUS(take(following, bytes));
      // A call that names the key of who has never handed in anything.
      const bool named = following.joiner.joined() != Joined::none;
      if (named && !std::filesystem::exists(file_of(table))) return lost();
      tell(table, following);
      if (kind != "TABLE_CLOSE") continue;
      left_.insert(table);
      return {};
    }
    more = rest->boolean() && !events->array().empty();
  }
  TALLA_TRY_STATUS(answer(table, following));
  return hand_in(table, following);
}

Status Contributing::lost() const {
  return fail(CliErrc::usage, "the appliance holds numbers of this key that " + options_.state +
                                  " does not know: what is lost or copied needs a new key, and a "
                                  "new folder");
}

Status Contributing::hand_in(const std::string& table, Following& following) {
  const Joiner& joiner = following.joiner;
  if (joiner.open_call() || following.handed_in >= joiner.next() + refill_below) return {};
  const auto ahead = joiner.ahead(certs::commitments_ahead_max);
  json::Array commits;
  for (const Digest& commit : ahead.commits) commits.emplace_back(to_hex(commit));
  TALLA_TRY_STATUS(keep(table, joiner));
  const json::Value body(json::Object{{"commits", std::move(commits)},
                                      {"from", ahead.from},
                                      {"id", id_},
                                      {"key", to_base64(joiner.key())}});
  auto done = session_->post("/v1/tables/" + table + "/commitments", body);
  if (!done) {
    // A call that was made meanwhile may have spent the first of them: it is followed first.
    const bool gap = done.error().detail.starts_with("t_gap");
    const bool again = std::exchange(following.gap_at, joiner.last()) == joiner.last();
    if (gap && !again) return {};
    if (gap || done.error().detail.starts_with("commit_mismatch")) return lost();
    return pass(std::move(done));
  }
  following.handed_in = ahead.from + static_cast<std::uint32_t>(ahead.commits.size());
  return {};
}

Status Contributing::record(const std::string& table, Following& following) {
  auto recorded = own_->record(*following.joiner.answer_record());
  Status done = recorded ? following.joiner.take_recorded(*recorded)
                         : Status(tl::unexpected<Error>(recorded.error()));
  if (recorded && !done)
    done = fail(CliErrc::receipt_refused, own_->where() + ": " + done.error().text());
  const bool away = !done && !is_final(done.error());
  if (away && !own_away_) {
    app_->say(table + ": called, and nothing is opened before the own appliance records it: " +
              done.error().text());
    app_->emit(
        json::Object{{"event", "not-recorded"}, {"table", table}, {"why", done.error().text()}});
  }
  own_away_ = away;
  return done;
}

Status Contributing::answer(const std::string& table, Following& following) {
  if (!following.joiner.answer() || following.answered == following.joiner.open_call()) return {};
  TALLA_TRY_STATUS(keep(table, following.joiner));
  if (own_) {
    const Status done = record(table, following);
    if (!done) return own_away_ ? Status() : done;
    TALLA_TRY_STATUS(keep(table, following.joiner));
  }
  const auto opened = following.joiner.answer();
  const json::Value body(json::Object{
      {"id", id_},
      {"signature", to_base64(ByteView(opened->signature.data(), opened->signature.size()))},
      {"value", to_hex(opened->value)}});
  const std::string call = std::to_string(*following.joiner.open_call());
  auto done = session_->post("/v1/calls/" + call + "/openings", body);
  // A call that has ended meanwhile waits for nobody: what ended it comes next.
  if (!done)
    return done.error().detail.starts_with("wrong_state") ? Status()
                                                          : Status(pass(std::move(done)));
  following.answered = following.joiner.open_call();
  app_->say(table + ": called; the number is opened");
  app_->emit(json::Object{{"event", "opened"}, {"table", table}, {"seq", following.joiner.last()}});
  return {};
}

void Contributing::tell(const std::string& table, Following& following) const {
  const Joined joined = following.joiner.joined();
  if (joined == following.told) return;
  following.told = joined;
  if (joined == Joined::missing) following.handed_in = 0;  // the appliance has let it go
  json::Object event{{"event", ""}, {"table", table}, {"seq", following.joiner.last()}};
  const auto told = [&](const char* word, const std::string& line) {
    event["event"] = word;
    app_->say(table + ": " + line);
    app_->emit(json::Value(event));
  };
  switch (joined) {
    case Joined::none:
    case Joined::waiting:  // told when it is opened
      return;
    case Joined::refused:
      event["why"] = following.joiner.refusal() ? following.joiner.refusal()->text() : "";
      return told("refused", "called, and nothing is opened: " + event["why"].string());
    case Joined::in:
      return told("in", "the number is in the result");
    case Joined::voided:
      return told("voided", "the call ended without a result");
    case Joined::missing:
      return told("missing", "the call ended without a result: this number is said to be missing");
  }
}

Status Contributing::look() {
  TALLA_TRY(const auto tables, open_tables());
  for (const std::string& table : tables) {
    if (left_.contains(table)) continue;
    auto known = following(table);
    Status done = known ? follow(table, **known) : Status(tl::unexpected<Error>(known.error()));
    if (done) continue;
    if (done.error().is(http::Errc::cannot_connect)) return done;
    const bool leaves = !done.error().is(CliErrc::appliance_refused);
    if (leaves) left_.insert(table);
    if (std::exchange(refused_[table], done.error().text()) == done.error().text()) continue;
    app_->say(table + ": " + done.error().text() + (leaves ? "; nothing is opened there" : ""));
    app_->emit(json::Object{{"event", leaves ? "left" : "appliance-refused"},
                            {"table", table},
                            {"why", done.error().text()}});
  }
  return {};
}

}  // namespace talla::cli
