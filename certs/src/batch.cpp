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
      core.use != CallUse::draw || core.at >= count()) {
    return fail(Errc::wrong_index, fmt::format("{}: record {} is no open CALL", id_, call_seq));
  }
  return {};
}

Result<DrawBody> SecretBatch::draw(const BatchProgress& progress, std::uint64_t call_seq,
                                   const CallBody& call, std::vector<CallOpening> openings) const {
  TALLA_TRY_STATUS(check_open(progress, call_seq, call));
  const CallCore& core = call.core;
  if (openings.size() != core.others.size())
    return fail(Errc::count_refused, id_ + ": not one opening for each contributor");
  TALLA_TRY(DrawResult result, map_draw(*hashes_, core.draw(), secret_at(core.at),
                                        call_digest(*hashes_, core.bytes()), openings));
  SecretOpening opened = opening(core.at);
  return DrawBody{.call = call_seq,
                  .openings = std::move(openings),
                  .index = core.at,
                  .secret = opened.secret,
                  .path = std::move(opened.path),
                  .outcome = std::move(result.outcome),
                  .words_used = result.words_used,
                  .words_rejected = result.words_rejected,
                  .tape_digest = result.tape_digest};
}

Result<VoidBody> SecretBatch::void_open(const BatchProgress& progress, std::uint64_t call_seq,
                                        const CallBody& call, VoidBody ended) const {
  TALLA_TRY_STATUS(check_open(progress, call_seq, call));
  TALLA_TRY(ended.outcome, outcome_known(call.core, ended.openings));
  SecretOpening opened = opening(call.core.at);
  ended.secret = opened.secret;
  ended.path = std::move(opened.path);
  return ended;
}

Result<VoidBody> SecretBatch::void_by_order(const BatchProgress& progress, std::uint64_t call_seq,
                                            const CallBody& call, std::vector<std::string> by,
                                            std::vector<OpenedBefore> openings) const {
  return void_open(progress, call_seq, call,
                   void_mix_by_order(call_seq, std::move(by), std::move(openings)));
}

Result<VoidBody> SecretBatch::void_withheld(const BatchProgress& progress, std::uint64_t call_seq,
                                            const CallBody& call,
                                            std::vector<std::string> missing) const {
  return void_open(progress, call_seq, call, void_mix_withheld(call_seq, std::move(missing)));
}

Result<std::optional<Outcome>> SecretBatch::outcome_known(
    const CallCore& core, std::span<const OpenedBefore> openings) const {
  if (openings.size() != core.others.size()) return std::optional<Outcome>();
  std::vector<CallOpening> all;
  for (const OpenedBefore& one : openings) all.push_back({one.value, one.signature});
  TALLA_TRY(DrawResult would_be, map_draw(*hashes_, core.draw(), secret_at(core.at),
                                          call_digest(*hashes_, core.bytes()), all));
  return std::optional(std::move(would_be.outcome));
}

Result<VoidBody> SecretBatch::void_lapsed(const BatchProgress& progress,
                                          const CallBody& call) const {
  TALLA_TRY_STATUS(check_call(progress, call.core));
  const CallCore& core = call.core;
  TALLA_TRY(std::optional<Outcome> outcome, outcome_known(core, {}));
  SecretOpening opened = opening(core.at);
  return VoidBody{.call = 0,
                  .cause = VoidCause::lapsed,
                  .lapsed = call,
                  .by = {},
                  .missing = {},
                  .openings = {},
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

namespace {

VoidBody void_of(std::uint64_t call_seq, VoidCause cause) {
  return {.call = call_seq,
          .cause = cause,
          .lapsed = {},
          .by = {},
          .missing = {},
          .openings = {},
          .outcome = {},
          .secret = {},
          .path = {}};
}

}  // namespace

VoidBody void_lapsed_unopened(const CallBody& call) {
  VoidBody body = void_of(0, VoidCause::lapsed);
  body.lapsed = call;
  return body;
}

VoidBody void_unrecoverable(std::uint64_t call_seq) {
  return void_of(call_seq, VoidCause::unrecoverable);
}

VoidBody void_mix_by_order(std::uint64_t call_seq, std::vector<std::string> by,
                           std::vector<OpenedBefore> openings) {
  VoidBody body = void_of(call_seq, VoidCause::order);
  body.openings = std::move(openings);
  body.by = std::move(by);
  return body;
}

VoidBody void_mix_withheld(std::uint64_t call_seq, std::vector<std::string> missing) {
  VoidBody body = void_of(call_seq, VoidCause::withheld);
  body.missing = std::move(missing);
  return body;
}

}  // namespace talla::certs
