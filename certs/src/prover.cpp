#include "certs/prover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "certs/key_history.hpp"
#include "format/reply.hpp"

namespace talla::certs {

namespace {
/// About a megabyte. What is not kept is signed again, to the same bytes.
constexpr std::size_t checkpoints_kept = 4096;
/// A draw's reply carries the CALL of the group before, and who waits for a call asks for both: so
/// many records are kept beside the last group, some two megabytes.
constexpr std::size_t recent_records = 2048;

/// Where a tree of this size ends; 0 for none.
std::uint64_t last_leaf(std::uint64_t size) {
  return size == 0 ? 0 : size - 1;
}
}  // namespace

const std::string* CheckpointCache::find(std::uint64_t size) {
  const auto place = places_.find(size);
  if (place == places_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, place->second);
  return &entries_.front().second;
}

void CheckpointCache::keep(std::uint64_t size, std::string note) {
  if (places_.contains(size)) return;  // another thread asked while a block was read
  entries_.emplace_front(size, std::move(note));
  places_[size] = entries_.begin();
  if (entries_.size() <= checkpoints_kept) return;
  places_.erase(entries_.back().first);
  entries_.pop_back();
}

Result<std::uint64_t> GroupEnds::group_ending(std::uint64_t size) const {
  const auto end = std::lower_bound(ends_.begin(), ends_.end(), size);
  if (end == ends_.end() || *end != size)
    return fail(Errc::not_found,
                fmt::format("size {} has no checkpoint: no group ended there", size));
  return static_cast<std::uint64_t>(end - ends_.begin());
}

Result<std::uint64_t> GroupEnds::end_of(std::uint64_t seq) const {
  const auto end = std::upper_bound(ends_.begin(), ends_.end(), seq);
  if (end == ends_.end()) return fail(Errc::not_found, fmt::format("no record {}", seq));
  return *end;
}

void LogSigners::sign_with(std::shared_ptr<Ed25519Signer> next) {
  rotated_ = std::move(next);
  signer_ = rotated_.get();
}

const Digest* LogSigners::past_key_of(std::uint64_t size) const {
  const auto key =
      std::find_if(past_.begin(), past_.end(), [&](const Past& one) { return size <= one.end; });
  return key == past_.end() ? nullptr : &key->public_key;
}

std::vector<Digest> LogSigners::public_keys() const {
  std::vector<Digest> keys;
  keys.reserve(past_.size() + 1);
  for (const Past& key : past_) keys.push_back(key.public_key);
  keys.push_back(signer_->public_key());
  return keys;
}

Prover::Prover(const Effects& effects, std::string origin)
    : hashes_(effects.hashes),
      ledger_(effects.ledger),
      origin_(std::move(origin)),
      keys_(effects.signer) {}

Status Prover::load() {
  const std::scoped_lock lock(mutex_);
  const std::uint64_t size = ledger_.size();
  TALLA_TRY_STATUS(
      ledger_.leaves(0, size, [this](const Digest& leaf) { tree_.append(hashes_, leaf); }));
  if (tree_.size() != size) {
    return fail(Errc::ledger_damaged,
                fmt::format("{} leaf hashes for {} records", tree_.size(), size));
  }
  TALLA_TRY_STATUS(ledger_.group_ends([this](std::uint64_t end) { group_ends_.add(end); }));
  if (size != group_ends_.last()) {
    return fail(Errc::ledger_damaged, fmt::format("the last group does not end at {}", size));
  }
  TALLA_TRY(const auto retired, load_retired_keys(ledger_));
  for (const RetiredKey& key : retired.keys) {
    TALLA_TRY(const LogKeyStatement statement, parse_statement(key.log_key.statement));
    const std::uint64_t end = key.announced + 1;
    keys_.add_past(end, statement.public_key);
    TALLA_TRY([[maybe_unused]] const std::uint64_t group, group_ends_.group_ending(end));
  }
  if (retired.announced && *retired.announced != keys_.present().public_key())
    return fail(LogKeyErrc::wrong_log_key,
                "the key of the log has changed: this one signs it no more, or not yet");
  size_ = size;
  return {};
}

void Prover::add_group(std::vector<LedgerRecord> records) {
  if (records.empty()) return;
  const std::scoped_lock lock(mutex_);
  for (const LedgerRecord& record : records) tree_.append(hashes_, record.leaf);
  group_ends_.add(tree_.size());
  const std::size_t kept = records.size() + recent_records;
  std::move(records.begin(), records.end(), std::back_inserter(recent_));
  while (recent_.size() > kept) recent_.pop_front();
  size_ = tree_.size();
}

Result<LogBlocks> Prover::blocks_at(Lock& lock, std::initializer_list<std::uint64_t> leaves) const {
  LogBlocks found;
  const auto missing = [&]() -> std::optional<std::uint64_t> {
    for (const std::uint64_t leaf : leaves) {
      const std::uint64_t block = LogTree::block_of(leaf);
      if (!tree_.is_old(block) || found.find(block) != nullptr) continue;
      if (auto nodes = old_blocks_.find(block)) {
        found.add(block, std::move(nodes));
      } else {
        return block;
      }
    }
    return std::nullopt;
  };
  // The tree grows while a block is read: all of them are looked at again.
  while (const auto block = missing()) {
    lock.unlock();
    auto nodes = read_block(*block);
    lock.lock();
    if (!nodes) return pass(std::move(nodes));
    TALLA_TRY_STATUS(tree_.compare(hashes_, *block, **nodes));
    old_blocks_.keep(*block, *nodes);
    found.add(*block, std::move(*nodes));
  }
  return found;
}

Result<LogBlock> Prover::read_block(std::uint64_t block) const {
  std::vector<Digest> leaves;
  leaves.reserve(LogTree::block_leaves);
  const std::uint64_t from = block * LogTree::block_leaves;
  TALLA_TRY_STATUS(ledger_.leaves(from, from + LogTree::block_leaves,
                                  [&](const Digest& leaf) { leaves.push_back(leaf); }));
  return std::make_shared<const MerkleTree>(hashes_, std::move(leaves));
}

NodeSource Prover::nodes_locked(const LogBlocks& old) const {
  return
      [this, &old](unsigned level, std::uint64_t index) { return tree_.node(level, index, old); };
}

Status Prover::in_tree_locked(std::uint64_t size) const {
  if (size <= tree_.size()) return {};
  return fail(Errc::not_found, fmt::format("the log has no size {} yet", size));
}

Result<Digest> Prover::root_locked(std::uint64_t size, const LogBlocks& old) const {
  if (size == tree_.size()) return tree_.root(hashes_);
  if (size == 0) return empty_root(hashes_);
  return root_at(hashes_, nodes_locked(old), size);
}

Result<std::string> Prover::checkpoint_locked(Lock& lock, std::uint64_t size) {
  if (const std::string* known = checkpoints_.find(size)) return *known;
  TALLA_TRY(const LogBlocks old, blocks_at(lock, {last_leaf(size)}));
  TALLA_TRY(const Digest head, root_locked(size, old));
  const Checkpoint checkpoint{.origin = origin_, .size = size, .root = head};
  const Digest* past = keys_.past_key_of(size);
  TALLA_TRY(std::string note, past != nullptr
                                  ? past_checkpoint_locked(checkpoint, *past)
                                  : sign_checkpoint(hashes_, checkpoint, keys_.present()));
  checkpoints_.keep(size, note);
  return note;
}

Result<std::string> Prover::past_checkpoint_locked(const Checkpoint& head,
                                                   const Digest& public_key) const {
  TALLA_TRY(const std::uint64_t group, group_ends_.group_ending(head.size));
  TALLA_TRY(const Signature64 signature, stored_signature(ledger_, group));
  return format_checkpoint(head, ed25519_key_id(hashes_, origin_, public_key), signature);
}

std::uint64_t Prover::groups() const {
  const std::scoped_lock lock(mutex_);
  return group_ends_.count();
}

Result<std::vector<Signature64>> Prover::signatures(std::uint64_t from, std::uint64_t to) {
  Lock lock(mutex_);
  std::vector<Signature64> all;
  for (std::uint64_t group = from; group < std::min(to, group_ends_.count()); ++group) {
    TALLA_TRY(const std::string note, checkpoint_locked(lock, group_ends_[group]));
    TALLA_TRY(const SignedCheckpoint parsed, parse_checkpoint(note));
    all.push_back(parsed.signature);
  }
  return all;
}

Result<Signature64> Prover::sign_ahead(std::span<const LedgerRecord> next) {
  const std::scoped_lock lock(mutex_);
  std::vector<Digest> edge;
  std::uint64_t before = 0;
  for (unsigned level = 64; level-- > 0;) {
    if (((tree_.size() >> level) & 1U) == 0) continue;
    TALLA_TRY(const Digest node, tree_.node(level, before >> level));
    edge.push_back(node);
    before += std::uint64_t{1} << level;
  }
  TALLA_TRY(CompactRange range, CompactRange::from_nodes(tree_.size(), std::move(edge)));
  for (const LedgerRecord& record : next) range.append(hashes_, record.leaf);
  const Checkpoint head{.origin = origin_, .size = range.size(), .root = range.root(hashes_)};
  TALLA_TRY(const std::string note, sign_checkpoint(hashes_, head, keys_.present()));
  TALLA_TRY(const SignedCheckpoint parsed, parse_checkpoint(note));
  return parsed.signature;
}

Status Prover::change_key(std::shared_ptr<Ed25519Signer> next) {
  Lock lock(mutex_);
  TALLA_TRY(const std::string last, checkpoint_locked(lock, tree_.size()));
  TALLA_TRY(
      const std::string stored,
      past_checkpoint_locked({.origin = origin_, .size = tree_.size(), .root = tree_.root(hashes_)},
                             keys_.present().public_key()));
  if (stored != last)
    return fail(Errc::ledger_damaged, "the last signature of the log key is another one");
  keys_.retire_present(tree_.size());
  keys_.sign_with(std::move(next));
  return {};
}

std::vector<Digest> Prover::public_keys() const {
  const std::scoped_lock lock(mutex_);
  return keys_.public_keys();
}

Result<std::vector<Digest>> Prover::inclusion_locked(std::uint64_t seq, std::uint64_t size,
                                                     const LogBlocks& old) const {
  return inclusion_path(hashes_, nodes_locked(old), seq, size);
}

Result<Digest> Prover::root(std::uint64_t size) const {
  Lock lock(mutex_);
  TALLA_TRY_STATUS(in_tree_locked(size));
  TALLA_TRY(const LogBlocks old, blocks_at(lock, {last_leaf(size)}));
  return root_locked(size, old);
}

Result<Digest> Prover::node(unsigned level, std::uint64_t index) const {
  Lock lock(mutex_);
  LogBlocks old;
  if (level < 64 && index <= tree_.size() >> level) {
    TALLA_TRY(old, blocks_at(lock, {index << level}));
  }
  return tree_.node(level, index, old);
}

Result<std::string> Prover::checkpoint(std::uint64_t size) {
  Lock lock(mutex_);
  TALLA_TRY_STATUS(in_tree_locked(size));
  return checkpoint_locked(lock, size);
}

Result<std::vector<Digest>> Prover::inclusion(std::uint64_t seq, std::uint64_t size) const {
  Lock lock(mutex_);
  TALLA_TRY_STATUS(in_tree_locked(size));
  TALLA_TRY(const LogBlocks old, blocks_at(lock, {seq, last_leaf(size)}));
  return inclusion_locked(seq, size, old);
}

Result<std::vector<Digest>> Prover::consistency(std::uint64_t old_size, std::uint64_t size) const {
  Lock lock(mutex_);
  TALLA_TRY_STATUS(in_tree_locked(size));
  TALLA_TRY(const LogBlocks old, blocks_at(lock, {last_leaf(old_size), last_leaf(size)}));
  return consistency_path(hashes_, nodes_locked(old), old_size, size);
}

std::optional<LedgerRecord> Prover::recent_record(std::uint64_t seq) const {
  const std::scoped_lock lock(mutex_);
  if (recent_.empty() || seq < recent_.front().seq || seq > recent_.back().seq) return std::nullopt;
  return recent_[seq - recent_.front().seq];
}

Result<LedgerRecord> Prover::record(std::uint64_t seq) const {
  if (auto recent = recent_record(seq)) return std::move(*recent);
  if (seq >= size_) return fail(Errc::not_found, fmt::format("no record {}", seq));
  return ledger_.record(seq);
}

Result<Receipt> Prover::receipt(std::uint64_t seq) {
  TALLA_TRY(LedgerRecord record, this->record(seq));
  return receipt_of(std::move(record));
}

Result<Receipt> Prover::receipt_of(LedgerRecord record) {
  const std::uint64_t seq = record.seq;
  TlogProof proof{.index = seq, .path = {}, .checkpoint = {}};
  {
    Lock lock(mutex_);
    TALLA_TRY(const std::uint64_t size, group_ends_.end_of(seq));
    TALLA_TRY(const LogBlocks old, blocks_at(lock, {seq, last_leaf(size)}));
    TALLA_TRY(proof.path, inclusion_locked(seq, size, old));
    TALLA_TRY(proof.checkpoint, checkpoint_locked(lock, size));
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
