/// \file
/// The two outside random inputs of every DRBG seed, as effects that are passed in: the operating
/// system's generator and the processor's RDSEED. Both are always mixed in and never credited
/// beside a physical source.
///
/// Errors:  Errc::source_failed; the buffer then holds nothing usable.
/// Threads: implementations hold no state; calls may run in parallel.
/// Secrecy: what is written is secret; callers keep it in SecretBytes.
#pragma once

#include <cstdint>
#include <span>

#include "base/result.hpp"

namespace talla::entropy {

class OsRandom {
 public:
  OsRandom() = default;
  OsRandom(const OsRandom&) = delete;
  OsRandom& operator=(const OsRandom&) = delete;
  virtual ~OsRandom() = default;
  /// Fills all of `out`, waiting for the system's first seeding if need be.
  [[nodiscard]] virtual Status fill(std::span<std::uint8_t> out) = 0;
};

/// getrandom(2) without flags: blocks until the kernel's generator is seeded, never returns short.
class SystemOsRandom final : public OsRandom {
 public:
  [[nodiscard]] Status fill(std::span<std::uint8_t> out) override;
};

/// The processor's RDSEED instruction, or what stands for it in a test.
class RdSeed {
 public:
  RdSeed() = default;
  RdSeed(const RdSeed&) = delete;
  RdSeed& operator=(const RdSeed&) = delete;
  virtual ~RdSeed() = default;
  /// False where the processor has no RDSEED; `fill` must then not be called.
  [[nodiscard]] virtual bool available() = 0;
  [[nodiscard]] virtual Status fill(std::span<std::uint8_t> out) = 0;
};

/// CPUID leaf 7, EBX bit 18; each 64-bit word is tried at most 1,000 times. Absent on other
/// processors.
class CpuRdSeed final : public RdSeed {
 public:
  [[nodiscard]] bool available() override;
  [[nodiscard]] Status fill(std::span<std::uint8_t> out) override;
};

/// A processor without RDSEED.
class NoRdSeed final : public RdSeed {
 public:
  [[nodiscard]] bool available() override { return false; }
  [[nodiscard]] Status fill(std::span<std::uint8_t> out) override;
};

}  // namespace talla::entropy
