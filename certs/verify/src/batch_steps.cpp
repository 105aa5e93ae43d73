// Follows the records of one batch of committed secrets, and computes its draws again.
#include <map>
#include <set>

#include "evidence.hpp"
#include "format/body_draw.hpp"
#include "format/draw_format.hpp"
#include "format/errc.hpp"
#include "format/merkle.hpp"

namespace talla::certs {
namespace {

/// Follows one batch of committed secrets.
class BatchWalk {
 public:
  BatchWalk(Evidence& evidence, std::string id) : evidence_(evidence), id_(std::move(id)) {}

  Status step(const Record& record) {
    if (closed_) return refuse(VerifyErrc::object_closed, record, "the batch was closed before");
    switch (record.kind) {
      case Kind::batch_commit:
        return commit(record);
      case Kind::call:
        return call(record);
      case Kind::draw:
        return draw(record);
      case Kind::void_call:
        return void_call(record);
      case Kind::batch_close:
        return close(record);
      default:
        return {};
    }
  }
  void conclude();

 private:
  Status commit(const Record& record);
  Status call(const Record& record);
  Status draw(const Record& record);
  Status void_call(const Record& record);
  Status lapsed(const Record& record, const VoidBody& body);
  Status close(const Record& record);
  Status check_secret(const Record& record, const SecretOpening& opening);
  Status check_would_be(const Record& record, const CallCore& core, const VoidBody& body);
  Result<CallCore> take_call(const Record& record, std::uint64_t seq);
  Result<DrawResult> outcome_of(const Record& record, const CallCore& core,
                                const SecretOpening& opening,
                                std::span<const CallOpening> openings = {});

