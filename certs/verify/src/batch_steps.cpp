// Follows the records of one batch of committed secrets, and computes its draws again.
#include <algorithm>
#include <map>
#include <set>

#include "evidence.hpp"
#include "format/body_draw.hpp"
#include "format/domain.hpp"
#include "format/draw_format.hpp"
#include "format/merkle.hpp"

namespace talla::certs {
namespace {

/// Follows one batch of committed secrets.
class BatchWalk {
 public:
  BatchWalk(Evidence& evidence, std::string id) : evidence_(evidence), id_(std::move(id)) {}

  Status step(const Record& record) {
    if (closed_ && record.kind != Kind::draw && record.kind != Kind::void_draw) {
      return refuse(VerifyErrc::gap, record, "the batch was closed before");
    }
    switch (record.kind) {
      case Kind::batch_commit:
        return commit(record);
      case Kind::intent:
        return intent(record);
      case Kind::draw:
        return draw(record);
      case Kind::void_draw:
        return void_draw(record);
      case Kind::batch_close:
        return close(record);
      default:
        return {};
    }
  }
  void conclude();

 private:
  /// What opening a secret leads to.
  struct Opened {
    std::uint64_t intent;
    Digest secret;
    const std::vector<Digest>& path;
  };

  Status commit(const Record& record);
  Status intent(const Record& record);
  Status draw(const Record& record);
  Status void_draw(const Record& record);
  Status close(const Record& record);
  [[nodiscard]] bool before_bets(const Record& record, const IntentBody& body) const;
  Status check_bets(const Record& record, const IntentBody& body);
  Status check_secret(const Record& record, const SecretOpening& opening);
  Result<IntentBody> take_intent(const Record& record, std::uint64_t seq);
  Status check_author(const Record& record, std::uint64_t intent) const;
  Result<DrawResult> outcome_of(const Record& record, const IntentBody& intent,
                                const SecretOpening& opening);

