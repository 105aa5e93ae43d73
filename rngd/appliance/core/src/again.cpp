// Calls behind VOIDs: their limit, their contributors, and the orders of two persons.
#include "again.hpp"

#include <algorithm>

#include "certs/call_key.hpp"
#include "documents.hpp"

namespace talla::core {
namespace {

/// The open table of a table's id, or of a round, shoe or batch that is open.
const Table* table_of(const Overlay& world, const std::string& object) {
  std::optional<ObjectSeq> table;
  if (const auto own = certs::object_seq("table", object)) {
    table = *own;
  } else if (const auto seq = certs::object_seq("round", object)) {
    const auto* round = world.round(*seq);
    if (round != nullptr && !round->ended) table = round->table;
  } else if (const auto shoe_seq = certs::object_seq("shoe", object)) {
    const auto* shoe = world.shoe(*shoe_seq);
    if (shoe != nullptr && shoe->live()) table = shoe->table;
  } else if (const auto batch_seq = certs::object_seq("batch", object)) {
    const auto* batch = world.batch(*batch_seq);
    const bool open = batch != nullptr && (!batch->progress.closed || !batch->open_calls.empty());
    if (open) table = batch->table;
  }
  const auto* found = table ? world.table(*table) : nullptr;
  return found == nullptr || found->closed ? nullptr : found;
}

bool head_stands(const Table& table, const Digest& head) {
  return std::ranges::find(table.heads, head, &ChainHead::head) != table.heads.end();
}

bool ordered(const Table& table, const certs::CallCore& core) {
  const auto* order = standing_order(table);
  return order != nullptr && order->object == certs::call_subject(core);
}

bool too_many(const Table& table, const certs::CallCore& core) {
  return table.calls.voids(certs::call_subject(core)) > table.open.policy.max_voids;
}

}  // namespace

Result<certs::AccessOrder> signed_order(const Call& call, const Act& act, const Digest& head) {
  certs::AccessOrder order{head, {}, {}};
  const auto key = as_bytes(call.client.public_key);
  order.key.assign(key.begin(), key.end());
  TALLA_TRY(const auto signature, from_base64(call.body.text("signature")));
  const bool fits = signature.size() == order.signature.size();
  if (fits) std::ranges::copy(signature, order.signature.begin());
  const auto digest = act.digest ? to_hex(*act.digest) : std::string();
  const auto statement =
      certs::order_statement(call.tx.origin(), act.object, head, act_name(act.kind), digest);
  if (!fits || !certs::call_signature_holds(order.key, statement, order.signature))
    return fail(Errc::order_signature, "signature: not of this client's key over " +
                                           std::string(act_name(act.kind)) + " as it is asked for");
  const auto* table = table_of(call.world(), act.object);
  if (table != nullptr && table->open.key == order.key)
    return fail(Errc::same_person, "the key of the table itself orders nothing of it");
  return order;
}

Status order_stands(const Call& call, const Act& act) {
  const auto* table = table_of(call.world(), act.object);
  if (table == nullptr) return fail(Errc::not_found, "no such open table, round, shoe or batch");
  if (!head_stands(*table, act.order->head))
    return fail(Errc::head_wrong, "not the head of this table's newest record");
  return {};
}

Status call_again_possible(const Call& call, const Act& act) {
  const auto* table = table_of(call.world(), act.object);
  if (table->open_call) return fail(Errc::turn_open, "the call before is not answered yet");
  if (table->calls.voids(act.object) == 0)
    return fail(Errc::wrong_state, "no call of " + act.object + " has ended in VOID");
  return {};
}

Status take_order(const Call& call, const Act& act, std::uint64_t seq) {
  TALLA_TRY(const auto second, signed_order(call, act, act.order->head));
  StandingOrder order{seq, act.object, {act.order->head, {}}};
  order.order.by = {{act.asked_by.id, act.order->key, act.order->signature},
                    {call.client.id, second.key, second.signature}};
  const auto* table = table_of(call.world(), act.object);
  call.tx.group().documents.push_back({certs::documents::order(table->id), order_document(order)});
  Documents::take_order(call.world(), table->seq, std::move(order));
  return {};
}

const StandingOrder* standing_order(const Table& table) {
  if (!table.again || table.open_call || !head_stands(table, table.again->order.head))
    return nullptr;
  return &*table.again;
}

Status keeps_contributors(const Table& table, const certs::CallCore& core) {
  const auto* left = table.calls.dropped(core);
  if (left == nullptr || ordered(table, core)) return {};
  return fail(Errc::contributor_dropped, "core.others: " + left->id + " was not missing when " +
                                             certs::call_subject(core) +
                                             " ended in VOID, and is left out");
}

tl::expected<void, Failure> within_voids(const Table& table, const certs::CallCore& core) {
  if (!too_many(table, core) || ordered(table, core)) return {};
  const auto& subject = certs::call_subject(core);
  return tl::unexpected<Failure>(Refusal(
      Error(Errc::void_limit, subject +
                                  " ended in VOID too often: inspector and operator or security "
                                  "officer order another call (talla act ask call-again)"),
      {{"object", subject},
       {"voids", table.calls.voids(subject)},
       {"head", to_hex(table.heads.back().head)}}));
}

CallRecord call_record(const Table& table, const certs::CallBody& body, std::uint64_t head) {
  CallRecord made{body, {head}};
  made.body.order.reset();
  const bool needs = too_many(table, body.core) || table.calls.dropped(body.core) != nullptr;
  if (!needs || !ordered(table, body.core)) return made;
  made.body.order = table.again->order;
  made.cites.push_back(table.again->seq);
  std::ranges::sort(made.cites);
  return made;
}

void cite_shoe_before(const Table& table, const Shoe& shoe, std::vector<std::uint64_t>& cites) {
  if (shoe.called || !table.last_shoe_close) return;
  cites.push_back(*table.last_shoe_close);
  std::ranges::sort(cites);
}

std::string order_document(const StandingOrder& order) {
  return json::canonical(json::Value(json::Object{
      {"object", order.object}, {"order", order.order.to_json()}, {"seq", order.seq}}));
}

Result<StandingOrder> order_from(const std::string& text) {
  TALLA_TRY(const auto value, json::parse(text));
  json::Reader reader(value, "order");
  StandingOrder order;
  TALLA_TRY(order.object, reader.string("object"));
  TALLA_TRY(const auto* said, reader.object("order"));
  TALLA_TRY(order.order, certs::CallOrder::from_json(*said));
  TALLA_TRY(const auto seq, reader.integer("seq", 0, json::integer_max));
  order.seq = static_cast<std::uint64_t>(seq);
  TALLA_TRY_STATUS(reader.finish());
  return order;
}

}  // namespace talla::core
