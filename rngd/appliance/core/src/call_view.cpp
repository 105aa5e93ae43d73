// A call as those see it who contribute to it.
#include "call_view.hpp"

#include <algorithm>
#include <limits>
#include <ranges>

#include "format/proof.hpp"
#include "operations.hpp"
#include "problem.hpp"
#include "questions.hpp"
#include "route.hpp"
#include "schemas.hpp"
#include "sight.hpp"

namespace talla::core {
namespace {

using certs::Kind;

std::string_view end_word(Kind kind) {
  if (kind == Kind::draw) return "draw";
  return kind == Kind::shoe_mix ? "shoe_mix" : "void";
}

/// Tables whose policy is remembered.
constexpr std::size_t tables_known_max = 100'000;

/// What stands between two records of the log.
struct Between {
  std::uint64_t from = 0;  ///< behind this one
  std::uint64_t to = 0;    ///< before this one
};

/// The records of an object there, the last first, read from the end of its chain: an object of
/// many calls is not read for one of them.
Result<std::vector<certs::LedgerRecord>> behind(const certs::Ledger& ledger,
                                                const std::string& object, const Between& range) {
  std::vector<certs::LedgerRecord> out;
  TALLA_TRY(const auto state, ledger.object(object));
  for (std::optional at = state ? std::optional(state->last) : std::nullopt;
       at && *at > range.from;) {
    TALLA_TRY(auto stored, ledger.record(*at));
    at = stored.prev;
    if (stored.seq < range.to) out.push_back(std::move(stored));
  }
  return out;
}

/// The CALL that a record ends; nothing: it ends none.
std::optional<std::uint64_t> ends_call_of(const certs::Record& record) {
  const auto* call = record.body.find("call");
  if (call == nullptr || !call->is_integer()) return std::nullopt;
  return static_cast<std::uint64_t>(call->integer());
}

}  // namespace

const OpenCall* open_call_of(const Overlay& world, const Table& table) {
  if (!table.open_call) return nullptr;
  if (const auto seq = certs::object_seq("batch", table.open_call->object)) {
    const auto* batch = world.batch(*seq);
    if (batch == nullptr) return nullptr;
    const auto found = batch->open_calls.find(table.open_call->seq);
    return found == batch->open_calls.end() ? nullptr : &found->second;
  }
  const auto seq = certs::object_seq("shoe", table.open_call->object);
  const auto* shoe = seq ? world.shoe(*seq) : nullptr;
  return shoe == nullptr || !shoe->call ? nullptr : &shoe->call->second;
}

Result<certs::LedgerRecord> CallViews::stored(std::uint64_t seq) const {
  if (seq >= appliance_.effects.log.size()) return not_found("call");
  TALLA_TRY(auto stored, appliance_.effects.log.ledger().record(seq));
  if (stored.kind != Kind::call) return not_found("call");
  return stored;
}

Result<std::string> CallViews::table_of(std::uint64_t seq) const {
  TALLA_TRY(const auto stored, this->stored(seq));
  TALLA_TRY(const auto record, certs::parse_record(stored.bytes));
  return record.table;
}

bool CallViews::shown_to(const Client& client, const std::string& table) const {
  if (client.invitation && !around_.guests.invited(client.invitation->token)) return false;
  return around_.events.visible(client, table);
}

Result<std::optional<CallViews::Ended>> CallViews::end_of(const certs::Record& call,
                                                          std::uint64_t size) const {
  TALLA_TRY(const auto later,
            behind(appliance_.effects.log.ledger(), call.object, {call.seq, size}));
  for (const auto& stored : later | std::views::reverse) {
    if (stored.kind != Kind::draw && stored.kind != Kind::shoe_mix &&
        stored.kind != Kind::void_call)
      continue;
    TALLA_TRY(auto record, certs::parse_record(stored.bytes));
    if (ends_call_of(record) != call.seq) continue;
    Ended ended;
    if (record.kind == Kind::draw) {
      TALLA_TRY(auto body, certs::DrawBody::from_json(record.body));
      ended.openings = std::move(body.openings);
    } else if (record.kind == Kind::shoe_mix) {
      TALLA_TRY(auto body, certs::ShoeMixBody::from_json(record.body));
      ended.openings = std::move(body.openings);
    } else {
      TALLA_TRY(auto body, certs::VoidBody::from_json(record.body));
      ended.missing = std::move(body.missing);
    }
    ended.record = std::move(record);
    return std::optional(std::move(ended));
  }
  return std::optional<Ended>();
}

std::optional<certs::CallOpening> CallViews::opened(std::uint64_t seq,
                                                    const std::string& id) const {
  const auto stored = this->stored(seq);
  const auto record = stored ? certs::parse_record(stored->bytes)
                             : Result<certs::Record>(tl::unexpected(stored.error()));
  const auto body = record ? certs::CallBody::from_json(record->body)
                           : Result<certs::CallBody>(tl::unexpected(record.error()));
  const auto ended = record ? end_of(*record, std::numeric_limits<std::uint64_t>::max())
                            : Result<std::optional<Ended>>(tl::unexpected(record.error()));
  if (!body || !ended || !*ended) return std::nullopt;
  const auto& others = body->core.others;
  const auto found = std::ranges::find(others, id, &certs::Contributor::id);
  const auto at = static_cast<std::size_t>(found - others.begin());
  if (found == others.end() || at >= (*ended)->openings.size()) return std::nullopt;
  return (*ended)->openings[at];
}

Result<std::uint32_t> CallViews::open_within_of(const std::string& table) const {
  {
    const std::scoped_lock lock(mutex_);
    if (const auto found = open_within_.find(table); found != open_within_.end())
      return found->second;
  }
  TALLA_TRY(const auto seq, certs::object_seq("table", table));
  TALLA_TRY(const auto stored, appliance_.effects.log.ledger().record(seq));
  TALLA_TRY(const auto opened, certs::parse_record(stored.bytes));
  TALLA_TRY(const auto body, certs::TableOpenBody::from_json(opened.body));
  const std::scoped_lock lock(mutex_);
  if (open_within_.size() >= tables_known_max) open_within_.clear();
  return open_within_.emplace(table, body.policy.open_within).first->second;
}

Reply CallViews::reply(std::uint64_t seq) const {
  auto view = this->view(seq);
  if (!view) return problem_reply(Refusal(view.error()));
  Reply reply;
  reply.body = json::canonical(json::Value(std::move(*view)));
  return reply;
}

Result<json::Object> CallViews::view(std::uint64_t seq) const {
  const auto posted = around_.board.find(seq);  // before the log: what left it has its end there
  const auto size = appliance_.effects.log.size();
  TALLA_TRY(auto stored, this->stored(seq));
  TALLA_TRY(const auto record, certs::parse_record(stored.bytes));
  TALLA_TRY(const auto body, certs::CallBody::from_json(record.body));
  TALLA_TRY(auto receipt, appliance_.effects.log.prover().receipt_of(std::move(stored)));
  std::optional<Ended> ended;
  if (!posted) {
    TALLA_TRY(ended, end_of(record, size));
  }
  const auto is_missing = [&](const std::string& id) {
    if (ended && ended->record.kind != Kind::void_call) return false;
    if (ended) return std::ranges::find(ended->missing, id) != ended->missing.end();
    return !posted || !posted->openings || !posted->openings->contains(id);
  };
  json::Array all;
  json::Array missing;
  for (const auto& one : body.core.others) {
    const bool left_out = is_missing(one.id);
    all.emplace_back(json::Object{{"id", one.id}, {"opened", !left_out}});
    if (left_out) missing.emplace_back(one.id);
  }
  TALLA_TRY(const auto open_within, open_within_of(record.table));
  const CallUnderWay timed{seq, record.time_us, {}, 0, {}};
  json::Object out{
      {"call", json::Object{{"seq", seq},
                            {"table", record.table},
                            {"turn", body.core.turn},
                            {"object", record.object},
                            {"core", *record.body.find("core")},
                            {"signature", *record.body.find("signature")},
                            {"receipt", json::Object{{"proof", std::move(receipt.proof)},
                                                     {"record", std::move(receipt.record)}}}}},
      {"contributors", std::move(all)},
      {"missing", std::move(missing)},
      {"until", timed.until_us(open_within)}};
  if (ended)
    out["ended"] = json::Object{{"kind", end_word(ended->record.kind)}, {"seq", ended->record.seq}};
  return out;
}

/// What the durable records do not decide (call_waits.cpp): who sits in the round of the table.
Result<json::Object> Questions::call(const Request& request, const Route& route) const {
  const auto seq = parse_number(route.argument("call"), json::integer_max);
  if (!seq) return not_found("call");
  TALLA_TRY(const auto table_id, calls_.table_of(*seq));
  TALLA_TRY(const auto table_seq, certs::object_seq("table", table_id));
  const auto found = appliance_.world().tables.find(table_seq);
  const bool seen = found != appliance_.world().tables.end()
                        ? sees(appliance_.world(), request.client, found->second)
                        : events_.visible(request.client, table_id);
  if (!seen) return not_found("call");
  return calls_.view(*seq);
}

std::string_view call_view_example() {
  return R"({"call":{"core":{},"object":"batch-17",)"
         R"("receipt":{"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"},"seq":18,)"
         R"("signature":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA)"
         R"(AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==","table":"table-16","turn":1},)"
         R"("contributors":[{"id":"seat-3","opened":true}],)"
         R"("ended":{"kind":"draw","seq":19},"missing":[],"until":1767226200000000})";
}

Schema call_view_schema() {
  const auto call = Schema::object(
      {required("seq", Schema::number().about("of the CALL")),
       required("table", Schema::id("table")), required("turn", Schema::number()),
       required("object", Schema::text().about("the batch or the shoe")),
       required("core", Schema::open_object().about("all that the result follows from, as it "
                                                    "stands in the record")),
       required("signature", Schema::base64().about("of the table's key over the core's "
                                                    "statement")),
       required("receipt", receipt_schema())});
  return Schema::named(
      "CallView",
      Schema::object(
          {required("call", call),
           required("contributors",
                    Schema::list(Schema::object({required("id", Schema::text()),
                                                 required("opened", Schema::flag())}))
                        .about("of its `others`")),
           required(
               "missing",
               Schema::list(Schema::text()).about("ids of those who have not opened, or did not")),
           required("until", Schema::number().about("microseconds since 1970, UTC: who has not "
                                                    "opened then may be left out")),
           optional("ended",
                    Schema::object({required("kind", Schema::one_of({"draw", "shoe_mix", "void"})),
                                    required("seq", Schema::number().about("of that record"))})
                        .about("left out while the call is open"))}));
}

}  // namespace talla::core
