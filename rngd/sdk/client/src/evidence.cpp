#include "evidence.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "format/body_draw.hpp"
#include "format/body_table.hpp"
#include "format/domain.hpp"
#include "format/merkle.hpp"
#include "format/proof.hpp"
#include "verify/verify.hpp"
#include "words.hpp"

namespace talla::client {

using certs::Kind;
using certs::Record;

namespace {

/// The reply names the object that the record opens, and a table is opened as it was asked for.
Status check_named(const Record& record, const json::Value& sent, const json::Value& reply) {
  const char* name = record.kind == Kind::table_open    ? "table"
                     : record.kind == Kind::shoe_commit ? "shoe"
                     : record.kind == Kind::round_open  ? "round"
                                                        : nullptr;
  if (name != nullptr && text(reply, {name, "id"}) != record.object)
    return disbelieve("the reply names another object");
  if (record.kind != Kind::table_open) return {};
  const auto as_asked = [](const json::Value* asked, const json::Value* opened) {
    return asked == nullptr || (opened != nullptr && *asked == *opened);
  };
  const json::Value& body = record.body;
  for (const char* member : {"settled_by", "game"}) {
    if (!as_asked(sent.find(member), body.find(member)))
      return disbelieve("the table was opened otherwise than asked for");
  }
  for (const char* member : {"range", "deck"}) {
    if (!as_asked(sent.find(member), at(body, {"parameters", member})))
      return disbelieve("the table was opened otherwise than asked for");
  }
  for (const char* member : {"currency", "min", "max"}) {
    if (!as_asked(at(sent, {"table", member}), body.find(member)))
      return disbelieve("the table was opened otherwise than asked for");
  }
  const auto required = [](const json::Value* keys) {
    std::set<std::string> found;
    if (keys == nullptr || !keys->is_array()) return found;
    for (const json::Value& key : keys->array()) found.insert(json::canonical(key));
    return found;
  };
  if (!as_asked(sent.find("open_within"), at(body, {"policy", "open_within"})) ||
      !as_asked(sent.find("mix"), at(body, {"policy", "mix"})) ||
      !as_asked(sent.find("candidates"), at(body, {"policy", "candidates"})) ||
      required(sent.find("required")) != required(at(body, {"policy", "required"})))
    return disbelieve("the table was opened otherwise than asked for");
  return {};
}

/// An ANSWER is made once: asked for again, behind a crash, it is the first one.
bool is_answer_to(const Record& record, const json::Value& sent) {
  return std::ranges::all_of(std::array{"core", "id", "opening"}, [&](const char* member) {
    const json::Value* asked = sent.find(member);
    return asked != nullptr && *asked == *record.body.find(member);
  });
}

/// A draft of bets, a machine's single target, an invitation, what a contributor hands in, and a
/// challenge, whose answer is computed again.
bool makes_no_record(std::string_view path) {
  constexpr std::array ends{"/bets", "/targets", "/invitations", "/commitments"};
  return std::ranges::any_of(ends, [&](const char* end) { return path.ends_with(end); }) ||
         (path.starts_with("/v1/calls/") && path.ends_with("/openings")) ||
         path == "/v1/software/challenge";
}

}  // namespace

Result<Record> Evidence::verified(const json::Value& receipt, const Fetch& fetch) {
  const std::string bytes = json::canonical(receipt);
  auto verdict =
      certs::verify_receipt(bytes, trust_.log_key, trust_.roots, {.ended = trust_.ended});
  const bool other_key = !verdict && (verdict.error().is(certs::VerifyErrc::wrong_signature) ||
                                      verdict.error().is(certs::VerifyErrc::wrong_statement));
  if (other_key) {
    TALLA_TRY(const json::Value given, fetch("/v1/log-keys"));
    std::string keys = json::canonical(given);
    if (certs::log_keys_follow(trust_.log_key, keys)) {
      verdict = certs::verify_receipt(bytes, keys, trust_.roots, {.ended = trust_.ended});
      if (verdict) trust_.log_key = std::move(keys);
    }
  }
  if (!verdict) return disbelieve("a receipt is not valid: " + verdict.error().text());
  return certs::parse_record(receipt.find("record")->string());
}

Status Evidence::check(const json::Value& reply, const Asked& asked, const Fetch& fetch) {
  values_.clear();
  records_.clear();
  const json::Value* receipts = reply.find("receipts");
  if (receipts == nullptr && makes_no_record(asked.path)) return {};
  if (receipts == nullptr || !receipts->is_array() || receipts->array().empty())
    return disbelieve("a reply without receipts");
  std::vector<Digest> leaves;
  for (const json::Value& receipt : receipts->array()) {
    TALLA_TRY(const Digest leaf, keep(receipt, fetch));
    leaves.push_back(leaf);
  }
  const Digest digest = certs::request_digest(hashes_, "POST", asked.path, asked.body);
  TALLA_TRY(const json::Value sent, json::parse(asked.body));
  for (const Record& record : records_) {
    // Only a VOID of a CALL may be by others: two persons who ended what this request had begun.
    const bool by_others = record.kind == Kind::void_call && record.body.find("core") == nullptr;
    const bool answered_before = record.kind == Kind::answer && is_answer_to(record, sent);
    if ((record.key != asked.key || record.request != digest) && !by_others && !answered_before)
      return disbelieve("record " + std::to_string(record.seq) + " is not about this request");
  }
  for (std::size_t i = 0; i < records_.size(); ++i) {
    TALLA_TRY_STATUS(check_named(records_[i], sent, reply));
    TALLA_TRY_STATUS(take_table(records_[i], leaves[i]));
  }
  for (const Record& record : records_) TALLA_TRY_STATUS(take(record, {reply, sent, fetch}));
  for (const Record& record : records_) {
    if (record.kind != Kind::draw) continue;
    TALLA_TRY(const auto body, certs::DrawBody::from_json(record.body));
    const auto made = calls_.find(body.call);
    if (made == calls_.end() || made->second.round == "0") continue;
    TALLA_TRY_STATUS(check_round(record, reply, [&]() -> Result<const json::Array*> {
      TALLA_TRY(const Record table, opening(record.table, fetch));
      return wheels_.numbers_of(table, fetch);
    }));
  }
  return check_whole(reply, sent);
}

/// A verified record of the reply under way; its leaf hash.
Result<Digest> Evidence::keep(const json::Value& receipt, const Fetch& fetch) {
  TALLA_TRY(Record record, verified(receipt, fetch));
  const std::string& bytes = receipt.find("record")->string();
  TALLA_TRY(json::Value value, json::parse_canonical(bytes));
  records_.push_back(std::move(record));
  values_.push_back(std::move(value));
  return certs::leaf_hash(hashes_, as_bytes(bytes));
}

Status Evidence::check_whole(const json::Value& reply, const json::Value& sent) const {
  const auto shown = [&](const char* member) {
    const json::Value* list = reply.find(member);
    return list != nullptr && list->is_array() ? list->array() : json::Array();
  };
  const auto recorded = [&](Kind kind) {
    return static_cast<std::size_t>(std::ranges::count(records_, kind, &Record::kind));
  };
  const json::Array turned = shown("revealed");
  const json::Array dealt = shown("cards");
  if (dealt.size() != recorded(Kind::card_deal) || turned.size() != recorded(Kind::card_open))
    return disbelieve("the reply shows a card that the log does not say");
  for (const Record& record : records_) {
    const bool deals = record.kind == Kind::card_deal;
    if (!deals && record.kind != Kind::card_open) continue;
    const bool same = std::ranges::any_of(deals ? dealt : turned, [&](const json::Value& card) {
      const json::Value* position = card.find("position");
      return position != nullptr && *position == *record.body.find("position") &&
             text(card, {"card"}) == text(record.body, {"card"}) &&
             text(card, {"place"}) == text(record.body, {"place"}) &&
             (!deals || text(card, {"face"}) == text(record.body, {"face"}));
    });
    if (!same) return disbelieve("the reply shows a card that the log does not say");
  }
  const bool lapsed = std::ranges::any_of(records_, [](const Record& record) {
    return record.kind == Kind::void_call && record.body.find("core") != nullptr;
  });
  if (lapsed != (reply.find("lapsed") != nullptr))
    return disbelieve("reply and log do not agree on whether the call lapsed");
  const auto caller = callers_.find(text(sent, {"core", "table"}));
  if (caller != callers_.end() && caller->second.waiting() && !awaited())
    return disbelieve("the reply holds no result of the call");
  return {};
}

Status Evidence::take(const Record& record, const Call& call) {
  switch (record.kind) {
    case Kind::batch_commit:
      return take_batch(record, call);
    case Kind::call:
      return take_call(record, call);
    case Kind::draw:
      return take_draw(record, call);
    case Kind::void_call:
      return take_void(record, call);
    case Kind::bets_closed:
      return take_bets(record, call);
    case Kind::settlement: {
      const json::Value* results = at(call.reply, {"round", "results"});
      const bool parted = record.body.find("part") != nullptr;
      if (!parted && (results == nullptr || *results != *record.body.find("results")))
        return disbelieve("the reply pays what the log does not say");
      return {};
    }
    case Kind::shoe_commit:
    case Kind::shoe_recommit:
    case Kind::shoe_mix:
    case Kind::card_deal:
    case Kind::card_open:
      return take_shoe(record, call);
    default:
      return {};
  }
}

Status Evidence::take_batch(const Record& record, const Call& call) {
  TALLA_TRY(const auto body, certs::BatchCommitBody::from_json(record.body));
  if (text(call.reply, {"batch", "root"}) != to_hex(body.root) ||
      text(call.reply, {"batch", "id"}) != record.object)
    return disbelieve("the reply names another batch than was committed");
  openings_.insert_or_assign(record.object, Opening{record, {}});
  constexpr std::chrono::seconds on_the_way{5};
  const std::chrono::microseconds lives(body.expires_us - record.time_us);
  batches[body.table] = {.id = record.object,
                         .root = to_hex(body.root),
                         .count = body.count,
                         .index = 0,
                         .good_until = std::chrono::steady_clock::now() + lives - on_the_way};
  return {};
}

/// What a table's chain says of its calls.
Status Evidence::take_table(const Record& record, const Digest& leaf) {
  if (record.kind == Kind::table_open && key_ && !callers_.contains(record.object)) {
    auto made = certs::Caller::open(key_, record, leaf);
    if (!made) return disbelieve(made.error().detail);
    callers_.emplace(record.object, std::move(*made));
    openings_.insert_or_assign(record.object, Opening{record, leaf});
    return {};
  }
  if (record.kind == Kind::table_close) {
    callers_.erase(record.object);
    closed_.insert(record.object);
    return {};
  }
  const auto found = callers_.find(record.table);
  if (found == callers_.end()) return {};
  const Status taken = found->second.take(record, leaf);
  return taken ? Status() : Status(disbelieve(taken.error().detail));
}

Result<certs::Caller*> Evidence::caller(const std::string& table, const json::Object& kept,
                                        const Fetch& fetch) {
  if (const auto found = callers_.find(table); found != callers_.end()) return &found->second;
  const auto before = kept.find(table);
  if (before == kept.end() || !key_)
    return fail(Errc::malformed_wish,
                table +
                    ": this program has no seed of its calls, so it signs none there: close "
                    "the table and open it again, and keep a journal");
  TALLA_TRY(const Record record, opening(table, fetch));
  TALLA_TRY(auto made,
            certs::Caller::restore(key_, record, openings_.at(table).leaf, before->second));
  auto& caller = callers_.emplace(table, std::move(made)).first->second;
  if (caller.waiting()) return &caller;  // its reply is to come
  TALLA_TRY(const json::Value picture, fetch("/v1/tables/" + table));
  TALLA_TRY_STATUS(rest_on_newest(caller, picture, fetch));
  return &caller;
}

json::Object Evidence::kept_calls(const json::Object& before) const {
  json::Object all = before;
  for (const auto& [table, caller] : callers_) all[table] = caller.kept();
  for (const auto& table : closed_) all.erase(table);
  return all;
}

Status Evidence::rest_on_newest(certs::Caller& caller, const json::Value& picture,
                                const Fetch& fetch) {
  const json::Value* last = at(picture, {"table", "last"});
  if (last == nullptr || !last->is_integer())
    return disbelieve("a picture of a table without its newest record");
  const auto seq = static_cast<std::uint64_t>(last->integer());
  if (caller.last() && seq <= *caller.last()) return {};
  TALLA_TRY(const json::Value receipt, fetch("/v1/receipts/" + std::to_string(seq)));
  TALLA_TRY(const Record record, verified(receipt, fetch));
  const Digest leaf = certs::leaf_hash(hashes_, as_bytes(receipt.find("record")->string()));
  const Status rests = caller.rest_on(record, leaf);
  return rests ? Status() : Status(disbelieve(rests.error().detail));
}

Status Evidence::take_bets(const Record& record, const Call& call) {
  TALLA_TRY(const auto body, certs::BetsClosedBody::from_json(record.body));
  if (body.part.count != 0) {  // in numbered parts; the last has the digest
    if (body.part.last()) bets_[record.object] = body.digest;
    return {};
  }
  const json::Value* said = record.body.find("bets");
  if (certs::bets_digest(hashes_, *said) != body.digest)
    return disbelieve("another digest of the bets");
  const json::Value* meant = call.sent.find("bets");
  if (meant == nullptr) meant = at(call.reply, {"round", "bets"});
  if (meant == nullptr || *meant != *said)
    return disbelieve("other bets were closed than were sent");
  bets_[record.object] = body.digest;
  return {};
}

Result<Digest> Evidence::bets_of(const std::string& round, bool open, const Fetch& fetch) {
  const Digest none = certs::bets_digest(hashes_, json::Array{});
  if (round == "0") return none;
  if (const auto found = bets_.find(round); found != bets_.end()) return found->second;
  TALLA_TRY(const auto records,
            records_of(round, fetch));  // closed before this program was restarted, or not yet
  for (const Record& record : records) {
    if (record.kind != Kind::bets_closed) continue;
    TALLA_TRY(const auto body, certs::BetsClosedBody::from_json(record.body));
    if (body.part.count == 0 || body.part.last()) bets_[round] = body.digest;
  }
  if (const auto found = bets_.find(round); found != bets_.end()) return found->second;
  if (open) return none;  // a shoe, or who gets the bank, before the bets
  return disbelieve("a draw before the bets of its round were closed");
}

Result<Record> Evidence::opening(const std::string& object, const Fetch& fetch) {
  if (const auto found = openings_.find(object); found != openings_.end())
    return found->second.record;
  TALLA_TRY(const json::Value receipt,
            fetch("/v1/receipts/" + object.substr(object.find('-') + 1)));
  TALLA_TRY(Record record, verified(receipt, fetch));
  if (record.object != object || !certs::kind_opens(record.kind))
    return disbelieve(object + " was opened by another record");
  const Digest leaf = certs::leaf_hash(hashes_, as_bytes(receipt.find("record")->string()));
  return openings_.emplace(object, Opening{std::move(record), leaf}).first->second.record;
}

Result<std::vector<Record>> Evidence::records_of(const std::string& object, const Fetch& fetch) {
  std::vector<Record> found;
  TALLA_TRY(const std::uint64_t first,
            certs::object_seq(object.substr(0, object.find('-')), object));
  std::int64_t after = static_cast<std::int64_t>(first) - 1;
  for (;;) {
    const std::int64_t asked_behind = after;
    TALLA_TRY(const json::Value page,
              fetch("/v1/events?after=" + std::to_string(after) + "&limit=1000"));
    const json::Value* events = page.find("events");
    if (events == nullptr || !events->is_array())
      return disbelieve("a list of events without events");
    const json::Value* next = page.find("next");
    const json::Value* more = page.find("more");
    if (next == nullptr || !next->is_integer() || more == nullptr || !more->is_bool())
      return disbelieve("a list of events without its end");
    for (const json::Value& event : events->array()) {
      const json::Value* seq = event.find("seq");
      if (seq == nullptr || !seq->is_integer() || seq->integer() <= after)
        return disbelieve("events out of order");
      after = seq->integer();
      if (text(event, {"object"}) != object) continue;
      TALLA_TRY(const json::Value receipt, fetch("/v1/receipts/" + std::to_string(after)));
      TALLA_TRY(Record record, verified(receipt, fetch));
      if (record.object == object) found.push_back(std::move(record));
    }
    if (!more->boolean()) return found;
    if (next->integer() < after || next->integer() <= asked_behind)
      return disbelieve("a list of events that leads nowhere");
    after = next->integer();
  }
}

}  // namespace talla::client
