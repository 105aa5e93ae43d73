// What the client checks of a draw: its call, its secret, its outcome.
#include <algorithm>

#include "evidence.hpp"
#include "format/body_draw.hpp"
#include "words.hpp"

namespace talla::client {

using certs::Record;

/// That it is the core which was signed is for the table's caller to know; where that is another
/// life of this program's, the signature says so.
Status Evidence::take_call(const Record& record, const Call& call) {
  TALLA_TRY(const auto body, certs::CallBody::from_json(record.body));
  if (!key_ || record.table != body.core.table || record.object != body.core.object ||
      !key_->has_signed(certs::call_statement(body.core.bytes()), body.signature))
    return disbelieve("a CALL that this client did not sign");
  calls_.insert_or_assign(record.seq, body.core);
  if (body.core.use == certs::CallUse::mix) return {};
  TALLA_TRY(const Record commit, opening(record.object, call.fetch));
  TALLA_TRY(const auto committed, certs::BatchCommitBody::from_json(commit.body));
  BatchPlace& batch = batches[body.core.table];
  if (batch.id == record.object) {
    batch.index = std::int64_t{body.core.at} + 1;
  } else {
    batch = {.id = record.object,
             .root = to_hex(body.core.root),
             .count = committed.count,
             .index = std::int64_t{body.core.at} + 1,
             .good_until = {}};
  }
  return {};
}

Status Evidence::take_draw(const Record& record, const Call& call) {
  TALLA_TRY(const auto body, certs::DrawBody::from_json(record.body));
  const auto found = std::ranges::find(records_, body.call, &Record::seq);
  const auto made = calls_.find(body.call);
  if (found == records_.end() || found->kind != certs::Kind::call ||
      found->object != record.object || made == calls_.end())
    return disbelieve("a draw without its CALL");
  TALLA_TRY(const Record commit, opening(record.object, call.fetch));
  if (const Status follows = certs::check_drawn(commit, made->second, record); !follows)
    return disbelieve(follows.error().detail);
  const json::Value* said = at(call.reply, {"draw", "outcome"});
  const json::Value* seq = at(call.reply, {"draw", "seq"});
  if (said == nullptr || *said != certs::outcome_json(body.outcome) || seq == nullptr ||
      *seq != json::Value(record.seq))
    return disbelieve("the reply names another outcome than the log");
  return {};
}

/// Of a draw that was called for, what it opens is the committed secret. Of a core that became no
/// CALL: what it opens is spent; where it opens nothing, the batch is not drawn from any more.
Status Evidence::take_void(const Record& record, const Call& call) {
  TALLA_TRY(const auto body, certs::VoidBody::from_json(record.body));
  if (!body.lapsed) {
    const auto made = calls_.find(body.call);
    if (made == calls_.end() || made->second.use == certs::CallUse::mix) return {};
    if (!body.secret && body.cause == certs::VoidCause::unrecoverable) return {};
    TALLA_TRY(const Record commit, opening(made->second.object, call.fetch));
    const Status follows = certs::check_voided(commit, made->second, record);
    return follows ? Status() : Status(disbelieve(follows.error().detail));
  }
  const certs::CallCore& core = body.lapsed->core;
  if (!key_ || record.table != core.table ||
      !key_->has_signed(certs::call_statement(core.bytes()), body.lapsed->signature))
    return disbelieve("a VOID of a core that this client did not sign");
  const auto known = batches.find(core.table);
  const bool current = known != batches.end() && known->second.id == core.object;
  if (!body.secret) {
    if (current) known->second.index = known->second.count;
    return {};
  }
  TALLA_TRY(const Record commit, opening(record.object, call.fetch));
  if (const Status follows = certs::check_lapsed(commit, record); !follows)
    return disbelieve(follows.error().detail);
  if (current) known->second.index = std::int64_t{core.at} + 1;
  return {};
}

}  // namespace talla::client
