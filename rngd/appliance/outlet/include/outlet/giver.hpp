/// \file
/// Where entropy for others comes from, and how much of it may go in a second.
///
/// Threads: a Giver may be called from any; an Allowance belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.hpp"
#include "entropy/generator.hpp"

namespace talla::outlet {

/// Blocks are given whole: what a request does not use of its last one is wiped, and counts.
inline constexpr std::size_t give_bytes_unit = 64;

/// The generator's outlet, behind a face that tests can play.
class Giver {
 public:
  Giver() = default;
  Giver(const Giver&) = delete;
  Giver& operator=(const Giver&) = delete;
  virtual ~Giver() = default;
  /// All `n_bytes` at once or nothing. Errors: entropy::Errc (latched, suspended, not_ready, ...).
  [[nodiscard]] virtual Result<entropy::GivenAway> give(std::size_t n_bytes) = 0;
  /// What `give` would give now, in bits.
  [[nodiscard]] virtual std::size_t spare_bits() const = 0;
};

/// The real one; the generator must outlive it.
class GeneratorGiver final : public Giver {
 public:
  explicit GeneratorGiver(entropy::Generator& generator) : generator_(generator) {}
  [[nodiscard]] Result<entropy::GivenAway> give(std::size_t n_bytes) override {
    return generator_.give_away(n_bytes);
  }
  [[nodiscard]] std::size_t spare_bits() const override { return generator_.spare_bits(); }

 private:
  entropy::Generator& generator_;
};

/// A token bucket over bytes, in integers: a second's worth may be saved up, at least 1,024 bytes.
class Allowance {
 public:
  /// `bytes_per_second` 1 to 2^30; full at the beginning.
  Allowance(std::uint32_t bytes_per_second, std::int64_t now_ns);
  /// Whole units of 64 bytes that may go now, in bytes.
  [[nodiscard]] std::size_t bytes(std::int64_t now_ns);
  /// Takes `n_bytes`, rounded up to whole units; at most what `bytes` said.
  void spend(std::size_t n_bytes);

 private:
  std::int64_t rate_;
  std::int64_t full_;     ///< Thousand-millionths of a byte.
  std::int64_t balance_;  ///< The same unit, 0 to full_.
  std::int64_t then_ns_;
};

}  // namespace talla::outlet
