// A call as those see it who contribute to it.
#include "call_view.hpp"

#include <algorithm>
#include <ranges>

#include "format/proof.hpp"
#include "operations.hpp"
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

/// The records of an object behind `seq`, the last first, read from the end of its chain: an object
/// of many calls is not read for one of them.
Result<std::vector<certs::LedgerRecord>> behind(const certs::Ledger& ledger,
                                                const std::string& object, std::uint64_t seq) {
  std::vector<certs::LedgerRecord> out;
  TALLA_TRY(const auto state, ledger.object(object));
  for (std::optional at = state ? std::optional(state->last) : std::nullopt; at && *at > seq;) {
    TALLA_TRY(auto stored, ledger.record(*at));
    at = stored.prev;
    out.push_back(std::move(stored));
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

Result<std::optional<CallViews::Ended>> CallViews::end_of(const certs::Record& call) const {
  TALLA_TRY(const auto later, behind(appliance_.effects.log.ledger(), call.object, call.seq));
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
  const auto ended =
      record ? end_of(*record) : Result<std::optional<Ended>>(tl::unexpected(record.error()));
  if (!body || !ended || !*ended) return std::nullopt;
  const auto& others = body->core.others;
  const auto found = std::ranges::find(others, id, &certs::Contributor::id);
  const auto at = static_cast<std::size_t>(found - others.begin());
  if (found == others.end() || at >= (*ended)->openings.size()) return std::nullopt;
  return (*ended)->openings[at];
}

Result<std::uint32_t> CallViews::open_within_of(const Table* table, std::uint64_t seq) const {
  if (table != nullptr) return table->open.policy.open_within;
  TALLA_TRY(const auto stored, appliance_.effects.log.ledger().record(seq));
  TALLA_TRY(const auto opened, certs::parse_record(stored.bytes));
  TALLA_TRY(const auto body, certs::TableOpenBody::from_json(opened.body));
  return body.policy.open_within;
}

Result<json::Object> CallViews::view(const Overlay& world, std::uint64_t seq) const {
  TALLA_TRY(auto stored, this->stored(seq));
  TALLA_TRY(const auto record, certs::parse_record(stored.bytes));
  TALLA_TRY(const auto body, certs::CallBody::from_json(record.body));
  TALLA_TRY(auto receipt, appliance_.effects.log.prover().receipt_of(std::move(stored)));
  TALLA_TRY(const auto table_seq, certs::object_seq("table", record.table));
  const auto* table = world.table(table_seq);
  const bool open = table != nullptr && table->open_call && table->open_call->seq == seq;
  std::optional<Ended> ended;
  if (!open) {
    TALLA_TRY(ended, end_of(record));
  }
  const auto is_missing = [&](const std::string& id) {
    if (ended && ended->record.kind != Kind::void_call) return false;
    if (ended) return std::ranges::find(ended->missing, id) != ended->missing.end();
    return !open || !table->open_call->opened.contains(id);
  };
  json::Array all;
  json::Array missing;
  for (const auto& one : body.core.others) {
    const bool left_out = is_missing(one.id);
    all.emplace_back(json::Object{{"id", one.id}, {"opened", !left_out}});
    if (left_out) missing.emplace_back(one.id);
  }
  TALLA_TRY(const auto open_within, open_within_of(table, table_seq));
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

Result<json::Object> Questions::call(const Request& request, const Route& route) const {
  const auto seq = parse_number(route.argument("call"), json::integer_max);
  if (!seq) return not_found("call");
  const Overlay world(appliance_.world());
  TALLA_TRY(auto view, CallViews(appliance_).view(world, *seq));
  const auto& table_id = view.at("call").find("table")->string();
  TALLA_TRY(const auto table_seq, certs::object_seq("table", table_id));
  const auto* table = world.table(table_seq);
  const bool seen = table != nullptr ? sees(appliance_.world(), request.client, *table)
                                     : events_.visible(request.client, table_id);
  if (!seen) return not_found("call");
  return view;
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
