#include "certs/prover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "format/reply.hpp"

namespace talla::certs {

namespace {
/// About a megabyte. What is not kept is signed again, to the same bytes.
constexpr std::size_t checkpoints_kept = 4096;
/// A draw's reply carries the INTENT of the group before: so many records are kept beside the last group.
constexpr std::size_t recent_records = 1024;
}  // namespace

const std::string* CheckpointCache::find(std::uint64_t size) {
  const auto place = places_.find(size);
  if (place == places_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, place->second);
  return &entries_.front().second;
}

void CheckpointCache::keep(std::uint64_t size, std::string note) {
  entries_.emplace_front(size, std::move(note));
  places_[size] = entries_.begin();
  if (entries_.size() <= checkpoints_kept) return;
  places_.erase(entries_.back().first);
  entries_.pop_back();
}

Prover::Prover(const Effects& effects, std::string origin)
    : hashes_(effects.hashes), ledger_(effects.ledger), signer_(effects.signer), origin_(std::move(origin)) {}

Status Prover::load() {
  const std::scoped_lock lock(mutex_);
  const std::uint64_t size = ledger_.size();
  TALLA_TRY_STATUS(ledger_.leaves(0, size, [this](const Digest& leaf) { tree_.append(hashes_, leaf); }));
  if (tree_.size() != size) {
    return fail(Errc::ledger_damaged, fmt::format("{} leaf hashes for {} records", tree_.size(), size));
  }
  TALLA_TRY_STATUS(ledger_.group_ends([this](std::uint64_t end) { group_ends_.push_back(end); }));
  if (size != (group_ends_.empty() ? 0 : group_ends_.back())) {
    return fail(Errc::ledger_damaged, fmt::format("the last group does not end at {}", size));
  }
  size_ = size;
  return {};
}

void Prover::add_group(std::vector<LedgerRecord> records) {
  if (records.empty()) return;
  const std::scoped_lock lock(mutex_);
  for (const LedgerRecord& record : records) tree_.append(hashes_, record.leaf);
  group_ends_.push_back(tree_.size());
  const std::size_t kept = records.size() + recent_records;
  std::move(records.begin(), records.end(), std::back_inserter(recent_));
  while (recent_.size() > kept) recent_.pop_front();
  size_ = tree_.size();
}

Result<Digest> Prover::node_locked(unsigned level, std::uint64_t index) const {
  return tree_.node(level, index);
}

Result<Digest> Prover::root_locked(std::uint64_t size) const {
  if (size == tree_.size()) return tree_.root(hashes_);
  if (size > tree_.size()) return fail(Errc::not_found, fmt::format("the log has no size {} yet", size));
  if (size == 0) return empty_root(hashes_);
  return root_at(
      hashes_, [this](unsigned level, std::uint64_t index) { return node_locked(level, index); }, size);
}

Result<std::string> Prover::checkpoint_locked(std::uint64_t size) {
  if (const std::string* known = checkpoints_.find(size)) return *known;
  TALLA_TRY(const Digest head, root_locked(size));
  TALLA_TRY(std::string note,
            sign_checkpoint(hashes_, {.origin = origin_, .size = size, .root = head}, signer_));
  checkpoints_.keep(size, note);
  return note;
}

Result<std::uint64_t> Prover::group_end_locked(std::uint64_t seq) const {
  const auto end = std::upper_bound(group_ends_.begin(), group_ends_.end(), seq);
  if (end == group_ends_.end()) return fail(Errc::not_found, fmt::format("no record {}", seq));
  return *end;
}

Result<std::vector<Digest>> Prover::inclusion_locked(std::uint64_t seq, std::uint64_t size) const {
  if (size > tree_.size()) return fail(Errc::not_found, fmt::format("the log has no size {} yet", size));
  return inclusion_path(
      hashes_, [this](unsigned level, std::uint64_t index) { return node_locked(level, index); }, seq, size);
}

Result<Digest> Prover::root(std::uint64_t size) const {
  const std::scoped_lock lock(mutex_);
  return root_locked(size);
}

Result<Digest> Prover::node(unsigned level, std::uint64_t index) const {
  const std::scoped_lock lock(mutex_);
  return node_locked(level, index);
}

Result<std::string> Prover::checkpoint(std::uint64_t size) {
  const std::scoped_lock lock(mutex_);
  return checkpoint_locked(size);
}

Result<std::vector<Digest>> Prover::inclusion(std::uint64_t seq, std::uint64_t size) const {
  const std::scoped_lock lock(mutex_);
  return inclusion_locked(seq, size);
}

Result<std::vector<Digest>> Prover::consistency(std::uint64_t old_size, std::uint64_t size) const {
  const std::scoped_lock lock(mutex_);
  if (size > tree_.size()) return fail(Errc::not_found, fmt::format("the log has no size {} yet", size));
  return consistency_path(
      hashes_, [this](unsigned level, std::uint64_t index) { return node_locked(level, index); }, old_size,
      size);
}

std::optional<LedgerRecord> Prover::recent_record(std::uint64_t seq) const {
  const std::scoped_lock lock(mutex_);
  if (recent_.empty() || seq < recent_.front().seq || seq > recent_.back().seq) return std::nullopt;
  return recent_[seq - recent_.front().seq];
}

Result<Receipt> Prover::receipt(std::uint64_t seq) {
  if (auto recent = recent_record(seq)) return receipt_of(std::move(*recent));
  TALLA_TRY(LedgerRecord record, ledger_.record(seq));
  return receipt_of(std::move(record));
}

Result<Receipt> Prover::receipt_of(LedgerRecord record) {
  const std::uint64_t seq = record.seq;
  TlogProof proof{.index = seq, .path = {}, .checkpoint = {}};
  {
    const std::scoped_lock lock(mutex_);
    TALLA_TRY(const std::uint64_t size, group_end_locked(seq));
    TALLA_TRY(proof.path, inclusion_locked(seq, size));
    TALLA_TRY(proof.checkpoint, checkpoint_locked(size));
  }
  return Receipt{.proof = format_proof(proof), .record = std::move(record.bytes)};
}

Result<std::string> Prover::reply_body(const StoredReply& reply) {
  std::vector<Receipt> receipts;
  receipts.reserve(reply.seqs.size());
  for (const std::uint64_t seq : reply.seqs) {
    TALLA_TRY(Receipt one, receipt(seq));
    receipts.push_back(std::move(one));
  }
  auto body = reply_text(reply.head, receipts);
  if (!body) return fail(Errc::ledger_damaged, "a stored reply is no object");
  return body;
}

}  // namespace talla::certs