  Evidence& evidence_;
  std::string id_;
  std::string client_;
  BatchCommitBody commit_;
  std::map<std::uint64_t, CallCore> open_calls_;
  std::uint32_t next_index_ = 0;
  std::size_t draws_ = 0;
  bool closed_ = false;
};

Status BatchWalk::commit(const Record& record) {
  TALLA_TRY(commit_, BatchCommitBody::from_json(record.body));
  client_ = record.client ? record.client->id : "";
  return evidence_.take_context(commit_.context, record);
}

/// What a call binds of its batch; what of its table, check_calls knows.
Status BatchWalk::call(const Record& record) {
  TALLA_TRY(CallBody body, CallBody::from_json(record.body));
  CallCore& core = body.core;
  if ((record.client ? record.client->id : "") != client_)
    return refuse(VerifyErrc::batch_client, record, "the batch belongs to another client");
  if (core.root != commit_.root)
    return refuse(VerifyErrc::root_unknown, record, "its root is not that of the batch");
  if (core.at != next_index_ || core.at >= commit_.count)
    return refuse(VerifyErrc::secret_order, record, "not the next secret of the batch");
  if (record.time_us >= commit_.expires_us)
    return refuse(VerifyErrc::batch_expired, record, "the batch had expired");
  ++next_index_;
  if (!evidence_.table.settled_by_client && evidence_.claim->kind != Kind::settlement) {
    evidence_.not_checked(Note::draw_of_rules, {{"batch", record.object}});
  }
  const json::Value* range =
      evidence_.table.settled_by_client ? evidence_.table.parameters.find("range") : nullptr;
  if (range != nullptr && *range != specification_json(core.draw())) {
    return refuse(VerifyErrc::range_other, record, "the table is opened for another range");
  }
  open_calls_.emplace(record.seq, std::move(core));
  return {};
}

Result<CallCore> BatchWalk::take_call(const Record& record, std::uint64_t seq) {
  auto found = open_calls_.extract(seq);
  if (found.empty()) return fail(VerifyErrc::call_none, name_of(record) + ": no such open CALL");
  return std::move(found.mapped());
}

Status BatchWalk::check_secret(const Record& record, const SecretOpening& opening) {
  const Digest leaf = batch_leaf_hash(evidence_.hashes, id_, opening.index, opening.secret);
  const auto included =
      verify_inclusion(evidence_.hashes, {.index = opening.index, .size = commit_.count}, leaf,
                       opening.path, commit_.root);
  if (!included) return refuse(VerifyErrc::secret_wrong, record, included.error().detail);
  return {};
}

Result<DrawResult> BatchWalk::outcome_of(const Record& record, const CallCore& core,
                                         const SecretOpening& opening,
                                         std::span<const CallOpening> openings) {
  TALLA_TRY_STATUS(check_secret(record, opening));
  return map_draw(evidence_.hashes, core.draw(), opening.secret,
                  call_digest(evidence_.hashes, core.bytes()), openings);
}

Status BatchWalk::draw(const Record& record) {
  TALLA_TRY(const DrawBody body, DrawBody::from_json(record.body));
  TALLA_TRY(const CallCore core, take_call(record, body.call));
  if (body.index != core.at)
    return refuse(VerifyErrc::draw_index, record, "its index differs from the CALL");
  TALLA_TRY(const DrawResult result,
            outcome_of(record, core, {body.index, body.secret, body.path}, body.openings));
  if (result.words_used != body.words_used || result.words_rejected != body.words_rejected ||
      result.tape_digest != body.tape_digest)
    return refuse(VerifyErrc::tape_other, record, "states another account of its tape");
  if (result.outcome != body.outcome)
    return refuse(VerifyErrc::wrong_mapping, record,
                  "the outcome does not follow from secret and call");
  ++draws_;
  return {};
}

/// The secret that it opens is the next one, and spent.
Status BatchWalk::lapsed(const Record& record, const VoidBody& body) {
  const CallCore& core = body.lapsed->core;
  if (core.root != commit_.root)
    return refuse(VerifyErrc::root_unknown, record, "its root is not that of the batch");
  if (core.at != next_index_ || core.at >= commit_.count)
    return refuse(VerifyErrc::secret_order, record, "not the next secret of the batch");
  ++next_index_;
  return check_would_be(record, core, body);
}

/// The secret is the committed one. What it would have given is said where every number is known.
Status BatchWalk::check_would_be(const Record& record, const CallCore& core, const VoidBody& body) {
  if (!body.secret)
    return fail(FormatErrc::malformed_body, name_of(record) + ": keeps its secret closed");
  if (body.openings.size() != core.others.size()) {
    if (body.outcome)
      return refuse(VerifyErrc::outcome_undue, record,
                    "says an outcome where not every number is opened");
    return check_secret(record, {core.at, *body.secret, body.path});
  }
  std::vector<CallOpening> all;  // check_calls has looked at each
  for (const OpenedBefore& one : body.openings) all.push_back({one.value, one.signature});
  TALLA_TRY(const DrawResult result,
            outcome_of(record, core, {core.at, *body.secret, body.path}, all));
  if (result.outcome != body.outcome)
    return refuse(VerifyErrc::wrong_mapping, record,
                  "the outcome it would have had is another one");
  return {};
}

Status BatchWalk::void_call(const Record& record) {
  TALLA_TRY(const VoidBody body, VoidBody::from_json(record.body));
  if (body.lapsed) return lapsed(record, body);
  TALLA_TRY(const CallCore core, take_call(record, body.call));
  if (body.cause == VoidCause::unrecoverable) {
    evidence_.not_checked(Note::unrecoverable, {{"record", name_of(record)}});
    return {};
  }
  TALLA_TRY_STATUS(check_ordered(record, body));
  return check_would_be(record, core, body);
}

Status BatchWalk::close(const Record& record) {
  TALLA_TRY(const BatchCloseBody body, BatchCloseBody::from_json(record.body));
  closed_ = true;
  if (body.first != next_index_ || body.secrets.size() != commit_.count - next_index_) {
    return refuse(VerifyErrc::unused_count, record, "not exactly the unused secrets");
  }
  auto tree = CompactRange::from_nodes(body.first, body.left);
  if (!tree) return refuse(VerifyErrc::unused_wrong, record, tree.error().detail);
  for (const Digest& secret : body.secrets) {
    const auto index = static_cast<std::uint32_t>(tree->size());
    tree->append(evidence_.hashes, batch_leaf_hash(evidence_.hashes, id_, index, secret));
  }
  if (tree->root(evidence_.hashes) != commit_.root) {
    return refuse(VerifyErrc::unused_wrong, record, "the secrets do not give the committed root");
  }
  return {};
}

void BatchWalk::conclude() {
  if (draws_ > 0) {
    evidence_.checked(Note::draws_follow, {{"batch", id_}, {"draws", std::to_string(draws_)}});
  }
  if (!open_calls_.empty()) {
    evidence_.not_checked(Note::draws_open,
                          {{"batch", id_}, {"count", std::to_string(open_calls_.size())}});
  }
}

}  // namespace

Status check_ordered(const Record& record, const VoidBody& body) {
  if (body.cause != VoidCause::order) return {};
  const std::set<std::string> people(body.by.begin(), body.by.end());
  if (people.size() >= 2 && people.size() == body.by.size()) return {};
  return refuse(VerifyErrc::void_persons, record,
                "ordered by fewer than two persons, or by one twice");
}

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