  Evidence& evidence_;
  std::string id_;
  std::string client_;
  BatchCommitBody commit_;
  std::map<std::uint64_t, IntentBody> open_intents_;
  std::set<Bytes> nonces_;
  std::uint32_t next_index_ = 0;
  std::size_t draws_ = 0;
  bool closed_ = false;
};

Status BatchWalk::commit(const Record& record) {
  TALLA_TRY(commit_, BatchCommitBody::from_json(record.body));
  client_ = record.client ? record.client->id : "";
  return evidence_.take_context(commit_.context, record);
}

/// Lots before the bets of their round are closed rest on no bets (who gets the bank).
bool BatchWalk::before_bets(const Record& record, const IntentBody& body) const {
  if (!std::holds_alternative<LotsDraw>(body.specification)) return false;
  if (body.bets != bets_digest(evidence_.hashes, json::Array{})) return false;
  const auto& round = evidence_.objects.find(body.round)->second;
  return std::none_of(round.begin(), round.end(), [&](const Record* one) {
    return one->kind == Kind::bets_closed && one->seq < record.seq;
  });
}

Status BatchWalk::check_bets(const Record& record, const IntentBody& body) {
  if (body.round == "0") return {};
  for (const std::uint64_t seq : record.cites) {
    const Record* cited = evidence_.find(seq);
    if (cited != nullptr && cited->kind == Kind::round_open && cited->object == body.round &&
        before_bets(record, body)) {
      return {};
    }
    if (cited == nullptr || cited->kind != Kind::bets_closed || cited->object != body.round)
      continue;
    TALLA_TRY(const auto bets, BetsClosedBody::from_json(cited->body));
    if (bets.digest == body.bets) return {};
    return refuse(VerifyErrc::wrong_citation, record,
                  "names other bets than the BETS_CLOSED it cites");
  }
  const bool all_present =
      std::all_of(record.cites.begin(), record.cites.end(),
                  [&](std::uint64_t seq) { return evidence_.find(seq) != nullptr; });
  if (all_present)
    return refuse(VerifyErrc::wrong_citation, record, "does not cite the BETS_CLOSED of its round");
  evidence_.not_checked(Note::bets_missing, {{"record", name_of(record)}, {"round", body.round}});
  return {};
}

Status BatchWalk::intent(const Record& record) {
  TALLA_TRY(IntentBody body, IntentBody::from_json(record.body));
  const std::string client = record.client ? record.client->id : "";
  if (client != client_)
    return refuse(VerifyErrc::wrong_commitment, record, "the batch belongs to another client");
  if (body.table != commit_.table || body.root != commit_.root || body.context != commit_.context) {
    return refuse(VerifyErrc::wrong_commitment, record,
                  "table, root or context differ from the batch");
  }
  if (body.index != next_index_ || body.index >= commit_.count) {
    return refuse(VerifyErrc::wrong_position, record, "not the next secret of the batch");
  }
  if (record.time_us >= commit_.expires_us)
    return refuse(VerifyErrc::wrong_commitment, record, "the batch had expired");
  ++next_index_;
  if (!evidence_.table.settled_by_client && evidence_.claim->kind != Kind::settlement) {
    evidence_.not_checked(Note::draw_of_rules, {{"batch", record.object}});
  }
  if (!nonces_.insert(body.nonce).second)
    return refuse(VerifyErrc::wrong_commitment, record, "a nonce used before");
  const json::Value* range =
      evidence_.table.settled_by_client ? evidence_.table.parameters.find("range") : nullptr;
  if (range != nullptr && *range != specification_json(body.specification)) {
    return refuse(VerifyErrc::wrong_commitment, record, "the table is opened for another range");
  }
  TALLA_TRY_STATUS(check_bets(record, body));
  const Digest digest = draw_digest(evidence_.hashes, {.origin = record.origin,
                                                       .client = client,
                                                       .table = body.table,
                                                       .round = body.round,
                                                       .game = body.context.game,
                                                       .variant = body.context.variant,
                                                       .catalogue = body.context.catalogue,
                                                       .parameters = body.context.parameters,
                                                       .bets = body.bets,
                                                       .root = body.root,
                                                       .index = body.index,
                                                       .nonce = body.nonce});
  if (digest != body.digest)
    return refuse(VerifyErrc::wrong_commitment, record, "the draw digest is another one");
  open_intents_.emplace(record.seq, std::move(body));
  return {};
}

Result<IntentBody> BatchWalk::take_intent(const Record& record, std::uint64_t seq) {
  if (!std::binary_search(record.cites.begin(), record.cites.end(), seq))
    return fail(VerifyErrc::wrong_citation, name_of(record) + ": does not cite its INTENT");
  auto found = open_intents_.extract(seq);
  if (found.empty())
    return fail(VerifyErrc::wrong_citation, name_of(record) + ": no such open INTENT");
  return std::move(found.mapped());
}

/// A DRAW answers the request of its INTENT, also after a restart.
Status BatchWalk::check_author(const Record& record, std::uint64_t intent) const {
  const Record* asked = evidence_.find(intent);
  if (asked != nullptr && record.client == asked->client && record.key == asked->key &&
      record.request == asked->request)
    return {};
  return refuse(VerifyErrc::wrong_citation, record, "answers another request than its INTENT");
}

Status BatchWalk::check_secret(const Record& record, const SecretOpening& opening) {
  const Digest leaf = batch_leaf_hash(evidence_.hashes, id_, opening.index, opening.secret);
  const auto included =
      verify_inclusion(evidence_.hashes, {.index = opening.index, .size = commit_.count}, leaf,
                       opening.path, commit_.root);
  if (!included) return refuse(VerifyErrc::wrong_opening, record, included.error().detail);
  return {};
}

Result<DrawResult> BatchWalk::outcome_of(const Record& record, const IntentBody& intent,
                                         const SecretOpening& opening) {
  TALLA_TRY_STATUS(check_secret(record, opening));
  return map_draw(evidence_.hashes, intent.specification, opening.secret, commit_.root,
                  opening.index, intent.digest);
}

Status BatchWalk::draw(const Record& record) {
  TALLA_TRY(const DrawBody body, DrawBody::from_json(record.body));
  TALLA_TRY(const IntentBody intent, take_intent(record, body.intent));
  TALLA_TRY_STATUS(check_author(record, body.intent));
  if (body.index != intent.index || body.context != intent.context) {
    return refuse(VerifyErrc::wrong_commitment, record, "index or context differ from the INTENT");
  }
  TALLA_TRY(const DrawResult result,
            outcome_of(record, intent, {body.index, body.secret, body.path}));
  if (result.outcome != body.outcome || result.words_used != body.words_used ||
      result.words_rejected != body.words_rejected || result.tape_digest != body.tape_digest) {
    return refuse(VerifyErrc::wrong_mapping, record,
                  "the outcome does not follow from secret and nonce");
  }
  ++draws_;
  return {};
}

Status BatchWalk::void_draw(const Record& record) {
  TALLA_TRY(const VoidBody body, VoidBody::from_json(record.body));
  TALLA_TRY(const IntentBody intent, take_intent(record, body.intent));
  if (body.unrecoverable) {
    evidence_.not_checked(Note::unrecoverable, {{"record", name_of(record)}});
    return {};
  }
  const std::set<std::string> people(body.by.begin(), body.by.end());
  if (people.size() < 2 || people.size() != body.by.size())
    return refuse(VerifyErrc::wrong_citation, record,
                  "ordered by fewer than two persons, or by one twice");
  TALLA_TRY(const DrawResult result,
            outcome_of(record, intent, {intent.index, body.secret, body.path}));
  if (result.outcome != *body.outcome) {
    return refuse(VerifyErrc::wrong_mapping, record,
                  "the outcome it would have had is another one");
  }
  return {};
}

Status BatchWalk::close(const Record& record) {
  TALLA_TRY(const BatchCloseBody body, BatchCloseBody::from_json(record.body));
  closed_ = true;
  if (body.first != next_index_ || body.secrets.size() != commit_.count - next_index_) {
    return refuse(VerifyErrc::wrong_opening, record, "not exactly the unused secrets");
  }
  auto tree = CompactRange::from_nodes(body.first, body.left);
  if (!tree) return refuse(VerifyErrc::wrong_opening, record, tree.error().detail);
  for (const Digest& secret : body.secrets) {
    const auto index = static_cast<std::uint32_t>(tree->size());
    tree->append(evidence_.hashes, batch_leaf_hash(evidence_.hashes, id_, index, secret));
  }
  if (tree->root(evidence_.hashes) != commit_.root) {
    return refuse(VerifyErrc::wrong_opening, record, "the secrets do not give the committed root");
  }
  return {};
}

void BatchWalk::conclude() {
  if (draws_ > 0) {
    evidence_.checked(Note::draws_follow, {{"batch", id_}, {"draws", std::to_string(draws_)}});
  }
  if (!open_intents_.empty()) {
    evidence_.not_checked(Note::draws_open,
                          {{"batch", id_}, {"count", std::to_string(open_intents_.size())}});
  }
}

}  // namespace

Status check_batches(Evidence& evidence) {
  for (const auto& [object, chain] : evidence.objects) {
    if (chain.front()->kind != Kind::batch_commit) continue;
    BatchWalk walk(evidence, object);
    for (const Record* record : chain) TALLA_TRY_STATUS(walk.step(*record));
    walk.conclude();
  }
  return {};
}

}  // namespace talla::certs
