#include "certs/batch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "format/bounds.hpp"

namespace talla::certs {

namespace {

std::vector<Digest> leaves_of(const HashSuite& hashes, std::string_view id,
                              const SecretBytes& secrets) {
  std::vector<Digest> leaves;
  const std::span<const std::uint8_t> all(secrets);
  leaves.reserve(secrets.size() / secret_bytes);
  for (std::uint32_t j = 0; j < secrets.size() / secret_bytes; ++j) {
    leaves.push_back(
        batch_leaf_hash(hashes, id, j, all.subspan(j * secret_bytes).first<secret_bytes>()));
  }
  return leaves;
}

}  // namespace

SecretBatch::SecretBatch(const HashSuite& hashes, std::string batch_id, SecretBytes secrets)
    : hashes_(&hashes),
      id_(std::move(batch_id)),
      secrets_(std::move(secrets)),
      tree_(hashes, leaves_of(hashes, id_, secrets_)),
      root_(tree_.root(hashes)) {}

Result<SecretBatch> SecretBatch::make(const HashSuite& hashes, std::string batch_id,
                                      std::uint32_t count, const FullEntropyBits& bits) {
  if (!batch_secrets.holds(count))
    return fail(Errc::count_refused,
                fmt::format("a batch has {} secrets, not {}", bounds_text(batch_secrets), count));
  TALLA_TRY(SecretBytes secrets, bits(count * secret_bytes));
  if (secrets.size() != count * secret_bytes) {
    return fail(Errc::count_refused, "the generator gave another number of bytes");
  }
  return SecretBatch(hashes, std::move(batch_id), std::move(secrets));
}

Result<SecretBatch> SecretBatch::restore(const HashSuite& hashes, const std::string& batch_id,
                                         const SecretBytes& secret, const Digest& root) {
  const bool sized = !secret.empty() && secret.size() % secret_bytes == 0 &&
                     secret.size() <= static_cast<std::size_t>(batch_secrets.max) * secret_bytes;
  if (sized) {
    SecretBatch batch(hashes, batch_id, secret);
    if (batch.root_ == root) return batch;
  }
  return fail(Errc::secret_malformed,
              batch_id + ": the unsealed secret does not fit its commitment");
}

std::span<const std::uint8_t, 32> SecretBatch::secret_at(std::uint32_t index) const {
  TALLA_CHECK(index < count());
  return std::span<const std::uint8_t>(secrets_)
      .subspan(index * secret_bytes)
      .first<secret_bytes>();
}

SecretOpening SecretBatch::opening(std::uint32_t index) const {
  SecretOpening opened;
  const auto secret = secret_at(index);
  opened.index = index;
  std::copy(secret.begin(), secret.end(), opened.secret.begin());
  opened.path = tree_.inclusion_path(*hashes_, index);
  return opened;
}

BatchCommitBody SecretBatch::commit_body(std::string table, std::int64_t expires_us,
                                         Context context) const {
  return {.table = std::move(table),
          .count = count(),
          .root = root_,
          .expires_us = expires_us,
          .context = std::move(context)};
}

void BatchProgress::take(const IntentBody& intent, std::uint64_t seq) {
  next = intent.index + 1;
  intents_open.emplace(intent.index, seq);
}

void BatchProgress::take(const DrawBody& draw) {
  end(draw.intent);
}

void BatchProgress::take(const VoidBody& ended) {
  end(ended.intent);
}

void BatchProgress::take(const BatchCloseBody& /*close*/) {
  closed = true;
}

void BatchProgress::end(std::uint64_t intent) {
  std::erase_if(intents_open, [&](const auto& open) { return open.second == intent; });
}

Result<IntentBody> SecretBatch::intent(const BatchProgress& progress, const BatchCommitBody& commit,
                                       const DrawRequest& request) const {
  if (request.root != root_ || commit.root != root_) {
    return fail(Errc::wrong_index, "the draw names the root of another batch");
  }
  if (progress.closed || progress.next >= count() || request.index != progress.next) {
    return fail(Errc::wrong_index, fmt::format("{}: index {} where {} of {} is next", id_,
                                               request.index, progress.next, count()));
  }
  if (!nonce_bytes.holds_count(request.nonce.size())) {
    return fail(Errc::nonce_length, fmt::format("a nonce has {} bytes, not {}",
                                                bounds_text(nonce_bytes), request.nonce.size()));
  }
  TALLA_TRY_STATUS(check_specification(request.specification));
  const Context& context = commit.context;
  const Digest digest = draw_digest(*hashes_, {.origin = request.origin,
                                               .client = request.client,
                                               .table = commit.table,
                                               .round = request.round,
                                               .game = context.game,
                                               .variant = context.variant,
                                               .catalogue = context.catalogue,
                                               .parameters = context.parameters,
                                               .bets = request.bets,
                                               .root = root_,
                                               .index = request.index,
                                               .nonce = request.nonce});
  return IntentBody{.table = commit.table,
                    .round = request.round,
                    .index = request.index,
                    .nonce = request.nonce,
                    .root = root_,
                    .specification = request.specification,
                    .bets = request.bets,
                    .digest = digest,
                    .context = context};
}

Status SecretBatch::check_intent(const BatchProgress& progress, std::uint64_t intent_seq,
                                 const IntentBody& intent) const {
  const auto open = progress.intents_open.find(intent.index);
  if (open == progress.intents_open.end() || open->second != intent_seq || intent.root != root_ ||
      intent.index >= count()) {
    return fail(Errc::wrong_index, fmt::format("{}: record {} is no open INTENT", id_, intent_seq));
  }
  return {};
}

Result<DrawBody> SecretBatch::draw(const BatchProgress& progress, std::uint64_t intent_seq,
                                   const IntentBody& intent) const {
  TALLA_TRY_STATUS(check_intent(progress, intent_seq, intent));
  TALLA_TRY(DrawResult result, map_draw(*hashes_, intent.specification, secret_at(intent.index),
                                        root_, intent.index, intent.digest));
  SecretOpening opened = opening(intent.index);
  return DrawBody{.intent = intent_seq,
                  .index = intent.index,
                  .secret = opened.secret,
                  .path = std::move(opened.path),
                  .outcome = std::move(result.outcome),
                  .words_used = result.words_used,
                  .words_rejected = result.words_rejected,
                  .tape_digest = result.tape_digest,
                  .context = intent.context};
}

Result<VoidBody> SecretBatch::void_by_order(const BatchProgress& progress, std::uint64_t intent_seq,
                                            const IntentBody& intent,
                                            std::vector<std::string> by) const {
  TALLA_TRY(DrawBody would_be, draw(progress, intent_seq, intent));
  return VoidBody{.intent = intent_seq,
                  .unrecoverable = false,
                  .by = std::move(by),
                  .outcome = std::move(would_be.outcome),
                  .secret = would_be.secret,
                  .path = std::move(would_be.path)};
}

Result<BatchCloseBody> SecretBatch::close(const BatchProgress& progress,
                                          BatchCloseReason reason) const {
  if (progress.closed) return fail(Errc::wrong_index, id_ + " is closed already");
  BatchCloseBody body;
  body.reason = reason;
  body.first = progress.next;
  CompactRange used;
  for (std::uint32_t index = 0; index < body.first; ++index) {
    TALLA_TRY(const Digest leaf, tree_.node(0, index));
    used.append(*hashes_, leaf);
  }
  body.left = used.nodes();
  for (std::uint32_t index = body.first; index < count(); ++index) {
    body.secrets.push_back(opening(index).secret);
  }
  return body;
}

VoidBody void_unrecoverable(std::uint64_t intent_seq, std::vector<std::string> by) {
  return {.intent = intent_seq,
          .unrecoverable = true,
          .by = std::move(by),
          .outcome = {},
          .secret = {},
          .path = {}};
}

}  // namespace talla::certs
