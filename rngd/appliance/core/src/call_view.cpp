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
Result<std::vector<certs::LedgerRecord>> behind(const certs::Log& log, const std::string& object,
                                                const Between& range) {
  std::vector<certs::LedgerRecord> out;
  TALLA_TRY(const auto state, log.ledger().object(object));
  for (std::optional at = state ? std::optional(state->last) : std::nullopt;
       at && *at > range.from;) {
    const auto& prover = log.prover();
    TALLA_TRY(auto stored, *at < prover.size() ? prover.record(*at) : log.ledger().record(*at));
    at = stored.prev;
    if (stored.seq < range.to) out.push_back(std::move(stored));
  }
  return out;
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

Result<CallViews::Made> CallViews::made(std::uint64_t seq) const {
  if (seq >= appliance_.effects.log.size()) return not_found("call");
  TALLA_TRY(auto stored, appliance_.effects.log.prover().record(seq));
  if (stored.kind != Kind::call) return not_found("call");
  TALLA_TRY(auto record, certs::parse_record(stored.bytes));
  return Made{.stored = std::move(stored), .record = std::move(record)};
}

bool CallViews::shown_to(const Client& client, const std::string& table) const {
  if (client.invitation && !around_.guests.invited(client.invitation->token)) return false;
  return around_.events.visible(client, table);
}

/// An object has one open call at a time: the first result behind a CALL is its own.
Result<std::optional<CallViews::Ended>> CallViews::end_of(const certs::Record& call,
                                                          std::uint64_t size) const {
  TALLA_TRY(auto later, behind(appliance_.effects.log, call.object, {call.seq, size}));
  for (auto& stored : later | std::views::reverse) {
    if (stored.kind == Kind::draw || stored.kind == Kind::shoe_mix)
      return std::optional(Ended{.stored = std::move(stored), .missing = {}});
    if (stored.kind != Kind::void_call) continue;
    TALLA_TRY(const auto record, certs::parse_record(stored.bytes));
    TALLA_TRY(auto body, certs::VoidBody::from_json(record.body));
    if (body.call != call.seq) continue;
    return std::optional(Ended{.stored = std::move(stored), .missing = std::move(body.missing)});
  }
  return std::optional<Ended>();
}

Result<std::vector<certs::CallOpening>> CallViews::openings_of(
    const certs::LedgerRecord& result) const {
  if (result.kind == Kind::void_call) return std::vector<certs::CallOpening>();
  TALLA_TRY(const auto record, certs::parse_record(result.bytes));
  if (result.kind == Kind::draw) {
    TALLA_TRY(auto body, certs::DrawBody::from_json(record.body));
    return std::move(body.openings);
  }
  TALLA_TRY(auto body, certs::ShoeMixBody::from_json(record.body));
  return std::move(body.openings);
}

std::optional<certs::CallOpening> CallViews::opened(std::uint64_t seq,
                                                    const std::string& id) const {
  const auto opened = [&]() -> Result<std::optional<certs::CallOpening>> {
    TALLA_TRY(const auto call, made(seq));
    TALLA_TRY(const auto body, certs::CallBody::from_json(call.record.body));
    TALLA_TRY(const auto ended, end_of(call.record, std::numeric_limits<std::uint64_t>::max()));
    if (!ended) return std::nullopt;
    TALLA_TRY(const auto openings, openings_of(ended->stored));
    const auto& others = body.core.others;
    const auto found = std::ranges::find(others, id, &certs::Contributor::id);
    const auto at = static_cast<std::size_t>(found - others.begin());
    if (found == others.end() || at >= openings.size()) return std::nullopt;
    return std::optional(openings[at]);
  }();
  return opened.value_or(std::nullopt);
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

Reply CallViews::reply(Result<Made> call) const {
  auto view = call ? this->view(std::move(*call))
                   : Result<json::Object>(tl::unexpected(std::move(call.error())));
  if (!view) return problem_reply(Refusal(view.error()));
  Reply reply;
  reply.body = json::canonical(json::Value(std::move(*view)));
  return reply;
}

Result<json::Object> CallViews::receipt(certs::LedgerRecord stored) const {
  TALLA_TRY(auto receipt, appliance_.effects.log.prover().receipt_of(std::move(stored)));
  return json::Object{{"proof", std::move(receipt.proof)}, {"record", std::move(receipt.record)}};
}

Result<json::Object> CallViews::view(Made call) const {
  const auto& record = call.record;
  const auto posted =
      around_.board.find(record.seq);  // before the size: what left it has its end in the log
  const auto size = appliance_.effects.log.size();
  TALLA_TRY(const auto body, certs::CallBody::from_json(record.body));
  std::optional<Ended> ended;
  if (!posted) {
    TALLA_TRY(ended, end_of(record, size));
  }
  const auto is_missing = [&](const std::string& id) {
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
  const CallUnderWay timed{record.seq, record.time_us, {}, 0, {}};
  TALLA_TRY(auto receipt, this->receipt(std::move(call.stored)));
  auto& said = call.record.body.object();
  json::Object out{{"call", json::Object{{"seq", record.seq},
                                         {"table", record.table},
                                         {"turn", body.core.turn},
                                         {"object", record.object},
                                         {"core", std::move(said.find("core")->second)},
                                         {"signature", std::move(said.find("signature")->second)},
                                         {"receipt", std::move(receipt)}}},
                   {"contributors", std::move(all)},
                   {"missing", std::move(missing)},
                   {"until", timed.until_us(open_within)}};
  if (ended) {
    const auto seq = ended->stored.seq;
    const auto word = end_word(ended->stored.kind);
    TALLA_TRY(auto end, this->receipt(std::move(ended->stored)));
    out["ended"] = json::Object{{"kind", word}, {"seq", seq}, {"receipt", std::move(end)}};
  }
  return out;
}

/// What the durable records do not decide (call_waits.cpp): who sits in the round of the table.
Result<json::Object> Questions::call(const Request& request, const Route& route) const {
  const auto seq = parse_number(route.argument("call"), json::integer_max);
  if (!seq) return not_found("call");
  TALLA_TRY(auto made, calls_.made(*seq));
  const auto& table_id = made.record.table;
  TALLA_TRY(const auto table_seq, certs::object_seq("table", table_id));
  const auto found = appliance_.world().tables.find(table_seq);
  const bool seen = found != appliance_.world().tables.end()
                        ? sees(appliance_.world(), request.client, found->second)
                        : events_.visible(request.client, table_id);
  if (!seen) return not_found("call");
  return calls_.view(std::move(made));
}

std::string_view call_view_example() {
  return R"({"call":{"core":{},"object":"batch-17",)"
         R"("receipt":{"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"},"seq":18,)"
         R"("signature":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA)"
         R"(AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==","table":"table-16","turn":1},)"
         R"("contributors":[{"id":"seat-3","opened":true}],)"
         R"("ended":{"kind":"draw","receipt":{"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"},)"
         R"("seq":19},"missing":[],"until":1767226200000000})";
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
                                    required("seq", Schema::number().about("of that record")),
                                    required("receipt", receipt_schema().about("of that record"))})
                        .about("left out while the call is open"))}));
}

}  // namespace talla::core
