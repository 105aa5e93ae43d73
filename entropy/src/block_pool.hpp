/// \file
/// Full-entropy blocks that wait for use: a bounded store in locked memory, first in, first out,
/// each block used once.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "base/secret.hpp"
#include "entropy/conditioner.hpp"
#include "entropy/gate.hpp"

namespace talla::entropy {

class BlockPool {
 public:
  explicit BlockPool(std::size_t blocks_max);

  [[nodiscard]] std::size_t size() const { return waiting_.size(); }
  [[nodiscard]] bool full() const { return free_slots_.empty(); }
  /// Copies a block of 64 bytes in; the pool must not be full.
  void push(std::span<const std::uint8_t> block, TimeRange samples);
  /// XORs the oldest block into `out` (1 to 64 bytes), wipes it whole, and says when its samples
  /// came.
  [[nodiscard]] TimeRange take_xor(std::span<std::uint8_t> out);
  /// Wipes the blocks any of whose samples came at or after that time; returns how many.
  std::size_t drop_since(std::int64_t from_ns);
  /// Wipes all; returns how many.
  std::size_t wipe();

 private:
  struct Entry {
    std::size_t slot = 0;
    TimeRange samples;
  };
  void release(std::size_t slot);
  SecretBytes arena_;
  std::vector<std::size_t> free_slots_;
  std::deque<Entry> waiting_;
};

}  // namespace talla::entropy
