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

void BatchProgress::take(const CallBody& call, std::uint64_t seq) {
  next = call.core.at + 1;
  calls_open.emplace(call.core.at, seq);
}

void BatchProgress::take(const DrawBody& draw) {
  end(draw.call);
}

void BatchProgress::take(const VoidBody& ended) {
  if (ended.lapsed) {
    next = ended.lapsed->core.at + 1;
  } else {
    end(ended.call);
  }
}

void BatchProgress::take(const BatchCloseBody& /*close*/) {
  closed = true;
}

void BatchProgress::end(std::uint64_t call) {
  std::erase_if(calls_open, [&](const auto& open) { return open.second == call; });
}

Status SecretBatch::check_call(const BatchProgress& progress, const CallCore& core) const {
  if (core.use != CallUse::draw || core.object != id_ || core.root != root_)
    return fail(Errc::wrong_index, "the call names the root of another batch");
  if (progress.closed || progress.next >= count() || core.at != progress.next) {
    return fail(Errc::wrong_index, fmt::format("{}: index {} where {} of {} is next", id_, core.at,
                                               progress.next, count()));
  }
  return check_specification(core.draw());
}

Status SecretBatch::check_open(const BatchProgress& progress, std::uint64_t call_seq,
                               const CallBody& call) const {
  const CallCore& core = call.core;
  const auto open = progress.calls_open.find(core.at);
  if (open == progress.calls_open.end() || open->second != call_seq || core.root != root_ ||
      core.use != CallUse::draw || core.at >= count() || !core.others.empty()) {
    return fail(Errc::wrong_index, fmt::format("{}: record {} is no open CALL", id_, call_seq));
  }
  return {};
}

Result<DrawBody> SecretBatch::draw(const BatchProgress& progress, std::uint64_t call_seq,
                                   const CallBody& call) const {
  TALLA_TRY_STATUS(check_open(progress, call_seq, call));
  const CallCore& core = call.core;
  TALLA_TRY(DrawResult result, map_draw(*hashes_, core.draw(), secret_at(core.at),
                                        call_digest(*hashes_, core.bytes()), {}));
  SecretOpening opened = opening(core.at);
  return DrawBody{.call = call_seq,
                  .openings = {},
                  .index = core.at,
                  .secret = opened.secret,
                  .path = std::move(opened.path),
                  .outcome = std::move(result.outcome),
                  .words_used = result.words_used,
                  .words_rejected = result.words_rejected,
                  .tape_digest = result.tape_digest};
}

Result<VoidBody> SecretBatch::void_by_order(const BatchProgress& progress, std::uint64_t call_seq,
                                            const CallBody& call,
                                            std::vector<std::string> by) const {
  TALLA_TRY(DrawBody would_be, draw(progress, call_seq, call));
  return VoidBody{.call = call_seq,
                  .cause = VoidCause::order,
                  .lapsed = {},
                  .by = std::move(by),
                  .missing = {},
                  .outcome = std::move(would_be.outcome),
                  .secret = would_be.secret,
                  .path = std::move(would_be.path)};
}

Result<VoidBody> SecretBatch::void_lapsed(const BatchProgress& progress,
                                          const CallBody& call) const {
  TALLA_TRY_STATUS(check_call(progress, call.core));
  const CallCore& core = call.core;
  std::optional<Outcome> outcome;
  if (core.others.empty()) {  // else not every number is known
    TALLA_TRY(DrawResult would_be, map_draw(*hashes_, core.draw(), secret_at(core.at),
                                            call_digest(*hashes_, core.bytes()), {}));
    outcome = std::move(would_be.outcome);
  }
  SecretOpening opened = opening(core.at);
  return VoidBody{.call = 0,
                  .cause = VoidCause::lapsed,
                  .lapsed = call,
                  .by = {},
                  .missing = {},
                  .outcome = std::move(outcome),
                  .secret = opened.secret,
                  .path = std::move(opened.path)};
}

Result<BatchCloseBody> SecretBatch::close(const BatchProgress& progress,
                                          BatchCloseReason reason) const {
  if (progress.closed) return fail(Errc::wrong_index, id_ + " is closed already");
  if (!progress.calls_open.empty()) return fail(Errc::wrong_index, id_ + " has an open CALL");
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

VoidBody void_lapsed_unopened(const CallBody& call) {
  return {.call = 0,
          .cause = VoidCause::lapsed,
          .lapsed = call,
          .by = {},
          .missing = {},
          .outcome = {},
          .secret = {},
          .path = {}};
}

VoidBody void_unrecoverable(std::uint64_t call_seq) {
  return {.call = call_seq,
          .cause = VoidCause::unrecoverable,
          .lapsed = {},
          .by = {},
          .missing = {},
          .outcome = {},
          .secret = {},
          .path = {}};
}

}  // namespace talla::certs
