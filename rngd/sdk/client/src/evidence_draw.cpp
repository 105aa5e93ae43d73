// What the client checks of a draw: its inputs, its secret, its outcome.
#include <algorithm>

#include "evidence.hpp"
#include "format/body_draw.hpp"
#include "format/body_table.hpp"
#include "format/domain.hpp"
#include "format/merkle.hpp"
#include "words.hpp"

namespace talla::client {

using certs::Record;

Status Evidence::take_intent(const Record& record, const Call& call) {
  TALLA_TRY(const auto body, certs::IntentBody::from_json(record.body));
  TALLA_TRY(const Record commit, opening(record.object, call.fetch));
  TALLA_TRY(const auto committed, certs::BatchCommitBody::from_json(commit.body));
  batches[body.table] = {.id = record.object,
                         .root = to_hex(body.root),
                         .count = committed.count,
                         .index = std::int64_t{body.index} + 1};
  return {};
}

/// Every input of the draw is the one that was asked for, committed or closed before.
Status Evidence::check_intent(const Record& record, const Call& call) {
  TALLA_TRY(const auto body, certs::IntentBody::from_json(record.body));
  TALLA_TRY(const Record commit, opening(record.object, call.fetch));
  TALLA_TRY(const auto committed, certs::BatchCommitBody::from_json(commit.body));
  TALLA_TRY(const Record table, opening(body.table, call.fetch));
  TALLA_TRY(const auto rules, certs::TableOpenBody::from_json(table.body));
  const std::string round = text(call.sent, {"round"});
  const std::string own_bets = text(call.sent, {"bets"});
  const json::Value* index = call.sent.find("index");
  const bool asked =
      text(call.sent, {"table"}) == body.table && text(call.sent, {"batch"}) == record.object &&
      text(call.sent, {"root"}) == to_hex(body.root) &&
      text(call.sent, {"nonce"}) == to_hex(body.nonce) && index != nullptr &&
      *index == json::Value(body.index) && body.round == (round.empty() ? "0" : round);
  if (!asked) return disbelieve("another draw was made than was asked for");
  if (own_bets.empty()) {
    TALLA_TRY(const Digest bets,
              bets_of(body.round, std::holds_alternative<certs::LotsDraw>(body.specification),
                      call.fetch));
    if (bets != body.bets) return disbelieve("a draw on other bets");
  } else if (own_bets != to_hex(body.bets)) {
    return disbelieve("a draw on other bets");
  }
  if (body.root != committed.root || body.table != committed.table ||
      body.context != committed.context || commit.client != record.client ||
      commit.seq >= record.seq)
    return disbelieve("a draw from another batch");
  const auto& context = body.context;
  if (context.game != rules.game || context.variant != rules.variant ||
      context.catalogue != rules.catalogue ||
      context.parameters != certs::parameters_digest(hashes_, rules.parameters))
    return disbelieve("a draw under other rules than the table's");
  const json::Value* range = rules.settled_by_client ? rules.parameters.find("range") : nullptr;
  if (range != nullptr && *range != certs::specification_json(body.specification))
    return disbelieve("a draw from another range than the table's");
  const Digest digest =
      certs::draw_digest(hashes_, {.origin = record.origin,
                                   .client = record.client ? record.client->id : std::string(),
                                   .table = body.table,
                                   .round = body.round,
                                   .game = context.game,
                                   .variant = context.variant,
                                   .catalogue = context.catalogue,
                                   .parameters = context.parameters,
                                   .bets = body.bets,
                                   .root = body.root,
                                   .index = body.index,
                                   .nonce = body.nonce});
  return digest == body.digest ? Status() : Status(disbelieve("another draw digest"));
}

Status Evidence::take_draw(const Record& record, const Call& call) {
  TALLA_TRY(const auto body, certs::DrawBody::from_json(record.body));
  const auto found = std::ranges::find(records_, body.intent, &Record::seq);
  if (found == records_.end() || found->kind != certs::Kind::intent ||
      found->object != record.object)
    return disbelieve("a draw without its INTENT");
  TALLA_TRY_STATUS(check_intent(*found, call));
  TALLA_TRY(const auto intent, certs::IntentBody::from_json(found->body));
  TALLA_TRY(const Record commit, opening(record.object, call.fetch));
  TALLA_TRY(const auto committed, certs::BatchCommitBody::from_json(commit.body));
  const Digest leaf = certs::batch_leaf_hash(hashes_, record.object, body.index, body.secret);
  const Status included = certs::verify_inclusion(
      hashes_, {.index = body.index, .size = committed.count}, leaf, body.path, committed.root);
  if (!included || body.index != intent.index)
    return disbelieve("the secret is not the committed one");
  TALLA_TRY(const auto result, certs::map_draw(hashes_, intent.specification, body.secret,
                                               committed.root, body.index, intent.digest));
  if (result.outcome != body.outcome)
    return disbelieve("the outcome does not follow from secret and nonce");
  const json::Value* said = at(call.reply, {"draw", "outcome"});
  const json::Value* seq = at(call.reply, {"draw", "seq"});
  if (said == nullptr || *said != certs::outcome_json(body.outcome) || seq == nullptr ||
      *seq != json::Value(record.seq))
    return disbelieve("the reply names another outcome than the log");
  return {};
}

}  // namespace talla::client
