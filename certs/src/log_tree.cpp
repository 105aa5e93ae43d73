#include "certs/log_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "certs/errc.hpp"
#include "format/errc.hpp"

namespace talla::certs {

namespace {
constexpr unsigned block_level = 8;
/// A megabyte each: what receipts, tiles and clients that lag a little ask for, and what somebody
///                  pages through.
constexpr std::size_t recent_blocks = 64;
constexpr std::size_t cached_blocks = 64;
}  // namespace

const MerkleTree* LogBlocks::find(std::uint64_t block) const {
  const auto found = std::ranges::find(blocks_, block, &std::pair<std::uint64_t, LogBlock>::first);
  return found == blocks_.end() ? nullptr : found->second.get();
}

LogBlock LogBlockCache::find(std::uint64_t block) {
  const auto found = std::ranges::find(entries_, block, &std::pair<std::uint64_t, LogBlock>::first);
  if (found == entries_.end()) return nullptr;
  std::rotate(entries_.begin(), found, found + 1);
  return entries_.front().second;
}

void LogBlockCache::keep(std::uint64_t block, LogBlock nodes) {
  if (find(block)) return;
  entries_.emplace_front(block, std::move(nodes));
  if (entries_.size() > cached_blocks) entries_.pop_back();
}

void LogTree::append(const HashSuite& hashes, const Digest& leaf) {
  growing_.append(hashes, leaf);
  if (growing_.size() < block_leaves) return;
  upper_.append(hashes, growing_.root(hashes));
  recent_.push_back(std::make_shared<const MerkleTree>(std::exchange(growing_, {})));
  if (recent_.size() > recent_blocks) recent_.pop_front();
}

Digest LogTree::root(const HashSuite& hashes) const {
  if (size() == 0) return empty_root(hashes);
  const auto root = root_at(
      hashes, [this](unsigned level, std::uint64_t index) { return node(level, index); }, size());
  TALLA_CHECK(root.has_value());
  return *root;
}

bool LogTree::is_old(std::uint64_t block) const {
  return block + recent_.size() < upper_.size();
}

Status LogTree::compare(const HashSuite& hashes, std::uint64_t block,
                        const MerkleTree& nodes) const {
  TALLA_TRY(const Digest added, upper_.node(0, block));
  if (nodes.size() == block_leaves && nodes.root(hashes) == added) return {};
  return fail(Errc::ledger_damaged,
              fmt::format("the leaf hashes of records {} to {} are not what they were at the start",
                          block * block_leaves, (block + 1) * block_leaves - 1));
}

const MerkleTree* LogTree::block(std::uint64_t number, const LogBlocks& old) const {
  if (number == upper_.size()) return &growing_;
  if (number > upper_.size()) return nullptr;
  if (is_old(number)) return old.find(number);
  return recent_[number + recent_.size() - upper_.size()].get();
}

Result<Digest> LogTree::node(unsigned level, std::uint64_t index, const LogBlocks& old) const {
  if (level >= block_level) return upper_.node(level - block_level, index);
  const std::uint64_t number = index >> (block_level - level);
  const MerkleTree* const nodes = block(number, old);
  if (nodes == nullptr)
    return fail(FormatErrc::index_out_of_range,
                fmt::format("tree: no node {} of level {}", index, level));
  return nodes->node(level, index - (number << (block_level - level)));
}

}  // namespace talla::certs
