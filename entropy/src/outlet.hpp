/// \file
/// Entropy for others: blocks made of samples that draws do not need, and a DRBG of their own.
/// Nothing in here ever feeds a draw or a seed of the draws' DRBG, and nothing of theirs comes in
/// here.
///
/// A block stands in one of the two pools, never in both: each comes from samples that were taken
/// for it alone.
/// Threads: under the generator's lock.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "block_pool.hpp"
#include "entropy/drbg.hpp"
#include "seed.hpp"

namespace talla::entropy {

class Outlet {
 public:
  /// `blocks_max` 0: there is no outlet, and it never wants a block.
  Outlet(std::size_t blocks_max, SeedIdentity identity);

  [[nodiscard]] std::size_t blocks() const { return pool_.size(); }
  [[nodiscard]] std::size_t blocks_max() const { return blocks_max_; }
  [[nodiscard]] bool wants_block() const { return blocks_max_ > 0 && (seed_due_ || !pool_.full()); }
  [[nodiscard]] bool seed_due() const { return seed_due_; }
  [[nodiscard]] std::uint64_t seeds() const { return identity_.seeds; }
  /// What the next seed is made with; begins a new incarnation where there is no DRBG.
  [[nodiscard]] const SeedIdentity& next_identity();
  /// Makes the DRBG or gives it a new seed; false: it failed and is gone.
  [[nodiscard]] bool seed(DrbgKind kind, std::span<const std::uint8_t> seed, std::int64_t now_ns);
  void push(std::span<const std::uint8_t> block, TimeRange samples) { pool_.push(block, samples); }

  /// Enough blocks, and a seed that is not due.
  [[nodiscard]] bool ready(std::size_t n_bytes) const;
  /// Precondition: ready. Fills `out` with blocks XOR DRBG; false: the DRBG failed. After
  /// `Drbg::seed_output_bytes` of them a seed is due before any more.
  [[nodiscard]] bool give(std::span<std::uint8_t> out);
  /// A new seed is due after so many calls or so much time.
  void age(std::uint32_t calls_max, std::int64_t interval_ns, std::int64_t now_ns);
  void want_seed() { seed_due_ = true; }
  /// Wipes the blocks any of whose samples came at or after that time; returns how many.
  std::size_t drop_since(std::int64_t from_ns) { return pool_.drop_since(from_ns); }
  /// Wipes all, the DRBG too; returns how many blocks.
  std::size_t wipe();

 private:
  std::size_t blocks_max_;
  BlockPool pool_;
  std::unique_ptr<Drbg> drbg_;
  SeedIdentity identity_;
  bool seed_due_ = true;
  std::uint32_t calls_since_seed_ = 0;
  std::size_t output_since_seed_ = 0;  ///< In bytes.
  std::int64_t seeded_ns_ = 0;
};

}  // namespace talla::entropy
