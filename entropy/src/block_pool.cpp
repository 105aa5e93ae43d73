#include "block_pool.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace talla::entropy {

BlockPool::BlockPool(std::size_t blocks_max) : arena_(blocks_max * block_bytes) {
  for (std::size_t slot = blocks_max; slot-- > 0;) free_slots_.push_back(slot);
}

void BlockPool::release(std::size_t slot) {
  talla::wipe(arena_.data() + slot * block_bytes, block_bytes);
  free_slots_.push_back(slot);
}

void BlockPool::push(std::span<const std::uint8_t> block, TimeRange samples) {
  TALLA_CHECK(!full());
  TALLA_CHECK(block.size() == block_bytes);
  const std::size_t slot = free_slots_.back();
  free_slots_.pop_back();
  std::copy(block.begin(), block.end(),
            arena_.begin() + static_cast<std::ptrdiff_t>(slot * block_bytes));
  waiting_.push_back({slot, samples});
}

TimeRange BlockPool::take_xor(std::span<std::uint8_t> out) {
  TALLA_CHECK(!waiting_.empty());
  TALLA_CHECK(out.size() <= block_bytes);
  const Entry entry = waiting_.front();
  waiting_.pop_front();
  const std::uint8_t* block = arena_.data() + entry.slot * block_bytes;
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<std::uint8_t>(out[i] ^ block[i]);
  release(entry.slot);
  return entry.samples;
}

std::size_t BlockPool::drop_since(std::int64_t from_ns) {
  std::deque<Entry> kept;
  for (const Entry& entry : waiting_) {
    if (entry.samples.to_ns < from_ns) {
      kept.push_back(entry);
    } else {
      release(entry.slot);
    }
  }
  const std::size_t dropped = waiting_.size() - kept.size();
  waiting_ = std::move(kept);
  return dropped;
}

std::size_t BlockPool::wipe() {
  const std::size_t dropped = waiting_.size();
  for (const Entry& entry : waiting_) release(entry.slot);
  waiting_.clear();
  return dropped;
}

}  // namespace talla::entropy
